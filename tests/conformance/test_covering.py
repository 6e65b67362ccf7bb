"""Covering games contain every pair of modules, and a covering game that fails names the modules that make it fail."""

from __future__ import annotations

from itertools import combinations

import pytest

from alhambra import known_modules
from alhambra.components import component_data
from tests.conformance.cases import SEATS, Case, covering
from tests.conformance.covering import BLOCK, blocks, narrowed
from tests.conformance.test_fixed_sample import BROAD, broad, play_block

SEVEN = tuple("abcdefg")


@pytest.mark.parametrize("size", [BLOCK, BROAD])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 14, 29, 43])
def test_every_pair_is_in_some_block_and_every_block_is_of_the_same_size(count: int, size: int) -> None:
    keys = tuple(f"module {number:02}" for number in range(count))
    found = blocks(keys, size)
    assert {pair for block in found for pair in combinations(block, 2)} == set(combinations(keys, 2))
    assert {len(block) for block in found} <= {min(size, count)}


def test_the_few_games_of_every_run_contain_every_pair_and_all_numbers_of_seats() -> None:
    cases = list(broad())
    pairs = {pair for case in cases for pair in combinations(sorted(case.modules), 2)}
    assert pairs == set(combinations(sorted(known_modules()), 2))
    assert {case.seats for case in cases} == set(SEATS)


def test_all_modules_of_the_rulebooks_need_fewer_than_sixty_blocks() -> None:
    assert len(blocks(tuple(sorted(component_data()["modules"])))) < 60


def test_covering_games_have_two_seat_counts_for_each_block_and_all_seat_counts_together() -> None:
    cases = list(covering())
    by_block = {case.modules: [other.seats for other in cases if other.modules == case.modules] for case in cases}
    assert all(len(set(seats)) == len(seats) == 2 for seats in by_block.values())
    assert {case.seats for case in cases} == set(SEATS)
    assert {key for case in cases for key in case.modules} == set(known_modules())


@pytest.mark.parametrize("guilty", [("c",), ("a", "g"), ("b", "c", "f"), SEVEN, ()], ids="".join)
def test_a_failing_block_is_narrowed_to_the_modules_that_fail_together(guilty: tuple[str, ...]) -> None:
    asked: list[tuple[str, ...]] = []

    def fails(modules: tuple[str, ...]) -> bool:
        asked.append(modules)
        return set(guilty) <= set(modules)

    assert narrowed(SEVEN, fails) == guilty
    assert len(asked) <= 25


def test_the_failure_of_a_covering_game_names_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(covering())
    pair = case.modules[1], case.modules[4]

    class Broken:
        """A game that fails if both modules are on."""

        moves = 1

        def __init__(self, case: Case) -> None:
            self.modules = case.modules

        def play(self) -> None:
            if set(pair) <= set(self.modules):
                raise ZeroDivisionError("these two do not agree")

    monkeypatch.setattr(Case, "watch", lambda case, _every: Broken(case))
    with pytest.raises(AssertionError, match=f"smallest failing set: {pair[0]} \\+ {pair[1]}: these two do not agree"):
        play_block(case, lambda *_spent: None)
