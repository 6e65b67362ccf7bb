"""The list of a tenant's games by time of creation. If it disagrees with the stored games, the games are right.

The list is written after a game was created and after one was deleted. If a process dies in between, the list repairs
itself: a deleted game leaves the list when a page with it is read, or when it is drawn at random while a new game is
listed; a creation that is repeated is listed again; and `rebuild` goes through all games. `usage.py` counts running
games and bytes with the same script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from redis.exceptions import ResponseError

from alhambra_api.limits import limits_within
from alhambra_api.v1 import games_pb2

from .. import limits
from . import usage
from .connection.store_client import StoreClient
from .errors import StoreError, StoreUnavailable
from .keys import SIZES_PREFIX, STATE_PREFIX, game_of, index_key, sizes_key, state_key, tenant_of
from .lists import open_games
from .lists.open_games import Listed
from .stored_game import StoredGame, read_stored_game

LONGEST_PAGE = limits_within(games_pb2.ListGamesRequest, "page_size").maximum
"""Games on one page of the list."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the list, newest first. `after` is the position of the next page; None on the last page."""

    games: tuple[Listed, ...]
    after: Listed | None


def add(client: StoreClient, tenant: str, game: str, created: int) -> None:
    """List a game, and remove some other games from the list if they are deleted."""
    usage.add(client, tenant, game, created)
    key, sizes = index_key(tenant), sizes_key(tenant)
    listed, counted = client.read_many(
        [(key, ("ZRANDMEMBER", key, limits.INDEX_SWEEP)), (sizes, ("HRANDFIELD", sizes, limits.INDEX_SWEEP))]
    )
    picked = {one.decode() for one in (*listed, *counted)} - {usage.TOTAL, game}
    usage.drop_gone(client, tenant, sorted(picked))


def remove(client: StoreClient, tenant: str, game: str) -> None:
    """Remove a game from the list."""
    usage.drop(client, tenant, game)


def page(client: StoreClient, tenant: str, after: Listed | None = None, size: int = LONGEST_PAGE) -> Page:
    """Return the next games of the list."""
    size = max(1, min(size, LONGEST_PAGE))
    found: list[Listed] = []
    skip = 0
    for _ in range(limits.LIST_ROUNDS):
        batch = _range(client, tenant, after, skip, size + 1 - len(found))
        if not batch:
            return Page(tuple(found), None)
        fresh = [one for one in batch if after is None or (one.created, one.game) < (after.created, after.game)]
        living = _living(client, tenant, fresh)
        skip += len(batch) - (len(fresh) - len(living))  # deleted games were removed from the list
        found = [*dict.fromkeys([*found, *living])]
        if len(found) > size:
            return Page(tuple(found[:size]), found[size - 1])
    return Page(tuple(found), batch[-1])  # most games were deleted: the next page continues here


def _range(client: StoreClient, tenant: str, after: Listed | None, skip: int, count: int) -> list[Listed]:
    key = index_key(tenant)
    top = "+inf" if after is None else after.created
    flat = client.read(key, "ZREVRANGEBYSCORE", key, top, "-inf", "WITHSCORES", "LIMIT", skip, count)
    return [Listed(member.decode(), int(float(score))) for member, score in zip(flat[::2], flat[1::2], strict=True)]


def _living(client: StoreClient, tenant: str, listed: list[Listed]) -> list[Listed]:
    """Return the games that exist, and remove the others from the list."""
    living = set(usage.drop_gone(client, tenant, [one.game for one in listed]))
    return [one for one in listed if one.game in living]


def rebuild(client: StoreClient, over: Callable[[StoredGame], bool] = lambda _: False) -> Iterator[str]:
    """List and count every stored game, and generate each one. `over` says whether a game has ended. Games that cannot
    be read are left out. At the end, deleted games are removed from the counts."""
    for game in filter(None, map(game_of, scan(client, STATE_PREFIX))):
        key = state_key(game)
        data = client.read(key, "GET", key)
        try:
            stored = read_stored_game(data) if data is not None else None
            running = stored is not None and not over(stored)
        except StoreUnavailable:
            raise
        except StoreError:
            continue
        if stored is not None:
            usage.count(client, stored.tenant, game, stored.created, running=running)
            if stored.service.get("open_to_anyone") and not stored.state:
                open_games.add(client, stored.tenant, stored.service.get("host", ""), game, stored.created)
            yield game
    for tenant in filter(None, map(tenant_of, scan(client, SIZES_PREFIX))):
        usage.repair(client, tenant)


def scan(client: StoreClient, prefix: str) -> Iterator[bytes]:
    """Generate every key of the store with this prefix. A key may come twice."""
    for server in client.servers():
        cursor = b"0"
        while True:
            try:
                cursor, keys = server.ask("SCAN", cursor, "MATCH", f"{prefix}*", "COUNT", limits.SCAN_COUNT)
            except ResponseError as refusal:
                raise client.refused(refusal, "refuses") from refusal
            yield from keys
            if cursor == b"0":
                break
