"""Tickets: the right to open one stream of events without a header, once, within a minute.

A browser's EventSource cannot send a token, and a token must not be part of a URL. A ticket may, because it can be used
only once.

A ticket is signed, not stored: it contains the time when it expires, a nonce, and a signature over both, the game, and
the token with which it was requested. So issuing a ticket writes nothing. When a ticket is redeemed, it is noted in the
store (`SET … NX EX`) until it would have expired: any process can redeem the tickets of others, and only one succeeds.
"""

from __future__ import annotations

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from .. import limits
from ..store.connection.connect import StoreClient
from ..store.keys import ticket_key
from .credentials import TICKET, digest
from .seat_keys import stored_key

PREFIX = f"alh_{TICKET}_"
TIME_BYTES, NONCE_BYTES = 6, 10
"""Milliseconds of Unix time, and a nonce."""
HEAD_BYTES = TIME_BYTES + NONCE_BYTES
SPECTATOR = ""
"""The digest in tickets of spectators, who have no token."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right of a ticket: a game, and the token with which the ticket was requested."""

    game: str
    token_digest: str = SPECTATOR
    """The digest of the seat's token; empty for a spectator. It must still be valid when the stream is opened."""


class Tickets:
    """Issues tickets and redeems them. `key` is the service's key; without it the key in the store is used."""

    def __init__(self, client: StoreClient, key: bytes | None = None, clock: Callable[[], float] = time.time) -> None:
        self._client = client
        self._given_key = key
        self._clock = clock

    @property
    def _key(self) -> bytes:
        if self._given_key is None:
            self._given_key = stored_key(self._client)
        return self._given_key

    def issue(self, ticket: Ticket) -> tuple[str, float]:
        """Return a new ticket, and when it expires, in seconds of Unix time."""
        expires = self._clock() + limits.TICKET_SECONDS
        head = int(1000 * expires).to_bytes(TIME_BYTES, "big") + secrets.token_bytes(NONCE_BYTES)
        return PREFIX + urlsafe_b64encode(head + self._signature(head, ticket)).decode(), expires

    def redeem(self, secret: str, game: str, tokens: Sequence[str]) -> Ticket | None:
        """Redeem a ticket and return its right; None if it is not, or no longer, valid for this game. `tokens` are the
        digests of the game's valid tokens."""
        if len(secret) > limits.BEARER_CHARS or not secret.startswith(PREFIX):
            return None
        try:
            data = urlsafe_b64decode(secret.removeprefix(PREFIX))
        except ValueError:
            return None
        head, signature = data[:HEAD_BYTES], data[HEAD_BYTES:]
        found = self._signed(head, signature, game, tokens)
        if found is None or int.from_bytes(head[:TIME_BYTES], "big") <= 1000 * self._clock():
            return None
        used = ticket_key(digest(data.hex()))  # of the decoded bytes, because a ticket can be spelt in several ways
        first = self._client.write(used, "SET", used, "", "NX", "EX", limits.TICKET_SECONDS)
        return found if first is not None else None

    def _signed(self, head: bytes, signature: bytes, game: str, tokens: Sequence[str]) -> Ticket | None:
        """Return the ticket of this game with this signature. The time does not depend on the seat."""
        found = None
        for token_digest in (SPECTATOR, *filter(None, tokens)):
            ticket = Ticket(game, token_digest)
            if hmac.compare_digest(signature, self._signature(head, ticket)):
                found = ticket
        return found

    def _signature(self, head: bytes, ticket: Ticket) -> bytes:
        about = f"ticket\0{ticket.game}\0{ticket.token_digest}\0".encode()
        return hmac.digest(self._key, about + head, sha256)
