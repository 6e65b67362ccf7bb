"""The cores of each process, and the CPU time that it took.

The process that is measured has the first core for itself; clients and the store share the others. CPU time is a stable
figure on a busy machine, because it does not include the time of other processes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from alhambra_runtime.machine import cores

CPUCLOCK_SCHED = 2
"""With the complement of a process id above it, the number of the clock of that process (`clock_getcpuclockid`)."""
ALL = cores()
"""All cores that the benchmarks may use. Read before any process is pinned."""
FRONT = {ALL[0]}
"""The core of the process that is measured."""
BACK = set(ALL[1:]) or FRONT
"""The cores of all other processes. If there is only one core, FRONT and BACK are the same."""


def pin(pid: int, where: Iterable[int]) -> None:
    """Keep a process and all its threads on these cores, if the platform can."""
    if not hasattr(os, "sched_setaffinity"):
        return
    for task in _tasks(pid):
        os.sched_setaffinity(int(task.name), set(where))


def seconds(pid: int) -> float:
    """Return the CPU seconds that a process has taken, with those of threads that have ended."""
    if Path("/proc").is_dir():
        return time.clock_gettime(~pid << 3 | CPUCLOCK_SCHED)  # nanoseconds; the fallback counts hundredths of a second
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def _tasks(pid: int) -> list[Path]:
    return [*Path(f"/proc/{pid}/task").iterdir()] if Path("/proc").is_dir() else []
