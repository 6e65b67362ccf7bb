"""39 The extension of a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra.modules.extensions import Extensions
from tests.rules.modules.extensions_table import FULL, PLAYED, attach, extensions
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of
from tests.rules.situations import alhambra, codes, hand, market, play, refused

OVERLAY = Overlay(
    modules=("extensions",),
    put=lambda game, _seat, tile: attach(game, tile),
    lies=lambda game, tile: tile in game.module_state(Extensions).attached,
    seen=lambda game, tile: shown_on(game, "extensions", "extension", tile),
    home=lambda game: len(game.module_state(Extensions).lying) == 12,
)


@pytest.mark.rule("39.9", "39.31")
@pytest.mark.parametrize(("way", "expected"), cells_of("extension", "test_extension_fares_as_its_cell_says"))
def test_extension_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.rule("39.6")
def test_extension_is_not_put_on_a_tile_of_the_market() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "arcades-10"})
    market(game, **{**FULL, "denar": "arcades-8-e"})
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot="extension-1-2")
    assert codes(refused(game, "attach arcades-8-e")) == ["NOT_THERE"]
