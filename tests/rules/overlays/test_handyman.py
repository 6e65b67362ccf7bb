"""40 The handyman on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra.modules.handymen import Crew
from tests.rules.modules.handymen_table import employ
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

OVERLAY = Overlay(
    modules=("handymen",),
    put=employ,
    lies=lambda game, tile: tile in game.slice(Crew).on_tiles,
    seen=lambda game, tile: shown_on(game, "handymen", "handyman", tile),
    home=lambda game: set(game.slice(Crew).supply) == {8},
)


@pytest.mark.parametrize(("way", "expected"), cells_of("handyman", "test_handyman"))
def test_handyman(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
