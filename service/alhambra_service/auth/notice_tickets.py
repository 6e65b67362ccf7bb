"""Tickets for streams of notices: the right to be told about the games of some seats, once, within a minute.

A client shows the tokens of its seats in the body of a call, never in an address, and gets a ticket that may be part of
one. Unlike a ticket for the events of one game (`tickets.py`), it is stored until it is redeemed, because it stands for
up to a hundred seats; of their tokens only the digests are stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .. import limits
from ..store.connection.store_client import StoreClient
from ..store.keys import notice_ticket_key
from .credentials import TICKET, digest, new_secret

Seats = Mapping[str, Mapping[int, str]]
"""By game: the digests of the tokens with which seats were proved, by seat."""


@dataclass(frozen=True, slots=True)
class NoticeTicket:
    """The right of a ticket: the seats, and the tenant of their games."""

    tenant: str
    seats: Seats


class NoticeTickets:
    """Issues such tickets and redeems them."""

    def __init__(self, client: StoreClient, clock: Callable[[], float]) -> None:
        self._client = client
        self._clock = clock

    def issue(self, ticket: NoticeTicket) -> tuple[str, float]:
        """Return a new ticket, and when it expires, in seconds of Unix time."""
        secret = new_secret(TICKET)
        key = notice_ticket_key(digest(secret))
        kept = json.dumps([ticket.tenant, ticket.seats], separators=(",", ":"))
        self._client.write(key, "SET", key, kept, "EX", limits.TICKET_SECONDS)
        return secret, self._clock() + limits.TICKET_SECONDS

    def redeem(self, secret: str) -> NoticeTicket | None:
        """Redeem a ticket and return its right; None if it is not, or no longer, valid."""
        if len(secret) > limits.BEARER_CHARS:
            return None
        key = notice_ticket_key(digest(secret))
        found = self._client.write(key, "GETDEL", key)
        if found is None:
            return None
        tenant, seats = json.loads(found)
        return NoticeTicket(
            tenant, {game: {int(seat): token for seat, token in proved.items()} for game, proved in seats.items()}
        )
