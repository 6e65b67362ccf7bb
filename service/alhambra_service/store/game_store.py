"""The store as the service uses it: creates, loads, commits, lists and deletes games.

`decode` turns a StoredGame into the value of type `T` that the service works with. `over` returns whether such a game
has ended; only a few ended games are kept in memory. Open one GameStore per process, after forking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Generic, TypeVar

from .. import limits
from . import index, usage
from .checks import Durability, require
from .clock import StoreClock
from .commit import Commit, CommitScript, Outcome, Request
from .connection.connect import StoreClient, connect
from .connection.wire import ReplyLost
from .errors import (
    DamagedGame,
    GameNotFound,
    OutcomeUnknown,
    QuotaExceeded,
    StoreError,
    StoreUnavailable,
    TooEarly,
    WentBack,
)
from .index import Page
from .keys import game_keys, log_key, state_key
from .lists.open_games import Listed
from .memory.cache import GameCache, Waker
from .memory.tracking import Tracking
from .probe import Probe
from .stored_game import LogEntry, StoredGame, read_entry, read_stored_game
from .usage import Quota

T = TypeVar("T")


class GameStore(Generic[T]):
    """All games of a store. Threads may share it."""

    def __init__(
        self,
        client: StoreClient,
        decode: Callable[[StoredGame], T],
        *,
        replicas: int = 0,
        over: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self.client = client
        self.cache: GameCache[T] = GameCache(client, lambda data: decode(read_stored_game(data)), over=over)
        self._script = CommitScript(client, replicas)
        self._tracking = Tracking(client, self.cache)
        self.cache.apply_reports = self._tracking.unapplied.apply
        self.clock = StoreClock(client)
        self._probe = Probe(client, self.clock, replicas)

    @classmethod
    def open(
        cls,
        url: str,
        decode: Callable[[StoredGame], T],
        *,
        durability: Durability = Durability.ALWAYS,
        replicas: int = 1,
    ) -> GameStore[T]:
        """Open and check the store at this URL. `replicas` is used only with `Durability.REPLICATED`."""
        client = connect(url)
        try:
            wanted = replicas if durability is Durability.REPLICATED else 0
            require(client, durability, wanted)
            store = cls(client, decode, replicas=wanted)
            store.listen()
        except BaseException:
            client.close()
            raise
        return store

    def listen(self) -> None:
        """Start tracking changes. Before that, every read goes to the store."""
        self._tracking.start()

    def close(self) -> None:
        """Close all connections, and stop the store if it is embedded."""
        self._tracking.stop()
        self._probe.close()
        self.client.close()

    def unready(self) -> str | None:
        """Return why the store cannot be written to, in one sentence; None if it can. The check writes to the store and
        takes up to a few seconds if the store stalls, so threads that answer calls must not call it."""
        return self._probe.check()

    def now(self) -> float:
        """Return the store's time in seconds of Unix time."""
        return self.clock.now()

    # -- One game ------------------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        stored: StoredGame,
        request: Request | None = None,
        *,
        note: str = "",
        ttl: int = 0,
        quota: Quota | None = None,
        notices: Sequence[bytes] = (),
    ) -> Outcome:
        """Store a new game and list it. A repeated request gets the same outcome. Raises QuotaExceeded if the tenant
        has reached its quota."""
        advance = replace(stored, revision=0, version=0).advanced()
        admitted = False
        if quota:
            try:
                admitted = usage.admit(self.client, stored.tenant, game, quota)
            except QuotaExceeded:
                known = self.outcome(game, request) if request is not None else None
                if known is None:
                    raise
                return known
        try:
            outcome = self._script.run(Commit(game, advance, request, note, ttl, notices=notices))
        except StoreUnavailable:
            if admitted:  # nothing was written; if this fails too, a later sweep drops the game
                with suppress(StoreError):
                    usage.drop(self.client, stored.tenant, game)
            raise
        self._list(game, stored)
        return outcome

    def count(self, game: str, tenant: str, created: int, *, running: bool) -> None:
        """Measure a game that has grown or ended. If the store fails, a later call or `alhambra reindex` measures
        it."""
        with suppress(StoreError):
            usage.count(self.client, tenant, game, created, running=running)

    def load(self, game: str, min_version: int = 0, *, fresh: bool = False) -> T:
        """Return the decoded game at this version or a later one; with `fresh` the newest one of the store. Threads
        share the returned object, so it must not be changed."""
        return self.cache.load(game, min_version, fresh=fresh)

    def newest_known(self, game: str, min_version: int = 0) -> T:
        """Return the game from memory even if it may have changed since; load it if it is not there. For commits, whose
        revision the store compares: an older game only makes them fail."""
        found = self.cache.newest_known(game, min_version)
        return self.cache.load(game, min_version) if found is None else found

    def cached(self, game: str, min_version: int = 0) -> T | None:
        """Return the game from memory if it is at this version or a later one; otherwise None. The store is not
        asked."""
        return self.cache.cached(game, min_version)

    def commit(self, commit: Commit[T]) -> Outcome:
        """Write a commit, and keep its game in memory. Raises Stale if another commit came first, TooEarly if the
        store's clock has not reached `not_before`, and OutcomeUnknown if its answer was lost."""
        pending, done = self.cache.begin_write(commit), False
        try:
            outcome = self._script.run(commit, pending.sent_to)
            done = not outcome.repeated
            return outcome
        except TooEarly as early:
            self.clock.correct(early.now / 1000)
            raise
        finally:
            self.cache.end_write(pending, done)

    def outcome(self, game: str, request: Request) -> Outcome | None:
        """Return the outcome of a request; None if the store does not remember it."""
        return self._script.ask(game, request)

    def log(self, game: str, from_version: int = 0, limit: int = limits.LOG_PAGE) -> list[LogEntry]:
        """Return the entries after a version, in order; an empty list if there are none."""
        key = log_key(game)
        from_version, count = max(0, from_version), max(1, min(limit, limits.LOG_PAGE))
        lines = self.client.read(key, "LRANGE", key, from_version, from_version + count - 1)
        return [read_entry(version, line) for version, line in enumerate(lines, from_version + 1)]

    def entries(self, game: str, after: int, last: int) -> Iterator[LogEntry]:
        """Generate the entries after version `after` up to `last`, which the caller has seen. Raises WentBack if the
        store has lost that version, and DamagedGame if an entry is missing all the same."""
        while after < last:
            page = self.log(game, after, last - after)
            if not page:
                version = self.read_game(game).version
                if version < last:
                    raise WentBack(version)
                page = self.log(game, after, last - after)  # it may have grown again
            if not page:
                raise DamagedGame(f"the log ends with version {after}, the state has {last}")
            yield from page
            after = page[-1].version

    def read_game(self, game: str) -> StoredGame:
        """Read a game from the store, without decoding it."""
        key = state_key(game)
        data = self.client.read(key, "GET", key)
        if data is None:
            raise GameNotFound("there is no such game")
        return read_stored_game(data)

    def forget(self, game: str, tenant: str | None = None) -> bool:
        """Delete a game, and return whether it existed. With `tenant`, it is removed from that tenant's list at
        once."""
        keys = game_keys(game)
        try:
            gone = self.client.write(keys[0], "UNLINK", *keys)
        except ReplyLost as lost:
            raise OutcomeUnknown("it is not known whether the game was deleted") from lost
        self.cache.changed(game)
        if tenant is not None:
            index.remove(self.client, tenant, game)
        return bool(gone)

    def watch(self, game: str, waker: Waker) -> Callable[[], None]:
        """Call `waker` whenever the game may have changed; see `GameCache.watch`. Returns a function that ends this."""
        return self.cache.watch(game, waker)

    # -- Many games ----------------------------------------------------------------------------------------------

    def list(self, tenant: str, after: Listed | None = None, size: int = index.LONGEST_PAGE) -> Page:
        """Return a page of a tenant's games, newest first."""
        return index.page(self.client, tenant, after, size)

    def _list(self, game: str, stored: StoredGame) -> None:
        with suppress(StoreUnavailable):  # the game is stored; the list is repaired later
            index.add(self.client, stored.tenant, game, stored.created)
