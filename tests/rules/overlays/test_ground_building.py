"""27 The construction building on a ground, for every way in which the ground can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.new_building_grounds import Columns
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of


def build(game: Game, _seat: int, tile: str) -> None:
    """The topmost building of its column lies on the ground, unless its buyer has chosen one."""
    columns = game.module_state(Columns).columns
    if tile not in game.state.types:
        chosen, *left = columns[12]
        game.module_state(Columns).columns = {**columns, 12: tuple(left)}
        game.state.types = {**game.state.types, tile: chosen}


OVERLAY = Overlay(
    modules=("new_building_grounds",),
    put=build,
    lies=lambda game, tile: tile in game.state.types,
    seen=lambda game, tile: shown_on(game, "new_building_grounds", "construction", tile),
    home=lambda game: sum(map(len, game.module_state(Columns).columns.values())) == 12,
    tile="ground_12_1",
)


@pytest.mark.parametrize(
    ("way", "expected"), cells_of("ground_building", "test_ground_building_fares_as_its_cell_says")
)
def test_ground_building_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
