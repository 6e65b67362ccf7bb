"""38 The die on a building of power, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.buildings_of_power import Powers
from tests.rules.modules.powers_table import KEY, STRENGTH, put_die
from tests.rules.overlays.table import cells_of
from tests.rules.overlays.ways import Overlay, check, shown_on


def roll(game: Game, seat: int, tile: str) -> None:
    """A black die lies on the building, unless its buyer has rolled one."""
    if tile not in game.slice(Powers).dice:
        put_die(game, seat, tile, 5)


OVERLAY = Overlay(
    modules=(KEY,),
    put=roll,
    lies=lambda game, tile: tile in game.slice(Powers).dice,
    seen=lambda game, tile: shown_on(game, KEY, "black_die", tile),
    home=lambda game: game.slice(Powers).supply.count("black_die") == 3,
    tile=STRENGTH,
)


@pytest.mark.parametrize(("way", "expected"), cells_of("die", "test_die"))
def test_die(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
