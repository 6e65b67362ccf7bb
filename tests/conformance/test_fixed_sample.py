"""The conformance suite's fixed sample for every test run: the same games each time, never cut off by a clock."""

from __future__ import annotations

import pytest

from tests.conformance.cases import Case, base_games, everything, pairs, single_modules


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
