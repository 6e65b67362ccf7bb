"""Records of games as JSON documents: the whole of a finished one, what a seat has seen of a running one.

Nothing is played again for a record. A finished game never changes, so its document is kept for the next caller. The
events of a running game come from `replay.py`, which follows each game once for all callers.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from alhambra import Event, export_game, export_view

from .. import limits
from ..effort import Effort, EffortSpent
from ..messages.refusals import Refusal
from .replay import Replay

if TYPE_CHECKING:
    from ..games.table import Table


class Exports:
    """Makes the records. Safe to share between threads."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
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
        data = self._whole(game, table)
        with self._lock:
            self._finished[key] = data
            while len(self._finished) > limits.EXPORTS_KEPT:
                self._finished.popitem(last=False)
        return data

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
