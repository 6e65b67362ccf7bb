"""The CPU time of processes, by the nanosecond where Linux tells it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Reading(NamedTuple):
    """The CPU seconds of a process until now."""

    threads: dict[str, float]
    """Of each thread that lives, exactly."""
    all: float
    """Of the whole process, threads that have ended included, in whole ticks of the system."""


def read(pid: int) -> Reading:
    """Read the CPU time of a process."""
    threads = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has just ended
            threads[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1e9
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return Reading(threads, (int(fields[11]) + int(fields[12])) / TICKS)


def between(first: Reading, second: Reading) -> float:
    """Return the CPU seconds between two readings: the sum over the threads that still live, or more if the process has
    used more, because a thread has ended."""
    exact = sum(seconds - first.threads.get(name, 0.0) for name, seconds in second.threads.items())
    return max(exact, second.all - first.all - 2 / TICKS)


class Meter:
    """Reads what several processes have used since it was started."""

    def __init__(self, pids: dict[str, int]) -> None:
        """`pids` are the ids of the processes by name."""
        self._pids = pids
        self._began: dict[str, Reading] = {}

    def start(self) -> None:
        self._began = {name: read(pid) for name, pid in self._pids.items()}

    def used(self) -> dict[str, float]:
        """Return the CPU seconds since the start, by name."""
        return {name: between(self._began[name], read(pid)) for name, pid in self._pids.items()}
