"""A store whose exchanges are timed and whose reads are counted, for Prometheus (`metrics.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from alhambra_runtime.meters import Meter

from .. import limits
from ..metrics import READS, STORE_SECONDS
from .connection.connect import StoreClient
from .game_store import GameStore
from .stored_game import StoredGame

T = TypeVar("T")


class MeasuredStore(GameStore[T]):
    """A store that measures how long its exchanges take, and how many reads are answered from memory."""

    def __init__(
        self,
        client: StoreClient,
        decode: Callable[[StoredGame], T],
        *,
        replicas: int,
        over: Callable[[T], bool],
    ) -> None:
        self._exchanges = Meter(None, STORE_SECONDS, limits.CALLS_NOTED)
        client.observe = self._exchanges.note
        super().__init__(client, decode, replicas=replicas, over=over)
        self._told = (0, 0)

    def flush_reads(self) -> None:
        """Add the reads since the last call, and the times of exchanges, to the metrics."""
        self._exchanges.flush()
        hits, misses = self.cache.hits, self.cache.misses
        READS.labels("memory").inc(hits - self._told[0])
        READS.labels("store").inc(misses - self._told[1])
        self._told = (hits, misses)
