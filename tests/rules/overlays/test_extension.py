"""39 The extension of a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra.modules.extensions import Extensions
from tests.rules.modules.extensions_table import attach
from tests.rules.overlays.fates import Overlay, check, shown_on
from tests.rules.overlays.table import cells_of

OVERLAY = Overlay(
    modules=("extensions",),
    put=lambda game, _seat, tile: attach(game, tile),
    lies=lambda game, tile: tile in game.slice(Extensions).attached,
    seen=lambda game, tile: shown_on(game, "extensions", "extension", tile),
    home=lambda game: len(game.slice(Extensions).lying) == 12,
)


@pytest.mark.parametrize(("way", "expected"), cells_of("extension", "test_extension"))
def test_extension(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
