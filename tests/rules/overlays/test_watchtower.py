"""22 The watchtower that leans on a tile of its colour, for every way in which the tile can move."""

from __future__ import annotations

import pytest

from alhambra import Decision, Game
from alhambra.modules.watchtowers import WATCHTOWERS
from tests.rules.modules.watchtowers_table import bought, stand
from tests.rules.overlays.fates import Overlay, asked_to_lay, check, go, kept_from, moved, ready, setting
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import BUILT, FIRST, FULL, NEIGHBOUR, WAYS
from tests.rules.situations import alhambra, codes, hand, legal, market, play, refused, reserve


def lean(game: Game, seat: int, tile: str) -> None:
    """A watchtower stands south of the tile of its colour; its other leg touches a tile of another one."""
    alhambra(game, seat, {FIRST: NEIGHBOUR, BUILT: tile, (1, 1): "chambers-10"})
    stand(game, seat, "garden", (2, 1), "NW")


def leans(game: Game, _tile: str) -> bool:
    """By the state, a watchtower is built."""
    return any(tile in WATCHTOWERS for owner in game.state.seats for tile in owner.board.placed)


def seen(game: Game, _tile: str) -> bool:
    """Everybody sees a watchtower in an Alhambra."""
    boards = (seat["alhambra"] for seat in game.view(None)["seats"])
    return any(entry["tile"] in WATCHTOWERS for board in boards for entry in board)


OVERLAY = Overlay(("watchtowers",), lean, leans, seen, home=lambda game: not leans(game, ""))


@pytest.mark.rule("22.47")
@pytest.mark.parametrize(("way", "expected"), cells_of("watchtower", "test_watchtower_fares_as_its_cell_says"))
def test_watchtower_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.rule("22.17")
@pytest.mark.parametrize("way", ways_of("watchtower", "test_watchtower_holds_its_tile"))
def test_watchtower_holds_its_tile(way: str) -> None:
    """The only building of its colour that it touches may not leave it."""
    assert codes(kept_from(OVERLAY, way)) == ["CONTACT_REQUIRED"]


def test_watchtower_holds_its_tile_against_one_of_another_colour() -> None:
    game = ready(OVERLAY, "swapped")
    reserve(game, 0, "chambers-11")
    assert codes(refused(game, "swap chambers-11 @2,0")) == ["CONTACT_REQUIRED"]


def test_watchtower_keeps_its_contact_when_the_colour_of_the_new_tile_is_the_same() -> None:
    game = ready(OVERLAY, "swapped")
    go(game, "swapped", OVERLAY.tile)
    assert leans(game, OVERLAY.tile)
    assert seen(game, OVERLAY.tile)


@pytest.mark.rule("22.4")
def test_watchtower_is_bought_with_a_building_and_leans_on_it_once_it_is_placed() -> None:
    game = setting(OVERLAY, WAYS["placed"])
    market(game, **{**FULL, "denar": OVERLAY.tile})
    hand(game, 0, "denar-8 denar-9")
    play(game, "buy market-denar denar-8 denar-9", choice="watchtower")
    play(game, f"place {OVERLAY.tile} @1,0")
    play(game, "place_watchtower @2,0", side="NW", type="garden")
    assert leans(game, OVERLAY.tile)
    assert seen(game, OVERLAY.tile)


@pytest.mark.rule("22.10")
@pytest.mark.parametrize("way", ways_of("watchtower", "test_watchtower_may_lean_on_a_tile_just_built"))
def test_watchtower_may_lean_on_a_tile_just_built(way: str) -> None:
    game, owner = moved(OVERLAY, way, put=False), WAYS[way].owner if way != "sold" else 0
    bought(game, owner, "garden")
    game.state.active = owner
    game.state.decision = Decision("place_tiles", owner, {})
    assert legal(game, "place_watchtower @2,0", side="NW", type="garden")


@pytest.mark.rule("22.35")
def test_watchtower_is_not_placed_when_a_leftover_tile_is_built() -> None:
    game = asked_to_lay(OVERLAY, "left_over", put=False)
    assert {move.verb for move in game.moves()} == {"place", "leave"}
    faults = refused(game, "place_watchtower @2,0", side="NW", type="garden")
    assert codes(faults) == ["VERB_NOT_OFFERED"]
