"""The brute-force oracles, in numbers: flood fill, geometry of odd tiles, outer wall, majority split, each against the
engine.

A comparison is a chunk of random Alhambras or tables, named and seeded by where it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.rules.base import majority_oracle
from tests.rules.test_construction_by_brute_force import compare_with_brute_force
from tests.rules.test_odd_tiles_by_geometry import compare_odd_tiles

COUNTS = {"boards": 100_000, "odd_boards": 50_000, "majorities": 100_000}
"""By oracle: Alhambras, or tables, that the long run compares."""
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
        elif self.oracle == "odd_boards":
            compare_odd_tiles(CHUNK, seed)
        else:
            disagreements = majority_oracle.compare(CHUNK, seed)
            assert not disagreements, disagreements[:3]
        return CHUNK


def comparisons() -> Iterator[Comparison]:
    """The long list: Alhambras of plain tiles against flood fill and edge graph, those of all kinds of tiles against
    geometry, tables against all orders of breaking ties."""
    for oracle, count in COUNTS.items():
        for first in range(0, count, CHUNK):
            yield Comparison(oracle, first)
