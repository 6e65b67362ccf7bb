"""12 The resident of a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.street_trader import Residents
from tests.rules.modules.street_trader_table import KEY, house
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of


def move_in(game: Game, _seat: int, tile: str) -> None:
    """A resident of the supply lives there."""
    house(game, tile)


def at_home(game: Game) -> bool:
    """All residents but those on the discs are in the supply."""
    kept = game.module_state(Residents)
    return len(kept.supply) + sum(map(len, kept.aboard)) == 42


OVERLAY = Overlay(
    modules=(KEY,),
    put=move_in,
    lies=lambda game, tile: tile in game.module_state(Residents).homes,
    seen=lambda game, tile: shown_on(game, KEY, "resident", tile),
    home=at_home,
)


@pytest.mark.rule("12.11", "12.43")
@pytest.mark.parametrize(("way", "expected"), cells_of("resident", "test_resident_fares_as_its_cell_says"))
def test_resident_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
