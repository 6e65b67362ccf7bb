"""What a module need not know about seats that resign, and what it says about its own questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from alhambra import Game, Module, Move, Options, register
from alhambra.base.auction import begin_auction
from alhambra.base.place_tiles import acquire
from alhambra.base.purchase import grant_action
from alhambra.base.supply import gain
from alhambra.module import DecisionKind, Step, Verb, freely
from tests.rules.hooks.asking import asked
from tests.rules.situations import display, events_of, hand, kinds, market, play, table, take_turn

HEARD: list[str] = []


@pytest.fixture(autouse=True)
def nothing_heard() -> None:
    HEARD.clear()


def hear(word: str) -> Any:
    return lambda _game, _decision, *_more: HEARD.append(word)


def ask_receipt(game: Game, purchase: Any) -> None:
    """Whoever buys is asked, before anything else follows from the purchase."""
    game.ask("receipt", purchase.seat)


def ask_for_ever(game: Game, seat: int) -> None:
    """Asks a seat again and again."""
    game.push(ask_for_ever, seat)
    game.ask("receipt", seat)


def give_later(game: Game, seat: int) -> None:
    """A further action, a card and a tile that were promised to a seat."""
    grant_action(game, seat)
    gain(game, seat, ("denar-1",))
    acquire(game, seat, "garden-9-e", "claim")


def sell(game: Game, piece: str) -> None:
    begin_auction(game, piece, won=won, unsold=unsold)


def won(game: Game, seat: int, piece: str) -> None:
    HEARD.append(f"won {seat} {piece}")


def unsold(game: Game, piece: str) -> None:
    HEARD.append(f"unsold {piece}")


RECEIPT = DecisionKind("receipt", passing=freely, answered=hear("answered"))
RECEIPTS = Module(
    990,
    "example_receipts",
    pieces=("medal",),
    verbs=(Verb("sign", "", lambda *_: (), hear("signed"), lambda *_: iter((Move("sign"),)), at=("receipt",)),),
    decisions=(RECEIPT,),
    steps=(Step("purchase.coins", ask_receipt), Step("purchase.building", lambda *_: HEARD.append("fruit"))),
    agenda={"for_ever": ask_for_ever, "give": give_later, "sell": sell, "won": won, "unsold": unsold},
)


def shop(seats: int = 3, **changes: Any) -> Game:
    """Seat 0 buys a garden for its exact price and is asked for a receipt, of a kind with these changes."""
    register(replace(RECEIPTS, decisions=(replace(RECEIPT, **changes),)))
    game = table(seats, modules=["example_receipts"])
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-10", dukat="arcades-9")
    hand(game, 0, "denar-4 denar-6")
    return game


def bought(seats: int = 3, **changes: Any) -> Game:
    game = shop(seats, **changes)
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("receipt", 0)
    return game


# -- Questions ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.65")
def test_a_question_that_can_be_passed_is_settled_like_a_pass_without_an_answer() -> None:
    game = bought()
    events = game.resign(0)
    assert HEARD == ["answered"]
    assert not {"passed", "decision_opened"} & {*kinds(events[: kinds(events).index("turn_began")])}
    assert asked(game) == ("action", 1)


@pytest.mark.rule("00.65")
def test_a_question_that_must_be_answered_is_dropped() -> None:
    game = bought(passing=None)
    game.resign(0)
    assert HEARD == []
    assert asked(game) == ("action", 1)


def test_a_kind_of_question_says_what_is_done_without_an_answer() -> None:
    game = bought(unanswered=hear("settled"))
    game.resign(0)
    assert HEARD == ["settled"]


@pytest.mark.rule("00.67")
def test_a_question_to_another_seat_stays_as_long_as_it_stands() -> None:
    game = bought(stands=lambda game, _decision: not game.state.seats[1].resigned, unanswered=hear("settled"))
    game.resign(2)
    assert asked(game) == ("receipt", 0)
    game = bought(4, stands=lambda game, _decision: not game.state.seats[1].resigned, unanswered=hear("settled"))
    game.resign(1)
    assert HEARD == ["settled", "fruit"]
    assert asked(game) == ("action", 0), "what follows for the seat that was asked goes on"


def test_a_step_that_asks_again_and_again_ends_with_its_seat() -> None:
    game = bought(4)
    game.state.agenda.insert(-1, ("example_receipts.for_ever", 2))
    game.resign(2)
    events = play(game, "sign")
    assert HEARD == ["answered", "signed", "fruit", "answered"], "settled once, when the step came up"
    assert [event["seat"] for event in events_of(events, "decision_opened")] == [0]
    assert asked(game) == ("action", 0)


@pytest.mark.rule("00.69")
def test_what_is_dealt_to_a_seat_that_resigned_during_set_up_is_taken_back_before_the_first_turn() -> None:
    def resigned(_game: Game, seat: int) -> None:
        HEARD.append(f"resigned {seat}")

    late = Step("setup.begin", lambda *_: HEARD.append("dealt"))
    register(Module(991, "example_late_deal", steps=(late,), reactions={"resigned": resigned}))
    game = Game.new(Options(3, "dealt late", modules=["example_late_deal", "palace_designers"]))
    game.resign(1)
    while asked(game)[0] == "face_designer":
        play(game, "face_designer", side="N")
    assert HEARD == ["resigned 1", "dealt", "resigned 1"]


# -- Promises ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.66")
def test_the_rest_of_a_purchase_ends_with_its_buyer() -> None:
    game = bought()
    events = game.resign(0)
    assert "fruit" not in HEARD
    assert not events_of(events, "bonus_action")
    game = bought()
    play(game, "sign")
    assert "fruit" in HEARD


@pytest.mark.rule("00.61")
def test_what_was_promised_to_a_seat_that_resigned_leaves_the_game() -> None:
    game = bought(4)
    game.state.agenda.append(("example_receipts.give", 2))
    game.resign(2)
    box = game.state.box
    events = play(game, "sign")
    assert [event["seat"] for event in events_of(events, "bonus_action")] == [0], "its own, and not that of seat 2"
    assert game.state.seats[2].hand == game.state.seats[2].pending == ()
    assert {*game.state.box} - {*box} == {"denar-1", "garden-9-e"}


@pytest.mark.rule("07.71")
def test_the_winner_of_an_auction_who_resigns_after_paying_gets_nothing() -> None:
    game = shop()
    game.push(sell, "medal")
    take_turn(game)
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=5)
    play(game, "pay denar-6")
    assert asked(game) == ("receipt", 0)
    game.resign(0)
    assert HEARD[-1] == "unsold medal"
    assert asked(game) == ("action", 1)
