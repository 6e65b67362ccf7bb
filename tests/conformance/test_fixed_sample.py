"""The conformance suite's fixed sample for every test run: the same games each time, never cut off by a clock."""

from __future__ import annotations

import pytest

from tests.conformance.cases import (
    Case,
    base_games,
    everything,
    habits_with_each_module,
    mixed_habits,
    pairs,
    single_habits,
    single_modules,
)


@pytest.mark.parametrize("case", list(base_games(10)), ids=lambda case: case.name)
def test_a_base_game_of_every_size_and_edition_keeps_all_invariants(case: Case) -> None:
    case.watch().play()


@pytest.mark.parametrize("case", list(single_modules(1)), ids=lambda case: case.name)
def test_every_module_alone_keeps_all_invariants(case: Case) -> None:
    case.watch(every=10).play()


@pytest.mark.parametrize("case", list(pairs(1, spread=True)), ids=lambda case: case.name)
def test_every_pair_of_modules_keeps_all_invariants(case: Case) -> None:
    case.watch(every=10).play()


@pytest.mark.parametrize("case", list(everything(1, (2, 6))), ids=lambda case: case.name)
def test_all_modules_at_once_keep_all_invariants(case: Case) -> None:
    case.watch(every=10).play()


@pytest.mark.parametrize("case", list(single_habits(1)), ids=lambda case: case.players[0])
def test_a_table_of_one_habit_with_all_modules_ends_and_keeps_all_invariants(case: Case) -> None:
    case.watch().play()


@pytest.mark.parametrize("case", list(habits_with_each_module(["hoarder"])), ids=lambda case: case.modules[0])
def test_a_table_of_hoarders_with_every_module_alone_ends_and_keeps_all_invariants(case: Case) -> None:
    case.watch().play()


@pytest.mark.parametrize("case", list(mixed_habits(16)), ids=lambda case: case.name)
def test_a_table_of_mixed_habits_ends_and_keeps_all_invariants(case: Case) -> None:
    case.watch().play()
