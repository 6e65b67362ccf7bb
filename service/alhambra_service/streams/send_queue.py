"""Limits how many threads of streams send at the same time, in the order in which they had something to send.

Each stream has its own thread, which sends the first and the last messages (`watcher.py`) and waits until the watcher
reads them. If 500 streams begin or end at once and all threads wake, unary calls compete with 500 threads for the
interpreter: measured, one in a hundred took 170 ms instead of 4 ms. So a thread waits for its turn, and gives the turn
to the next one when it has sent everything.

A watcher that does not read delays no other: after SENDING_SECONDS the next thread gets a turn, and only its own thread
goes on waiting.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque

from .. import limits


class SendTurn:
    """The turn of one watcher to send."""

    __slots__ = ("busy", "granted", "wanted")

    def __init__(self) -> None:
        self.granted = threading.Event()
        self.busy = False
        """Whether its thread is awake and sending."""
        self.wanted = False
        """Whether it is queued, or will be queued again when its turn is over."""


class SendQueue:
    """The queue of watchers that have something to send, and the turns in use."""

    def __init__(self, size: int = limits.SENDING_AT_ONCE, patience: float = limits.SENDING_SECONDS) -> None:
        self._size = size
        self._patience = patience
        self._lock = threading.Lock()
        self._queue_changed = threading.Condition(self._lock)
        self._queue: deque[SendTurn] = deque()
        self._sending: OrderedDict[SendTurn, float] = OrderedDict()
        """The turns in use, and since when; the oldest first."""
        self._closed = False
        self._reclaimer = threading.Thread(target=self._reclaim_turns, name="turns", daemon=True)
        self._reclaimer.start()

    def request(self, turn: SendTurn) -> None:
        """Queue a watcher that has something to send. Never waits. A queued watcher is not queued twice."""
        with self._lock:
            if turn.wanted:
                return
            turn.wanted = True
            if not turn.busy:
                self._enqueue(turn)

    def wait(self, turn: SendTurn) -> None:
        """Wait in the watcher's own thread until it is its turn."""
        turn.granted.wait()
        turn.granted.clear()

    def done(self, turn: SendTurn) -> None:
        """End the turn, because everything was sent. A watcher that has got something new is queued again."""
        with self._lock:
            turn.busy = False
            self._sending.pop(turn, None)
            if turn.wanted:
                self._enqueue(turn)
            self._grant()

    def leave(self, turn: SendTurn) -> None:
        """Remove a watcher that has disconnected."""
        with self._lock:
            turn.wanted = turn.busy = True  # it cannot be queued any more
            self._sending.pop(turn, None)
            if turn in self._queue:
                self._queue.remove(turn)
            self._grant()

    def close(self) -> None:
        """Give every waiting watcher its turn at once, and end the thread."""
        with self._lock:
            self._closed = True
            self._size += len(self._queue)
            self._grant()
            self._queue_changed.notify()
        self._reclaimer.join()

    def _enqueue(self, turn: SendTurn) -> None:
        self._queue.append(turn)
        self._grant()
        if len(self._queue) == 1:
            self._queue_changed.notify()

    def _grant(self) -> None:
        while self._queue and len(self._sending) < self._size:
            turn = self._queue.popleft()
            turn.wanted, turn.busy = False, True
            self._sending[turn] = time.monotonic()
            turn.granted.set()

    def _reclaim_turns(self) -> None:
        """Take the turn from a watcher that has had it for too long while others are queued."""
        with self._lock:
            while not self._closed:
                if not self._queue:
                    self._queue_changed.wait()
                    continue
                longest = time.monotonic() - next(iter(self._sending.values()))
                if longest < self._patience:
                    self._queue_changed.wait(self._patience - longest)
                    continue
                self._sending.popitem(last=False)
                self._grant()
