"""A store whose exchanges are timed and whose conflicts are counted, for Prometheus (`metrics.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from alhambra_runtime.meters import Meter

from .. import limits
from ..blocking import require_blocking_allowed
from ..metrics import CONFLICTS, READS, STORE_SECONDS
from .connection.connect import BeforeSend, StoreClient
from .connection.wire import Command, Reply
from .errors import Stale
from .game_store import Committed, GameStore
from .stored_game import StoredGame

T = TypeVar("T")


class MeasuredStore(GameStore[T]):
    """A store that counts conflicts, and how long its exchanges take."""

    def __init__(
        self,
        client: StoreClient,
        decode: Callable[[StoredGame], T],
        *,
        replicas: int,
        over: Callable[[T], bool],
    ) -> None:
        self._exchanges = Meter(None, STORE_SECONDS, limits.CALLS_NOTED)
        # All other methods of the client call this one.
        setattr(client, "follow", _timed(client.follow, self._exchanges.note))  # noqa: B010
        super().__init__(client, decode, replicas=replicas, over=over)
        self._told = (0, 0)

    def advance(self, *given: Any, **more: Any) -> Committed[T]:
        """Commit as `GameStore.advance` does, and count commits that came too late."""
        try:
            return super().advance(*given, **more)
        except Stale:
            CONFLICTS.inc()
            raise

    def flush_reads(self) -> None:
        """Add the reads since the last call, and the times of exchanges, to the metrics."""
        self._exchanges.flush()
        hits, misses = self.cache.hits, self.cache.misses
        READS.labels("memory").inc(hits - self._told[0])
        READS.labels("store").inc(misses - self._told[1])
        self._told = (hits, misses)


def _timed(follow: Callable[..., list[Reply]], noted: Callable[[float], None]) -> Callable[..., list[Reply]]:
    def timed(key: str, commands: Sequence[Command], before: BeforeSend | None = None) -> list[Reply]:
        require_blocking_allowed()
        began = time.perf_counter()
        try:
            return follow(key, commands, before)
        finally:
            noted(time.perf_counter() - began)

    return timed
