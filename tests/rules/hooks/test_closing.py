"""A module closes a verb as a whole; what is free keeps nobody from passing."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Decision, Game, Module, Move, Violation
from tests.rules.example_modules.heralds import Heralds
from tests.rules.example_modules.strikes import Strikes
from tests.rules.hooks.asking import verbs
from tests.rules.hooks.compiled import rules
from tests.rules.situations import alhambra, codes, display, fact, hand, legal, market, play, refused, table


def shopping(*modules: str, strike: bool) -> Game:
    game = table(modules=["example_strikes", *modules])
    game.module_state(Strikes).lasts = strike
    market(game, denar="garden-10")
    hand(game, 0, "denar-4 denar-6")
    display(game, "gulden-1")
    return game


def test_a_closed_verb_is_refused_with_the_reason_and_not_offered() -> None:
    game = shopping(strike=True)
    assert fact(refused(game, "buy market-denar denar-4 denar-6"), "FORCED_ACTION") == {"verb": "take_money"}
    assert verbs(game) == {"take_money", "whistle"}
    assert "buy" not in {verb.name for verb in game.offered_verbs(game.decision)} if game.decision else False
    assert "buy" not in {move.verb for move in game.legal_moves()}
    assert legal(shopping(strike=False), "buy market-denar denar-4 denar-6")


def test_the_reasons_of_the_verb_itself_are_told_as_well() -> None:
    assert codes(refused(shopping(strike=True), "buy market-denar denar-4")) == ["FORCED_ACTION", "UNDERPAID"]


def test_a_closed_verb_is_never_drawn() -> None:
    game, rng = shopping(strike=True), Random(1)
    assert game.sample_move("buy", rng.randrange) is None
    assert {game.random_move(rng).verb for _ in range(30)} == {"take_money", "whistle"}


def test_an_open_verb_is_drawn_as_ever() -> None:
    game, rng = shopping(strike=False), Random(1)
    assert {game.random_move(rng).verb for _ in range(30)} == {"buy", "take_money", "whistle"}


def test_a_free_verb_keeps_nobody_from_passing() -> None:
    game = shopping(strike=True)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    display(game)
    assert legal(game, "pass")
    assert game.legal_moves() == [Move("pass"), Move("whistle")]
    play(game, "whistle")
    play(game, "pass")


def test_a_free_verb_leaves_the_question_and_what_was_to_come_as_they_were() -> None:
    game = shopping(strike=False)
    before, agenda = game.decision, list(game.state.agenda)
    play(game, "whistle")
    assert (game.decision, game.state.agenda) == (before, agenda)
    assert game.state.actions == 1


def test_a_free_verb_is_no_answer_to_a_question_that_opens_only_some_verbs() -> None:
    game = table(modules=["example_strikes", "example_heralds"])
    display(game, "denar-3 gulden-2")
    play(game, "take_money denar-3")
    assert verbs(game) == {"take_open", "pass", "whistle"}
    play(game, "whistle")
    assert game.module_state(Heralds).proclaimed == ()
    play(game, "take_open gulden-2")
    assert len(game.module_state(Heralds).proclaimed) == 1


def test_a_redesign_by_action_keeps_a_seat_from_passing() -> None:
    game = shopping(strike=True)
    display(game)
    alhambra(game, 0, {(1, 0): "arcades-9"})
    assert legal(game, "remove arcades-9")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


def test_what_can_be_paid_keeps_a_seat_from_passing() -> None:
    game = shopping(strike=False)
    display(game)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    hand(game, 0, "denar-4")
    assert legal(game, "pass")


def no_money(_game: Game, _decision: Decision, verb: str) -> Violation | None:
    """No money is taken."""
    return Violation("FORCED_ACTION", "verb", verb="buy") if verb == "take_money" else None


@pytest.mark.parametrize(
    ("key", "at", "closed"),
    [
        ("example_at_any", (), True),
        ("example_at_actions", ("action", "late"), True),
        ("example_late", ("late",), False),
    ],
)
def test_a_module_may_name_the_decisions_at_which_it_closes_verbs(key: str, at: tuple[str, ...], closed: bool) -> None:
    rules(Module(957, key, closes=no_money, closes_at=at))
    game = table(modules=[key])
    display(game, "gulden-1")
    assert ("take_money" not in verbs(game)) is closed
    assert legal(game, "take_money gulden-1") is not closed
