"""Signals that a process receives: SIGTERM and SIGINT ask it to stop, SIGHUP to read its files again.

The handlers only note the signal. The main thread takes notes with `wait`, which returns as soon as a signal comes.
Do not set a `threading.Event` in a handler instead: if the signal comes while the main thread holds the event's lock,
the process hangs.
"""

from __future__ import annotations

import queue
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

STOP = (signal.SIGTERM, signal.SIGINT)
STOP_AND_RELOAD = (*STOP, signal.SIGHUP)


class Signals:
    """The signals that have come."""

    def __init__(self) -> None:
        self.stopping: list[int] = []
        """Every signal to stop, in the order in which they came."""
        self._waiting: queue.SimpleQueue[int] = queue.SimpleQueue()

    @property
    def hurried(self) -> bool:
        """Whether the keyboard asked to stop (SIGINT): then load balancers get no time to look elsewhere."""
        return signal.SIGINT in self.stopping

    def receive(self, number: int, frame: object = None) -> None:
        """Note a signal. This is the handler."""
        if number in STOP:
            self.stopping.append(number)
        self._waiting.put(number)

    def wait(self, seconds: float) -> int | None:
        """Return the next signal that was not returned yet; None if none comes within this time."""
        with suppress(queue.Empty):
            return self._waiting.get(timeout=max(seconds, 0.0))
        return None

    def wait_to_stop(self, seconds: float) -> bool:
        """Wait for a signal to stop, and return whether one has come. Other signals do not end the wait."""
        deadline = time.monotonic() + seconds
        while not self.stopping and (left := deadline - time.monotonic()) > 0:
            self.wait(left)
        return bool(self.stopping)


@contextmanager
def received(numbers: tuple[signal.Signals, ...] = STOP_AND_RELOAD) -> Iterator[Signals]:
    """Receive these signals, and restore the former handlers afterwards. Call it in the main thread."""
    signals = Signals()
    before = {number: signal.signal(number, signals.receive) for number in numbers}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
