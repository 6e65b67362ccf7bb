"""Majorities by brute force: every strict ranking that the counts allow, averaged, rounded down.

Tied players share their places. Instead of dividing a sum, the oracle lets them win the tie in every possible order
and gives each the average, so it has nothing in common with the engine's way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, pairwise, permutations, product
from random import Random

from alhambra.base.scoring import split_places
from alhambra.components import MAJORITY_VALUES, TYPES

SCORINGS = (1, 2, 3)


def shares(counts: Mapping[int, int], values: tuple[int, ...]) -> dict[int, int]:
    """Points of every seat that has a building, by enumerating all orders in which ties could be broken."""
    players = [seat for seat in counts if counts[seat]]
    total = dict.fromkeys(players, 0)
    orders = 0
    for order in permutations(players):
        if all(counts[before] >= counts[after] for before, after in pairwise(order)):
            orders += 1
            for seat, value in zip(order, values, strict=False):
                total[seat] += value
    return {seat: points // orders for seat, points in total.items()}


def disagreement(counts: Mapping[int, int], values: tuple[int, ...]) -> str | None:
    """What the engine says otherwise than the oracle; None if they agree."""
    expected = {seat: points for seat, points in shares(counts, values).items() if points}
    found = {seat: points for seat, (points, _, _) in split_places(counts, values).items() if points}
    return None if expected == found else f"{dict(counts)} for {values}: {found}, expected {expected}"


def every_shape(seats: int) -> Iterator[dict[int, int]]:
    """Every way in which so many seats can be tied, ahead, behind or without a building."""
    for counts in combinations_with_replacement(range(seats + 1), seats):
        yield dict(enumerate(reversed(counts)))


def compare(count: int, seed: str = "majorities") -> list[str]:
    """Compares so many random tables of 2 to 6 seats (7 columns with Dirk are never needed); lists disagreements."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        seats = rng.randint(2, 6)
        counts = {seat: rng.randint(0, rng.choice((1, 2, 4, 11))) for seat in range(seats)}
        values = MAJORITY_VALUES[rng.choice(TYPES)][rng.choice(SCORINGS)]
        problem = disagreement(counts, values)
        if problem:
            found.append(problem)
    return found


def all_values() -> list[tuple[int, ...]]:
    """The place values of every type in every scoring."""
    return [MAJORITY_VALUES[name][scoring] for name, scoring in product(TYPES, SCORINGS)]
