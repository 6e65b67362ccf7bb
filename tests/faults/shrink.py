"""The smallest part of a schedule that still fails: faults are left out as long as the rest fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .schedule import Fault, Schedule

Fails = Callable[[Schedule], bool]
"""Plays a schedule and returns whether something is wrong."""


def shrink(schedule: Schedule, fails: Fails, runs: int) -> Schedule:
    """Return a part of a failing schedule that failed too, found with at most this many runs: first without one half
    or the other, then without ever smaller parts, down to single faults."""
    faults = list(schedule.faults)
    size = (len(faults) + 1) // 2
    while faults and size and runs > 0:
        for start in range(0, len(faults), size):
            if runs <= 0:
                break
            runs -= 1
            rest = _without(faults, start, size)
            if fails(schedule.only(rest)):
                faults = rest
                break
        else:
            size = size // 2 if size > 1 else 0
            continue
        size = min(size, (len(faults) + 1) // 2)
    return schedule.only(faults)


def _without(faults: Sequence[Fault], start: int, size: int) -> list[Fault]:
    return [*faults[:start], *faults[start + size :]]
