"""Exports of games as JSON documents: complete for finished games, what a seat has seen for running ones.

A finished game never changes, so its document is kept: in memory for the next caller, and in the store for later
versions of the service, which may not have the rules of the game any more. The events of a running game come from
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
from ..cpu_budget import CpuBudget, CpuBudgetSpent
from ..messages.refusals import Refusal
from ..store import StoreError
from ..store.connection.store_client import StoreClient
from ..store.connection.wire import ReplyLost
from ..store.keys import final_key, views_key
from .final_views import FinalViews, read_views, write_views
from .replay import Replay

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

QUICK = 1
"""The level of compression of documents."""


class Exports:
    """The exports of all games. Threads may share it."""

    def __init__(self, replay: Replay, client: StoreClient) -> None:
        self._replay = replay
        self._client = client
        self._lock = threading.Lock()
        self._finished: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        """Documents of finished games, by game and last link; the most recently read one is last."""

    def document(self, game: str, loaded: LoadedGame, seat: int | None) -> bytes:
        """Return the export of a game that was dealt, for a seat or a spectator."""
        assert loaded.game is not None
        if not loaded.game.over:
            return _written(export_view(loaded.game, seat, self._seen(game, loaded)))
        key = (game, loaded.stored.link)
        with self._lock:
            kept = self._finished.get(key)
            if kept is not None:
                self._finished.move_to_end(key)
                return kept
        data = self._stored(game, loaded) or self._whole(game, loaded)
        with self._lock:
            self._finished[key] = data
            while len(self._finished) > limits.EXPORTS_KEPT:
                self._finished.popitem(last=False)
        return data

    def keep(self, game: str, loaded: LoadedGame) -> None:
        """Store the document and the views of a game that has just ended. If that fails, they are made from the log and
        the state when they are needed, as long as these can be read."""
        lasting = ("EX", loaded.ttl) if loaded.ttl else ()
        with suppress(StoreError, ReplyLost):
            key, data = final_key(game), self.document(game, loaded, None)
            kept = f"{loaded.stored.link}\n".encode() + data
            self._client.write(key, "SET", key, zlib.compress(kept, QUICK), *lasting)
        with suppress(StoreError, ReplyLost):
            key = views_key(game)
            self._client.write(key, "SET", key, write_views(game, loaded), *lasting)

    def keep_longer(self, game: str, loaded: LoadedGame) -> None:
        """Give the documents of a finished game that was changed the expiry of the game."""
        with suppress(StoreError, ReplyLost):
            for key in (final_key(game), views_key(game)):
                self._client.write(key, *(("EXPIRE", key, loaded.ttl) if loaded.ttl else ("PERSIST", key)))

    def _stored(self, game: str, loaded: LoadedGame) -> bytes | None:
        """Return the stored document of a game that these rules cannot export; None if there is none, or if these rules
        can export the game."""
        return None if loaded.stored.ruleset == loaded.ruleset.id else self.stored(game, loaded.stored.link)

    def stored(self, game: str, link: str) -> bytes | None:
        """Return the stored document of the game whose log ends with this link; None if there is none."""
        key = final_key(game)
        kept = self._client.read(key, "GET", key)
        found, _, data = zlib.decompress(kept).partition(b"\n") if kept is not None else (b"", b"", b"")
        return data if found.decode() == link else None

    def final_views(self, game: str, link: str) -> FinalViews | None:
        """Return the stored views of the finished game whose log ends with this link; None if there are none."""
        key = views_key(game)
        kept = self._client.read(key, "GET", key)
        return read_views(kept, link) if kept is not None else None

    def forget(self, game: str) -> None:
        """Delete the documents of a game."""
        keys = final_key(game), views_key(game)
        self._client.write(keys[0], "UNLINK", *keys)

    def _seen(self, game: str, loaded: LoadedGame) -> list[Event]:
        """Return all events of a running game. Refuses with RATE_LIMITED while a long log is being replayed; the next
        call continues."""
        try:
            return self._replay.events(game, loaded, 0, loaded.version, budget=CpuBudget(limits.EXPORT_SECONDS))
        except CpuBudgetSpent:
            message = "The log of this game is still being read: ask again in a moment."
            raise Refusal("RATE_LIMITED", message, {"retry_after": "1"}) from None

    def _whole(self, game: str, loaded: LoadedGame) -> bytes:
        """Return the document of a finished game, after its chain was checked."""
        played = self._replay.checked(game, loaded)
        if loaded.seed_given:
            return _written(export_game(played, replay=False))
        revealed = [number for number, seat in enumerate(loaded.seats) if seat.entropy_commitment]
        secret = loaded.stored.secret
        return _written(export_game(played, secret, loaded.entropies, revealed=revealed, replay=False))


def _written(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
