"""40 The handyman on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra.modules.handymen import Crew
from tests.rules.modules.handymen_table import crew, employ, rolled
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of
from tests.rules.situations import codes, refused

OVERLAY = Overlay(
    modules=("handymen",),
    put=employ,
    lies=lambda game, tile: tile in game.module_state(Crew).on_tiles,
    seen=lambda game, tile: shown_on(game, "handymen", "handyman", tile),
    home=lambda game: set(game.module_state(Crew).supply) == {8},
)


@pytest.mark.rule("40.38")
@pytest.mark.parametrize(("way", "expected"), cells_of("handyman", "test_handyman_fares_as_its_cell_says"))
def test_handyman_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.rule("40.39")
def test_handyman_is_not_put_on_a_tile_that_waits_to_be_placed() -> None:
    """A project that was won lies beside the Alhambra at the start of the turn, neither built nor in the reserve."""
    game = rolled(crew(3, "major_construction_projects"), 4, 4, 4)
    project = next(tile.id for tile in game.ruleset.tiles.values() if tile.kind == "project")
    game.state.seats[0].pending = (project,)
    assert codes(refused(game, "put_handyman", tile=project)) == ["NOT_THERE"]
