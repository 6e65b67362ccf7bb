"""What a process takes from its machine: cores, memory heaps, open files."""

from __future__ import annotations

import math
import os
import sys
from contextlib import suppress
from pathlib import Path

CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""What a container may use, as Linux tells it: microseconds of CPU time, or "max", in so many microseconds."""
TURN_SECONDS = 0.0005
"""How long a thread keeps the interpreter's lock while others want it. With Python's default, 5 ms, a call that takes
five turns beside a thread that computes waits for 25 ms."""
FEW_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""For the environment of a server. By default the C library gives nearly every thread a heap of its own, and memory
that is free in one heap cannot be used by the others: a process with many threads grows for hours."""

THREADS_THAT_POLL = {"GRPC_EXPERIMENTS": "-event_engine_listener,-event_engine_client"}
"""For the environment of a process that uses gRPC: the thread that waits for a message reads it from the connection. By
default gRPC has further threads for that (the event engine), which hand each message on, and look for more work long
after it: a gateway then needs three times as many turns on a core for a call, and 1.6 times the CPU time."""


def server_environment(**more: str) -> dict[str, str]:
    """Return the environment for a server that this process starts: the variables of this process and `more`."""
    return {**FEW_ARENAS, **THREADS_THAT_POLL, **os.environ, **more}


def prepare_grpc() -> None:
    """Set THREADS_THAT_POLL for this process, unless its environment has other values. Call it before gRPC is used."""
    for name, value in THREADS_THAT_POLL.items():
        os.environ.setdefault(name, value)


def cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def usual_processes(limit: Path = CPU_LIMIT) -> int:
    """Return how many processes a server has unless its settings say otherwise: one for each core, or fewer if a
    container gives it less CPU time than its cores have. More processes than cores would only wait for each other."""
    with suppress(OSError, ValueError):
        quota, period = limit.read_text(encoding="ascii").split()
        if quota != "max":
            return max(1, min(len(cores()), math.ceil(int(quota) / int(period))))
    return len(cores())


def pin(number: int) -> None:
    """Keep this process on one core, if the platform can. An interpreter whose lock moves between cores is a third
    slower. Numbers beyond the last core begin again with the first."""
    if hasattr(os, "sched_setaffinity"):
        available = cores()
        os.sched_setaffinity(0, {available[number % len(available)]})


def take_short_turns() -> None:
    """Let the threads of this process take turns every TURN_SECONDS."""
    sys.setswitchinterval(TURN_SECONDS)


def allow_open_files(wanted: int) -> None:
    """Raise the limit of open files to this number, or as far as the system allows. Each connection is an open file,
    and many systems allow only a thousand by default."""
    import resource  # not on every platform on which settings are read

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
