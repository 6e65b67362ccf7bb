"""04 The squares: a square counts for its own type only, and only squares count their neighbours."""

from __future__ import annotations

import pytest

from alhambra.modules.squares import worth
from tests.rules.modules.test_squares import build, square_table
from tests.rules.situations import hold_scoring, points


@pytest.mark.rule("04.14", "04.15")
def test_a_square_counts_no_neighbours_of_another_type() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_2", (1, 1): "tower-11"})
    build(game, 1, {(1, 0): "tower-12"})
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 9, 1: 9}


@pytest.mark.rule("04.15")
def test_buildings_side_by_side_count_once_each() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "tower-11", (2, 0): "tower-12"})
    build(game, 1, {(-1, 0): "tower-10-w", (0, 1): "tower-11-s"})
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 9, 1: 9}


@pytest.mark.rule("04.33")
@pytest.mark.parametrize(("chosen", "count"), [("garden", 1), ("tower", 0), ("", 0)])
def test_what_a_neighbour_counts_as_is_the_type_it_has_now(chosen: str, count: int) -> None:
    """A ground counts once its building is chosen, whichever tile it is; an unfinished building counts as nothing."""
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_2", (1, 1): "arcades-9"})
    game.state.types = {"arcades-9": chosen}
    assert worth(game, game.board(0), (1, 0), "garden") == count
