"""Records of games as JSON documents: complete for finished games, what a seat has seen for running ones.

A finished game never changes, so its document is kept: in memory for the next caller, and in the store for later
versions of the service, which may no longer have the rules of the game. The events of a running game come from
`replay.py`, which follows each game once for all callers.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from alhambra import Event, export_game, export_view

from .. import limits
from ..effort import Effort, EffortSpent
from ..messages.refusals import Refusal
from ..store import StoreError
from ..store.connection.exchange import StoreClient
from ..store.connection.wire import ReplyLost
from ..store.keys import final_key
from .replay import Replay

if TYPE_CHECKING:
    from ..games.table import Table

QUICK = 1
"""The level of compression of documents."""


class Exports:
    """Makes the records. Threads may share it."""

    def __init__(self, replay: Replay, client: StoreClient) -> None:
        self._replay = replay
        self._client = client
        self._lock = threading.Lock()
        self._finished: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        """Documents of finished games, by game and last link of its chain; the most recently read one is last."""

    def document(self, game: str, table: Table, seat: int | None) -> bytes:
        """Return the record of a game that was dealt, for a seat or a spectator."""
        assert table.game is not None
        if not table.game.over:
            return _written(export_view(table.game, seat, self._seen(game, table)))
        key = (game, table.record.link)
        with self._lock:
            kept = self._finished.get(key)
            if kept is not None:
                self._finished.move_to_end(key)
                return kept
        data = self._stored(game, table) or self._whole(game, table)
        with self._lock:
            self._finished[key] = data
            while len(self._finished) > limits.EXPORTS_KEPT:
                self._finished.popitem(last=False)
        return data

    def keep(self, game: str, table: Table) -> None:
        """Store the document of a game that has just ended. If that fails, a later version of the service makes the
        document from the log and from the state that it has carried forward."""
        with suppress(StoreError, ReplyLost):
            key, data = final_key(game), self.document(game, table, None)
            kept = f"{table.record.link}\n".encode() + data
            lasting = ("EX", table.ttl) if table.ttl else ()
            self._client.write(key, "SET", key, zlib.compress(kept, QUICK), *lasting)

    def _stored(self, game: str, table: Table) -> bytes | None:
        """Return the stored document; None if the store has none of this game, or if these rules can make it."""
        if table.record.ruleset == table.ruleset.id:
            return None
        key = final_key(game)
        kept = self._client.read(key, "GET", key)
        link, _, data = zlib.decompress(kept).partition(b"\n") if kept is not None else (b"", b"", b"")
        return data if link.decode() == table.record.link else None

    def forget(self, game: str) -> None:
        """Delete the stored document of a game."""
        key = final_key(game)
        self._client.write(key, "UNLINK", key)

    def _seen(self, game: str, table: Table) -> list[Event]:
        """Return all events of a running game. If a long log must be replayed first, this takes several calls."""
        try:
            return self._replay.events(game, table, 0, table.version, effort=Effort(limits.EXPORT_SECONDS))
        except EffortSpent:
            message = "The log of this game is still being read: ask again in a moment."
            raise Refusal("RATE_LIMITED", message, {"retry_after": "1"}) from None

    def _whole(self, game: str, table: Table) -> bytes:
        """Return the game with its whole log, whose chain was checked."""
        played = self._replay.checked(game, table)
        secret = () if table.seed_given else (table.record.secret, table.entropies)
        return _written(export_game(played, *secret, replay=False))


def _written(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
