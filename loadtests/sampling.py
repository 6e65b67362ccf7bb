"""CPU and memory of every process of the product and of the load generator, once a second, by role.

The generator is measured too. If it takes as much CPU time as the servers, the figures show the limit of the generator,
and the report says so.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

import psutil

from . import limits

MIB = 1 << 20
SUPERVISOR, GENERATOR, STORE = "supervisor", "generator", "store"
ROLES = (("valkey-server", STORE), ("redis-server", STORE), ("alhambra_service.process.worker", "service"))


class Sample(NamedTuple):
    """One process at one moment: cores it used since the moment before, its memory, threads and open descriptors
    (files and connections)."""

    seconds: float
    cores: float
    mib: float
    threads: int = 0
    descriptors: int = 0


class Sampler:
    """Samples two families of processes until it is stopped."""

    def __init__(self, product: int | None, generator: int) -> None:
        self.series: dict[str, list[Sample]] = {}
        """By name of a process, "service 1" for example."""
        self.machine: list[Sample] = []
        """Cores that everything on the machine used together."""
        self._families = [(product, ""), (generator, GENERATOR)]
        self._names: dict[int, str] = {}
        self._before: dict[int, tuple[float, float]] = {}
        self.began = time.monotonic()
        self._machine_before: tuple[float, float] | None = None

    def sample(self) -> None:
        """Looks once."""
        self._look_at_machine()
        for parent, role in self._families:
            for process in _family(parent):
                with suppress(psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                    self._look(process, role)

    def _look_at_machine(self) -> None:
        now, times = time.monotonic(), psutil.cpu_times()
        busy = sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0)
        before, self._machine_before = self._machine_before, (now, busy)
        if before is not None and now > before[0]:
            cores = (busy - before[1]) / (now - before[0])
            self.machine.append(Sample(now - self.began, cores, 0.0))

    def _look(self, process: psutil.Process, role: str) -> None:
        now, used = time.monotonic(), process.cpu_times()
        cpu = used.user + used.system
        if process.pid not in self._names:
            found = role or role_of(process)
            others = sum(name.rpartition(" ")[0] == found for name in self._names.values())
            self._names[process.pid] = f"{found} {others + 1}"
        before = self._before.get(process.pid)
        self._before[process.pid] = (now, cpu)
        if before is not None and now > before[0]:
            cores = (cpu - before[1]) / (now - before[0])
            mib, threads = process.memory_info().rss / MIB, process.num_threads()
            sample = Sample(now - self.began, cores, mib, threads, process.num_fds())
            self.series.setdefault(self._names[process.pid], []).append(sample)


def _family(parent: int | None) -> list[psutil.Process]:
    if parent is None:
        return []
    try:
        first = psutil.Process(parent)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def role_of(process: psutil.Process) -> str:
    """Return the role of a process of the product."""
    line = " ".join(process.cmdline())
    for part, role in ROLES:
        if part in line:
            return role
    return "gateway" if "gateway" in line else SUPERVISOR


@contextmanager
def sampled(product: int | None, generator: int) -> Iterator[Sampler]:
    """Take samples in the background while the block runs."""
    sampler, stop = Sampler(product, generator), threading.Event()

    def go_on() -> None:
        while not stop.wait(limits.SAMPLE_SECONDS):
            sampler.sample()

    sampler.sample()
    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield sampler
    finally:
        stop.set()
        thread.join()


class Growth(NamedTuple):
    """A figure of one process over a run: after the warm-up, and at the end."""

    settled: float
    ended: float

    @property
    def share(self) -> float:
        """The growth of the memory: 0.05 for five per cent."""
        return self.ended / self.settled - 1 if self.settled else 0.0


def growth(samples: Sequence[Sample], field: str = "mib") -> Growth:
    """Compare the second quarter of a run with its last one, so that loading and warming up do not count. `field` is
    what is compared of each sample: its memory by default."""
    return growth_of([float(getattr(sample, field)) for sample in samples])


def growth_of(figures: Sequence[float]) -> Growth:
    """Compare the median of the second quarter of some figures with that of the last quarter. The figures were taken at
    even intervals."""
    quarter = max(1, len(figures) // 4)
    settled = statistics.median(figures[quarter : 2 * quarter] or figures)
    return Growth(settled, statistics.median(figures[-quarter:]))
