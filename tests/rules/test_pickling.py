"""Games and their parts can be pickled and copied, so that they can be sent to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from random import Random
from typing import Any

import pytest

from alhambra import (
    BadNotation,
    BadOptions,
    BadState,
    Board,
    Game,
    IllegalMove,
    Move,
    Options,
    Violation,
    known_modules,
    tile,
)
from alhambra.options import preset_modules
from alhambra.violations import RulesDefect

EVERYTHING = tuple(known_modules())


def begun(*modules: str, seats: int = 3, moves: int = 40, **rules: Any) -> Game:
    """Return a game after some random moves."""
    game = Game.new(Options(seats=seats, seed="a pickled game", modules=modules, **rules))
    rng = Random(3)
    for _ in range(moves):
        if not game.over:
            game.apply(game.random_move(rng))
    return game


def sent(value: Any) -> Any:
    """Return the value as another process would receive it."""
    return pickle.loads(pickle.dumps(value))


def play_on(game: Game) -> tuple[bytes, list[str]]:
    """Play some moves; return the bytes then, and the events of the game as it arrived."""
    told = [repr(event) for event in game.events]
    rng = Random(8)
    for _ in range(25):
        if not game.over:
            game.play(game.random_move(rng))
    return game.to_bytes(), told


@pytest.mark.parametrize("modules", [(), tuple(preset_modules("evening")), EVERYTHING], ids=("base", "evening", "all"))
def test_a_pickled_game_is_equal_and_goes_on_alike(modules: tuple[str, ...]) -> None:
    game = begun(*modules)
    received = sent(game)
    assert received == game
    assert received.legal_moves() == game.legal_moves()
    assert play_on(received) == play_on(game)


def test_a_pickled_game_keeps_its_events() -> None:
    game = begun()
    assert list(map(repr, sent(game).events)) == list(map(repr, game.events))
    assert list(map(repr, sent(Game.new(game.options)).events)) == list(map(repr, Game.new(game.options).events))


def test_a_spawned_process_plays_the_same_game() -> None:
    games = [begun(moves=5), begun(*EVERYTHING, moves=5)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(play_on, games) == list(map(play_on, games))


def test_a_refused_move_in_another_process_arrives_as_illegal_move() -> None:
    with (
        multiprocessing.get_context("spawn").Pool(1) as pool,
        pytest.raises(IllegalMove, match="NOUN_MISSING") as refused,
    ):
        pool.apply(begun(moves=0).apply, (Move("take_money"),))
    assert [violation.code for violation in refused.value] == ["NOUN_MISSING"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, sent], ids=("copy", "deepcopy", "pickle"))
def test_moves_of_a_copy_do_not_change_the_original(copied: Any) -> None:
    game = begun(*EVERYTHING)
    before = game.to_bytes()
    other = copied(game)
    play_on(other)
    assert other != game
    assert game.to_bytes() == before


@pytest.mark.parametrize("copied", [copy.deepcopy, sent], ids=("deepcopy", "pickle"))
def test_a_copy_can_undo_what_the_original_can(copied: Any) -> None:
    game = begun(moves=0, confirm_turn=True)
    game.apply(Move("take_money", display=game.state.display[:1]))
    game.undo(0)
    game.apply(Move("take_money", display=game.state.display[1:2]))
    other = copied(game)
    assert other.log == game.log
    assert list(map(repr, other.undo(0))) == list(map(repr, game.undo(0)))
    assert other == game


def test_a_pickled_determinization_still_refuses_undo() -> None:
    game = begun(moves=0, confirm_turn=True)
    sample = game.determinize(0, Random(1))
    sample.apply(Move("take_money", display=sample.state.display[:1]))
    with pytest.raises(IllegalMove, match="imagined"):
        sent(sample).undo(0)


def test_a_game_that_failed_in_the_middle_of_a_move_is_not_pickled() -> None:
    game = begun()
    game._broken = True
    with pytest.raises(RulesDefect):
        pickle.dumps(game)


def test_rules_are_pickled_by_name_and_compiled_once() -> None:
    rules = begun(*EVERYTHING, moves=0).ruleset
    assert sent(rules) is rules
    assert copy.deepcopy(rules) is rules
    assert len(pickle.dumps(rules)) < 2_000


def test_options_moves_decisions_and_violations_survive_pickling() -> None:
    game = begun(*EVERYTHING)
    refused = game.verify(Move("buy", slot="market-denar", cards=("denar-1",)))
    for value in (game.options, game.decision, game.log, refused, Violation("NOT_THERE", "tile", id="x", place="hand")):
        assert sent(value) == value
        assert copy.deepcopy(value) == value


def test_a_pickled_board_is_drawn_alike() -> None:
    board = Board()
    board.place(tile("arcades-8-e"), 1, 0)
    board.legal_cells(tile("tower-13-e"))
    received = sent(board)
    assert str(received) == str(board)
    assert received.legal_cells(tile("tower-13-e")) == board.legal_cells(tile("tower-13-e"))


@pytest.mark.parametrize("kind", [BadOptions, BadState, BadNotation])
def test_errors_survive_pickling(kind: type[BadOptions]) -> None:
    error = sent(kind("OPTION_INVALID", "a message", option="x"))
    assert type(error) is kind
    assert (error.code, error.message, error.metadata, str(error)) == (
        "OPTION_INVALID",
        "a message",
        {"option": "x"},
        "OPTION_INVALID: a message",
    )
