"""The conformance suite's fixed sample for every test run: the same games each time, never cut off by a clock.

Its size is bounded by `tests/budget.py`, which also holds for the number of modules that there will be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import pytest

from alhambra import known_modules
from alhambra.components import component_data
from tests.budget import BUDGETS, Spend
from tests.conformance import cases
from tests.conformance.cases import Case
from tests.conformance.covering import narrowed
from tests.conformance.results import number_of, rules_digest

ROUNDS = 1
"""Base games of every number of players and edition; the long run plays a thousand."""
EVERY = 25
"""Games with modules are checked after every 25th move; the long run checks after each."""
SPARSE = 5
"""Base games of more than two seats are checked after every fifth move; `make check` checks after each."""
OFTEN = 10
"""Games of habits are checked after every tenth move."""
SELDOM = 50
"""Games of one habit with all modules are long, and a check of them takes many times as long as a move."""
HOARDED = 6
"""Hoarders play with one module of this many."""
BROAD = 16
"""Modules in each of the few games that contain every pair; `make check` plays those of seven modules as well."""
AGAIN = 3
"""Games that are played with fewer modules to find those that a failing game needs."""


def base_games() -> Iterator[Case]:
    return cases.base_games(ROUNDS)


def single_modules() -> Iterator[Case]:
    """Every module with one number of seats, from two to six in turn; the long run takes all of them."""
    return (case for case in cases.single_modules(1) if case.seats == 2 + int(number_of(case.modules[0])) % 5)


def broad() -> Iterator[Case]:
    """Every pair of modules in few games, each block with one number of seats."""
    return islice(cases.covering(BROAD), None, None, 2)


def all_at_once() -> Iterator[Case]:
    return cases.everything(1, (2, 6))


def single_habits() -> Iterator[Case]:
    return cases.single_habits(1)


def hoarders() -> Iterator[Case]:
    """Hoarders with every sixth module, others whenever the rules have changed; the long run takes all of them."""
    first = int(rules_digest()[:8], 16)
    return islice(cases.habits_with_each_module(["hoarder"]), first % HOARDED, None, HOARDED)


def mixed_habits() -> Iterator[Case]:
    return cases.mixed_habits(8)


def play(case: Case, spend: Spend, every: int = 1) -> None:
    """Play a case with its checks, and report what it took."""
    watch = case.watch(every)
    watch.play()
    spend(case.group, 1, watch.moves)


def play_block(case: Case, spend: Spend) -> None:
    """Play a case with several modules. If it fails, name the modules with which games fail, the fewest found."""
    try:
        play(case, spend, EVERY)
    except Exception as fault:
        guilty = narrowed(case.modules, lambda modules: fails(case, modules))
        names = " + ".join(guilty) or "the base game by itself"
        raise AssertionError(f"{case.name} fails; smallest failing set: {names}: {fault}") from fault


def fails(case: Case, modules: tuple[str, ...]) -> bool:
    """Whether some game of as many seats with these modules fails, for whatever reason."""
    for number in range(AGAIN):
        try:
            case._replace(modules=modules, number=number).watch(EVERY).play()
        except Exception:
            return True
    return False


@pytest.mark.parametrize("case", list(base_games()), ids=lambda case: case.name)
def test_a_base_game_of_every_size_and_edition_keeps_all_invariants(case: Case, spend: Spend) -> None:
    play(case, spend, SPARSE if case.seats > 2 else 1)


@pytest.mark.check_only
@pytest.mark.parametrize("case", [case for case in base_games() if case.seats > 2], ids=lambda case: case.name)
def test_a_base_game_keeps_all_invariants_after_each_move(case: Case, spend: Spend) -> None:
    play(case, spend)


@pytest.mark.parametrize("case", list(single_modules()), ids=lambda case: case.name)
def test_every_module_alone_keeps_all_invariants(case: Case, spend: Spend) -> None:
    play(case, spend, EVERY)


@pytest.mark.parametrize("case", list(broad()), ids=lambda case: case.name)
def test_every_pair_of_modules_keeps_all_invariants_in_a_game_with_many_more(case: Case, spend: Spend) -> None:
    play_block(case, spend)


@pytest.mark.check_only
@pytest.mark.parametrize("case", list(cases.covering()), ids=lambda case: case.name)
def test_every_pair_of_modules_keeps_all_invariants_in_a_game_with_few_more(case: Case, spend: Spend) -> None:
    play_block(case, spend)


def some_of_all_at_once() -> Iterator[Any]:
    """The largest table; `make check` takes the smallest one as well."""
    for case in all_at_once():
        yield pytest.param(case, id=case.name, marks=[pytest.mark.check_only] if case.seats == 2 else [])


@pytest.mark.parametrize("case", list(some_of_all_at_once()))
def test_all_modules_at_once_keep_all_invariants(case: Case, spend: Spend) -> None:
    play_block(case, spend)


@pytest.mark.check_only
@pytest.mark.parametrize("case", list(single_habits()), ids=lambda case: case.players[0])
def test_a_table_of_one_habit_with_all_modules_ends_and_keeps_all_invariants(case: Case, spend: Spend) -> None:
    play(case, spend, SELDOM)


@pytest.mark.parametrize("case", list(hoarders()), ids=lambda case: case.modules[0])
def test_a_table_of_hoarders_with_every_module_alone_ends_and_keeps_all_invariants(case: Case, spend: Spend) -> None:
    play(case, spend, OFTEN)


def some_mixed_habits() -> Iterator[Any]:
    """Half of them; `make check` takes all."""
    for place, case in enumerate(mixed_habits()):
        yield pytest.param(case, id=case.name, marks=[pytest.mark.check_only] if place % 2 else [])


@pytest.mark.parametrize("case", list(some_mixed_habits()))
def test_a_table_of_mixed_habits_ends_and_keeps_all_invariants(case: Case, spend: Spend) -> None:
    play(case, spend, OFTEN)


@pytest.mark.parametrize("planned", [False, True], ids=["modules of today", "all modules of the rulebooks"])
def test_the_sample_stays_within_its_budget_however_many_modules_there_are(
    planned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = sorted(component_data()["modules"]) if planned else known_modules()
    monkeypatch.setattr(cases, "known_modules", lambda: known)
    groups = (base_games, single_modules, broad, cases.covering, all_at_once, single_habits, hoarders, mixed_habits)
    played = list(chain.from_iterable(group() for group in groups))
    for group in {case.group for case in played}:
        assert sum(case.group == group for case in played) <= BUDGETS[group].games, group
