"""05 The gate between two tiles, for every way in which one of them can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.invariants import census
from tests.rules.modules.city_gates_table import BEHIND, EAST_WALL
from tests.rules.overlays.fates import Overlay, asked_to_lay, check, ready
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.situations import alhambra, codes, hand, play, refused, reserve

GATED = (1, 0)
"""The gate stands at the eastern side of this cell."""
LEAVING = {
    "removed": ("remove {tile}", {}),
    "swapped": ("swap {other} @{cell}", {}),
    "relocated": ("move_tile {tile} @0,1", {"items": ("contractor",)}),
    "stowed": ("remove {tile}", {}),
    "boxed": ("remove {tile}", {}),
}


def stands(game: Game, _tile: str = BEHIND) -> bool:
    """By the state, a gate stands in an Alhambra."""
    return any(owner.board.passages for owner in game.state.seats)


def seen(game: Game, _tile: str = BEHIND) -> bool:
    """Everybody sees a gate."""
    return any(seat["gates"] for seat in game.view(None)["seats"])


def set_gate(game: Game, seat: int, _tile: str) -> None:
    """The tile lies behind a wall with a gate in it."""
    board = alhambra(game, seat, EAST_WALL)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != BEHIND)
    board.put(game.ruleset.tiles[BEHIND], 2, 0)
    board.add_passage(*GATED, "E")


OVERLAY = Overlay(("city_gates",), set_gate, stands, seen, home=lambda game: not stands(game), tile=BEHIND)
ELSEWHERE = Overlay(OVERLAY.modules, set_gate, stands, seen, OVERLAY.home)
"""The tile of the ways is a plain one; the gate is set between two others."""


@pytest.mark.parametrize(("way", "expected"), cells_of("city_gate", "test_city_gate_fares_as_its_cell_says"))
def test_city_gate_fares_as_its_cell_says(way: str, expected: str) -> None:
    """Tiles elsewhere never have a gate."""
    check(ELSEWHERE, way, expected)


@pytest.mark.rule("05.16")
@pytest.mark.parametrize("tile", [EAST_WALL[GATED], BEHIND])
@pytest.mark.parametrize("way", ways_of("city_gate", "test_city_gate_locks_both_tiles"))
def test_city_gate_locks_both_tiles(way: str, tile: str) -> None:
    game = ready(ELSEWHERE, way)
    reserve(game, 0, "garden-11")
    form, nouns = LEAVING[way]
    cell = "2,0" if tile == BEHIND else "1,0"
    faults = refused(game, form.format(tile=tile, other="garden-11", cell=cell), **nouns)
    assert "LOCKED" in codes(faults)
    assert stands(game)


@pytest.mark.rule("05.12", "05.15")
@pytest.mark.parametrize("way", ways_of("city_gate", "test_city_gate_is_set_for_a_gate_card"))
def test_city_gate_is_set_for_a_gate_card(way: str) -> None:
    """The card leaves the game, and the tile lies behind its gate."""
    if way == "added":
        game, verb = ready(OVERLAY, way, put=False), "add"
    else:
        game, verb = asked_to_lay(OVERLAY, way, put=False), "place"
    assert game.decision is not None
    seat = game.decision.seat
    hand(game, seat, "gate")
    alhambra(game, seat, EAST_WALL)
    before = census(game)
    play(game, f"{verb} {BEHIND} @2,0", choice="gate")
    assert census(game) == before
    assert stands(game)
    assert seen(game)
    assert "gate" in game.state.box
    assert "gate" not in game.state.seats[seat].hand


def test_city_gate_card_stays_in_the_hand_when_the_tile_is_reserved() -> None:
    game = ready(OVERLAY, "reserved", put=False)
    hand(game, 0, "gate")
    assert codes(refused(game, f"reserve {BEHIND}", choice="gate")) == ["NOUN_UNEXPECTED"]
    play(game, f"reserve {BEHIND}")
    assert game.state.seats[0].hand == ("gate",)
    assert not stands(game)


@pytest.mark.rule("05.49")
def test_city_gate_of_a_seat_that_resigned_stays() -> None:
    game = ready(ELSEWHERE, "resigned")
    game.resign(0)
    assert stands(game)
    assert seen(game)
