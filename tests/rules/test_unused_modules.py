"""A module that is switched on and never used leaves the base game's event log as it was (99.38).

A base game is played and its moves are written down. The same seed is played again with modules on: the same moves are
made, and whatever else is asked is passed, or answered with the only move there is. What then happened is the same,
fact by fact, apart from the questions themselves, the options, and events of kinds that only the modules have.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import alhambra
from alhambra import Decision, Event, Game, Move, Options, known_modules, load_module
from alhambra.components import component_data

PACKAGE = Path(alhambra.__file__).parent
LAW_HOLDS_FOR = (1, 4, 10, 11, 13, 19, 20, 21, 22, 23, 24, 28, 34, 39, 40)
"""The others add tiles, cards, scoring or choices at setup, so their games cannot be the same."""
ASKS_OWNERS_ONLY = (13, 19, 21, 23, 39)
"""They ask a seat only once it has bought something of theirs."""
NUMBERS = {key: number for number, key in enumerate(component_data()["modules"], 1)}
KEYS = tuple(key for key, number in NUMBERS.items() if number in LAW_HOLDS_FOR and key in known_modules())
SEATS = (2, 3, 4, 5, 6)
SEEDS = ("ivory", "marble", "cedar")
QUESTIONS = {"passed", "decision_opened", "phase_began"}
"""More is asked, so these may differ. Everything else that the core tells may not."""
OVERPAID_PER_COIN = 2


class Asked(NamedTuple):
    """One decision of the base game and its answer."""

    decision: Decision
    move: Move


class Played(NamedTuple):
    """A base game from beginning to end."""

    game: Game
    events: list[Event]
    line: list[Asked]


# -- The base game ---------------------------------------------------------------------------------------------------


def overpays(game: Game, move: Move) -> bool:
    """So much that somebody could want change."""
    if move.verb != "buy" or move.slot is None:
        return False
    market = game.view(None)["table"]["market"]
    price = game.ruleset.tiles[market[move.slot]].price or 0
    paid = sum(game.ruleset.cards[card].value for card in move.cards)
    return paid - price >= OVERPAID_PER_COIN


def anything(game: Game, rng: Random) -> Move:
    """Any legal move."""
    return game.random_move(rng)


def thrifty(game: Game, rng: Random) -> Move:
    """Any legal move by which nobody would get change: using module 11 is nobody's choice, so nobody may cause it."""
    for _ in range(1_000):
        move = game.random_move(rng)
        if not overpays(game, move):
            return move
    raise AssertionError("nothing but overpaying is possible")


POLICIES: dict[str, Callable[[Game, Random], Move]] = {"anything": anything, "thrifty": thrifty}


@cache
def base_game(seats: int, seed: str, policy: str) -> Played:
    """A seeded base game in which nobody had to pass: with more to do, nobody would have been allowed to."""
    choose = POLICIES[policy]
    for attempt in range(20):
        rng = Random(f"{seed} {seats} {attempt}")
        game = Game.new(options(seats, f"{seed} {attempt}", ()))
        events, line = list(game.events), []
        while not game.over:
            assert game.decision is not None
            line.append(Asked(game.decision, choose(game, rng)))
            events += game.apply(line[-1].move)
        if not any(asked.move.verb == "pass" for asked in line):
            return Played(game, events, line)
    raise AssertionError("every game had a pass in it")


def options(seats: int, seed: str, modules: tuple[str, ...]) -> Options:
    return Options(seats=seats, seed=seed, modules=modules)


def policy_for(modules: tuple[str, ...]) -> str:
    return "thrifty" if any(NUMBERS[key] == 11 for key in modules) else "anything"


# -- The same moves with modules on ------------------------------------------------------------------------------------


def unused(game: Game) -> Move:
    """The answer of somebody who wants nothing: a pass, or the only move there is."""
    if not game.verify(Move("pass")):
        return Move("pass")
    moves = game.legal_moves()
    assert len(moves) == 1, f"nobody can stay out of {game.decision}"
    return moves[0]


def follow(base: Played, modules: tuple[str, ...]) -> tuple[Game, list[Event], int]:
    """The base game once more with modules on; how many further questions were asked."""
    game = Game.new(options(len(base.game.options.seats), base.game.options.seed, modules))
    events, further = list(game.events), 0
    for asked in base.line:
        while game.decision != asked.decision:
            events += game.apply(unused(game))
            further += 1
        events += game.apply(asked.move)
    while not game.over:
        events += game.apply(unused(game))
        further += 1
    return game, events, further


