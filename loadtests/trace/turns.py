"""How often the threads of a process got a core, and how long they waited for it, as the kernel counts.

A call needs several turns: each thread that works on it must be woken and given a core. On a busy machine the waits
for these turns are most of what a call takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

_SWITCHES = re.compile(r"^(non)?voluntary_ctxt_switches:\s*(\d+)", re.MULTILINE)
_NANO = 1e-9


class Turns(NamedTuple):
    """Sums over the threads of one or more processes."""

    cpu: float = 0.0
    """Seconds on a core."""
    waited: float = 0.0
    """Seconds in which a thread was ready to run and had no core."""
    turns: float = 0
    """How often a thread got a core."""
    preempted: float = 0
    """How often a thread had to leave its core before it waited for something."""

    def plus(self, other: Turns) -> Turns:
        """Return the sum."""
        return Turns(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Turns) -> Turns:
        """Return the difference."""
        return Turns(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


def of_process(pid: int) -> Turns:
    """Return the CPU time of a process, and the turns of all threads that it has now: the kernel forgets the turns of
    threads that have ended."""
    user, system, *_ = psutil.Process(pid).cpu_times()
    found = Turns(cpu=user + system)
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError, ValueError, IndexError):
            _, waited, turns = map(int, (thread / "schedstat").read_text().split())
            switches = _SWITCHES.findall((thread / "status").read_text())
            preempted = sum(int(count) for kind, count in switches if kind)
            found = found.plus(Turns(0.0, waited * _NANO, turns, preempted))
    return found


def by_role(parent: int, role_of: Callable[[psutil.Process], str]) -> dict[str, Turns]:
    """Return the turns of a process and all its descendants, added up by role."""
    found: dict[str, Turns] = {}
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(parent)
        for process in (first, *first.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                role = role_of(process)
                found[role] = found.get(role, Turns()).plus(of_process(process.pid))
    return found


def difference(after: dict[str, Turns], before: dict[str, Turns]) -> dict[str, Turns]:
    """Return what was added between two counts, by role."""
    return {role: turns.minus(before.get(role, Turns())) for role, turns in after.items()}


def markdown(counted: dict[str, Turns], calls: int) -> str:
    """Return the counts for each call as a table."""
    lines = [
        "| role | CPU ms | turns on a core | of them ended by another program | ms of waiting for turns |",
        "|---|---:|---:|---:|---:|",
    ]
    for role, turns in sorted(counted.items()):
        each = [1000 * turns.cpu, turns.turns, turns.preempted, 1000 * turns.waited]
        lines.append("| " + " | ".join([role, *(f"{figure / max(1, calls):.2f}" for figure in each)]) + " |")
    return "\n".join(lines) + "\n"
