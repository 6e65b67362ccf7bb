"""Quiet games keep neither events nor a log; everything else is as in an ordinary game, byte for byte."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest

from alhambra import Game, IllegalMove, Move, Options, RulesDefect, known_modules
from alhambra.base.scoring import lines_of_boards, score_boards
from alhambra.players import PLAYERS, Table
from alhambra.quiet import QuietGame

EVERYTHING = tuple(known_modules())
CASES = [(), *((key,) for key in EVERYTHING), EVERYTHING]
NAMES = ["base", *EVERYTHING, "everything"]


def both(*modules: str, seats: int = 3, seed: str = "quiet", **rules: Any) -> tuple[Game, Game]:
    """Return an ordinary game and a quiet one with the same options."""
    options = Options(seats, seed, modules=modules, **rules)
    return Game.new(options), Game.new(options, quiet=True)


def assert_alike(loud: Game, quiet: Game) -> None:
    """Check everything that a quiet game promises to have in common with an ordinary one."""
    assert quiet.state_bytes() == loud.state_bytes()
    assert quiet.decision == loud.decision
    assert (quiet.version, quiet.scores, quiet.ranking) == (loud.version, loud.scores, loud.ranking)
    for viewer in (None, 0):
        assert quiet.view(viewer) == loud.view(viewer)
    assert (quiet.events, quiet.log) == ([], [])


def play_both(loud: Game, quiet: Game, moves: int, every: int) -> None:
    """Play the same random moves in both games, each drawn from its own game, and compare them now and then."""
    drawn, again = Random(loud.options.seed), Random(loud.options.seed)
    while not loud.over and loud.version < moves:
        move = loud.random_move(drawn)
        assert quiet.random_move(again) == move
        loud.play(move)
        quiet.play(move)
        if not loud.version % every:
            assert_alike(loud, quiet)
            assert quiet.legal_moves() == loud.legal_moves()
    assert_alike(loud, quiet)


@pytest.mark.parametrize("modules", CASES, ids=NAMES)
def test_a_quiet_game_has_the_moves_and_states_of_an_ordinary_one(modules: tuple[str, ...]) -> None:
    play_both(*both(*modules), moves=120, every=30)


@pytest.mark.check_only
@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("modules", CASES, ids=NAMES)
def test_a_quiet_game_ends_like_an_ordinary_one(modules: tuple[str, ...], seats: int) -> None:
    loud, quiet = both(*modules, seats=seats)
    play_both(loud, quiet, moves=100_000, every=100)
    assert loud.over


@pytest.mark.parametrize("modules", [(), EVERYTHING], ids=["base", "everything"])
def test_a_game_can_be_continued_by_a_quiet_copy(modules: tuple[str, ...]) -> None:
    loud, _ = both(*modules)
    rng = Random(3)
    for _ in range(40):
        loud.play(loud.random_move(rng))
    events = loud.events
    quiet = loud.clone(quiet=True)
    assert_alike(loud, quiet)
    play_both(loud.clone(), quiet, moves=100, every=20)
    assert loud.version == 40
    assert loud.events == events


def test_copies_and_determinizations_of_a_quiet_game_are_quiet() -> None:
    loud, quiet = both()
    for found in (quiet.clone(), copy.copy(quiet), copy.deepcopy(quiet), pickle.loads(pickle.dumps(quiet))):
        assert isinstance(found, QuietGame)
        assert found == quiet
        found.play(found.random_move(Random(1)))
        assert found != quiet
    assert isinstance(quiet.determinize(0, Random(1)), QuietGame)
    assert quiet.determinize(0, Random(1)).state_bytes() == loud.determinize(0, Random(1)).state_bytes()
    assert isinstance(quiet.with_state(quiet.state_bytes()), QuietGame)
    assert not isinstance(loud.clone(), QuietGame)


def test_a_quiet_game_and_an_ordinary_one_are_not_equal() -> None:
    loud, quiet = both()
    assert loud != quiet
    assert quiet != loud
    assert quiet == Game.new(quiet.options, quiet=True)
    assert quiet != Game.new(quiet.options.with_seed("another"), quiet=True)


def test_a_quiet_game_is_not_written_as_a_whole_and_undoes_nothing() -> None:
    _, quiet = both(confirm_turn=True)
    quiet.play(Move("take_money", display=quiet.state.display[:1]))
    with pytest.raises(ValueError, match="no log"):
        quiet.to_bytes()
    with pytest.raises(IllegalMove, match="UNDO_REFUSED"):
        quiet.undo(0)


def test_seats_of_a_quiet_game_resign_as_in_an_ordinary_one() -> None:
    loud, quiet = both(*EVERYTHING)
    loud.resign(1)
    assert quiet.resign(1) == []
    assert_alike(loud, quiet)


def test_a_refused_move_leaves_a_quiet_game_as_it_was() -> None:
    loud, quiet = both()
    with pytest.raises(IllegalMove):
        quiet.apply(Move("buy", slot="market-blue"))
    assert_alike(loud, quiet)


def test_events_without_end_are_stopped_in_a_quiet_game() -> None:
    _, quiet = both()
    with pytest.raises(RulesDefect, match="steps, events and draws"):
        while True:
            quiet.emit("echo")


def test_a_scoring_of_a_quiet_game_adds_the_same_points() -> None:
    loud, _ = both(seed="scored")
    Table.of([PLAYERS["peer"]], 3).play(loud, Random(5))
    quiet = loud.clone(quiet=True)
    lines = lines_of_boards(loud, 3)
    score_boards(quiet, 3)
    assert lines
    assert quiet.scores == loud.scores
