"""A veto refuses what would be legal, and it is no longer listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from alhambra import Decision, Game, Module, Move, Violation, register
from tests.rules.hooks.asking import asked, verbs
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    fact,
    hand,
    legal,
    market,
    play,
    points,
    refused,
    table,
    take_turn,
)

# -- vetoes ------------------------------------------------------------------------------------------------------------


def sworn(*cards: str, vow: bool = True, modules: tuple[str, ...] = ()) -> Game:
    """Seat 1 has just begun its turn, and has vowed or not."""
    game = table(modules=["example_vows", *modules])
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-10", dukat="arcades-9")
    hand(game, 1, *cards)
    alhambra(game, 1, {(1, 0): "chambers-10"})
    deck(game, "gulden-5")
    take_turn(game)
    assert asked(game) == ("start", 1)
    play(game, "vow" if vow else "pass")
    assert asked(game) == ("action", 1)
    return game


def test_a_veto_refuses_what_would_be_legal_and_it_is_no_longer_listed() -> None:
    for vow, offered in ((False, {"buy", "take_money", "remove"}), (True, {"take_money"})):
        game = sworn("denar-4 denar-6", vow=vow)
        assert verbs(game) == offered
        assert {found.verb for found in game.legal_moves()} == offered
    faults = refused(game, "buy market-denar denar-4 denar-6")
    assert fact(faults, "FORCED_ACTION") == {"verb": "take_money"}
    assert codes(refused(game, "remove chambers-10")) == ["FORCED_ACTION"]


def test_vetoes_come_on_top_of_the_verbs_own_reasons() -> None:
    game = sworn("denar-4")
    assert codes(refused(game, "buy market-denar denar-4")) == ["FORCED_ACTION", "UNDERPAID"]


def test_an_action_can_forbid_another_one_after_it() -> None:
    game = sworn("denar-4 denar-6", vow=False)
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("action", 1), "paid exactly"
    assert fact(refused(game, "take_money gulden-2"), "SOLE_ACTION") == {"verb": "buy"}
    assert legal(game, "remove chambers-10")


@pytest.mark.rule("00.96")
def test_open_cards_that_may_not_be_taken_keep_nobody_from_passing() -> None:
    game = sworn("denar-4 denar-6", vow=False)
    alhambra(game, 1, {})
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("action", 1), "paid exactly"
    assert game.state.display != ()
    assert list(game.moves()) == [Move("pass")]


@pytest.mark.rule("00.96")
def test_what_is_vetoed_keeps_nobody_from_passing() -> None:
    game = sworn("denar-4 denar-6")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    display(game)
    assert list(game.moves()) == [Move("pass")]
    play(game, "pass")
    assert asked(game)[1] == 2


def test_a_pass_can_be_vetoed_at_one_decision_only() -> None:
    game = sworn()
    while asked(game) != ("start", 2):
        take_turn(game)
    assert game.state.seats[2].hand == ()
    assert fact(refused(game, "pass"), "PASS_REFUSED") == {"decision": "start"}
    hand(game, 2, "denar-1")
    assert legal(game, "pass")


def test_a_random_move_is_never_one_that_is_vetoed() -> None:
    game = sworn("denar-4 denar-6 gulden-8 gulden-9 dukat-9")
    rng = Random(1)
    assert {game.random_move(rng).verb for _ in range(30)} == {"take_money"}


def test_a_way_of_drawing_that_somebody_brings_along_finds_nothing_that_is_vetoed() -> None:
    def spend_all(game: Game, decision: Decision, _below: Callable[[int], int]) -> Move:
        return Move("buy", slot="market-denar", cards=game.state.seats[decision.seat].hand)

    game = sworn("denar-4 denar-6")
    assert game.sample_move("buy", Random(1).randrange, spend_all) is None
    game = sworn("denar-4 denar-6", vow=False)
    move = game.sample_move("buy", Random(1).randrange, spend_all)
    assert move is not None
    assert game.verify(move) == ()
    game.play(move)
    assert game.sample_move("place", Random(1).randrange, spend_all) is None, "another verb is not asked for"


def test_a_seat_that_resigns_leaves_a_question_that_it_may_not_pass() -> None:
    game = sworn("denar-4")
    take_turn(game)
    assert asked(game) == ("start", 2)
    events = game.resign(2)
    assert points(events, "vow") == {}, "without a card it may not pass"
    assert asked(game)[1] == 0


def test_vetoes_of_several_modules_add_up() -> None:
    def silence(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
        yield Violation("USED_UP", "verb", what="actions", limit=1, per="turn")

    register(Module(999, "example_silence", vetoes={"buy": silence}))
    game = sworn("denar-4 denar-6", modules=("example_silence",))
    assert codes(refused(game, "buy market-denar denar-4 denar-6")) == ["FORCED_ACTION", "USED_UP"]
    game = sworn("denar-4 denar-6", vow=False, modules=("example_silence",))
    assert codes(refused(game, "buy market-denar denar-4 denar-6")) == ["USED_UP"]
    assert "buy" not in verbs(game)
