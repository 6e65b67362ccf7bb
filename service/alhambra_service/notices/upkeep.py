"""What keeps a feed complete: notices whose process died are relayed, and deadlines that are near are announced.

Every process that reads a feed does this for it: the one that sends webhooks, and those with streams of notices.
Several may do it at the same time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

from .. import limits
from ..store import GameNotFound, StoredGame, StoreError, StoreUnavailable
from ..store.connection.store_client import StoreClient
from ..store.keys import running_key, state_key, swept_key
from ..store.stored_game import read_stored_game
from .feed import NoticeFeed
from .game_notices import deadline_near, text_of


class FeedUpkeep:
    """The upkeep of feeds. Safe to share between threads."""

    def __init__(self, feed: NoticeFeed, client: StoreClient) -> None:
        self._feed = feed
        self._client = client

    def announce_deadlines(self, tenant: str, now: int) -> None:
        """Put a notice into the feed for each decision that is still open and whose deadline is near. `now` is the time
        of the store's clock in milliseconds of Unix time."""
        for text in self._feed.near(tenant, now):
            opened = json.loads(text)
            stored = self._read(opened["game"])
            open_still = stored is not None and stored.service.get("deadline") == opened["deadline"]
            notice = text_of(deadline_near(opened, now)) if open_still else None
            self._feed.settle_near(tenant, text, notice)

    def _read(self, game: str) -> StoredGame | None:
        key = state_key(game)
        data = self._client.read(key, "GET", key)
        try:
            return None if data is None else read_stored_game(data)
        except StoreUnavailable:
            raise
        except StoreError:  # another version wrote the game
            return None

    def relay_forgotten(self, tenant: str, stopping: Callable[[], bool] = lambda: False) -> None:
        """Relay notices whose process died after the commit. Their games are in the set of running games, which they
        leave only after their notices are relayed."""
        key, cursor = running_key(tenant), b"0"
        while not stopping():
            cursor, found = self._client.read(key, "SSCAN", key, cursor, "COUNT", limits.SCAN_COUNT)
            for game in self._feed.with_notices(one.decode() for one in found):
                with suppress(GameNotFound):
                    self._feed.relay(game, tenant)
            if cursor == b"0":
                return

    def relay_forgotten_in_turn(self, tenant: str) -> None:
        """Do `relay_forgotten`, unless another process has done it in the last WEBHOOK_SWEEP_SECONDS."""
        key = swept_key(tenant)
        if self._client.write(key, "SET", key, "1", "NX", "PX", int(1000 * limits.WEBHOOK_SWEEP_SECONDS)):
            self.relay_forgotten(tenant)
