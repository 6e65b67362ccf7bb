"""The threads that answer calls. Each pool is for calls that may wait for the same thing.

    quick        ValidatePlacement, from the memory of the process; with less bookkeeping than the other pools
    read         every other read, from the memory of the process
    fetch        reads that need the store: handed over by the two above (`blocking.py`), and lists
    write        changes
    health       whether this process serves
    reflection   the contract itself, if the operator wants that

Streams of events have threads of their own too (`streams/event_streams.py`). A thread gets a call with its message:
calls whose message has not come wait at the gate (`pending_calls.py`). A call whose caller has gone is not begun.

gRPC accepts only a ThreadPoolExecutor, so each pool is one. The futures that gRPC gets have no result and cannot be
waited for or cancelled.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, cast

from .. import blocking
from ..blocking import NeedsStore
from .grpc_internals import Call
from .pending_calls import PendingCalls

_log = logging.getLogger(__name__)


class CallPool(ThreadPoolExecutor):
    """Threads that answer calls in the order in which their messages come. With `fetch`, they answer from memory, and
    hand over calls that need the store to that pool."""

    most_seconds = 0.0
    """A call that takes longer is ended by the gate; 0 for never."""

    def __init__(self, pending: PendingCalls, threads: int, name: str, *, fetch: CallPool | None = None) -> None:
        begin = blocking.forbid_blocking if fetch is not None else None
        super().__init__(threads, thread_name_prefix=name, initializer=begin)
        self._pending = pending
        self._fetch = fetch

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take a call from gRPC. It is answered when its message has come and a thread is free."""
        assert not kwargs
        return cast("Future[Any]", self._pending.enter(self, args))

    def start(self, call: Call) -> None:
        """Answer a call, whose message has come, as soon as a thread is free."""
        super().submit(self._answer, call)

    def _answer(self, call: Call) -> None:
        try:
            call.answer()
        except NeedsStore:
            assert self._fetch is not None
            self._fetch.start_again(call)
        except Exception:
            _log.exception("A call could not be answered.")

    def start_again(self, call: Call) -> None:
        """Answer a call that another pool has begun and cannot answer from memory."""
        super().submit(self._answer_again, call)

    def _answer_again(self, call: Call) -> None:
        with blocking.restarted_call():
            self._answer(call)


class BorrowedPool(CallPool):
    """A pool that answers calls on the threads of another executor, such as those of streams."""

    def __init__(self, pending: PendingCalls, pool: ThreadPoolExecutor) -> None:
        super().__init__(pending, 1, "never started")
        self._pool = pool

    def start(self, call: Call) -> None:
        """Answer a call as soon as a thread of the executor is free."""
        self._pool.submit(self._answer, call)


class QuickPool(CallPool):
    """A pool with as little bookkeeping as gRPC needs. The pool of the standard library makes a future with a lock for
    every call and counts idle threads, which takes a tenth of the time of an empty call."""

    def __init__(self, pending: PendingCalls, threads: int, name: str, *, fetch: CallPool | None = None) -> None:
        super().__init__(pending, threads, name, fetch=fetch)
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        self.start = self._calls.put  # type: ignore[assignment, method-assign]
        for number in range(threads):
            threading.Thread(target=self._work_off, name=f"{name}_{number}", daemon=True).start()
        self._open = threads

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end when all calls that were started are answered."""
        for _ in range(self._open):
            self._calls.put(None)
        self._open = 0
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _work_off(self) -> None:
        if self._fetch is not None:
            blocking.forbid_blocking()
        calls = self._calls
        while (call := calls.get()) is not None:
            self._answer(call)
            del call  # a thread that waits for the next call keeps nothing of the last one
