"""The open streams of one process: their limits, what they follow, and their orderly end.

No stream has a thread of its own (`running_stream.py`): what is new is sent by the thread that finds it, without
waiting (`watcher.py`). Only a few streams begin or end at the same time, because many running threads would delay unary
calls.

Streams follow something: the events of a game (`followed_game.py`) or the notices of a tenant (`followed_feed.py`).
Streams that follow the same share it, so that each change is read once.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TypeVar, cast

import grpc

from .. import limits
from ..auth.rates import network_of
from ..messages.refusals import Refusal
from .keep_alive import Followed, KeepAlive
from .running_stream import Sender, StreamThreads
from .watcher import STOPPING, Watcher

_log = logging.getLogger(__name__)

F = TypeVar("F", bound=Followed)
ALL = "all"


class OpenStreams:
    """The streams of one process. `stop` it before the server stops, `close` it afterwards."""

    def __init__(self, sender_of: Callable[[grpc.ServicerContext], Sender], count: Callable[[float], object]) -> None:
        self.threads = StreamThreads(sender_of)
        self.stopping = threading.Event()
        self._count = count
        """Called with 1 when a stream begins, and with -1 when it ends."""
        self._lock = threading.Condition()
        self._open: Counter[str] = Counter()
        """The number of open streams: of all watchers, of spectators, and by game, seat, host and address."""
        self._following: dict[Hashable, Followed] = {}
        self._watchers: set[Watcher] = set()
        self._event_threads = ThreadPoolExecutor(limits.EVENT_THREADS, thread_name_prefix="events")
        self._keep_alive = KeepAlive(self.stopping, self._followed, lambda: list(self._watchers), self.compare)

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._open[ALL]

    # -- Limits ----------------------------------------------------------------------------------------------------

    @contextmanager
    def counted(self, who: str, most: int) -> Iterator[None]:
        """Count a stream while the block runs. Raises Refusal if there are too many."""
        with self._lock:
            if self._open[who] >= most:
                message = f"Only {most} streams can be open at once: close one, or try another server."
                raise Refusal("WATCHERS_EXCEEDED", message, {"limit": most})
            self._open[who] += 1
        if who == ALL:
            self._count(1)
        try:
            yield
        finally:
            with self._lock:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]
                self._lock.notify_all()
            if who == ALL:
                self._count(-1)

    @contextmanager
    def admitted(self, address: str) -> Iterator[None]:
        """Count a stream among all streams and those of its address while the block runs."""
        with self.counted(ALL, limits.WATCHERS):
            if _is_this_machine(address):
                yield
                return
            with self.counted(f"address {network_of(address)}", limits.WATCHERS_PER_ADDRESS):
                yield

    @contextmanager
    def registered(self, watcher: Watcher) -> Iterator[None]:
        """Register a watcher while the block runs, so that it is disconnected if it is stuck, and told to resume when
        its stream is old."""
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    # -- What streams follow ---------------------------------------------------------------------------------------

    @contextmanager
    def followed(self, key: Hashable, follow: Callable[[], F]) -> Iterator[F]:
        """Follow something while the block runs. All streams with the same key share it."""
        with self._lock:
            following = cast("F | None", self._following.get(key))
            if following is None:
                following = follow()
                self._following[key] = following
            following.users += 1
        try:
            yield following
        finally:
            with self._lock:
                following.users -= 1
                if not following.users:
                    del self._following[key]
                    following.forget()

    def check(self, following: Followed) -> None:
        """Check in another thread whether there is something new. Does not wait."""
        self.submit(following, following.check_requested, following.check)

    def compare(self, following: Followed) -> None:
        """Compare with the store in another thread, because nothing was heard for a while or something is due."""
        self.submit(following, following.compare_requested, following.compare)

    def _followed(self) -> list[Followed]:
        with self._lock:
            return list(self._following.values())

    def submit(self, following: Followed, queued: threading.Lock, check: Callable[[], None]) -> None:
        """Submit a check, unless one is queued already."""
        if not queued.acquire(blocking=False):
            return

        def task() -> None:
            queued.release()
            try:
                check()
            except Exception:
                _log.exception("Cannot check for something new.")
                following.end("", Refusal("INTERNAL_ERROR", "Internal error. Nothing was changed."))

        with suppress(RuntimeError):  # the threads have been stopped
            self._event_threads.submit(task)

    # -- Stopping --------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Tell every watcher to resume elsewhere, and wait up to WATCHING_STOP_SECONDS until they have read it."""
        self.stopping.set()
        for following in self._followed():
            following.end(STOPPING)
        with self._lock:
            self._lock.wait_for(lambda: not self._open[ALL], limits.WATCHING_STOP_SECONDS)

    def close(self) -> None:
        """End the threads, after the server has stopped."""
        self.stopping.set()
        self._keep_alive.join()
        self._event_threads.shutdown(cancel_futures=True)
        self.threads.close()


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return True
