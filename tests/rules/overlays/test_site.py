"""23 The marker of a building site, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from tests.rules.modules.building_sites_table import lay_site, sites
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

OVERLAY = Overlay(
    modules=("building_sites",),
    put=lambda game, seat, tile: lay_site(game, seat, tile, "dukat"),
    lies=lambda game, tile: tile in sites(game).on and tile in game.state.covered,
    seen=lambda game, tile: shown_on(game, "building_sites", "site", tile),
    home=lambda game: len(sites(game).stack) == 8 and not game.state.covered,
)


@pytest.mark.parametrize(("way", "expected"), cells_of("site", "test_site_fares_as_its_cell_says"))
def test_site_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
