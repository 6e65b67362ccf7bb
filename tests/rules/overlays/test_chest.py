"""13 The chest in a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra.modules.treasure_chamber import Chamber
from tests.rules.modules.test_treasure_chamber import put
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

OVERLAY = Overlay(
    modules=("treasure_chamber",),
    put=lambda game, _seat, tile: put(game, tile),
    lies=lambda game, tile: tile in game.module_state(Chamber).put,
    seen=lambda game, tile: shown_on(game, "treasure_chamber", "chest", tile),
    home=lambda game: len(game.module_state(Chamber).bag) == 30,
)


@pytest.mark.rule("13.12", "13.26")
@pytest.mark.parametrize(("way", "expected"), cells_of("chest", "test_chest_fares_as_its_cell_says"))
def test_chest_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
