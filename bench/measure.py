"""Measures several functions in interleaved rounds: medians, and the difference between two runs of one function."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

from .rounds import ROUNDS


def once(work: Callable[[], object], repeat: int) -> float:
    """Return the CPU seconds of one call. The time of other processes does not count."""
    began = process_time()
    for _ in range(repeat):
        work()
    return (process_time() - began) / repeat


def calibrated(work: Callable[[], object], seconds: float) -> int:
    """Return how often to repeat the work so that a round takes about this number of seconds."""
    return max(1, int(seconds / max(once(work, 1), 1e-7)))


def side_by_side(
    works: dict[str, Callable[[], object]], seconds: float = 0.02, rounds: int = ROUNDS
) -> dict[str, float]:
    """Return the median seconds per call of each function, measured in interleaved rounds."""
    repeats = {name: calibrated(work, seconds) for name, work in works.items()}
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(once(work, repeats[name]))
    return {name: median(found) for name, found in times.items()}
