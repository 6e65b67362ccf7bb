"""Keep-alive: watchers of a game in which nothing happens are told so, and dead streams are ended.

One thread of each process looks at all followed games every WATCHING_TICK_SECONDS:

- A game whose watchers have heard nothing for KEEP_ALIVE_SECONDS is compared with the store. If nothing has happened,
  they get a KeepAlive message, so that they and every proxy on the way see that the stream lives.
- A game whose open decision is due is looked at, too: looking answers it (`games/automatic/deadlines.py`).
- A watcher that does not read is cut off, and one whose stream is old is told to resume (`Watcher.look_over`).

Whether the machine at the other end of a connection is there at all is asked by gRPC (the options of `rpc/server.py`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection

from .. import limits
from .followed_game import FollowedGame
from .watcher import Watcher


class KeepAlive:
    """The thread. It ends when `stopping` is set."""

    def __init__(
        self,
        stopping: threading.Event,
        games: Callable[[], Collection[FollowedGame]],
        watchers: Callable[[], Collection[Watcher]],
        look_at: Callable[[FollowedGame], None],
    ) -> None:
        self._stopping = stopping
        self._games, self._watchers = games, watchers
        """Return copies of what is followed, and of whose streams are open."""
        self._look_at = look_at
        """Has another thread compare a game with the store."""
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
                    watcher.look_over(now)
            for game in games:
                if game.due <= now:
                    self._look_at(game)
