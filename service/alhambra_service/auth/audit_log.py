"""The audit log: what hosts did with the games of a tenant, kept apart from the games and longer than they are.

    seat_taken_over    the token of a seat was replaced with an API key (ClaimSeat)
    game_deleted       a game was removed (DeleteGame)
    game_exported      a running game was exported with an API key (ExportGame)

An entry is written before the action, and the action is refused if the entry cannot be written, so no action is
missing. The action of an entry may still have failed. A repeated request that gets its first answer again has no second
entry. Actions of players are in the log of the game and not in this log, so that players cannot push out the entries of
hosts.

Each tenant has one stream in the store, limited by AUDIT_ENTRIES and by the age that the operator chose. It contains
names of keys and never a key, a token or an invitation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from alhambra_api.v1 import games_pb2

from .. import limits
from ..auth import seat_keys
from ..current_call import request_id
from ..messages.field_checks import LimitedField
from ..messages.refusals import Refusal
from ..messages.views import timestamp
from ..store import StoreUnavailable
from ..store.connection.store_client import StoreClient
from ..store.connection.wire import ReplyLost
from ..store.keys import audit_key, is_game

SEAT_TAKEN_OVER, GAME_DELETED, GAME_EXPORTED = "seat_taken_over", "game_deleted", "game_exported"
PAGE_SIZE = LimitedField(games_pb2.ListAuditEntriesRequest, "page_size")
DAY_MS = 24 * 3600 * 1000
_ID = re.compile(r"\d{1,15}-\d{1,15}")


class AuditLog:
    """The audit logs of all tenants. Safe to share between threads."""

    def __init__(self, client: StoreClient, now: Callable[[], int], days: int = limits.AUDIT_DAYS) -> None:
        self._client = client
        self._now = now
        """Milliseconds of Unix time by the store's clock."""
        self._days = days
        """Entries are removed after this many days; 0 keeps them until there are more than limits.AUDIT_ENTRIES."""

    def note(self, tenant: str, key_name: str, action: str, game: str, seat: int | None = None) -> None:
        """Write an entry about an action that a host is about to do in the current call. Raises StoreUnavailable if
        that fails."""
        fields = ["action", action, "game", game, "key", key_name, "request", request_id()]
        if seat is not None:
            fields += ["seat", str(seat)]
        key = audit_key(tenant)
        self._write(key, "XADD", key, "MAXLEN", limits.AUDIT_ENTRIES, "*", *fields)
        oldest = self._oldest
        if oldest:
            with suppress(StoreUnavailable, ReplyLost):  # the next entry trims the log; readers see no old entries
                self._client.write(key, "XTRIM", key, "MINID", oldest)

    def _write(self, key: str, *command: str | int) -> None:
        try:
            self._client.write(key, *command)
        except ReplyLost:  # the entry may be written or not: two equal entries are better than none
            try:
                self._client.write(key, *command)
            except ReplyLost as lost:
                raise StoreUnavailable("the store did not confirm an entry of the audit log") from lost

    @property
    def _oldest(self) -> int:
        """The time of the oldest entry that is kept, in milliseconds of Unix time; 0 for no bound."""
        return max(0, self._now() - self._days * DAY_MS) if self._days else 0

    def page(
        self, sent: games_pb2.ListAuditEntriesRequest, tenant: str, key: bytes
    ) -> games_pb2.ListAuditEntriesResponse:
        """Return a page of the log of a tenant, the newest entry first. `key` signs page tokens."""
        PAGE_SIZE.check(sent.page_size)
        if sent.game and not is_game(sent.game):
            raise Refusal.malformed("game", "A game's id has 12 to 32 lower-case letters and digits.")
        size, purpose = sent.page_size or limits.AUDIT_PAGE_USUAL, f"audit {tenant} {sent.game}"
        before = _read_token(key, purpose, sent.page_token)
        answer = games_pb2.ListAuditEntriesResponse()
        for _ in range(limits.LISTED_ROUNDS):
            found = self._entries(tenant, before)
            for name, entry in found:
                before = name
                if not sent.game or entry.game == sent.game:
                    answer.entries.append(entry)
                if len(answer.entries) == size:
                    break
            if len(answer.entries) == size or len(found) < limits.AUDIT_PAGE:
                break
        if len(answer.entries) == size or len(found) == limits.AUDIT_PAGE:
            answer.next_page_token = seat_keys.signed(key, purpose, before)
        return answer

    def _entries(self, tenant: str, before: str) -> list[tuple[str, games_pb2.AuditEntry]]:
        """Return the entries before this id, the newest first, with their ids; at most limits.AUDIT_PAGE. An empty id
        begins with the newest entry."""
        key, newest = audit_key(tenant), f"({before}" if before else "+"
        oldest = str(self._oldest) if self._oldest else "-"
        found = self._client.read(key, "XREVRANGE", key, newest, oldest, "COUNT", limits.AUDIT_PAGE)
        return [(name.decode(), _entry(name.decode(), fields)) for name, fields in found]


def _read_token(key: bytes, purpose: str, token: str) -> str:
    if not token:
        return ""
    text = seat_keys.verified(key, purpose, token)
    if text is None or not _ID.fullmatch(text):
        raise Refusal("PAGE_TOKEN_INVALID", "The page token is not one of this list, or the filters have changed.")
    return text


def _entry(name: str, flat: list[bytes]) -> games_pb2.AuditEntry:
    fields = {flat[at].decode(): flat[at + 1].decode() for at in range(0, len(flat), 2)}
    message = games_pb2.AuditEntry(
        time=timestamp(int(name.partition("-")[0])),
        action=fields["action"],
        game=fields["game"],
        key=fields["key"],
        request_id=fields["request"],
    )
    if "seat" in fields:
        message.seat = int(fields["seat"])
    return message
