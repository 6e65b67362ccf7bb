"""37 The wall piece on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.base.build import add_wooden_walls
from alhambra.modules.gates_without_end.keys import Gates
from tests.rules.overlays.fates import Overlay, check, shown_on, walls_shown
from tests.rules.overlays.table import cells_of


def build(game: Game, seat: int, tile: str) -> None:
    """A wall piece stands at the southern side of the tile."""
    kept = game.module_state(Gates)
    kept.walls -= 1
    kept.standing = {**kept.standing, tile: ((0, "S"),)}
    add_wooden_walls(game, seat, tile, ("S",), part=0, event="wall_added")


def stands(game: Game, tile: str) -> bool:
    """By the state, the tile has a wall, and it is one of the wall pieces."""
    return any(game.state.wooden_walls.get(tile, ())) and tile in game.module_state(Gates).standing


def seen(game: Game, tile: str) -> bool:
    """Everybody sees the wall: in an Alhambra, or on a tile that is not built. Of Dirk's tiles only names are told."""
    return walls_shown(game, tile) or shown_on(game, "gates_without_end", "wall_piece", tile) or _at_dirk(game, tile)


def _at_dirk(game: Game, tile: str) -> bool:
    return tile in game.state.dirk and stands(game, tile)


OVERLAY = Overlay(
    modules=("gates_without_end",),
    put=build,
    lies=stands,
    seen=seen,
    home=lambda game: not game.module_state(Gates).standing,
)


@pytest.mark.rule("37.49")
@pytest.mark.parametrize(("way", "expected"), cells_of("key_wall", "test_key_wall_fares_as_its_cell_says"))
def test_key_wall_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)
