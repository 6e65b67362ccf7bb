"""The running games and stored bytes of each tenant, counted in the store so that all processes agree.

A new game is admitted before it is written, by one script that compares and counts in one step: two processes cannot
both take the last place. Until a game is measured it counts as GAME_BYTES. It is measured from time to time while it
grows, and when it ends. If a process dies or a game expires, the counts repair themselves like the list of games:
deleted games are removed when they are checked at random, when a tenant reaches its quota, and by `alhambra reindex`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from redis.exceptions import NoScriptError, ResponseError

from .. import limits
from .connection.store_client import StoreClient
from .connection.wire import Command
from .errors import QuotaExceeded
from .keys import game_keys, index_key, pending_key, running_key, sizes_key, state_key

SCRIPT = Path(__file__).with_name("usage.lua").read_text(encoding="utf-8")
SCRIPT_ID = sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()
RUNNING_GAMES, STORED_BYTES = "running_games", "stored_bytes"
TOTAL = "total"
"""The field with the bytes of all games together."""


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that a tenant may have at once; 0 for any number."""

    running_games: int = 0
    stored_bytes: int = 0

    def __bool__(self) -> bool:
        return bool(self.running_games or self.stored_bytes)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tenant has."""

    running_games: int
    stored_bytes: int


def admit(client: StoreClient, tenant: str, game: str, quota: Quota) -> bool:
    """Count a game that is about to be created. Raises QuotaExceeded if the tenant has reached a quota. Returns False
    if the game was counted before, because its creation is repeated."""
    answer = _admit(client, tenant, game, quota)
    if answer[0] in (b"admitted", b"known"):
        return answer[0] == b"admitted"
    which = answer[0].decode()
    sweep(client, tenant, limits.QUOTA_SWEEP, running=which == RUNNING_GAMES)
    answer = _admit(client, tenant, game, quota)
    if answer[0] in (b"admitted", b"known"):
        return answer[0] == b"admitted"
    which = answer[0].decode()
    raise QuotaExceeded(which, getattr(quota, which), int(answer[1]))


def _admit(client: StoreClient, tenant: str, game: str, quota: Quota) -> list[bytes]:
    return _run(client, tenant, "admit", game, limits.GAME_BYTES, quota.running_games, quota.stored_bytes)


def add(client: StoreClient, tenant: str, game: str, created: int) -> None:
    """List and count a game that was created. If it is counted already, its size stays."""
    _run(client, tenant, "add", game, limits.GAME_BYTES, created)


def count(client: StoreClient, tenant: str, game: str, created: int, *, running: bool) -> None:
    """List a game, store its size, and note whether it runs."""
    measured = size(client, game)
    if measured:
        grown = max(measured, limits.GAME_BYTES) if running else measured
        _run(client, tenant, "count", game, grown, created, 1 if running else 0)


def drop(client: StoreClient, tenant: str, game: str) -> None:
    """Remove a game from the list and the counts. This works in a full store too."""
    _run(client, tenant, "drop", game)


def of(client: StoreClient, tenant: str) -> Usage:
    """Return the counts of a tenant."""
    running, sizes = running_key(tenant), sizes_key(tenant)
    games, stored = client.read_many([(running, ("SCARD", running)), (sizes, ("HGET", sizes, TOTAL))])
    return Usage(games, int(stored or 0))


def size(client: StoreClient, game: str) -> int:
    """Return the bytes of memory that a game takes in the store; 0 if it does not exist."""
    keys = game_keys(game)
    found = client.read_many([(key, ("MEMORY", "USAGE", key)) for key in keys])
    return sum(bytes_ or 0 for bytes_ in found) if found[0] else 0


def sweep(client: StoreClient, tenant: str, most: int, *, running: bool = False) -> None:
    """Choose this number of games at random, running or all counted ones, and remove deleted ones from the counts."""
    running_games, sizes = running_key(tenant), sizes_key(tenant)
    if running:
        picked = client.read(running_games, "SRANDMEMBER", running_games, most)
    else:
        picked = client.read(sizes, "HRANDFIELD", sizes, most)
    drop_gone(client, tenant, [game.decode() for game in picked if game.decode() != TOTAL])


def drop_gone(client: StoreClient, tenant: str, games: list[str]) -> list[str]:
    """Remove deleted games from the counts, and return the others. A game that another process is creating stays
    counted; it is removed only if it is still missing when its creation must have ended."""
    missing = _missing(client, games)
    unsure = [game for game in missing if _gone(client, tenant, game, sure=False) == [b"look again"]]
    for game in _missing(client, unsure):
        _gone(client, tenant, game, sure=True)
    return [game for game in games if game not in missing]


def _missing(client: StoreClient, games: list[str]) -> list[str]:
    keys = [state_key(game) for game in games]
    there = client.read_many([(key, ("EXISTS", key)) for key in keys]) if keys else []
    return [game for game, exists in zip(games, there, strict=True) if not exists]


def _gone(client: StoreClient, tenant: str, game: str, *, sure: bool) -> list[bytes]:
    return _run(client, tenant, "gone", game, limits.ADMITTED_SECONDS, int(sure))


def repair(client: StoreClient, tenant: str) -> None:
    """Remove all deleted games of a tenant from the counts, and add its bytes up again."""
    counted: set[str] = set()
    for key, command in ((running_key(tenant), "SSCAN"), (sizes_key(tenant), "HSCAN")):
        cursor = b"0"
        while True:
            cursor, found = client.read(key, command, key, cursor, "COUNT", limits.SCAN_COUNT)
            counted |= {one.decode() for one in (found if command == "SSCAN" else found[::2])}
            if cursor == b"0":
                break
    drop_gone(client, tenant, sorted(counted - {TOTAL}))
    _run(client, tenant, "total", "")


def _run(client: StoreClient, tenant: str, what: str, game: str, *arguments: int) -> list[bytes]:
    keys = (index_key(tenant), running_key(tenant), sizes_key(tenant), pending_key(tenant))
    rest: Command = (len(keys), *keys, what, game, *arguments)
    (reply,) = client.follow(keys[0], [("EVALSHA", SCRIPT_ID, *rest)])
    if isinstance(reply, NoScriptError):  # the server does not have the script, and did nothing
        (reply,) = client.follow(keys[0], [("EVAL", SCRIPT, *rest)])
    if isinstance(reply, ResponseError):
        raise client.refused(reply, "refuses to count games") from reply
    answer: list[bytes] = reply
    return answer
