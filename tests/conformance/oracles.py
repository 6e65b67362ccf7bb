"""The brute-force oracles, in numbers: flood fill, geometry of odd tiles, outer wall, majority split, payments, each
against the engine.

A comparison is a chunk of random Alhambras, tables or hands, named and seeded by where it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.rules import module_payment_oracle, payment_oracle
from tests.rules.base import majority_oracle
from tests.rules.test_construction_by_brute_force import compare_with_brute_force
from tests.rules.test_odd_tiles_by_geometry import compare_odd_tiles

SIZES = {
    "boards": (100_000, 2_500),
    "odd_boards": (50_000, 2_500),
    "majorities": (100_000, 2_500),
    "payments": (20_000, 500),
    "module_payments": (20_000, 500),
}
"""By oracle: how many Alhambras, tables or hands the long run compares, and how many at a time."""

OF_TABLES = {"majorities": majority_oracle, "payments": payment_oracle, "module_payments": module_payment_oracle}
"""The oracles that list where they disagree."""


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
        seed, (_, chunk) = f"long {self.first}", SIZES[self.oracle]
        if self.oracle == "boards":
            compare_with_brute_force(chunk, seed)
        elif self.oracle == "odd_boards":
            compare_odd_tiles(chunk, seed)
        else:
            disagreements = OF_TABLES[self.oracle].compare(chunk, seed)
            assert not disagreements, disagreements[:3]
        return chunk


def comparisons() -> Iterator[Comparison]:
    """The long list: Alhambras of plain tiles against flood fill and edge graph, those of all kinds of tiles against
    geometry, tables against all orders of breaking ties, hands, with example modules and with those of the box, against
    everything that can be laid down."""
    for oracle, (count, chunk) in SIZES.items():
        for first in range(0, count, chunk):
            yield Comparison(oracle, first)
