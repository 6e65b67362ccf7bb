"""A lane: a few threads that answer calls, with no more bookkeeping than gRPC asks for.

The pool of the standard library makes a future with a lock of its own for every call, and counts who is idle. gRPC only
wants to be told when a call is over. That difference is a tenth of what an empty call costs.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, cast

_log = logging.getLogger(__name__)

Done = Callable[[Any], object]


class _Job:
    """A call that is answered, or waits to be."""

    __slots__ = ("_done", "_over", "_work")

    def __init__(self, work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self._work = (work, arguments)
        self._over = False
        self._done: list[Done] = []

    def run(self) -> None:
        work, arguments = self._work
        try:
            work(*arguments)
        except Exception:
            _log.exception("A call could not be answered.")
        self._over = True
        self._tell()

    def add_done_callback(self, done: Done) -> None:
        """Has `done` called when the job is over, which may be at once."""
        self._done.append(done)
        if self._over:
            self._tell()

    def _tell(self) -> None:
        # Both threads may come here at the same time: whoever takes the callback calls it.
        while self._done:
            try:
                done = self._done.pop()
            except IndexError:
                return
            done(self)


class Lane(ThreadPoolExecutor):
    """Threads that answer calls in the order in which they come. gRPC takes nothing but a ThreadPoolExecutor, so it is
    one; what is submitted here cannot be waited for, asked for its result, or cancelled."""

    def __init__(self, threads: int, name: str) -> None:
        super().__init__(threads)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        for number in range(threads):
            threading.Thread(target=_work_off, args=(self._jobs,), name=f"{name}_{number}", daemon=True).start()
        self._open = threads

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Answers a call as soon as a thread is free."""
        assert not kwargs
        job = _Job(fn, args)
        self._jobs.put(job)
        return cast("Future[Any]", job)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Lets the threads end when everything that was submitted is done."""
        for _ in range(self._open):
            self._jobs.put(None)
        self._open = 0
        super().shutdown(wait, cancel_futures=cancel_futures)


def _work_off(jobs: SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        job.run()
        del job  # a thread that waits for the next call keeps nothing of the last one
