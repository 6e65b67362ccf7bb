"""Who calls: the game that a call of GameService is about, as the caller may see it, and the seat of the caller."""

from __future__ import annotations

from typing import Any

import grpc

from ...auth.access import Access, Caller
from ...auth.credentials import holder
from ...games.table import Table
from ...games.tables import SeatProof, Tables
from ...games.viewers import Viewers
from ...messages.arguments import check_version
from ...messages.refusals import Refusal


class GameCallers:
    """Finds the game and the seat of a call. The parts of GameService inherit from it."""

    def __init__(self, tables: Tables, access: Access) -> None:
        self._tables = tables
        self._access = access
        self._viewers = Viewers(tables, access)

    def _seen(self, context: grpc.ServicerContext, game: str, min_version: int = 0) -> tuple[Table, int | None, Caller]:
        """Return the game as the caller may see it, the seat of the caller or None, and the caller."""
        caller = self._access.caller(context)
        table, seat = self._viewers.look(caller, game, min_version)
        return table, seat, caller

    def _proven(self, context: grpc.ServicerContext, game: str) -> SeatProof:
        """Return the seat of a caller who wants to move. The game comes from memory if it is there, even if it may have
        been changed since: the commit compares it, and the token with it."""
        caller = self._access.caller(context)
        known = self._tables.store.cache.newest_known(game)
        seat = holder(caller.token_digest, known.tokens) if known is not None and caller.bearer else None
        if known is None or seat is None or known.seats[seat].invitation or known.seats[seat].previous:
            known, seat = self._seated(context, game)
        return SeatProof(seat, known.tokens[seat])

    def _at(self, table: Table, request: Any) -> Table:
        """Return the table at the version that a request asks for; the given table if it asks for none."""
        if not request.HasField("at_version"):
            return table
        check_version(request.at_version, "at_version")
        if request.at_version > table.version:
            raise Refusal.stale(table.version)
        return self._tables.replay.as_it_was(request.game, table, request.at_version)

    def _seated(self, context: grpc.ServicerContext, game: str, min_version: int = 0) -> tuple[Table, int]:
        """Return the game and the seat of the caller. Refuses a caller without a seat."""
        table, seat, caller = self._seen(context, game, min_version)
        return table, self._access.require_seat(caller, table.tokens) if seat is None else seat
