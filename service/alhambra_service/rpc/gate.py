"""The gate: calls wait here for their message, and no thread waits with them.

A call arrives with its headers. Its message comes along, or later, or never: the peer decides. The gate asks for the
message and gives the call to its pool when it is there, so that a peer that sends nothing costs a few kilobytes and no
thread. Health, quick calls, reads and writes pass through the same gate and go on to threads of their own (`pools.py`).

What bounds it:

    MESSAGE_SECONDS          a call whose message has not come by then is ended with DEADLINE_EXCEEDED
    WAITING_PER_CONNECTION   calls of one connection that wait; one more is refused at once
    WAITING_CALLS            calls of all connections that wait; for one more, the one that waits longest is ended. So
                             silent peers push out each other, and not a caller whose message is on its way
    UNTAKEN_SECONDS          a caller that does not read its answer is cut off after this time
    CALLS_OPEN               calls that are not over; above it, answers that were not taken are dropped at once

A call counts until it is over, not until it was answered: an answer that nobody reads takes memory.
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
from .grpc_inside import Call

if TYPE_CHECKING:
    from .pools import CallPool

_log = logging.getLogger(__name__)

Done = Callable[[Any], object]


class Entered:
    """What grpcio gets for a call instead of a future: it only wants to know when the call is over."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def add_done_callback(self, done: Done) -> None:
        """Has `done` called when nothing of the call is left. grpcio counts calls at once by that."""
        self._call.when_over(lambda: done(self))


class Gate:
    """Where all calls of a server wait for their messages. `enter` runs on the one thread that takes calls in."""

    def __init__(self, told: Callable[[str], None] | None = None) -> None:
        self._told = told
        """Told of each call that is ended here: the reason."""
        self._waiting: dict[Call, None] = {}
        """Calls whose message has not come, oldest first. The thread that takes a call out of it decides what becomes
        of the call."""
        self._open: dict[Call, None] = {}
        """Calls that are not over, oldest first. Changed on the thread that takes calls in, read by the gate's own."""
        self._by_peer: Counter[str] = Counter()
        """By connection: how many of its calls wait. Calls that came while few waited are not counted."""
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._crowded = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="waiting-calls", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many calls wait for their message."""
        return len(self._waiting)

    @property
    def open(self) -> int:
        """How many calls are not over."""
        return len(self._open)

    def enter(self, pool: CallPool, arguments: tuple[Any, ...]) -> Entered:
        """A call has arrived: asks for its message, and gives it to the pool when it is there."""
        call = Call(pool, arguments, time.monotonic())
        opened, waiting = self._open, self._waiting
        opened[call] = None
        call.when_over(partial(opened.pop, call))
        if len(opened) > limits.CALLS_OPEN:
            self._crowded.set()
        if len(waiting) >= limits.WAITING_UNSUSPICIOUS and not self._has_room(call):
            self._end(call, _TOO_MANY)
        else:
            waiting[call] = None
            call.receive(self._received)
        return Entered(call)

    def close(self) -> None:
        """Ends the thread of the gate, after the server has stopped."""
        self._stopping.set()
        self._crowded.set()
        self._thread.join()

    def _received(self, call: Call, there: bool) -> None:
        """Never raises: it runs on the thread that takes calls in, which an error would end."""
        if not self._taken_out(call):
            return  # it was ended meanwhile
        if not there:
            call.end(grpc.StatusCode.UNIMPLEMENTED, "The call needs exactly one request message.")
            return
        try:
            call.pool.start(call)
        except RuntimeError:  # no thread can be started, or the server stops
            _log.exception("A call could not be given to its threads.")
            call.end(grpc.StatusCode.UNAVAILABLE, "The server cannot answer now.")

    def _has_room(self, call: Call) -> bool:
        """Whether the connection may have one more call waiting; makes room for it if all places are taken."""
        peer = call.peer = call.connection()
        with self._lock:
            if self._by_peer[peer] >= limits.WAITING_PER_CONNECTION:
                call.peer = ""
                return False
            self._by_peer[peer] += 1
        if len(self._waiting) >= limits.WAITING_CALLS:
            for oldest in list(self._waiting)[:1]:  # a copy: the gate's own thread takes calls out meanwhile
                self._give_up(oldest, _TOO_MANY)
        return True

    def _taken_out(self, call: Call) -> bool:
        """Takes a call out of those that wait; False if another thread was faster."""
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

    def _give_up(self, call: Call, how: _Ending) -> None:
        if self._taken_out(call):
            self._end(call, how)

    def _end(self, call: Call, how: _Ending) -> None:
        call.end(how.code, how.details, how.trailing)
        if self._told is not None:
            self._told(how.reason)

    def _watch(self) -> None:
        """Ends what has waited for too long, every GATE_TICK_SECONDS."""
        while not self._stopping.is_set():
            self._crowded.wait(limits.GATE_TICK_SECONDS)
            self._crowded.clear()
            try:
                now = time.monotonic()
                self._end_silent(now)
                self._look_over(now)
            except Exception:
                _log.exception("The gate could not look after its calls.")
            self._stopping.wait(limits.GATE_PAUSE_SECONDS)  # a crowd must not make it look without a break

    def _end_silent(self, now: float) -> None:
        for call in list(self._waiting):
            if now - call.arrived < limits.MESSAGE_SECONDS:
                break
            self._give_up(call, _SILENT)

    def _look_over(self, now: float) -> None:
        """Cuts off callers that were answered and do not read it: after a while, or at once if there are too many. Ends
        calls that take longer than their pool allows."""
        excess = len(self._open) - limits.CALLS_OPEN
        for call in list(self._open):
            if not call.answered:
                if 0 < call.pool.most_seconds < now - call.arrived:
                    self._end(call, _TOO_LONG)
                continue
            call.untaken_since = call.untaken_since or now
            if excess > 0 or now - call.untaken_since > limits.UNTAKEN_SECONDS:
                excess -= 1
                call.cancel()


class _Ending:
    """How calls are ended here: a status of the contract, made once."""

    def __init__(self, refusal: Refusal) -> None:
        status: Any = rpc_status.to_status(status_of(refusal))
        self.code: grpc.StatusCode = status.code
        self.details: str = status.details
        self.trailing = status.trailing_metadata
        self.reason = refusal.reason


_SILENT = _Ending(
    Refusal("DEADLINE_PASSED", f"The message of the call did not come within {limits.MESSAGE_SECONDS:g} seconds.")
)
_TOO_LONG = _Ending(Refusal("DEADLINE_PASSED", "The call took longer than this server allows."))
_TOO_MANY = _Ending(
    Refusal("RATE_LIMITED", "Too many calls are waiting for their messages: wait a moment.", {"retry_after": "1"})
)
