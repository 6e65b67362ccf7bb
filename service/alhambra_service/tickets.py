"""Tickets: the right to open one stream of events without a header, once, within a minute.

A browser's EventSource cannot send a token, and a token must not stand in an address; a ticket may, because it is
spent as soon as it is seen. It lies in the store under its digest (`SET … NX EX`, `GETDEL`), so that any process can
take what another one gave, and only one of them gets it.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from . import limits
from .credentials import TICKET, digest, drawn
from .store.client import StoreClient
from .store.keys import ticket_key


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket stands for: a game, and the token with which it was asked for."""

    game: str
    token_digest: str = ""
    """Of the seat's token; empty for a spectator. It must still be good when the stream is opened."""


class Tickets:
    """Gives tickets and takes them back."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    def give(self, ticket: Ticket) -> tuple[str, float]:
        """A fresh ticket, and when it expires, in seconds of Unix time."""
        secret = drawn(TICKET)
        key = _key(ticket.game, secret)
        facts = json.dumps([ticket.game, ticket.token_digest])
        expires = time.time() + limits.TICKET_SECONDS
        self._client.write(key, "SET", key, facts, "EX", limits.TICKET_SECONDS, "NX")
        return secret, expires

    def take(self, secret: str, game: str) -> Ticket | None:
        """What the ticket stands for, which spends it; None if it is not (or no longer) good for this game."""
        if len(secret) > limits.BEARER_CHARS:
            return None
        key = _key(game, secret)
        facts = self._client.write(key, "GETDEL", key)
        return None if facts is None else Ticket(*json.loads(facts))


def _key(game: str, secret: str) -> str:
    """A ticket lies under its game, too: shown for another one it is not found, and not spent."""
    return ticket_key(digest(f"{game} {secret}"))
