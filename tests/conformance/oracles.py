"""The brute-force oracles, in numbers: flood fill, outer wall, majority split, each against the engine.

A comparison is a chunk of random Alhambras or tables, named and seeded by where it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.rules.base import majority_oracle
from tests.rules.test_construction_by_brute_force import compare_with_brute_force

COUNT = 100_000
"""Alhambras, and tables, that the long run compares."""
CHUNK = 2_500


class Comparison(NamedTuple):
    """A chunk of comparisons with one oracle."""

    oracle: str
    first: int

    @property
    def name(self) -> str:
        """Readable and unique."""
        return f"oracle/{self.oracle}/{self.first}"

    def compare(self) -> int:
        """Compares the chunk and answers with its size; raises where engine and oracle disagree."""
        seed = f"long {self.first}"
        if self.oracle == "boards":
            compare_with_brute_force(CHUNK, seed)
        else:
            disagreements = majority_oracle.compare(CHUNK, seed)
            assert not disagreements, disagreements[:3]
        return CHUNK


def comparisons() -> Iterator[Comparison]:
    """The long list: Alhambras against flood fill and edge graph, tables against all orders of breaking ties."""
    for oracle in ("boards", "majorities"):
        for first in range(0, COUNT, CHUNK):
            yield Comparison(oracle, first)
