"""Reactions: fixed phrases that players say to each other. They are not part of a game.

What was said stands in a list of the store for REACTION_SECONDS. Every process tracks changes of these lists, as it
tracks changes of games, and reads a list that has changed if somebody watches the game. Pub/sub would need the right to
another channel in every access list of a store. If the store fails, a phrase is lost, and nothing else.
"""

from __future__ import annotations

import json
import secrets
from typing import NamedTuple

from alhambra_api.v1 import reactions_pb2

from .. import limits
from ..auth.rates import Rates
from ..messages.refusals import Refusal
from ..store.connection.store_client import StoreClient
from ..store.keys import reactions_key

Phrase = reactions_pb2.Phrase


class Said(NamedTuple):
    """A phrase that a player has said."""

    id: str
    """A text by which the phrase is told from others."""
    seat: int
    phrase: Phrase.ValueType
    time: int
    """When it was said, in milliseconds of Unix time, by the clock of the store."""


class Reactions:
    """What players say in the games of a store. Threads may share it."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client
        self._rates = Rates()

    def say(self, game: str, seat: int, phrase: Phrase.ValueType, now: int) -> None:
        """Say a phrase. `now` is the time in milliseconds of Unix time. Refuses with RATE_LIMITED if the seat says too
        much."""
        wait = self._rates.wait(f"{game} {seat}", limits.REACTIONS_PER_SECOND)
        if wait:
            message = "One phrase a second is enough: wait a moment."
            raise Refusal("RATE_LIMITED", message, {"retry_after": str(max(1, round(wait)))})
        key = reactions_key(game)
        said = json.dumps([secrets.token_hex(4), seat, int(phrase), now])
        self._client.write(key, "RPUSH", key, said)
        self._client.write(key, "LTRIM", key, -limits.REACTIONS_KEPT, -1)
        self._client.write(key, "EXPIRE", key, limits.REACTION_SECONDS)

    def newest(self, game: str) -> list[Said]:
        """Return what was said in the last seconds, oldest first."""
        key = reactions_key(game)
        return [Said(*json.loads(said)) for said in self._client.read(key, "LRANGE", key, 0, -1)]


def checked(phrase: Phrase.ValueType) -> Phrase.ValueType:
    """Return a phrase that a player can say. Raises Refusal for any other."""
    if phrase not in Phrase.values() or phrase in (Phrase.PHRASE_UNSPECIFIED, Phrase.PHRASE_ASKED_FOR_HINT):
        raise Refusal.malformed("phrase", "This is not a phrase that a player can say.")
    return phrase
