"""A tenant's games by time of creation. A list to look things up in, never the truth: that is the games themselves.

It is written after a game was created and after one was deleted. What got lost in between repairs itself: a game that
is gone disappears from the list when somebody reads it, or when chance picks it while a new game is listed; a creation
that is repeated is listed again; and `rebuild` goes through all games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redis.exceptions import ResponseError

from .. import limits
from .client import StoreClient
from .errors import StoreError, StoreUnavailable
from .keys import STATE_PREFIX, game_of, index_key, state_key
from .records import read_record


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list."""

    game: str
    created: int


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of the list, newest first. `after` continues it; None at its end."""

    games: tuple[Listed, ...]
    after: Listed | None


def add(client: StoreClient, tenant: str, game: str, created: int) -> None:
    """Lists a game, and drops some others if they are gone."""
    key = index_key(tenant)
    client.write(key, "ZADD", key, created, game)
    picked = client.read(key, "ZRANDMEMBER", key, limits.INDEX_SWEEP)
    _living(client, tenant, [Listed(member.decode(), 0) for member in picked])


def remove(client: StoreClient, tenant: str, game: str) -> None:
    """Takes a game off the list."""
    key = index_key(tenant)
    client.write(key, "ZREM", key, game)


def page(client: StoreClient, tenant: str, after: Listed | None = None, size: int = limits.LIST_PAGE) -> Page:
    """The next games of the list."""
    size = max(1, min(size, limits.LIST_PAGE))
    found: list[Listed] = []
    skip = 0
    for _ in range(limits.LIST_ROUNDS):
        stretch = _stretch(client, tenant, after, skip, size + 1 - len(found))
        if not stretch:
            return Page(tuple(found), None)
        fresh = [one for one in stretch if after is None or (one.created, one.game) < (after.created, after.game)]
        living = _living(client, tenant, fresh)
        skip += len(stretch) - (len(fresh) - len(living))  # those that are gone were taken off the list
        found += [one for one in living if one not in found]
        if len(found) > size:
            return Page(tuple(found[:size]), found[size - 1])
    return Page(tuple(found), stretch[-1])  # so many were gone that the rest is left to the next page


def _stretch(client: StoreClient, tenant: str, after: Listed | None, skip: int, count: int) -> list[Listed]:
    key = index_key(tenant)
    top = "+inf" if after is None else after.created
    flat = client.read(key, "ZREVRANGEBYSCORE", key, top, "-inf", "WITHSCORES", "LIMIT", skip, count)
    return [Listed(member.decode(), int(float(score))) for member, score in zip(flat[::2], flat[1::2], strict=True)]


def _living(client: StoreClient, tenant: str, listed: list[Listed]) -> list[Listed]:
    """Those whose game exists; the others are taken off the list."""
    keys = [state_key(one.game) for one in listed]
    there = client.read_many([(key, ("EXISTS", key)) for key in keys]) if keys else []
    for one, exists in zip(listed, there, strict=True):
        if not exists:
            remove(client, tenant, one.game)
    return [one for one, exists in zip(listed, there, strict=True) if exists]


def rebuild(client: StoreClient) -> Iterator[str]:
    """Lists every game there is, and tells each one that it listed. Games that cannot be read are left out."""
    for server in client.servers():
        cursor = b"0"
        while True:
            try:
                cursor, keys = server.ask("SCAN", cursor, "MATCH", f"{STATE_PREFIX}*", "COUNT", limits.SCAN_COUNT)
            except ResponseError as refusal:
                raise StoreUnavailable(f"the store refuses: {refusal}") from refusal
            for game in filter(None, map(game_of, keys)):
                key = state_key(game)
                data = client.read(key, "GET", key)
                try:
                    record = read_record(data) if data is not None else None
                except StoreUnavailable:
                    raise
                except StoreError:
                    continue
                if record is not None:
                    client.write(index_key(record.tenant), "ZADD", index_key(record.tenant), record.created, game)
                    yield game
            if cursor == b"0":
                break
