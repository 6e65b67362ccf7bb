"""38 The die on a building of power, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.buildings_of_power import Powers
from tests.rules.modules.powers_table import KEY, STRENGTH, put_die
from tests.rules.overlays.fates import Overlay, check, go, ready, shown_on
from tests.rules.overlays.table import cells_of
from tests.rules.situations import events_of


def roll(game: Game, seat: int, tile: str) -> None:
    """A black die lies on the building, unless its buyer has rolled one."""
    if tile not in game.module_state(Powers).dice:
        put_die(game, seat, tile, 5)


OVERLAY = Overlay(
    modules=(KEY,),
    put=roll,
    lies=lambda game, tile: tile in game.module_state(Powers).dice,
    seen=lambda game, tile: shown_on(game, KEY, "black_die", tile),
    home=lambda game: game.module_state(Powers).supply.count("black_die") == 3,
    tile=STRENGTH,
)


@pytest.mark.rule("38.18", "38.19", "38.30")
@pytest.mark.parametrize(("way", "expected"), cells_of("die", "test_die_fares_as_its_cell_says"))
def test_die_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


def test_die_of_a_sold_tile_is_rolled_anew() -> None:
    """The die of the seller goes back first, so that the supply holds as many as before."""
    game = ready(OVERLAY, "sold")
    game.module_state(Powers).dice = {STRENGTH: (1, 0)}
    events = go(game, "sold", STRENGTH)
    assert events_of(events, "die_returned") == [{"tile": STRENGTH}]
    owner, value = game.module_state(Powers).dice[STRENGTH]
    assert owner == 0
    assert value > 0
    assert game.module_state(Powers).supply.count("black_die") == 2
    assert OVERLAY.seen(game, STRENGTH)