@cache
def core_kinds() -> frozenset[str]:
    """The kinds of event that the core tells, read from its code."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if "modules" in path.relative_to(PACKAGE).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                words = [inner for inner in ast.walk(node.args[0]) if isinstance(inner, ast.Constant)]
                found |= {word.value for word in words if isinstance(word.value, str)}
    return frozenset(found)


def story(events: list[Event], kinds: frozenset[str]) -> Iterator[dict[str, Any]]:
    """What happened, without questions, without ids (more answers make more versions), and without the options."""
    told = kinds - QUESTIONS
    for event in events:
        if event.kind in told:
            facts = json.loads(json.dumps(event.as_dict()))
            del facts["id"]
            if event.kind == "game_created":
                del facts["ruleset"]
                del facts["options"]["modules"]
            yield facts


@cache
def base_story(seats: int, seed: str, policy: str) -> list[dict[str, Any]]:
    """What happened in a base game."""
    base = base_game(seats, seed, policy)
    return list(story(base.events, kinds_of(base)))


def kinds_of(base: Played) -> frozenset[str]:
    return core_kinds() | {event.kind for event in base.events}


@cache
def compare(modules: tuple[str, ...], seats: int, seed: str) -> int:
    """Both stories are the same, and so is how the table looks at the end; how many further questions were asked."""
    base = base_game(seats, seed, policy_for(modules))
    game, events, further = follow(base, modules)
    expected, told = base_story(seats, seed, policy_for(modules)), list(story(events, kinds_of(base)))
    for number, (mine, other) in enumerate(zip(expected, told, strict=False)):
        assert mine == other, f"fact {number} differs"
    assert len(expected) == len(told)
    for shown in ("table", "seats", "ranking", "turn"):
        assert game.view(None)[shown] == base.game.view(None)[shown]
    assert game.scores == base.game.scores
    return further


# -- The law -----------------------------------------------------------------------------------------------------------


def test_the_law_is_tested_for_every_module_that_is_written_and_can_keep_it() -> None:
    assert {1, 4, 10, 11, 22, 28} <= {NUMBERS[key] for key in KEYS}


@pytest.mark.rule("99.38")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("key", KEYS)
def test_a_module_that_is_never_used_leaves_the_event_log_as_it_was(key: str, seats: int) -> None:
    compare((key,), seats, SEEDS[0])


@pytest.mark.check_only
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("key", KEYS)
def test_a_module_that_is_never_used_leaves_the_event_log_as_it_was_with_further_seeds(key: str, seats: int) -> None:
    for seed in SEEDS[1:]:
        compare((key,), seats, seed)


@pytest.mark.rule("99.38")
@pytest.mark.parametrize("seats", SEATS)
def test_all_of_them_together_never_used_leave_the_event_log_as_it_was(seats: int) -> None:
    assert compare(KEYS, seats, SEEDS[0]) > 0


@pytest.mark.parametrize("key", KEYS)
def test_further_questions_are_asked_only_by_modules_with_something_to_ask(key: str) -> None:
    module = load_module(key)
    asked = sum(compare((key,), seats, SEEDS[0]) for seats in (2, 4))
    if module.number in ASKS_OWNERS_ONLY:
        assert not asked
    else:
        assert bool(asked) == bool(module.decisions or module.asks.keys() & {"start", "late", "after", "window"})


@pytest.mark.parametrize("key", KEYS)
def test_what_a_module_tells_beyond_the_base_game_is_of_its_own_kinds(key: str) -> None:
    base = base_game(3, SEEDS[0], policy_for((key,)))
    _, events, _ = follow(base, (key,))
    beyond = {event.kind for event in events} - {event.kind for event in base.events} - QUESTIONS
    assert not beyond & core_kinds()


def test_the_base_games_show_nearly_everything_that_the_base_game_has() -> None:
    """Else the law would say little: purchases of every kind, redesigns, gifts, scorings, leftovers occur in them."""
    games = [base_game(seats, seed, "anything") for seats in SEATS for seed in SEEDS]
    verbs = {asked.move.verb for game in games for asked in game.line}
    assert verbs >= {"take_money", "buy", "place", "reserve", "add", "remove", "swap", "give_to_dirk", "leave"}
    kinds = {event.kind for game in games for event in game.events}
    assert kinds >= {"paid", "scored", "scoring_began", "deck_reshuffled", "leftover_awarded"} & core_kinds()
    assert any(event.public["exact"] for game in games for event in game.events if event.kind == "paid")
    assert any(not event.public["exact"] for game in games for event in game.events if event.kind == "paid")


def test_the_comparison_notices_a_module_that_was_used() -> None:
    """Control: the base game is followed until a vizier can buy something, and then he does."""
    base = base_game(3, SEEDS[0], "anything")
    game = Game.new(options(3, base.game.options.seed, tuple(key for key in KEYS if NUMBERS[key] == 1)))
    events, kinds = list(game.events), kinds_of(base)
    expected = base_story(3, SEEDS[0], "anything")
    line = iter(base.line)
    asked = next(line)
    while True:
        if game.decision == asked.decision:
            events += game.apply(asked.move)
            asked = next(line)
            continue
        purchase = next((move for move in game.legal_moves() if move.verb == "buy"), None)
        events += game.apply(purchase or unused(game))
        told = list(story(events, kinds))
        if purchase is not None:
            assert told != expected[: len(told)]
            return
        assert told == expected[: len(told)]
