"""The threads of one process: so many for plain calls, always, however many streams are open.

A hand that begins a stream steps out of the crew and another one takes its place; when the stream ends, that hand goes
home. The same happens to a hand that is held up for long, by a client that sends or reads slowly or by a service that
does not answer: it is relieved, so that others need not wait behind it. Both are bounded: streams by those who admit
them, relieved hands here.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from . import limits

Task = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Hand(threading.Thread):
    """One thread."""

    def __init__(self, crew: Crew) -> None:
        super().__init__(name="hand", daemon=True)
        self.crew = crew
        self.outside = False
        """Whether another hand has taken its place."""
        self.relieved = False
        """Whether that happened because it was held up."""
        self.since: float | None = None
        """When it began what it is doing."""
        self.reading: socket.socket | None = None
        """From whom it reads a request."""

    def run(self) -> None:
        """Does one task after the other until it has stepped out, or there are none any more."""
        take = self.crew.tasks.get
        while not self.outside and (task := take()) is not None:
            future, work, arguments = task
            self.since = time.monotonic()
            try:
                future.set_result(work(*arguments))
            except BaseException as fault:
                future.set_exception(fault)
            self.since = self.reading = None
            del task, future, work, arguments  # keeps nobody's connection alive while it waits
        self.crew.gone(self)


class Crew:
    """The threads that answer requests; as far as gunicorn can tell, an executor."""

    def __init__(self, size: int) -> None:
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._hands: set[Hand] = set()
        self._size = size
        self._looked = 0.0
        for _ in range(size):
            self._hire()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Has a hand do something."""
        future: Future[Any] = Future()
        self.tasks.put((future, work, arguments))
        return future

    def shutdown(self, wait: bool = True) -> None:
        """Sends home whoever is idle. Nobody waits for the rest: the process ends."""
        for _ in range(self._size):
            self.tasks.put(None)

    def _hire(self) -> None:
        hand = Hand(self)
        self._hands.add(hand)
        hand.start()

    def replace(self, hand: Hand, *, relieved: bool = False) -> None:
        """Another hand takes the place of one that will be busy for long."""
        with self._lock:
            if not hand.outside:
                hand.outside, hand.relieved = True, relieved
                self._hire()

    def gone(self, hand: Hand) -> None:
        """A hand went home."""
        with self._lock:
            self._hands.discard(hand)

    def look(self) -> None:
        """Relieves hands that are held up, and hangs up on clients that take too long to send a request. To be called
        often, by one thread."""
        now = time.monotonic()
        if now - self._looked < limits.CREW_TICK_SECONDS:
            return
        self._looked = now
        with self._lock:
            hands = list(self._hands)
        relieved = sum(hand.relieved for hand in hands)
        for hand in hands:
            since, reading = hand.since, hand.reading
            if since is None:
                continue
            if not hand.outside and now - since > limits.HELD_UP_SECONDS and relieved < limits.RELIEVED_HANDS:
                self.replace(hand, relieved=True)
                relieved += 1
            if reading is not None and now - since > limits.REQUEST_SECONDS:
                with suppress(OSError):
                    reading.shutdown(socket.SHUT_RDWR)


def step_out() -> None:
    """The calling thread begins something long: its place in the crew, if it has one, is taken by another."""
    hand = threading.current_thread()
    if isinstance(hand, Hand):
        hand.crew.replace(hand)


def begin_reading(connection: socket.socket) -> None:
    """The calling thread reads a request from this connection from now on."""
    hand = threading.current_thread()
    if isinstance(hand, Hand):
        hand.reading = connection


def end_reading() -> None:
    """The calling thread has read the request."""
    hand = threading.current_thread()
    if isinstance(hand, Hand):
        hand.reading = None
