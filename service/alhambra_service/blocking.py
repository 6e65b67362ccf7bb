"""Hand-over: a thread that answers from memory never waits for the store.

Reads are tried first by threads that may only look into the memory of the process (`rpc/pools.py`). When such a
thread would wait for the store, `NeedsStore` is raised, and the call begins again on threads that may wait. So a store
that stalls delays the calls that need it, and no others. Nothing has been changed until then: a change needs the store.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NeedsStore(BaseException):
    """The call cannot be answered from memory. Not an Exception: no handler turns it into a refusal."""


class _Here(threading.local):
    memory_only = False
    """Whether this thread must not wait for the store."""
    again = False
    """Whether the call that this thread answers was begun before, by a thread that handed it over."""


_here = _Here()


def forbid_blocking() -> None:
    """Forbid this thread to wait for the store from now on."""
    _here.memory_only = True


def require_blocking_allowed() -> None:
    """Called before a thread waits for the store, or for another thread that does. Raises NeedsStore if it must not."""
    if _here.memory_only:
        raise NeedsStore


def is_restarted() -> bool:
    """Return whether the call that this thread answers was begun before: its rate has been counted."""
    return _here.again


@contextmanager
def restarted_call() -> Iterator[None]:
    """Mark that this thread answers a call that was handed over to it, while the block runs."""
    _here.again = True
    try:
        yield
    finally:
        _here.again = False


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
