"""36 The animals on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.menagerie import Menagerie
from tests.rules.modules.menagerie_table import on, put
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

PAIR = ["dove", "dove"]


def clear(game: Game) -> None:
    """All animals are in the supply, those too that left the game unseen."""
    kept = game.module_state(Menagerie)
    lying = [species for animals in kept.lying.values() for _, species in animals]
    kept.supply, kept.lying, kept.removed = tuple(sorted((*kept.supply, *lying, *kept.removed))), {}, ()


def at_home(game: Game) -> bool:
    """All three doves are in the supply."""
    return game.module_state(Menagerie).supply.count("dove") == 3


OVERLAY = Overlay(
    modules=("menagerie",),
    put=lambda game, _seat, tile: put(game, tile, "dove dove"),
    lies=lambda game, tile: on(game, tile) == PAIR,
    seen=lambda game, tile: shown_on(game, "menagerie", "animal", tile),
    home=at_home,
    clear=clear,
)


@pytest.mark.rule("36.30", "36.31")
@pytest.mark.parametrize(("way", "expected"), cells_of("animal", "test_animals_fare_as_their_cell_says"))
def test_animals_fare_as_their_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
