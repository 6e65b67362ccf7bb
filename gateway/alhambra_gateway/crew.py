"""The threads of one process: a fixed number for plain calls, however many streams are open or calls wait.

A thread that starts a stream leaves the pool and is replaced; it ends with the stream. A thread whose request takes
long, because the service does not answer, is replaced too, so that other requests need not wait for it. The number of
streams is bounded by `streams.py`, the number of replaced threads here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Protocol

from . import limits

Task = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Asker(Protocol):
    """Somebody for whom the service is called, and who may hang up meanwhile."""

    gone: bool
    give_up: Callable[[], object] | None


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
        self.asker: Asker | None = None
        """For whom it is doing that."""

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
            self.since = self.asker = None
            del task, future, work, arguments  # keeps nobody's connection alive while it waits
        self.crew.gone(self)


class Crew:
    """The threads that answer requests; as far as gunicorn can tell, an executor."""

    def __init__(self, size: int, tell: Callable[[bool], object] = bool) -> None:
        self._tell = tell
        """Told whether so many threads are held up that hardly any more can be replaced."""
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._hands: set[Hand] = set()
        self._size = size
        self._looked = 0.0
        self.busy = False
        """Whether there may be something to look at."""
        for _ in range(size):
            self._hire()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Has a hand do something."""
        future: Future[Any] = Future()
        self.busy = True
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
        """Another hand takes the place of one that will be busy for long. One that was relieved and begins a stream
        counts as relieved no longer."""
        with self._lock:
            hand.relieved = relieved
            if not relieved:
                self._hands.discard(hand)
            if not hand.outside:
                hand.outside = True
                self._hire()

    def gone(self, hand: Hand) -> None:
        """A hand went home."""
        with self._lock:
            self._hands.discard(hand)

    def look(self) -> None:
        """Replaces threads that are held up. To be called often, by one thread."""
        now = time.monotonic()
        if now - self._looked < limits.CREW_TICK_SECONDS:
            return
        self._looked = now
        with self._lock:
            hands = list(self._hands)
        most = max(limits.RELIEVED_HANDS, 2 * self._size)
        relieved = sum(hand.relieved for hand in hands)
        busy = [(hand, hand.since) for hand in hands if hand.since is not None]
        held = [hand for hand, since in busy if since and not hand.outside and now - since > limits.HELD_UP_SECONDS]
        self.busy = bool(busy) or not self.tasks.empty()
        # Told before there are new threads, which must not be held up in their turn: a whole crew of them can still be
        # replaced then.
        self._tell(relieved + len(held) > most - self._size)
        for hand in held[: most - relieved]:
            self.replace(hand, relieved=True)


def step_out() -> None:
    """The calling thread begins something long: its place in the crew, if it has one, is taken by another."""
    hand = threading.current_thread()
    if isinstance(hand, Hand):
        hand.crew.replace(hand)


def work_for(asker: Asker) -> None:
    """The calling thread answers a request of this client from now on."""
    hand = threading.current_thread()
    if isinstance(hand, Hand):
        hand.asker = asker


def give_up_with(cancel: Callable[[], object]) -> None:
    """Call `cancel` when the client of the calling thread hangs up; at once if it has done so already."""
    hand = threading.current_thread()
    if isinstance(hand, Hand) and hand.asker is not None:
        hand.asker.give_up = cancel
        if hand.asker.gone:
            cancel()
