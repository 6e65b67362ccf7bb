"""29 The major-domo on a tile, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.palace_staff import Staff
from tests.rules.modules.palace_staff_table import KEY, stand_at
from tests.rules.overlays.fates import Overlay, check, kept_from, shown_on
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import BUILT
from tests.rules.situations import codes


def stand(game: Game, seat: int, _tile: str) -> None:
    """He stands on the built tile."""
    stand_at(game, BUILT, seat)


def stands(game: Game, tile: str) -> bool:
    """By the state, a major-domo stands on a cell of the tile."""
    cells = game.module_state(Staff).cells
    boards = [owner.board for owner in game.state.seats]
    return any(tile in board.placed and cell in board.cells_of(tile) for board, cell in zip(boards, cells, strict=True))


OVERLAY = Overlay(
    modules=(KEY,),
    put=stand,
    lies=stands,
    seen=lambda game, tile: shown_on(game, KEY, "major_domo", tile),
    home=lambda game: set(game.module_state(Staff).cells) == {(0, 0)},
)


@pytest.mark.parametrize(("way", "expected"), cells_of("major_domo", "test_major_domo_fares_as_its_cell_says"))
def test_major_domo_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.parametrize("way", ways_of("major_domo", "test_major_domo_locks_his_tile"))
def test_major_domo_locks_his_tile(way: str) -> None:
    assert codes(kept_from(OVERLAY, way)) == ["LOCKED"]
