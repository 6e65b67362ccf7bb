"""Random numbers of callers: bounded numbers without `randrange` are the same numbers."""

from __future__ import annotations

from random import Random

import pytest

from alhambra.rng import randbelow_of

BOUNDS = [1, 2, 3, 5, 7, 8, 9, 100, 255, 256, 257, 2**31 - 1, 2**40 + 1]


class Scripted:
    """A generator that has only what the protocol asks for."""

    def randrange(self, stop: int, /) -> int:
        return stop - 1

    def random(self) -> float:
        return 0.5


def test_numbers_are_those_of_randrange() -> None:
    drawn, expected = randbelow_of(Random(7)), Random(7)
    for bound in BOUNDS * 50:
        assert drawn(bound) == expected.randrange(bound)


def test_a_generator_without_getrandbits_is_asked_by_randrange() -> None:
    drawn = randbelow_of(Scripted())
    assert [drawn(bound) for bound in BOUNDS] == [bound - 1 for bound in BOUNDS]


@pytest.mark.parametrize("bound", [0, -1])
def test_a_bound_without_numbers_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="no number"):
        randbelow_of(Random(1))(bound)
