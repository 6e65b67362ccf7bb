"""09 The wooden wall on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.base.build import add_wooden_walls
from alhambra.modules.city_walls import Walls
from tests.rules.overlays.fates import Overlay, check, shown_on, walls_shown
from tests.rules.overlays.table import cells_of


def build(game: Game, seat: int, tile: str) -> None:
    """A wooden wall stands at the southern side of the tile."""
    game.module_state(Walls).left -= 1
    add_wooden_walls(game, seat, tile, ("S",), part=0, event="wall_built")


def stands(game: Game, tile: str) -> bool:
    """By the state, the tile has a wall."""
    return any(game.state.wooden_walls.get(tile, ()))


def seen(game: Game, tile: str) -> bool:
    """Everybody sees the wall: in an Alhambra, or on a tile that is not built. Of Dirk's tiles only names are told."""
    return walls_shown(game, tile) or shown_on(game, "city_walls", "wall", tile) or _at_dirk(game, tile)


def _at_dirk(game: Game, tile: str) -> bool:
    return tile in game.state.dirk and stands(game, tile)


OVERLAY = Overlay(
    modules=("city_walls",),
    put=build,
    lies=stands,
    seen=seen,
    home=lambda game: game.module_state(Walls).left == 12,
)


@pytest.mark.rule("09.12", "09.15")
@pytest.mark.parametrize(("way", "expected"), cells_of("wooden_wall", "test_wooden_wall_fares_as_its_cell_says"))
def test_wooden_wall_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
