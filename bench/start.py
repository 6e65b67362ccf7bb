"""The start of the product: how long it takes until it answers, and the memory of its processes afterwards."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean
from typing import Any

import psutil

from loadtests.product import started

from . import cores
from .group import Effort, Goal, Group
from .rounds import Figure

STARTS = 5
SERVICE, GATEWAY = "a worker of the service", "a worker of the gateway"
GOALS = {SERVICE: ("service_worker_memory", 50.0), GATEWAY: ("gateway_worker_memory", 40.0)}
"""By process: the name of its goal, and MiB."""
HOW = (
    "The best of {starts} starts, on all cores. `alhambra run` starts a store, a service, a gateway, the players for "
    "bots and the sender of webhooks; it has started when it prints its addresses. 'own' memory is what a worker takes "
    "from the machine, with its part of the pages that it shares with others, as the kernel counts it (Pss); 'all' is "
    "everything that it can see, shared libraries included (Rss). Both are means of all workers of a kind."
)


def measure(effort: Effort) -> Group:
    """Measure the command line and the start of the product."""
    starts = 1 if effort.quick else STARTS
    before = os.sched_getaffinity(0)
    cores.pin(os.getpid(), cores.ALL)  # children inherit the cores of this process
    try:
        effort.tick("alhambra --help")
        helped = min(_help_seconds() for _ in range(starts))
        seconds: list[float] = []
        taken: dict[str, list[tuple[float, float]]] = {}
        for _ in range(starts):
            effort.tick("start of the product")
            began = time.monotonic()
            with started() as product:
                seconds.append(time.monotonic() - began)
                assert product.pid is not None
                for name, memory in _memory(product.pid):
                    taken.setdefault(name, []).append(memory)
    finally:
        cores.pin(os.getpid(), before)
    rows: list[dict[str, Any]] = [
        {"what": "`alhambra --help`, CPU time", "ms": round(1e3 * helped)},
        {"what": "`alhambra run` until it serves", "ms": round(1e3 * min(seconds))},
    ]
    goals = [
        _goal("help_of_the_command", 1e3 * helped, 150.0, "ms"),
        _goal("start_of_the_product", 1e3 * min(seconds), 3_000.0, "ms"),
    ]
    for name, (goal, most) in GOALS.items():
        own, everything = (mean(found) for found in zip(*taken[name], strict=True))
        rows.append({"what": f"memory of {name}", "own MiB": round(own, 1), "all MiB": round(everything, 1)})
        goals.append(_goal(goal, own, most, "MiB"))
    return Group("Start of the product", HOW.format(starts=starts), rows, goals=goals)


def _goal(name: str, found: float, goal: float, unit: str) -> Goal:
    return Goal.of(name, Figure(found, found, found), goal, unit=unit)


def _help_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "alhambra_cli", "--help"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _memory(product: int) -> list[tuple[str, tuple[float, float]]]:
    """Return the name and the memory of each worker of a product."""
    found = []
    for process in psutil.Process(product).children(recursive=True):
        words = process.cmdline()
        if "alhambra_service.process.worker" in words:
            found.append((SERVICE, _mebibytes(process.pid)))
        elif "gateway" in words and "gateway" in psutil.Process(process.ppid()).cmdline():
            found.append((GATEWAY, _mebibytes(process.pid)))
    return found


def _mebibytes(pid: int) -> tuple[float, float]:
    """Return the memory of a process with its part of shared pages, and with all of them."""
    sizes = dict(re.findall(r"^(Pss|Rss):\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE))
    return int(sizes["Pss"]) / 1024, int(sizes["Rss"]) / 1024
