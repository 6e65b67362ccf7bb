"""The threads that answer calls. The calls of a pool wait for the same things, so that no pool delays another.

    quick        ValidatePlacement, from the memory of the process; with less bookkeeping than the other pools
    read         every other read, from the memory of the process
    fetch        reads that need the store: lists, and calls that the two pools above cannot answer (`blocking.py`)
    write        changes
    health       whether this process serves
    reflection   the contract itself, if the operator enables it

Streams of events have their own threads (`streams/event_streams.py`). A call is given to a thread when its message has
arrived (`pending_calls.py`). A call whose caller has disconnected is not started.

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
    """Threads that answer calls in the order in which their messages arrive. With `fetch`, they answer from memory, and
    calls that need the store are restarted on that pool."""

    most_seconds = 0.0
    """A call that takes longer is ended; 0 for no limit."""

    def __init__(self, pending: PendingCalls, threads: int, name: str, *, fetch: CallPool | None = None) -> None:
        begin = blocking.forbid_blocking if fetch is not None else None
        super().__init__(threads, thread_name_prefix=name, initializer=begin)
        self._pending = pending
        self._fetch = fetch

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Accept a call from gRPC. It is answered when its message has arrived and a thread is free."""
        assert not kwargs
        return cast("Future[Any]", self._pending.accept(self, args))

    def start(self, call: Call) -> None:
        """Answer a call whose message has arrived as soon as a thread is free."""
        super().submit(self._answer, call)

    def _answer(self, call: Call) -> None:
        try:
            call.answer()
        except NeedsStore:
            assert self._fetch is not None
            self._fetch.restart(call)
        except Exception:
            _log.exception("Cannot answer a call.")

    def restart(self, call: Call) -> None:
        """Answer a call that another pool has started and cannot answer from memory."""
        super().submit(self._answer_restarted, call)

    def _answer_restarted(self, call: Call) -> None:
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
    """A pool with as little bookkeeping as gRPC needs. A ThreadPoolExecutor makes a future with a lock for every call
    and counts idle threads, which takes a tenth of the time of an empty call."""

    def __init__(self, pending: PendingCalls, threads: int, name: str, *, fetch: CallPool | None = None) -> None:
        super().__init__(pending, threads, name, fetch=fetch)
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        self.start = self._calls.put  # type: ignore[assignment, method-assign]
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}_{number}", daemon=True).start()
        self._open = threads

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end when all calls that were started are answered."""
        for _ in range(self._open):
            self._calls.put(None)
        self._open = 0
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _work(self) -> None:
        if self._fetch is not None:
            blocking.forbid_blocking()
        calls = self._calls
        while (call := calls.get()) is not None:
            self._answer(call)
            del call  # so that a waiting thread does not keep its last call alive
