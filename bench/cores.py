"""Who runs where, and how much of a core each process took.

The process that is measured has the first core for itself; whoever calls it, and the store, share the others. Time on
a core is the stable figure on a busy machine: it does not count the time that others took.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import psutil

from alhambra_kit.machine import cores

NANO = 1e-9
ALL = cores()
"""The cores that there were when the benchmarks began, before anybody was told to keep to some of them."""
FRONT = {ALL[0]}
"""The core of whatever is measured."""
BACK = set(ALL[1:]) or FRONT
"""The cores of everybody else; the same if there is only one."""


def pin(pid: int, where: Iterable[int]) -> None:
    """Keeps a process and all its threads on these cores, where the platform can."""
    if not hasattr(os, "sched_setaffinity"):
        return
    for task in _tasks(pid):
        os.sched_setaffinity(int(task.name), set(where))


def seconds(pid: int) -> float:
    """How long the threads of a process were on a core until now."""
    try:
        found = [int((task / "schedstat").read_bytes().split()[0]) for task in _tasks(pid)]
    except (OSError, IndexError):
        found = []
    if found:
        return sum(found) * NANO  # by the nanosecond; what follows counts in hundredths of a second
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def _tasks(pid: int) -> list[Path]:
    return [*Path(f"/proc/{pid}/task").iterdir()] if Path("/proc").is_dir() else []
