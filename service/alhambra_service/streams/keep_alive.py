"""Sends keep-alives to watchers of quiet games, and ends stuck streams.

One thread of each process checks everything that streams follow every WATCHING_TICK_SECONDS:

- A game whose watchers have received nothing for STREAM_SILENCE_SECONDS is compared with the store. If nothing has
  happened, they get a KeepAlive message, so that they and every proxy in between see that the stream is alive.
- A game whose open decision is due is loaded, which answers the decision (`games/automatic/deadlines.py`).
- A watcher that does not read is disconnected, and one whose stream is old is told to resume
  (`Watcher.end_if_stuck_or_old`).

gRPC itself checks whether the peer of a connection is alive (the options of `rpc/server.py`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import Protocol

from .. import limits
from ..messages.refusals import Refusal
from .watcher import Watcher


class Followed(Protocol):
    """What streams follow: the events of a game, or the notices of a tenant."""

    users: int
    """The number of streams that follow it."""
    check_requested: threading.Lock
    compare_requested: threading.Lock
    """Held while a check is queued."""

    @property
    def due(self) -> float:
        """When to compare it with the store, on the clock of `time.monotonic`."""

    @property
    def forget(self) -> Callable[[], None]:
        """Ends following it."""

    def check(self) -> None:
        """Send what is new, because something may have changed."""

    def compare(self) -> None:
        """Compare it with the store, and send a keep-alive if nothing has happened for a while."""

    def end(self, because: str, status: Refusal | None = None) -> None:
        """End the streams of all watchers."""


class KeepAlive:
    """The thread that does this. It ends when `stopping` is set."""

    def __init__(
        self,
        stopping: threading.Event,
        followed: Callable[[], Collection[Followed]],
        watchers: Callable[[], Collection[Watcher]],
        compare: Callable[[Followed], None],
    ) -> None:
        self._stopping = stopping
        self._followed, self._watchers = followed, watchers
        """Return copies of what is followed and of the open watchers."""
        self._compare = compare
        """Compares it with the store in another thread."""
        self._thread = threading.Thread(target=self._run, name="keep alive", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        checked = 0.0
        while not self._stopping.wait(limits.WATCHING_TICK_SECONDS):
            followed = self._followed()
            now = time.monotonic()
            if now >= checked + limits.WATCHERS_CHECKED_SECONDS:
                checked = now
                for watcher in self._watchers():
                    watcher.end_if_stuck_or_old(now)
            for one in followed:
                if one.due <= now:
                    self._compare(one)
