"""04 The squares: how many there are, and how one is told from a building."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES
from alhambra.invariants import census
from alhambra.modules.squares import SQUARES
from alhambra.svg import draw_component
from tests.rules.modules.test_squares import COUNTS, square_table
from tests.rules.situations import play


def all_squares(game: Game) -> Counter[str]:
    """All squares, wherever they are."""
    return Counter({tile: count for tile, count in census(game).items() if tile.startswith("square_")})


@pytest.mark.rule("04.1", "04.6")
def test_twenty_four_squares_are_in_the_stacks_or_with_somebody() -> None:
    game = square_table()
    assert sum(COUNTS.values()) == 24
    assert all_squares(game) == Counter(tile.id for tile in SQUARES)
    play(game, "take_square", slot="square-garden")
    assert all_squares(game) == Counter(tile.id for tile in SQUARES)


@pytest.mark.rule("04.1", "04.33")
def test_a_square_is_drawn_with_a_paved_circle_and_a_building_without() -> None:
    rules = square_table().ruleset
    building = next(name for name in BASE_TILES if name.startswith("garden"))
    square = next(tile for tile in SQUARES if tile.type == "garden")
    assert 'class="plaza"' in draw_component(rules, "tile", square.id)
    assert 'class="plaza"' not in draw_component(rules, "tile", building)
