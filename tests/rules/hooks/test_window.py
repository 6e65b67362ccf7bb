"""A module may bring a verb and a decision of its own into the window between turns."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game, Move, Options
from tests.rules.hooks.asking import asked
from tests.rules.situations import codes, display, hand, market, play, points, refused, table, take_turn

# -- A verb and a decision in the window -----------------------------------------------------------------------------


def belfry(seats: int = 3, **options: Any) -> Game:
    game = table(seats, modules=["example_bells"], **options)
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    return game


@pytest.mark.rule("99.15")
def test_after_a_turn_everybody_is_asked_from_the_player_due_next_to_the_one_who_finished() -> None:
    game = belfry()
    take_turn(game)
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    assert order == [1, 2, 0]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("99.15")
def test_an_interrupt_asks_another_seat_and_then_the_same_seat_is_asked_on() -> None:
    game = belfry()
    take_turn(game)
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "ring")
    assert asked(game) == ("echo", 0)
    assert game.decision is not None
    assert game.decision.context == {"ringer": 2}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "ring")) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "answer", choice="perhaps")) == ["NOUN_MALFORMED"]
    events = play(game, "answer", choice="yes")
    assert points(events, "echo") == {0: 1, 2: 1}
    assert asked(game) == ("window", 2)


@pytest.mark.rule("99.15")
def test_after_a_run_with_any_interrupt_everybody_decides_afresh() -> None:
    game = belfry()
    take_turn(game)
    play(game, "pass")
    play(game, "ring")
    play(game, "answer", choice="no")
    play(game, "pass")
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    assert order == [1, 2, 0]


@pytest.mark.rule("99.88")
def test_a_seat_is_asked_by_public_facts_only_and_not_without_a_bell() -> None:
    game = belfry()
    take_turn(game)
    for _ in range(2):
        play(game, "ring")
        play(game, "answer", choice="no")
    assert asked(game) == ("window", 2), "seat 1 has no bell left and is not asked on"
    assert game.view(None)["slices"]["example_bells"] == {"left": [2, 0, 2]}


def test_a_seat_that_resigns_in_the_window_is_skipped_and_nobody_else_is() -> None:
    for gone, expected in ((1, [2, 0]), (0, [2])):
        game = belfry()
        take_turn(game)
        play(game, "pass")
        assert asked(game) == ("window", 2)
        game.resign(gone)
        order = []
        while asked(game)[0] == "window":
            order.append(asked(game)[1])
            play(game, "pass")
        assert order == expected, f"seat {gone} resigned"


@pytest.mark.rule("99.90")
def test_an_interrupt_cannot_be_taken_back_because_others_were_asked() -> None:
    game = Game.new(Options(seats=3, seed="bells", modules=["example_bells"]))
    take_turn(game)
    seat = asked(game)[1]
    game.apply(Move("ring"))
    reason = game.can_undo(seat)
    assert reason is not None
    assert reason.metadata == {"because": "other_seat"}


def test_a_modules_slice_survives_bytes_clones_and_replay() -> None:
    game = Game.new(Options(seats=3, seed="bells", modules=["example_bells"]))
    take_turn(game)
    sample = game.clone()
    game.apply(Move("ring"))
    assert Game.from_bytes(game.to_bytes()) == game
    assert Game.replay(game.options, game.log) == game
    assert sample != game
    assert sample.view(None)["slices"]["example_bells"] == {"left": [2, 2, 2]}


def test_an_interrupt_that_is_a_purchase_waits_for_the_questions_of_the_purchase() -> None:
    game = table(modules=["example_notary", "viziers_favour"])
    market(game, denar="garden-11")
    hand(game, 1, "denar-5 denar-6")
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    play(game, "buy market-denar denar-5 denar-6")
    seen = []
    while asked(game)[0] != "window":
        seen.append(asked(game))
        game.apply(game.legal_moves()[0])
    assert seen == [("notary", 1), ("place_now", 1)]
    assert asked(game) == ("window", 2), "all decide afresh; the vizier of seat 1 sleeps"
