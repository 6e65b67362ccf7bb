"""The processes that share the games of a simulation or of a match between two players."""

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ON_PYPY = sys.implementation.name == "pypy"
NURSERY_ON_PYPY = ("PYPY_GC_NURSERY", "16M")
"""The size of PyPy's nursery for new objects. Games create many short-lived objects. With PyPy's default of a few
megabytes the nursery is collected so often that a third fewer games are played."""


def default_workers() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(workers: int, *, ordered: bool = True) -> Iterator[Any]:
    """Yield a replacement for `map` whose calls this many processes make. Results come in the order of the arguments,
    or as they arrive. A single worker is this process, except on PyPy."""
    if workers < 1 or (workers == 1 and not ON_PYPY):
        yield map
        return
    os.environ.setdefault(*NURSERY_ON_PYPY)  # read when a process starts, so on PyPy a single worker is a process, too
    # Workers inherit that Ctrl-C is ignored: one that is still starting would print a traceback.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # Spawned children inherit nothing else by accident, on every platform.
        pool = multiprocessing.get_context("spawn").Pool(workers, initializer=_prepare_worker)
    finally:
        signal.signal(signal.SIGINT, handler)
    with pool:
        yield pool.imap if ordered else pool.imap_unordered


def _prepare_worker() -> None:
    """Exclude everything that a worker has loaded from garbage collection, because it is never freed."""
    if hasattr(gc, "freeze"):  # PyPy has no such function and does not need it
        gc.freeze()
