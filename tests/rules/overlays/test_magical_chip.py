"""25 The chip on a magical building, which says how it is turned, for every way in which its tile can move.

The chip is not modelled as a piece: the rotation with which the tile lies in the Alhambra says the same.
"""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.overlays.fates import Overlay, asked_to_lay, check, ready
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import BUILT, FIRST, in_alhambra
from tests.rules.situations import alhambra, legal, play


def turn(game: Game, seat: int, tile: str) -> None:
    """The built tile is turned upside down, so that its wall is in the south."""
    board = game.state.seats[seat].board
    board.remove(tile)
    board.put(game.ruleset.tiles[tile], *BUILT, 180)


def turned(game: Game, tile: str) -> bool:
    """By the state, the tile lies turned in an Alhambra."""
    seat = in_alhambra(game, tile)
    return seat is not None and game.state.seats[seat].board.placed[tile].rotation != 0


def seen(game: Game, tile: str) -> bool:
    """Everybody sees how it is turned."""
    boards = (seat["alhambra"] for seat in game.view(None)["seats"])
    return any(entry["tile"] == tile and "rotation" in entry for board in boards for entry in board)


OVERLAY = Overlay(
    modules=("magical_buildings",),
    put=turn,
    lies=turned,
    seen=seen,
    home=lambda game: not turned(game, "magical_seraglio"),
    tile="magical_seraglio",
)


@pytest.mark.parametrize(("way", "expected"), cells_of("magical_chip", "test_magical_chip_fares_as_its_cell_says"))
def test_magical_chip_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.parametrize("rotation", [90, 180])
def test_magical_chip_is_laid_as_the_tile_is_added(rotation: int) -> None:
    game = ready(OVERLAY, "added", put=False)
    play(game, f"add {OVERLAY.tile} @1,0", rotation=rotation)
    assert turned(game, OVERLAY.tile)


def test_magical_chip_of_a_tile_swapped_in_is_laid_anew() -> None:
    game = ready(OVERLAY, "added", put=False)
    alhambra(game, 0, {FIRST: "tower-11", BUILT: "garden-10"})
    play(game, f"swap {OVERLAY.tile} @2,0", rotation=90)
    assert turned(game, OVERLAY.tile)
    assert seen(game, OVERLAY.tile)


@pytest.mark.rule("25.16")
def test_magical_chip_of_a_tile_moved_inside_the_alhambra_is_laid_anew() -> None:
    """A relocation is a new build-in: the rotation is chosen again."""
    game = ready(OVERLAY, "relocated")
    assert legal(game, f"move_tile {OVERLAY.tile} @0,1", items=("contractor",), rotation=90)
    assert legal(game, f"move_tile {OVERLAY.tile} @0,1", items=("contractor",), rotation=180)
    play(game, f"move_tile {OVERLAY.tile} @0,1", items=("contractor",), rotation=90)
    assert game.state.seats[0].board.placed[OVERLAY.tile].rotation == 90


@pytest.mark.parametrize("way", ways_of("magical_chip", "test_magical_chip_is_laid_by_the_seat_that_builds_the_tile"))
def test_magical_chip_is_laid_by_the_seat_that_builds_the_tile(way: str) -> None:
    game = asked_to_lay(OVERLAY, way, put=False)
    play(game, f"place {OVERLAY.tile} @1,0", rotation=90)
    assert turned(game, OVERLAY.tile)
    assert seen(game, OVERLAY.tile)
