"""Chance for the players and probes of the conformance suite: seeded, and cheaper to ask than `random.Random` is."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Small numbers only: fair enough for drawing moves, cards and cells."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""
        return int(self._random() * stop)

    def choice(self, things: Sequence[T]) -> T:
        """One of the things."""
        return things[int(self._random() * len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """So many of the things, each at most once; all of them if there are no more."""
        left = list(things)
        return [left.pop(int(self._random() * len(left))) for _ in range(min(count, len(left)))]
