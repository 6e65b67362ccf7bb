"""Metrics for Prometheus: calls counted and timed cheaply, and the metrics of several processes added up.

Each process writes its metrics into a folder that its parent makes (FOLDER_VARIABLE, set before prometheus_client is
imported). The process that Prometheus asks adds them up. This file imports prometheus_client only when it is used, so
that a parent can set the variable first.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def observe_all(histogram: Histogram, amounts: list[float]) -> None:
    """Observe many amounts with one addition for each bucket; prometheus_client has no such call. Sorts the list."""
    amounts.sort()
    below = 0
    for bound, bucket in zip(histogram._upper_bounds, histogram._buckets, strict=True):
        up_to = bisect_right(amounts, bound)
        if up_to > below:
            bucket.inc(up_to - below)
            below = up_to
    histogram._sum.inc(sum(amounts))


class Meter:
    """Counts and times calls of one kind. `note` takes a tenth of a microsecond; `flush` adds the noted calls to the
    metrics many at a time, because updating a metric for each call would take as long as a short call itself.

    `calls` is None if the histogram alone counts them. The oldest notes are lost if more than `most` calls come between
    two flushes."""

    def __init__(self, calls: Counter | None, seconds: Histogram, most: int) -> None:
        self._calls = calls
        self._seconds = seconds
        self._noted: deque[float] = deque(maxlen=most)
        self._flushing = threading.Lock()
        self.note = self._noted.append
        """Note a call that took this number of seconds."""

    def flush(self) -> None:
        """Add the noted calls to the metrics."""
        with self._flushing:
            found = [self._noted.popleft() for _ in range(len(self._noted))]
            if found:
                if self._calls is not None:
                    self._calls.inc(len(found))
                observe_all(self._seconds, found)


@contextmanager
def metrics_folder(prefix: str) -> Iterator[str]:
    """Make a folder for the metrics of processes, and remove it afterwards."""
    folder = tempfile.mkdtemp(prefix=prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def all_processes(folder: str) -> CollectorRegistry:
    """Return a registry that adds up the metrics of all processes which write into the folder."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    return registry


def forget_process(pid: int, folder: str) -> None:
    """Remove the gauges of a dead process, such as its open streams. Its counters stay."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
