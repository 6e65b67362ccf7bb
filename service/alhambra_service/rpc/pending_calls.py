"""Pending calls: calls whose message has not arrived wait here, without a thread.

A call arrives with its headers. Its message may come with them, later, or never. The message is asked for first, and
the call is given to its pool when the message has arrived. So a peer that sends nothing costs a few kilobytes and no
thread. Health checks, quick calls, reads and writes all wait here, and are answered by different threads (`pools.py`).

Limits:

    MESSAGE_SECONDS          a call whose message has not arrived after this time is ended with DEADLINE_EXCEEDED
    WAITING_PER_CONNECTION   calls of one connection that wait for their message; one more is refused at once
    WAITING_CALLS            calls of all connections that wait; for one more, the oldest is ended. So silent peers push
                             out each other, and not a caller whose message is on its way
    UNREAD_ANSWER_SECONDS    a caller that does not read its answer is disconnected after this time
    CALLS_OPEN               calls that are not over; above it, callers with unread answers are disconnected at once

A call counts until it is over, not until it was answered, because an unread answer takes memory.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
from grpc_status import rpc_status

from .. import limits
from ..messages.refusals import Refusal, status_of
from .grpc_internals import Call

if TYPE_CHECKING:
    from .pools import CallPool

_log = logging.getLogger(__name__)

Done = Callable[[Any], object]
STOPPING = "stopping"
"""The fact `because` in the refusal of a call that reaches a stopping server."""


class CallHandle:
    """What grpcio gets instead of a future. It uses it only to learn when the call is over."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def add_done_callback(self, done: Done) -> None:
        """Call `done` when the call is over. grpcio counts simultaneous calls with it."""
        self._call.when_over(lambda: done(self))


