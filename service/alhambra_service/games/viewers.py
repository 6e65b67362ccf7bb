"""Decides what each caller may see of a game, for calls, lists and streams.

    seat         a caller with the token of a seat sees the game as it stands, as that seat
    host         a caller with an API key of the tenant that created the game sees it as it stands, as a spectator
    spectator    every other caller; CreateGame decides what they see:

        public               the game as it stands
        seats                nothing: the answer is that there is no such game
        spectators_delayed   the game as it stood some entries of the log ago (`events/delayed_tables.py`)

Every answer to a caller is made from the table that `look` returns, and every version in a refusal comes from it. A
version that a caller demands is compared with that table, too: if the store were asked for it first, the answer would
show how far the game is. Without API keys all callers have the same tenant, so the tenant proves nothing: they are
spectators.
"""

from __future__ import annotations

from ..auth.access import Access, Caller, token_invalid
from ..messages.arguments import check_game, check_version
from ..messages.refusals import Refusal
from ..store import Record, VersionAhead
from . import seating
from .table import OVER, Table
from .tables import Tables


class Viewers:
    """Resolves callers to what they may see. Safe to share between threads."""

    def __init__(self, tables: Tables, access: Access) -> None:
        self._tables = tables
        self._access = access

    def look(self, caller: Caller, game: str, min_version: int = 0) -> tuple[Table, int | None]:
        """Return the game as the caller may see it, at this version or a later one, and its seat if it has one."""
        table = self._tables.kept(game, min_version) if min_version >= 0 else None
        if table is None:
            check_game(game)
            check_version(min_version, "min_version")
            table = self._tables.load(game)
        table, seat = self._proven(caller, game, table)
        if seat is None and (table.seats_only or table.spectator_delay):
            table = visible(self._tables, game, table, caller)
            if is_delayed(table, caller):
                return self._at_least(game, table, min_version), None
        if table.version < min_version:
            return self._proven(caller, game, self._tables.load(game, min_version))
        return table, seat

    def _proven(self, caller: Caller, game: str, table: Table) -> tuple[Table, int | None]:
        """Return the game, and the seat of the caller's token; None for a caller without a token. Refuses a token that
        is not valid: in a game that only its seats see, as if there were no such game."""
        if not caller.bearer:
            return table, None
        try:
            seat = self._access.seat(caller, table.tokens)
        except Refusal:  # another process may have issued the token a moment ago
            table = self._tables.load(game, fresh=True)
            try:
                seat = self._access.seat(caller, table.tokens)
            except Refusal:
                raise unseated(table.seats_only) from None
        if seat is not None and (table.seats[seat].invitation or table.seats[seat].previous):
            seating.token_used(self._tables, game, table, seat)
        return table, seat

    def _at_least(self, game: str, table: Table, min_version: int) -> Table:
        return table if table.version >= min_version else load_delayed(self._tables, game, min_version, fresh=True)


def game_not_found() -> Refusal:
    """Return the refusal for a game that does not exist, or that the caller may not know of."""
    return Refusal("GAME_NOT_FOUND", "There is no such game.")


def unseated(seats_only: bool) -> Refusal:
    """Return the refusal for bad credentials of a seat. Whoever is told that they are bad learns that the game exists,
    so it depends on whether only seats see the game."""
    return game_not_found() if seats_only else token_invalid()


def is_hidden(table: Table, caller: Caller) -> bool:
    """Return whether a caller without a seat may not know of the game."""
    return table.seats_only and not _is_host(table.record, caller)


def is_delayed(table: Table, caller: Caller) -> bool:
    """Return whether a caller without a seat sees the game with a delay. A game that is over has no delay."""
    return bool(table.spectator_delay) and table.status != OVER and not _is_host(table.record, caller)


def visible(tables: Tables, game: str, table: Table, caller: Caller) -> Table:
    """Return the game as a caller without a seat may see it. Refuses with GAME_NOT_FOUND if only seats may see it."""
    if is_hidden(table, caller):
        raise game_not_found()
    return tables.delayed.of(game, table) if is_delayed(table, caller) else table


def load_delayed(tables: Tables, game: str, min_version: int = 0, *, fresh: bool = False) -> Table:
    """Return the game as delayed spectators see it, at this version or a later one. Raises VersionAhead, with the
    version that they see now, if that is an earlier one."""
    table = tables.delayed.of(game, tables.load(game, fresh=fresh))
    if table.version < min_version and not fresh:
        return load_delayed(tables, game, min_version, fresh=True)
    if table.version < min_version:
        raise VersionAhead(table.version)
    return table


def sees_finished(record: Record, seat: int | None, caller: Caller) -> bool:
    """Return whether a caller may see a finished game. One without spectators is for its seats and its host."""
    return seat is not None or not record.service.get("seats_only") or _is_host(record, caller)


def sees_record(record: Record, caller: Caller) -> bool:
    """Return whether a caller without a seat may know the version of a game that these rules cannot read."""
    kept = record.service
    return not (kept.get("seats_only") or kept.get("spectator_delay")) or _is_host(record, caller)


def _is_host(record: Record, caller: Caller) -> bool:
    return bool(caller.name) and caller.tenant == record.tenant
