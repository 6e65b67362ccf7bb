"""The lists of games that are open to anyone and wait for players: one for each tenant, and one for each host.

If a list disagrees with the stored games, the games are right (`games/lists/open_games.py` repairs it).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..connection.store_client import StoreClient
from ..keys import open_key, opened_key


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list. Lists are sorted by the time of creation, in milliseconds of Unix time."""

    game: str
    created: int


def add(client: StoreClient, tenant: str, host: str, game: str, created: int) -> bool:
    """List a game. Returns whether it is new in the list of its host."""
    key, own = open_key(tenant), opened_key(tenant, host)
    client.write(key, "ZADD", key, created, game)
    return bool(client.write(own, "ZADD", own, "NX", created, game))


def remove(client: StoreClient, tenant: str, host: str, game: str) -> None:
    """Remove a game from the lists."""
    for key in (open_key(tenant), opened_key(tenant, host)):
        client.write(key, "ZREM", key, game)


def remove_from_tenant(client: StoreClient, tenant: str, game: str) -> None:
    """Remove a game that does not exist any more, and whose host is not known, from the list of its tenant."""
    client.write(open_key(tenant), "ZREM", open_key(tenant), game)


def count(client: StoreClient, tenant: str, host: str) -> int:
    """Return how many open games a host has."""
    key = opened_key(tenant, host)
    found: int = client.read(key, "ZCARD", key)
    return found


def of_host(client: StoreClient, tenant: str, host: str, most: int) -> list[Listed]:
    """Return the open games of a host, oldest first."""
    key = opened_key(tenant, host)
    return _listed(client.read(key, "ZRANGE", key, 0, most - 1, "WITHSCORES"))


def page(client: StoreClient, tenant: str, after: Listed | None, size: int) -> list[Listed]:
    """Return the next open games of a tenant, newest first; an empty list if there are no more. Some of them may no
    longer exist."""
    key, skip = open_key(tenant), 0
    top = "+inf" if after is None else after.created
    while True:
        flat = client.read(key, "ZREVRANGEBYSCORE", key, top, "-inf", "WITHSCORES", "LIMIT", skip, size)
        found = [one for one in _listed(flat) if after is None or (one.created, one.game) < (after.created, after.game)]
        if found or not flat:
            return found
        skip += size  # many games were created in the same millisecond


def _listed(flat: list[bytes]) -> list[Listed]:
    return [Listed(game.decode(), int(float(score))) for game, score in zip(flat[::2], flat[1::2], strict=True)]
