"""Shuffles, draws and dice, all from one seed.

Every use of chance has a label, and the n-th use of a label has a stream of its own: BLAKE2b in counter mode, keyed
by the seed. So switching a module on, or drawing once more for it, never shifts the shuffles of anything else, and
a recorded game needs no more than its seed. Numbers below a bound come by rejection sampling, without bias.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
WORDS = Struct(">16I")
"""A block of a stream: sixteen numbers of 32 bits."""


def seed_key(seed: str) -> bytes:
    """The 32-byte key that a seed text stands for."""
    return blake2b(seed.encode(), digest_size=32, person=b"alhambra-seed").digest()


class Stream:
    """The random numbers of one use of one label."""

    __slots__ = ("_block", "_key", "_name", "_words")

    def __init__(self, key: bytes, label: str, use: int) -> None:
        self._key = key
        self._name = f"{label}#{use}#".encode()
        self._block = 0
        self._words: list[int] = []
        """Numbers of the present block that are not used yet; the last comes first."""

    def randbelow(self, bound: int) -> int:
        """A number from 0 to bound - 1, every one as likely as the other."""
        words = self._words
        while True:
            if not words:
                digest = blake2b(self._name + self._block.to_bytes(4, "big"), key=self._key).digest()
                words.extend(WORDS.unpack(digest))
                self._block += 1
            number = words.pop()
            # The last, incomplete round of 2**32 would favour small numbers.
            if number < 0x100000000 - 0x100000000 % bound:
                return number % bound

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in random order."""
        order = list(things)
        randbelow = self.randbelow
        for last in range(len(order) - 1, 0, -1):
            other = randbelow(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
