"""Chance for the players and probes of the conformance suite: seeded, and cheaper to ask than `random.Random` is."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws small numbers: fair enough for moves, cards and cells."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random
        """Draws a number from 0 up to, but not including, 1."""

    def randrange(self, stop: int, /) -> int:
        """Draw a number from 0 to stop - 1."""
        return int(self.random() * stop)

    def choice(self, things: Sequence[T]) -> T:
        """Draw one of the things."""
        return things[int(self.random() * len(things))]
