"""Sends keep-alives to watchers of quiet games, and ends stuck streams.

One thread of each process checks all followed games every WATCHING_TICK_SECONDS:

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

from .. import limits
from .followed_game import FollowedGame
from .watcher import Watcher


class KeepAlive:
    """The thread that does this. It ends when `stopping` is set."""

    def __init__(
        self,
        stopping: threading.Event,
        games: Callable[[], Collection[FollowedGame]],
        watchers: Callable[[], Collection[Watcher]],
        look_at: Callable[[FollowedGame], None],
    ) -> None:
        self._stopping = stopping
        self._games, self._watchers = games, watchers
        """Returns copies of the followed games and of the open watchers."""
        self._look_at = look_at
        """Compares a game with the store in another thread."""
        self._thread = threading.Thread(target=self._run, name="keep alive", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        checked = 0.0
        while not self._stopping.wait(limits.WATCHING_TICK_SECONDS):
            games = self._games()
            now = time.monotonic()
            if now >= checked + limits.WATCHERS_CHECKED_SECONDS:
                checked = now
                for watcher in self._watchers():
                    watcher.end_if_stuck_or_old(now)
            for game in games:
                if game.due <= now:
                    self._look_at(game)
