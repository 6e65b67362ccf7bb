"""A store whose exchanges are timed and whose conflicts are counted, for Prometheus (`metrics.py`)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from alhambra_kit.meters import observe_all

from .. import limits
from ..handover import before_waiting
from ..metrics import CONFLICTS, READS, STORE_SECONDS
from .connection.client import Before, StoreClient
from .connection.wire import Command, Reply
from .errors import Stale
from .game_store import Committed, GameStore
from .records import Record

T = TypeVar("T")


class MeasuredStore(GameStore[T]):
    """A store that counts conflicts, and how long its exchanges take."""

    def __init__(
        self,
        client: StoreClient,
        decode: Callable[[Record], T],
        *,
        replicas: int,
        over: Callable[[T], bool],
    ) -> None:
        # One method of the client is what everything else of it goes through.
        self._exchanges: deque[float] = deque(maxlen=limits.CALLS_NOTED)
        """How long the exchanges took that Prometheus has not been told of yet: telling each by itself takes longer."""
        setattr(client, "follow", _timed(client.follow, self._exchanges.append))  # noqa: B010
        super().__init__(client, decode, replicas=replicas, over=over)
        self._told = (0, 0)

    def advance(self, *given: Any, **more: Any) -> Committed[T]:
        """Commit as `GameStore.advance` does, and count commits that came too late."""
        try:
            return super().advance(*given, **more)
        except Stale:
            CONFLICTS.inc()
            raise

    def tell_reads(self) -> None:
        """Adds what was read, and how long exchanges took, since the last time."""
        observe_all(STORE_SECONDS, [self._exchanges.popleft() for _ in range(len(self._exchanges))])
        hits, misses = self.cache.hits, self.cache.misses
        READS.labels("memory").inc(hits - self._told[0])
        READS.labels("store").inc(misses - self._told[1])
        self._told = (hits, misses)


def _timed(follow: Callable[..., list[Reply]], noted: Callable[[float], None]) -> Callable[..., list[Reply]]:
    def timed(key: str, commands: Sequence[Command], before: Before | None = None) -> list[Reply]:
        before_waiting()
        began = time.perf_counter()
        try:
            return follow(key, commands, before)
        finally:
            noted(time.perf_counter() - began)

    return timed
