"""21 The falcon on a corner of a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.falconers import FALCON
from tests.rules.modules.falconers_table import perch, sitting
from tests.rules.overlays.fates import Overlay, check
from tests.rules.overlays.table import cells_of
from tests.rules.overlays.ways import BUILT, FIRST, NEIGHBOUR
from tests.rules.situations import alhambra, pieces

POINT = FIRST
"""The point where the four tiles meet, named by the north-western one."""
WHITE = "falcon_white_garden_tower"


def settle_down(game: Game, seat: int, tile: str) -> None:
    """The tile, its neighbour and two more meet in a point on which a falcon sits."""
    alhambra(game, seat, {FIRST: NEIGHBOUR, BUILT: tile, (1, 1): "chambers-10", (2, 1): "arcades-9"})
    perch(game, seat, **{WHITE: POINT})


def sits(game: Game, _tile: str) -> bool:
    """By the state, the falcon sits on its point."""
    return WHITE in sitting(game)


def seen(game: Game, _tile: str) -> bool:
    """Everybody sees the falcon on its point."""
    return any(piece.get("cell") == POINT for piece in pieces(game, "falconers", kind=FALCON, piece=WHITE))


OVERLAY = Overlay(
    modules=("falconers",),
    put=settle_down,
    lies=sits,
    seen=seen,
    home=lambda game: not sitting(game),
)


@pytest.mark.rule("21.13")
@pytest.mark.parametrize(("way", "expected"), cells_of("falcon", "test_falcon_fares_as_its_cell_says"))
def test_falcon_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
