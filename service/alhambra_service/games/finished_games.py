"""Finished games whose state this version cannot read: shown from the documents that were stored at their end.

A StoredGame can be read without the rules, and it says who may see the game. The final view, the export and the summary
for lists come from the store as they were written (`events/final_views.py`, `events/exports.py`). A version that is
older than the one that ended the game can show them too. A game that is not finished has no such documents; its caller
gets the reason why it cannot be read.
"""

from __future__ import annotations

from ..auth.access import Access, Caller
from ..events.final_views import FinalViews
from ..messages.refusals import Refusal
from ..store import StoredGame, StoreError
from .game_commands import GameCommands
from .visible_games import game_not_found, sees_finished, unseated

FinishedGame = tuple[StoredGame, int | None, FinalViews]
"""A stored game, the seat of the caller (None for a spectator), and the views that were stored when the game ended."""


class FinishedGames:
    """The finished games of the store, shown without the rules. Safe to share between threads."""

    def __init__(self, commands: GameCommands, access: Access) -> None:
        self._commands = commands
        self._access = access

    def find(self, caller: Caller, game: str, min_version: int, unreadable: StoreError) -> FinishedGame:
        """Return what was stored at the end of a game, for a caller who may see it. `unreadable` is the error that says
        why the game itself cannot be read; it is raised if nothing was stored."""
        stored = self._commands.store.read_game(game)
        tokens = [str(seat.get("token", "")) for seat in stored.service.get("seats", ())]
        try:
            seat = self._access.seat(caller, tokens)
        except Refusal:
            raise unseated(bool(stored.service.get("seats_only"))) from None
        if not sees_finished(stored, seat, caller):
            raise game_not_found()
        kept = self._commands.exports.final_views(game, stored.link)
        if kept is None:
            raise unreadable
        if stored.version < min_version:
            raise Refusal.stale(stored.version)
        return stored, seat, kept

    def export(self, caller: Caller, game: str, min_version: int, unreadable: StoreError) -> bytes:
        """Return the export of a game, for a caller who may see it. Raises `unreadable` if no export was stored."""
        stored, _, _ = self.find(caller, game, min_version, unreadable)
        found = self._commands.exports.stored(game, stored.link)
        if found is None:
            raise unreadable
        return found
