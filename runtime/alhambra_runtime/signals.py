"""Signals that a process receives: SIGTERM and SIGINT ask it to stop, SIGHUP to read its files again.

The handlers only queue the signal. The main thread reads the queue with `wait`, which returns when a signal arrives. Do
not set a `threading.Event` in a handler instead: if the signal arrives while the main thread holds the lock of the
event, the process hangs.
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
    """The signals that were received."""

    def __init__(self) -> None:
        self.stopping: list[int] = []
        """Every signal to stop, in the order of arrival."""
        self._waiting: queue.SimpleQueue[int] = queue.SimpleQueue()

    @property
    def interrupted(self) -> bool:
        """Whether SIGINT was received: then the process stops without waiting for load balancers."""
        return signal.SIGINT in self.stopping

    def receive(self, number: int, frame: object = None) -> None:
        """Queue a signal. This is the handler."""
        if number in STOP:
            self.stopping.append(number)
        self._waiting.put(number)

    def wait(self, seconds: float) -> int | None:
        """Return the next signal; None if none arrives within this time."""
        with suppress(queue.Empty):
            return self._waiting.get(timeout=max(seconds, 0.0))
        return None

    def wait_to_stop(self, seconds: float) -> bool:
        """Wait for a signal to stop, and return whether one has arrived. Other signals do not end the wait."""
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
