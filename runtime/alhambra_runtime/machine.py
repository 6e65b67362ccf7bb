"""What a process takes from its machine: cores, memory heaps, open files."""

from __future__ import annotations

import os

FEW_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""For the environment of a server. By default the C library gives nearly every thread a heap of its own, and memory
that is free in one heap cannot be used by the others: a process with many threads grows for hours."""


def server_environment(**more: str) -> dict[str, str]:
    """Return the environment for a server that this process starts: the variables of this process and `more`."""
    return {**FEW_ARENAS, **os.environ, **more}


def cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def pin(number: int) -> None:
    """Keep this process on one core, if the platform can. An interpreter whose lock moves between cores is a third
    slower. Numbers beyond the last core begin again with the first."""
    if hasattr(os, "sched_setaffinity"):
        available = cores()
        os.sched_setaffinity(0, {available[number % len(available)]})


def allow_open_files(wanted: int) -> None:
    """Raise the limit of open files to this number, or as far as the system allows. Each connection is an open file,
    and many systems allow only a thousand by default."""
    import resource  # not on every platform on which settings are read

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
