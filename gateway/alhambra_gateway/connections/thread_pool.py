"""The threads of one process: a fixed number for requests, however many calls wait.

A thread whose request takes long, because the service does not answer, is replaced, so that other requests need not
wait for it. The number of replaced threads is bounded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Protocol

from .. import limits

Task = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Client(Protocol):
    """The client of a request, which may disconnect while the service is called."""

    gone: bool
    to_be_paused: bool
    cancel_call: Callable[[], object] | None


class PoolThread(threading.Thread):
    """A thread that answers requests."""

    def __init__(self, pool: ThreadPool) -> None:
        super().__init__(name="pool", daemon=True)
        self.pool = pool
        self.outside = False
        """Whether another thread has taken its place in the pool, because its request takes long."""
        self.since: float | None = None
        """When it began its present request; None if it is idle."""
        self.client: Client | None = None
        """The client of its present request."""
        self.cpu_began = 0.0
        """The CPU time of the thread when its present request began."""

    def run(self) -> None:
        """Do one task after the other until the thread has left the pool, or the pool is shut down."""
        take = self.pool.tasks.get
        while not self.outside and (task := take()) is not None:
            future, work, arguments = task
            self.since = time.monotonic()
            try:
                future.set_result(work(*arguments))
            except BaseException as fault:
                future.set_exception(fault)
            self.since = self.client = None
            del task, future, work, arguments  # an idle thread must not keep a connection alive
        self.pool.ended(self)


class ThreadPool:
    """The threads that answer requests. gunicorn uses it as an executor."""

    def __init__(
        self, size: int, on_crowded: Callable[[bool], object] = bool, on_replaced: Callable[[Any], object] = bool
    ) -> None:
        self._on_crowded = on_crowded
        """Called with True when hardly any more threads can be replaced, with False otherwise."""
        self._on_replaced = on_replaced
        """Called with the client of a thread that is replaced, by any thread."""
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[PoolThread] = set()
        self._size = size
        self._looked = 0.0
        self.busy = False
        """Whether a task may be running or waiting, so that `look` should be called soon."""
        for _ in range(size):
            self._add_thread()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a thread call `work`; return the future of its result."""
        future: Future[Any] = Future()
        self.busy = True
        self.tasks.put((future, work, arguments))
        return future

    def shutdown(self, wait: bool = True) -> None:
        """End the idle threads. The others are not waited for, because the process ends."""
        for _ in range(self._size):
            self.tasks.put(None)

    def _add_thread(self) -> None:
        thread = PoolThread(self)
        self._threads.add(thread)
        thread.start()

    def _replace(self, thread: PoolThread) -> None:
        """Start a new thread in place of one that is held up."""
        client = thread.client
        with self._lock:
            thread.outside = True
            self._add_thread()
        if client is not None:
            self._on_replaced(client)

    def ended(self, thread: PoolThread) -> None:
        """Forget a thread that has ended."""
        with self._lock:
            self._threads.discard(thread)

    def look(self) -> None:
        """Replace threads that are held up. Call it often, from one thread."""
        now = time.monotonic()
        if now - self._looked < limits.THREAD_TICK_SECONDS:
            return
        self._looked = now
        with self._lock:
            threads = list(self._threads)
        most = max(limits.REPLACED_THREADS, 2 * self._size)
        replaced = sum(thread.outside for thread in threads)
        busy = [(thread, thread.since) for thread in threads if thread.since is not None]
        held = [thread for thread, since in busy if not thread.outside and now - since > limits.HELD_UP_SECONDS]
        self.busy = bool(busy) or not self.tasks.empty()
        # Called before there are new threads, so that they are not held up in their turn: as many threads as the pool
        # has can still be replaced then.
        self._on_crowded(replaced + len(held) > most - self._size)
        for thread in held[: most - replaced]:
            self._replace(thread)


def serve_client(client: Client) -> None:
    """Note that the calling thread answers a request of this client."""
    thread = threading.current_thread()
    if isinstance(thread, PoolThread):
        thread.client = client
        thread.cpu_began = time.thread_time()


def cpu_of_request() -> float:
    """Return the CPU seconds that the calling thread has taken for its present request; 0 outside of a pool."""
    thread = threading.current_thread()
    return time.thread_time() - thread.cpu_began if isinstance(thread, PoolThread) else 0.0


def pause_client() -> None:
    """Do not read from the client of the calling thread for a moment, when it has its answer."""
    thread = threading.current_thread()
    if isinstance(thread, PoolThread) and thread.client is not None:
        thread.client.to_be_paused = True


def client_has_gone() -> bool:
    """Return whether the client of the calling thread has disconnected."""
    thread = threading.current_thread()
    return isinstance(thread, PoolThread) and thread.client is not None and thread.client.gone


def cancel_on_disconnect(cancel: Callable[[], object]) -> None:
    """Call `cancel` when the client of the calling thread disconnects; at once if it has done so already."""
    thread = threading.current_thread()
    if isinstance(thread, PoolThread) and thread.client is not None:
        thread.client.cancel_call = cancel
        if thread.client.gone:
            cancel()
