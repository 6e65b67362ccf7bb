"""Tiles that are built or lost: pending like others, never reserved or given away, lost when they fit nowhere."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.example_modules.kiosks import Kiosks
from tests.rules.hooks.asking import asked, verbs
from tests.rules.situations import alhambra, codes, display, events_of, fact, hand, market, play, refused, table

KIOSK = "kiosk-1"


def with_a_kiosk(seats: int = 3) -> Game:
    """Seat 0 bought a garden and a kiosk, and is to place both."""
    game = table(seats, modules=["example_kiosks"])
    market(game, denar="garden-11")
    hand(game, 0, "denar-5 denar-7")
    play(game, "buy market-denar denar-5 denar-7")
    return game


@pytest.mark.rule("22.9")
def test_such_a_tile_is_pending_together_with_the_others() -> None:
    game = with_a_kiosk()
    assert game.decision is not None
    assert game.decision.context == {"tiles": ("garden-11", KIOSK)}
    assert game.view(1)["seats"][0]["pending"] == ["garden-11", KIOSK]


@pytest.mark.rule("22.16")
@pytest.mark.parametrize("verb", ["reserve", "give_to_dirk", "place"])
def test_the_verbs_for_other_tiles_do_not_apply_to_it(verb: str) -> None:
    game = with_a_kiosk(seats=2)
    cell = " @0,-1" if verb == "place" else ""
    faults = refused(game, f"{verb} {KIOSK}{cell}")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": KIOSK, "for": "placing"}


@pytest.mark.rule("22.9", "99.9")
def test_it_is_built_with_the_verb_of_its_module_in_any_order() -> None:
    game = with_a_kiosk()
    play(game, f"set_up {KIOSK} @0,-1")
    assert KIOSK in game.state.seats[0].board.placed
    play(game, "reserve garden-11")
    assert asked(game) == ("action", 1)


def test_while_it_fits_somewhere_it_must_be_built() -> None:
    game = with_a_kiosk()
    play(game, "reserve garden-11")
    assert asked(game) == ("place_tiles", 0)
    assert verbs(game) == {"set_up"}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


def test_it_lapses_when_every_other_tile_is_placed_and_it_fits_nowhere() -> None:
    game = table(modules=["example_kiosks"])
    alhambra(game, 0, {(1, 0): "garden-10-n", (-1, 0): "arcades-8-n", (0, -1): "tower-11-n"})
    market(game, denar="garden-11")
    hand(game, 0, "denar-5 denar-7")
    play(game, "buy market-denar denar-5 denar-7")
    assert verbs(game) == {"place", "reserve"}, "the kiosk has no place yet"
    events = play(game, "reserve garden-11")
    assert events_of(events, "kiosk_lost") == [{"seat": 0, "tile": KIOSK}]
    assert game.state.seats[0].pending == ()
    assert KIOSK in game.module_state(Kiosks).supply
    assert asked(game) == ("action", 1)


def test_another_tile_can_make_room_for_it() -> None:
    game = table(modules=["example_kiosks"])
    alhambra(game, 0, {(1, 0): "garden-10-n", (-1, 0): "arcades-8-n", (0, -1): "tower-11-n"})
    market(game, denar="garden-11")
    hand(game, 0, "denar-5 denar-7")
    play(game, "buy market-denar denar-5 denar-7")
    play(game, "place garden-11 @2,0")
    assert asked(game) == ("place_tiles", 0)
    play(game, f"set_up {KIOSK} @2,-1")
    assert asked(game) == ("action", 1)


def test_out_of_turn_it_is_placed_at_once_with_the_tile_that_it_came_with() -> None:
    game = table(modules=["example_kiosks", "viziers_favour"])
    market(game, denar="garden-11")
    hand(game, 1, "denar-5 denar-6")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    play(game, "buy market-denar denar-5 denar-6")
    assert asked(game) == ("place_now", 1)
    assert game.decision is not None
    assert game.decision.context == {"tiles": ("garden-11", KIOSK)}
    play(game, "reserve garden-11")
    assert verbs(game) == {"set_up"}


def test_a_seat_that_resigns_takes_it_out_of_the_game() -> None:
    game = with_a_kiosk()
    game.resign(0)
    assert {"garden-11", KIOSK} <= {*game.state.box}
