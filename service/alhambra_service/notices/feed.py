"""Notices about games on their way to hosts: from the commit that causes them to the feed of the tenant.

    commit     stores its notices with the game, in the same step (`store/commit.lua`, alh:notices:{game})
    relay      moves them into the feed of the tenant, in order and once each (`feed.lua`, alh:feed:{tenant})
    feed       is read by the process that sends webhooks, and by streams of notices (`streams/followed_feed.py`)

A cluster may keep a game and its tenant on different servers, so that one step cannot write both. If a process dies
between the commit and the relay, the notices stay with the game; the next commit of the game relays them, and the
processes that read the feed look for them (`upkeep.py`).

Notices are stored only if somebody wants those of the tenant: for ever with webhooks, for a day with streams, so that
their readers can resume. Each process asks the store for the tenants at most once a second. Whoever begins to want
notices waits until all processes must have asked again. The feed then gets a mark: whoever resumes before the mark may
have missed something.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

from redis.exceptions import NoScriptError, ResponseError

from .. import limits
from ..store.connection.store_client import StoreClient
from ..store.connection.wire import Command, Reply
from ..store.errors import StoreUnavailable
from ..store.keys import WANTED_KEY, fed_key, feed_key, mark_key, near_key, notices_key

SCRIPT = Path(__file__).with_name("feed.lua").read_text(encoding="utf-8")
FOR_EVER = "+inf"
FIRST = "0-0"
"""The place before the first notice."""
MARK = b'{"kind":"mark"}'
"""An entry of the feed that is no notice: before it, notices were not wanted."""


Place = tuple[int, int]
"""A place in a feed as numbers, which can be compared."""


class Stored(NamedTuple):
    """A notice that is stored with its game: its number, which grows with each notice of the game, its text, and when
    the deadline of its decision is near, in milliseconds of Unix time; 0 if it has none."""

    number: int
    text: bytes
    near: int = 0

    def encoded(self) -> bytes:
        """Return the notice as it is stored with its game."""
        return b"%d %d %b" % (self.number, self.near, self.text)

    @classmethod
    def read(cls, data: bytes) -> Stored:
        """Return a notice that was stored with its game."""
        number, near, text = data.split(b" ", 2)
        return cls(int(number), text, int(near))


class Fed(NamedTuple):
    """A notice in the feed: its place, and its text."""

    place: str
    text: bytes


class NoticeFeed:
    """The feeds of all tenants. Safe to share between threads."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client
        self._asked = float("-inf")
        self._tenants: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._waiting: set[str] = set()
        """Games that wait for a thread to relay their notices."""

    # -- Whose notices are wanted --------------------------------------------------------------------------------------

    def wanted(self, tenant: str) -> bool:
        """Return whether notices about the tenant's games are wanted. Asks the store at most once a second; if the
        store does not answer, the notices count as wanted."""
        now = time.monotonic()
        if now - self._asked > limits.WANTED_SECONDS:
            try:
                self._tenants = frozenset(self.wanting())
            except StoreUnavailable:
                return True
            self._asked = now
        return tenant in self._tenants

    def wanting(self, until: str = "") -> list[str]:
        """Return the tenants whose notices are wanted now; with FOR_EVER only those with webhooks."""
        since = until or str(int(1000 * time.time()))
        found = self._client.read(WANTED_KEY, "ZRANGEBYSCORE", WANTED_KEY, since, "+inf")
        return [tenant.decode() for tenant in found]

    def want(self, tenant: str) -> None:
        """Want the notices of a tenant for ever. Waits, if they were not wanted before, until every process stores
        them with its commits."""
        until = self._wanted_until(tenant)
        if until != math.inf:
            self._want(tenant, FOR_EVER, anew=until <= 1000 * time.time())

    def want_for_a_while(self, tenant: str) -> None:
        """Want the notices of a tenant for WANTED_KEPT_SECONDS. Waits as `want` does. Does nothing if they are wanted
        for more than half of that time."""
        now, kept = int(1000 * time.time()), 1000 * limits.WANTED_KEPT_SECONDS
        until = self._wanted_until(tenant)
        if until == math.inf:
            return
        if until < now + kept // 2:
            self._want(tenant, str(now + kept), anew=until <= now)
        elif until > now + kept - 1000 * _noticed_seconds():  # another caller has begun a moment ago, and waits too
            time.sleep(_noticed_seconds())

    def unwant(self, tenant: str) -> None:
        """Want the notices of a tenant no longer than streams need to resume."""
        until = int(1000 * time.time()) + 1000 * limits.WANTED_KEPT_SECONDS
        if self._wanted_until(tenant) == math.inf:
            self._client.write(WANTED_KEY, "ZADD", WANTED_KEY, until, tenant)

    def _wanted_until(self, tenant: str) -> float:
        found = self._client.read(WANTED_KEY, "ZSCORE", WANTED_KEY, tenant)
        return float(found) if found is not None else -math.inf

    def _want(self, tenant: str, until: str, *, anew: bool) -> None:
        key, mark = feed_key(tenant), mark_key(tenant)
        if anew:  # before notices are wanted: if this process dies now, the mark is there
            place = self._client.write(key, "XADD", key, "MAXLEN", "~", limits.FEED_NOTICES, "*", "n", MARK)
            self._client.write(mark, "SET", mark, place)
        self._client.write(WANTED_KEY, "ZADD", WANTED_KEY, until, tenant)
        if anew:
            time.sleep(_noticed_seconds())
        self._asked = float("-inf")

    # -- From the game to the feed -------------------------------------------------------------------------------------

    def relay(self, game: str, tenant: str) -> int:
        """Move the notices of a game into the feed, and return how many there were. Several processes may do this at
        the same time: each notice comes into the feed once, in order."""
        key, moved = notices_key(game), 0
        while True:
            found = [Stored.read(one) for one in self._client.read(key, "LRANGE", key, 0, limits.NOTICES_RELAYED - 1)]
            if not found:
                return moved
            self.add(game, tenant, found)
            self._run(key, [key], "trim", found[-1].number)
            moved += len(found)

    def relay_soon(self, game: str, tenant: str) -> None:
        """Relay the notices of a game on another thread, so that no caller waits for it. If too many games wait for
        that, or the store fails, the notices stay with the game."""
        with self._lock:
            if game in self._waiting or len(self._waiting) >= limits.RELAYS_WAITING:
                return
            self._waiting.add(game)
            if self._threads is None:  # most processes never need one
                self._threads = ThreadPoolExecutor(limits.RELAY_THREADS, thread_name_prefix="notices")
        self._threads.submit(self._relay_now, game, tenant)

    def _relay_now(self, game: str, tenant: str) -> None:
        with self._lock:
            self._waiting.discard(game)
        with suppress(StoreUnavailable):
            self.relay(game, tenant)

    def add(self, game: str, tenant: str, found: Sequence[Stored]) -> None:
        """Put notices of a game into the feed, except those that it has."""
        keys = [feed_key(tenant), fed_key(tenant, game), near_key(tenant)]
        flat: list[str | bytes | int] = []
        for one in found:
            flat += [one.number, one.text, one.near]
        self._run(keys[0], keys, "add", limits.FEED_NOTICES, limits.FED_SECONDS, *flat)

    def forget(self, game: str, tenant: str) -> None:
        """Delete what is stored about the notices of a deleted game. Notices in the feed stay."""
        with suppress(StoreUnavailable):
            self._client.write(notices_key(game), "UNLINK", notices_key(game))
            self._client.write(fed_key(tenant, game), "UNLINK", fed_key(tenant, game))

    def with_notices(self, games: Iterable[str]) -> list[str]:
        """Return those of the games whose notices were not relayed yet."""
        listed = list(games)
        keys = [notices_key(game) for game in listed]
        there = self._client.read_many([(key, ("EXISTS", key)) for key in keys]) if keys else []
        return [game for game, exists in zip(listed, there, strict=True) if exists]

    # -- Deadlines -----------------------------------------------------------------------------------------------------

    def near(self, tenant: str, now: int) -> list[bytes]:
        """Return notices of decisions whose deadline is near, oldest first."""
        key = near_key(tenant)
        found: list[bytes] = self._client.read(key, "ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, limits.NEAR_CHECKED)
        return found

    def settle_near(self, tenant: str, decision: bytes, notice: bytes | None) -> None:
        """Forget a decision whose deadline is near, and put a notice about it into the feed unless it is None. Only the
        first of several callers does this."""
        keys = [near_key(tenant), feed_key(tenant)]
        self._run(keys[0], keys, "near", decision, notice or b"", limits.FEED_NOTICES)

    # -- Reading -------------------------------------------------------------------------------------------------------

    def last(self, tenant: str) -> str:
        """Return the place of the newest notice in the feed."""
        key = feed_key(tenant)
        found = self._client.read(key, "XREVRANGE", key, "+", "-", "COUNT", 1)
        return found[0][0].decode() if found else FIRST

    def reaches(self, tenant: str, place: str) -> bool:
        """Return whether the feed has everything that came after a place that a reader has had. It has not if notices
        were not wanted since, if they were removed, or if the store has lost the place itself."""
        key, mark = feed_key(tenant), mark_key(tenant)
        first, last, marked = self._client.read_many(
            [
                (key, ("XRANGE", key, "-", "+", "COUNT", 1)),
                (key, ("XREVRANGE", key, "+", "-", "COUNT", 1)),
                (mark, ("GET", mark)),
            ]
        )
        if not first:
            return False
        oldest = max(place_order(first[0][0].decode()), place_order((marked or b"0-0").decode()))
        return oldest <= place_order(place) <= place_order(last[0][0].decode())

    def after(self, tenant: str, place: str, count: int) -> list[Fed]:
        """Return the next notices of the feed after a place."""
        key = feed_key(tenant)
        found = self._client.read(key, "XRANGE", key, f"({place}", "+", "COUNT", count)
        return [Fed(name.decode(), fields[1]) for name, fields in found]

    def _run(self, key: str, keys: Sequence[str], what: str, *arguments: str | bytes | int) -> Reply:
        return run_script(self._client, SCRIPT, key, keys, what, *arguments)


def run_script(client: StoreClient, script: str, key: str, keys: Sequence[str], *arguments: str | bytes | int) -> Reply:
    """Run a script that may be repeated without harm, and return its answer."""
    rest: Command = (len(keys), *keys, *arguments)
    (reply,) = client.follow(key, [("EVALSHA", sha1(script.encode(), usedforsecurity=False).hexdigest(), *rest)])
    if isinstance(reply, NoScriptError):  # the server does not have the script, and did nothing
        (reply,) = client.follow(key, [("EVAL", script, *rest)])
    if isinstance(reply, ResponseError):
        raise client.refused(reply, "refuses") from reply
    return reply


def _noticed_seconds() -> float:
    """Return after how long every process must have noticed that notices are wanted."""
    return limits.WANTED_SECONDS + limits.WANTED_MARGIN_SECONDS


def place_order(place: str) -> Place:
    """Return the numbers by which places in a feed are compared."""
    time_ms, _, number = place.partition("-")
    return int(time_ms), int(number or 0)
