"""Few games that contain every pair of modules, and what to do when one of them fails.

Every pair by itself would be 903 games with 43 modules. A game of seven modules contains 21 pairs, so that 56 games
contain them all; with sixteen modules, 12 games do. A game that fails does not say which of its modules are to blame:
`narrowed` finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

BLOCK = 7
"""Modules in one covering game."""


@cache
def blocks(keys: tuple[str, ...], size: int = BLOCK) -> tuple[tuple[str, ...], ...]:
    """Return blocks of `size` modules that contain every pair of the keys; the same keys give the same blocks.

    Greedy: for each module that still misses a partner, a block is grown by the modules with the most new pairs; of
    these blocks the one with the most new pairs is taken, until no pair is missing."""
    everyone = range(len(keys))
    missing = [((1 << len(keys)) - 1) & ~(1 << own) for own in everyone]
    """By module: the modules that it has not met yet, as bits."""
    found = []
    while any(missing):
        block = max((_grown(first, missing, size) for first in everyone if missing[first]), key=_new_pairs(missing))
        found.append(tuple(keys[own] for own in sorted(block)))
        together = sum(1 << own for own in block)
        for own in block:
            missing[own] &= ~together
    return tuple(found)


def _grown(first: int, missing: list[int], size: int) -> list[int]:
    """Return a block that begins with `first`; each further module brings as many new pairs as any can."""
    block, together = [first], 1 << first
    left = [own for own in range(len(missing)) if own != first]
    while left and len(block) < size:
        best = max(left, key=lambda own: ((missing[own] & together).bit_count(), missing[own].bit_count()))
        left.remove(best)
        block.append(best)
        together |= 1 << best
    return block


def _new_pairs(missing: list[int]) -> Callable[[list[int]], int]:
    def count(block: list[int]) -> int:
        together = sum(1 << own for own in block)
        return sum((missing[own] & together).bit_count() for own in block)

    return count


def narrowed(modules: Sequence[str], fails: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """Return the fewest of the modules with which a game still fails, as far as leaving some out can show.

    Half of the modules are left out, then the other half, then quarters, at last single ones. With seven modules
    `fails` is asked at most 25 times or so; an empty result means that the base game fails as well."""
    left = tuple(modules)
    part = (len(left) + 1) // 2
    while left and part:
        for start in range(0, len(left), part):
            rest = left[:start] + left[start + part :]
            if fails(rest):
                left = rest
                part = min(part, (len(left) + 1) // 2)
                break
        else:
            part = part // 2
    return left