class PendingCalls:
    """The calls of a server that wait for their messages. `accept` runs on the one thread that accepts calls."""

    def __init__(self, ended: Callable[[str], None] | None = None) -> None:
        self._ended = ended
        """Called with the reason of each call that is ended here."""
        self._waiting: dict[Call, None] = {}
        """Calls whose message has not arrived, oldest first. The thread that removes a call decides what happens to
        it."""
        self._open: dict[Call, None] = {}
        """Calls that are not over, oldest first. The thread that accepts calls changes it, the own thread reads it."""
        self._by_peer: Counter[str] = Counter()
        """By connection: how many of its calls wait. Calls that arrived while few calls waited are not counted."""
        self._refusing = False
        """Whether new calls are refused because the server stops."""
        self._last_refused = 0.0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._crowded = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="waiting-calls", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of calls that wait for their message."""
        return len(self._waiting)

    @property
    def open(self) -> int:
        """The number of calls that are not over."""
        return len(self._open)

    def accept(self, pool: CallPool, arguments: tuple[Any, ...]) -> CallHandle:
        """Accept a new call: ask for its message, and give the call to the pool when the message has arrived."""
        call = Call(pool, arguments, time.monotonic())
        if self._refusing:
            self._last_refused = call.arrived
            self._end(call, _STOPPING)
            return CallHandle(call)
        opened, waiting = self._open, self._waiting
        opened[call] = None
        call.when_over(partial(opened.pop, call))
        if len(opened) > limits.CALLS_OPEN:
            self._crowded.set()
        if len(waiting) >= limits.WAITING_UNCOUNTED and not self._admit(call):
            self._end(call, _TOO_MANY)
        else:
            waiting[call] = None
            call.receive(self._received)
        return CallHandle(call)

    def refuse_new_calls(self) -> None:
        """Refuse all further calls, and return when none has arrived for LAST_CALLS_QUIET_SECONDS, or after
        LAST_CALLS_SECONDS at the latest. By then clients know that this server stops: when gRPC stops a server, it cuts
        off calls of clients that do not know it yet."""
        self._last_refused = began = time.monotonic()
        self._refusing = True
        while (now := time.monotonic()) < began + limits.LAST_CALLS_SECONDS:
            if now - self._last_refused > limits.LAST_CALLS_QUIET_SECONDS:
                return
            time.sleep(limits.LAST_CALLS_QUIET_SECONDS / 4)

    def close(self) -> None:
        """End the thread, after the server has stopped."""
        self._stopping.set()
        self._crowded.set()
        self._thread.join()

    def _received(self, call: Call, there: bool) -> None:
        """Give the call to its pool. Never raises, because an error would end the thread that accepts calls."""
        if not self._remove(call):
            return  # it has been ended
        if not there:
            call.end(grpc.StatusCode.UNIMPLEMENTED, "The call needs exactly one request message.")
            return
        try:
            call.pool.start(call)
        except RuntimeError:  # no thread can be started, or the server stops
            _log.exception("Cannot start a thread for a call.")
            call.end(grpc.StatusCode.UNAVAILABLE, "The server cannot answer now.")

    def _admit(self, call: Call) -> bool:
        """Return whether the connection may have one more waiting call. End the oldest call if there are too many."""
        peer = call.peer = call.connection()
        with self._lock:
            if self._by_peer[peer] >= limits.WAITING_PER_CONNECTION:
                call.peer = ""
                return False
            self._by_peer[peer] += 1
        if len(self._waiting) >= limits.WAITING_CALLS:
            for oldest in list(self._waiting)[:1]:  # a copy: the other thread removes calls at the same time
                self._end_waiting(oldest, _TOO_MANY)
        return True

    def _remove(self, call: Call) -> bool:
        """Remove a call from those that wait. Return False if another thread has removed it."""
        try:
            del self._waiting[call]
        except KeyError:
            return False
        if call.peer:
            with self._lock:
                self._by_peer[call.peer] -= 1
                if not self._by_peer[call.peer]:
                    del self._by_peer[call.peer]
        return True

    # -- Ending calls ----------------------------------------------------------------------------------------------

    def _end_waiting(self, call: Call, how: _Ending) -> None:
        if self._remove(call):
            self._end(call, how)

    def _end(self, call: Call, how: _Ending) -> None:
        call.end(how.code, how.details, how.trailing)
        if self._ended is not None:
            self._ended(how.reason)

    def _watch(self) -> None:
        """End calls that have waited for too long, every PENDING_CALLS_TICK_SECONDS."""
        while not self._stopping.is_set():
            self._crowded.wait(limits.PENDING_CALLS_TICK_SECONDS)
            self._crowded.clear()
            try:
                now = time.monotonic()
                self._end_silent(now)
                self._end_overdue(now)
            except Exception:
                _log.exception("Call housekeeping failed.")
            # Many calls must not make this loop run without a pause.
            self._stopping.wait(limits.PENDING_CALLS_PAUSE_SECONDS)

    def _end_silent(self, now: float) -> None:
        for call in list(self._waiting):
            if now - call.arrived < limits.MESSAGE_SECONDS:
                break
            self._end_waiting(call, _SILENT)

    def _end_overdue(self, now: float) -> None:
        """Disconnect callers that do not read their answers, after UNREAD_ANSWER_SECONDS, or at once if there are too
        many. End calls that take longer than their pool allows."""
        excess = len(self._open) - limits.CALLS_OPEN
        for call in list(self._open):
            if not call.answered:
                if 0 < call.pool.most_seconds < now - call.arrived:
                    self._end(call, _TOO_LONG)
                continue
            call.unread_since = call.unread_since or now
            if excess > 0 or now - call.unread_since > limits.UNREAD_ANSWER_SECONDS:
                excess -= 1
                call.cancel()


class _Ending:
    """A status of the contract with which pending calls are ended, made once."""

    def __init__(self, refusal: Refusal) -> None:
        status: Any = rpc_status.to_status(status_of(refusal))
        self.code: grpc.StatusCode = status.code
        self.details: str = status.details
        self.trailing = status.trailing_metadata
        self.reason = refusal.reason


_SILENT = _Ending(
    Refusal("DEADLINE_PASSED", f"The message of the call did not come within {limits.MESSAGE_SECONDS:g} seconds.")
)
_STOPPING = _Ending(
    Refusal(
        "STORE_UNAVAILABLE", "This server is stopping. Nothing was changed; ask another one.", {"because": STOPPING}
    )
)
_TOO_LONG = _Ending(Refusal("DEADLINE_PASSED", "The call took longer than this server allows."))
_TOO_MANY = _Ending(
    Refusal("RATE_LIMITED", "Too many calls are waiting for their messages: wait a moment.", {"retry_after": "1"})
)
