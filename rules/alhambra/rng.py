"""Random numbers of a game: shuffles, draws and dice, all derived from one seed.

Each use has a label, and the n-th use of a label has its own stream (BLAKE2b in counter mode, keyed by the seed). So a
module that is switched on, or draws once more, never changes the random numbers of anything else, and the seed is
enough to replay a game. Bounded numbers use rejection sampling and are unbiased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from struct import Struct
from typing import Protocol, TypeVar

T = TypeVar("T")
WORDS = Struct(">16I")
"""One block of a stream: sixteen 32-bit numbers."""


class Rng(Protocol):
    """The random generator of a caller, for choices that are not part of the game; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return a random integer from 0 to stop - 1."""

    def random(self) -> float:
        """Return a random number in [0, 1)."""


def randbelow_of(rng: Rng) -> Callable[[int], int]:
    """Return a function like `rng.randrange`, for one bound above 0. A generator with the method `getrandbits` of
    `random.Random` is asked for bits, as its own `randrange` does: the numbers are the same, for half of the calls."""
    getrandbits: Callable[[int], int] | None = getattr(rng, "getrandbits", None)
    if getrandbits is None:
        return rng.randrange

    def randbelow(bound: int) -> int:
        if bound <= 0:
            raise ValueError(f"no number from 0 to {bound - 1}")
        bits = bound.bit_length()
        number = getrandbits(bits)
        while number >= bound:
            number = getrandbits(bits)
        return number

    return randbelow


def seed_key(seed: str) -> bytes:
    """Return the 32-byte key for a seed."""
    return blake2b(seed.encode(), digest_size=32, person=b"alhambra-seed").digest()


class Stream:
    """Random numbers for one use of a label."""

    __slots__ = ("_block", "_key", "_name", "_words")

    def __init__(self, key: bytes, label: str, use: int) -> None:
        self._key = key
        self._name = f"{label}#{use}#".encode()
        self._block = 0
        self._words: list[int] = []
        """Unused numbers of the current block, next one last."""

    def randbelow(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, uniformly distributed."""
        words = self._words
        while True:
            if not words:
                digest = blake2b(self._name + self._block.to_bytes(4, "big"), key=self._key).digest()
                words.extend(WORDS.unpack(digest))
                self._block += 1
            number = words.pop()
            # Reject the incomplete last range, which would favour small numbers.
            if number < 0x100000000 - 0x100000000 % bound:
                return number % bound

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return the elements in random order."""
        order = list(things)
        randbelow = self.randbelow
        for last in range(len(order) - 1, 0, -1):
            other = randbelow(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
