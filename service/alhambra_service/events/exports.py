"""Records of games as JSON documents: the whole of a finished one, what a seat has seen of a running one.

Nothing is played again for a record. A finished game never changes, so its document is kept: in memory for the next
caller, and in the store for later versions, which may not have the rules any more that it ended under. The events of a
running game come from `replay.py`, which follows each game once for all callers.
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
"""How hard is tried to make a document small."""


class Exports:
    """Makes the records. Safe to share between threads."""

    def __init__(self, replay: Replay, client: StoreClient) -> None:
        self._replay = replay
        self._client = client
        self._lock = threading.Lock()
        self._finished: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        """By game and the last link of its chain: documents of finished games, the one asked for last at the end."""

    def document(self, game: str, table: Table, seat: int | None) -> bytes:
        """The record of a game that was dealt, for a seat or a spectator."""
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
        """Puts the document of a game that has just ended into the store. If that fails, a later version makes the
        document from the log and from the state that it has carried forward."""
        with suppress(StoreError, ReplyLost):
            key, data = final_key(game), self.document(game, table, None)
            kept = f"{table.record.link}\n".encode() + data
            lasting = ("EX", table.ttl) if table.ttl else ()
            self._client.write(key, "SET", key, zlib.compress(kept, QUICK), *lasting)

    def _stored(self, game: str, table: Table) -> bytes | None:
        """The document that the store has; None if it has none of this very game, or if these rules can make it."""
        if table.record.ruleset == table.ruleset.id:
            return None
        key = final_key(game)
        kept = self._client.read(key, "GET", key)
        link, _, data = zlib.decompress(kept).partition(b"\n") if kept is not None else (b"", b"", b"")
        return data if link.decode() == table.record.link else None

    def forget(self, game: str) -> None:
        """Removes the document of a game from the store."""
        key = final_key(game)
        self._client.write(key, "UNLINK", key)

    def _seen(self, game: str, table: Table) -> list[Event]:
        """All events of a running game. Where its log must be played first and is long, that takes several calls."""
        try:
            return self._replay.events(game, table, 0, table.version, effort=Effort(limits.EXPORT_SECONDS))
        except EffortSpent:
            message = "The log of this game is still being read: ask again in a moment."
            raise Refusal("RATE_LIMITED", message, {"retry_after": "1"}) from None

    def _whole(self, game: str, table: Table) -> bytes:
        """A finished game. The service vouches for its log, whose chain was checked."""
        played = self._replay.checked(game, table)
        secret = () if table.seed_given else (table.record.secret, table.entropies)
        return _written(export_game(played, *secret, replay=False))


def _written(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
