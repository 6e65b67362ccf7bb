"""The threads of streams take turns: a few are awake at a time, in the order in which there was something for them.

Each stream has a thread of its own, which sends its beginning and its end (`watcher.py`) and waits until the watcher
reads them. If all of them woke at once when 500 streams begin or end, plain calls would wait in line with 500 threads
for the interpreter: measured, one in a hundred took 170 ms instead of 4 ms. So a thread wakes when it is its turn, and
passes the turn on when it has sent what there was.

A watcher that does not read delays no other: after SENDING_SECONDS it loses its turn to the next one, and only its own
thread goes on waiting.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque

from .. import limits


class Turn:
    """The turn of one watcher. `wanted`: it is queued, or will be again when its turn is over."""

    __slots__ = ("bell", "busy", "wanted")

    def __init__(self) -> None:
        self.bell = threading.Event()
        self.busy = False
        """Whether its thread is awake and sending."""
        self.wanted = False


class Turns:
    """The queue of watchers, and those that are being written to. Closed with the server."""

    def __init__(self, places: int = limits.SENDING_AT_ONCE, patience: float = limits.SENDING_SECONDS) -> None:
        self._places = places
        self._patience = patience
        self._lock = threading.Lock()
        self._somebody_waits = threading.Condition(self._lock)
        self._line: deque[Turn] = deque()
        self._sending: OrderedDict[Turn, float] = OrderedDict()
        """The turns in use, and since when; the longest first."""
        self._closed = False
        self._steward = threading.Thread(target=self._free_places, name="turns", daemon=True)
        self._steward.start()

    def ask(self, turn: Turn) -> None:
        """Queue a watcher that has something to send. Never waits. A queued watcher is not queued twice."""
        with self._lock:
            if turn.wanted:
                return
            turn.wanted = True
            if not turn.busy:
                self._line_up(turn)

    def wait(self, turn: Turn) -> None:
        """Wait in the watcher's own thread until it is its turn."""
        turn.bell.wait()
        turn.bell.clear()

    def done(self, turn: Turn) -> None:
        """End the turn: everything was sent. A watcher that got something meanwhile is queued again."""
        with self._lock:
            turn.busy = False
            self._sending.pop(turn, None)
            if turn.wanted:
                self._line_up(turn)
            self._admit()

    def leave(self, turn: Turn) -> None:
        """Remove a watcher that has disconnected."""
        with self._lock:
            turn.wanted = turn.busy = True  # it cannot be queued any more
            self._sending.pop(turn, None)
            if turn in self._line:
                self._line.remove(turn)
            self._admit()

    def close(self) -> None:
        """Give every waiting watcher its turn at once, and end the thread."""
        with self._lock:
            self._closed = True
            self._places += len(self._line)
            self._admit()
            self._somebody_waits.notify()
        self._steward.join()

    def _line_up(self, turn: Turn) -> None:
        self._line.append(turn)
        self._admit()
        if len(self._line) == 1:
            self._somebody_waits.notify()

    def _admit(self) -> None:
        while self._line and len(self._sending) < self._places:
            turn = self._line.popleft()
            turn.wanted, turn.busy = False, True
            self._sending[turn] = time.monotonic()
            turn.bell.set()

    def _free_places(self) -> None:
        """Take the turn from a watcher that has had it for too long while others wait."""
        with self._lock:
            while not self._closed:
                if not self._line:
                    self._somebody_waits.wait()
                    continue
                longest = time.monotonic() - next(iter(self._sending.values()))
                if longest < self._patience:
                    self._somebody_waits.wait(self._patience - longest)
                    continue
                self._sending.popitem(last=False)
                self._admit()
