"""One open stream, which takes a thread only while it has something to do.

A handler of a stream is a generator. It yields messages as bytes, and a function when it has nothing to send for now
(`Pause`). Nothing here waits: a message is given to the transport, and the generator goes on in any thread of a small
pool when the transport has taken it. So a watcher that does not read, or that waits for something to happen, costs
memory and no thread.

    opening threads   run a generator from its beginning to its first pause: they may wait for the store
    ending threads    run it after a pause, which is the end of the stream, and close it when its caller has gone
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Protocol, TypeAlias

import grpc

from .. import limits
from ..current_call import THREAD

_log = logging.getLogger(__name__)

Wake: TypeAlias = Callable[[], None]
Pause: TypeAlias = Callable[[Wake], bool]
"""What a stream yields when it has nothing to send. It is called with the function that lets the stream go on; it
returns False if the stream has to go on at once."""
Messages: TypeAlias = Generator[bytes | Pause, None, None]
"""What a handler of a stream returns."""


class Sender(Protocol):
    """A way to send messages of one stream without waiting (`rpc/grpc_internals.py`)."""

    def send(self, message: bytes, taken: Callable[[], None]) -> bool:
        """Send a message, and call `taken` when the transport has taken it. Return False if the stream is over."""


class StreamThreads:
    """The threads of all streams of one process."""

    def __init__(self, sender_of: Callable[[grpc.ServicerContext], Sender]) -> None:
        self.sender_of = sender_of
        """Returns the sender of a stream."""
        self.ending = ThreadPoolExecutor(limits.ENDING_THREADS, thread_name_prefix="ending")
        self._pools = [self.ending]

    def runs(self, generate: Callable[..., Messages], name: str) -> Callable[..., Messages]:
        """Return the handler of a stream, with threads of its own that open streams. `rpc/wrappers.py` finds them as an
        attribute and calls `run` around everything else."""
        opening = ThreadPoolExecutor(limits.OPENING_THREADS, thread_name_prefix=name)
        self._pools.append(opening)

        def handle(request: Any, context: grpc.ServicerContext) -> Messages:
            return generate(request, context)

        marked: Any = handle
        marked.experimental_thread_pool = opening
        marked.stream_threads = self
        return handle

    def run(self, behavior: Callable[..., Messages]) -> Callable[..., None]:
        """Return a behavior that runs a stream and does not wait for its end."""
        opening = behavior.experimental_thread_pool  # type: ignore[attr-defined]

        def begin(request: Any, context: grpc.ServicerContext, send: Callable[[None], None]) -> None:
            messages = behavior(request, context)
            RunningStream(self, opening, messages, context, send).begin()

        marked: Any = begin
        marked.experimental_thread_pool = opening
        marked.experimental_non_blocking = True
        return begin

    def close(self) -> None:
        """End the threads, after the server has stopped."""
        for pool in self._pools:
            pool.shutdown()


class RunningStream:
    """A stream, from its first message to its status. At most one thread runs its generator at a time."""

    __slots__ = (
        "_again",
        "_begun",
        "_context",
        "_finish",
        "_gone",
        "_lock",
        "_messages",
        "_over",
        "_running",
        "_sender",
        "_threads",
        "_threads_after",
        "_variables",
    )

    def __init__(
        self,
        threads: StreamThreads,
        opening: ThreadPoolExecutor,
        messages: Messages,
        context: grpc.ServicerContext,
        finish: Callable[[None], None],
    ) -> None:
        self._threads, self._threads_after = opening, threads.ending
        self._messages = messages
        self._context = context
        self._sender = threads.sender_of(context)
        self._finish = finish
        """Sends the status of the call if it is called with None."""
        self._variables = copy_context()
        self._lock = threading.Lock()
        self._running = True
        self._again = False
        """Whether to go on after the present step, because something has happened meanwhile."""
        self._begun = False
        """Whether a message was sent."""
        self._over = False
        """Whether the generator has ended."""
        self._gone = False
        """Whether the caller has gone."""

    def begin(self) -> None:
        """Run the stream until it has to wait for something."""
        if not self._context.add_callback(self._caller_gone):
            self._gone = True
        self._run()

    def wake(self) -> None:
        """Let the stream go on. Never waits."""
        with self._lock:
            if self._over:
                return
            if self._running:
                self._again = True
                return
            self._running = True
        with suppress(RuntimeError):  # the threads have been stopped
            self._threads.submit(self._run)

    def _caller_gone(self) -> None:
        self._gone, self._threads = True, self._threads_after
        self.wake()

    def _run(self) -> None:
        while True:
            try:
                self._variables.run(self._step)
            except Exception:
                _log.exception("A stream was ended because of a defect.")
                self._over = True
                self._context.cancel()
            with self._lock:
                if self._over or not self._again:
                    self._running = False
                    return
                self._again = False

    def _step(self) -> None:
        """Send the next message, or pause, or end the stream."""
        THREAD.call = self._context
        try:
            while not self._gone:
                try:
                    found = next(self._messages)
                except StopIteration:
                    self._end()
                    return
                if isinstance(found, bytes):
                    self._send(found)
                    return
                self._threads = self._threads_after
                if found(self.wake):
                    return
            self._messages.close()
            self._over = True
        except Exception:  # the wrappers have set the status
            if self._context.code() is None:  # type: ignore[attr-defined]
                raise
            self._end()
        finally:
            THREAD.call = None  # so that this thread does not keep the call alive

    def _send(self, message: bytes) -> None:
        with suppress(grpc.RpcError):  # the caller has gone, and `_caller_gone` is called soon
            if not self._begun:
                self._begun = True
                self._context.send_initial_metadata(())
            self._sender.send(message, self.wake)

    def _end(self) -> None:
        self._over = True
        self._finish(None)
