"""The time by the store's clock, so that processes whose own clocks are wrong agree about deadlines.

The clock reads the store's time every CLOCK_SECONDS and adds the seconds since then by the monotonic clock of this
process. A reading counts from the moment when it arrived: it is late by the travel time of one answer, and never early.
In a cluster the earliest time of all masters counts.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from redis.exceptions import ResponseError

from .. import limits
from .connection.store_client import StoreClient
from .errors import StoreUnavailable


class StoreClock:
    """The clock of the store. Threads may share it."""

    def __init__(self, client: StoreClient, local: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._local = local
        self._lock = threading.Lock()
        self._ahead: float | None = None
        """How far the store's time is ahead of the local clock, in seconds."""
        self._read_at = 0.0

    def now(self) -> float:
        """Return the store's time in seconds of Unix time. Asks the store only if the last reading is too old; raises
        StoreUnavailable only if there has never been a reading."""
        ahead = self._ahead
        if ahead is None or time.monotonic() - self._read_at > limits.CLOCK_SECONDS:
            ahead = self._read(ahead)
        return self._local() + ahead

    def synchronize(self, times: Mapping[str, float]) -> None:
        """Set the clock to the earliest of these times, which the masters (by name) have just reported."""
        if times:
            self._set(min(times.values()) - self._local())

    def correct(self, now: float) -> None:
        """Set the clock back to this time, which a master has just reported, if the clock is ahead of it."""
        behind = now - self._local()
        if self._ahead is None or behind < self._ahead:
            self._set(behind)

    def _set(self, ahead: float) -> None:
        with self._lock:
            self._ahead, self._read_at = ahead, time.monotonic()

    def _read(self, before: float | None) -> float:
        """Ask every master for its time. If the store does not answer, use the last reading for a while."""
        try:
            self.synchronize({server.name: seconds_of(server.ask("TIME")) for server in self._client.servers()})
        except (StoreUnavailable, ResponseError):
            if before is None:
                raise
            self._set(before)
        assert self._ahead is not None
        return self._ahead


def seconds_of(reply: list[bytes]) -> float:
    """Return the answer to TIME, in seconds."""
    return int(reply[0]) + int(reply[1]) / 1e6
