"""04 The squares: a square counts for its own type only, and only squares count their neighbours."""

from __future__ import annotations

from tests.rules.modules.test_squares import build, square_table
from tests.rules.situations import hold_scoring, points


def test_a_square_counts_no_neighbours_of_another_type() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_2", (1, 1): "tower-11"})
    build(game, 1, {(1, 0): "tower-12"})
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 9, 1: 9}


def test_buildings_side_by_side_count_once_each() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "tower-11", (2, 0): "tower-12"})
    build(game, 1, {(-1, 0): "tower-10-w", (0, 1): "tower-11-s"})
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 9, 1: 9}
