"""Playing without looking: moves that the game has drawn itself, and events that nobody reads."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, IllegalMove, Move, Options

MODULES: list[list[str]] = [[], ["city_gates", "watchtowers"], ["characters", "change"]]


def begun(modules: list[str] | None = None, seed: str = "playing", **rules: Any) -> Game:
    """A game at its first decision."""
    return Game.new(Options(seats=3, seed=seed, modules=modules or [], **rules))


def asked_for_an_action(game: Game) -> bool:
    """Whether somebody may act."""
    return game.decision is not None and game.decision.kind == "action"


@pytest.mark.parametrize("modules", MODULES)
def test_playing_a_drawn_move_leads_where_applying_the_same_move_leads(modules: list[str]) -> None:
    game, other, rng = begun(modules), begun(modules), Random(1)
    while not game.over and game.version < 150:
        move = game.random_move(rng)
        game.play(move)
        told = other.apply(Move(*move))
        assert [event.as_dict() for event in game.events] == [event.as_dict() for event in told]
    assert game.to_bytes() == other.to_bytes()


def test_a_move_drawn_for_an_earlier_state_is_verified_like_any_other() -> None:
    game, rng = begun(), Random(3)
    move = game.sample_move("take_money", rng.randrange)
    assert move is not None
    game.play(move)
    while not asked_for_an_action(game):
        game.play(game.random_move(rng))
    assert not set(move.display) & set(game.state.display), "the cards were taken, others lie there now"
    before = game.to_bytes()
    with pytest.raises(IllegalMove) as refused:
        game.play(move)
    assert [violation.code for violation in refused.value] == ["NOT_THERE"] * len(move.display)
    assert game.to_bytes() == before


def test_a_move_drawn_by_a_game_is_verified_by_its_copy() -> None:
    game = begun()
    move = game.sample_move("take_money", Random(2).randrange)
    assert move is not None
    sample = game.clone()
    sample.state.display = ()
    with pytest.raises(IllegalMove):
        sample.play(move)
    assert game.apply(move)


def test_a_move_drawn_is_refused_from_another_seat() -> None:
    game = begun()
    move = game.random_move(Random(1))
    assert game.decision is not None
    with pytest.raises(IllegalMove):
        game.play(move, (game.decision.seat + 1) % 3)
    assert game.version == 0


@pytest.mark.parametrize("modules", MODULES)
def test_whatever_is_drawn_with_a_verb_is_legal_and_has_that_verb(modules: list[str]) -> None:
    game, rng = begun(modules, seed="drawn"), Random(4)
    drawn = set()
    while not game.over and game.version < 120:
        assert game.decision is not None
        for verb in game.offered_verbs(game.decision):
            move = game.sample_move(verb.name, rng.randrange)
            if move is not None:
                drawn.add(verb.name)
                assert move.verb == verb.name
                assert game.verify(move) == ()
        game.play(game.random_move(rng))
    assert {"take_money", "buy", "place"} <= drawn


def test_nothing_is_drawn_with_a_verb_that_the_decision_does_not_offer() -> None:
    game = begun()
    assert asked_for_an_action(game)
    assert game.sample_move("place", Random(1).randrange) is None
    assert game.sample_move("no such verb", Random(1).randrange) is None


def test_nothing_is_drawn_from_a_game_that_is_over() -> None:
    game = begun(turn_limit=1)
    while not game.over:
        game.play(game.random_move(Random(1)))
    assert game.sample_move("take_money", Random(1).randrange) is None


def test_events_read_twice_are_the_same_records() -> None:
    game = begun()
    told = game.apply(game.random_move(Random(1)))
    assert game.events is told
    assert [event.index for event in told] == list(range(len(told)))
    assert {event.version for event in told} == {1}
