"""29 The servant of a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from tests.rules.modules.palace_staff_table import KEY, house, served
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

OVERLAY = Overlay(
    modules=(KEY,),
    put=lambda game, _seat, tile: house(game, tile, "garden"),
    lies=lambda game, tile: served(game).get(tile) == ["garden"],
    seen=lambda game, tile: shown_on(game, KEY, "servant", tile),
    home=lambda game: not served(game) and "servant_garden" not in game.state.box,
)


@pytest.mark.parametrize(("way", "expected"), cells_of("servant", "test_servant_fares_as_its_cell_says"))
def test_servant_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
