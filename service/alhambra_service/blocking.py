"""Which threads may block on the store.

Reads are answered first by threads that use only the memory of the process (`rpc/pools.py`). When such a thread would
wait for the store, `NeedsStore` is raised, and the call is restarted on threads that may wait. So a store that stalls
delays only the calls that need it. Nothing has been changed until then, because every change needs the store.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NeedsStore(BaseException):
    """The call cannot be answered from memory. It is not an Exception, so that no handler turns it into a refusal."""


class _ThreadState(threading.local):
    """What the current thread may do."""

    memory_only = False
    """Whether this thread must not wait for the store."""
    again = False
    """Whether the call that this thread answers was started before, on a thread that could not answer it."""


THREAD = _ThreadState()


def forbid_blocking() -> None:
    """Forbid this thread to wait for the store from now on."""
    THREAD.memory_only = True


def require_blocking_allowed() -> None:
    """Raise NeedsStore if this thread must not wait for the store, or for another thread that does."""
    if THREAD.memory_only:
        raise NeedsStore


def is_restarted() -> bool:
    """Return whether the call that this thread answers was started before, so that its rate has been counted."""
    return THREAD.again


@contextmanager
def restarted_call() -> Iterator[None]:
    """Answer a restarted call in this block."""
    THREAD.again = True
    try:
        yield
    finally:
        THREAD.again = False


@contextmanager
def holding(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock that another thread may hold while it waits for the store."""
    if not lock.acquire(blocking=False):
        require_blocking_allowed()
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
