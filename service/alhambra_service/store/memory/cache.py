"""Decoded games in the memory of a process, so that most reads do not ask the store.

A game is cached only while every change on its server is reported to this process (`tracking.py`). A change that is
reported between a GET and its reply must win, or the old game would stay in the cache. So a reader registers a fetch
before it sends the GET, a reported change marks every fetch of its game as outdated, and the reply of an outdated fetch
is not cached. Threads that want the same game wait for the same fetch: after each change a game is read and decoded
once, and not once by every thread.

A game that this process commits is cached without being read back. The store reports that commit like any other change,
and it may report two commits at the same time as one. So the first report does not drop the game, but makes it suspect:
before the next read, its revision is compared with the stored one.

Before a game from memory is trusted, all reports that have arrived are applied (`reports.py`). A commit that was
acknowledged before the read began has been reported by then, so the read does not give an older game, whichever process
committed. Commits do not rely on this: the store compares their revision.

Threads share the cached objects, so they must never be changed.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ... import limits
from ...blocking import require_blocking_allowed
from ..commit import Commit
from ..connection.connect import StoreClient
from ..connection.wire import Server
from ..errors import GameNotFound, StoreUnavailable, VersionAhead
from ..keys import state_key
from ..stored_game import HEAD_BYTES, read_head
from .tracking import ChangeListener

_log = logging.getLogger(__name__)

T = TypeVar("T")
Waker = Callable[[], None]
"""Called when a watched game may have changed. It must return without waiting."""


@dataclass(slots=True, eq=False)
class _CachedGame(Generic[T]):
    revision: int
    version: int
    value: T
    used: bool = False
    """Whether it was read since it was added, or since `_evict` last kept it."""
    suspect: bool = False
    """Whether its revision must be compared with the store before it is read again."""
    echo_due: bool = False
    """Whether this process committed it and the store has not reported that commit yet."""


@dataclass(eq=False)
class _Fetch(Generic[T]):
    """A GET that was sent and not answered yet."""

    outdated: bool = False
    untracked: bool = False
    """Whether it was sent to a server whose changes are not reported."""
    done: threading.Event = field(default_factory=threading.Event)
    """Set when the GET has ended, whether it succeeded or failed."""
    found: _CachedGame[T] | None = None


class PendingWrite(Generic[T]):
    """A commit of this process that the store has not answered yet."""

    __slots__ = ("_tracked", "commit", "outdated", "untracked")

    def __init__(self, commit: Commit[T], tracked: Container[str]) -> None:
        self.commit = commit
        self.outdated = False
        """Whether a change of the game was reported since it began. It may be this commit itself."""
        self.untracked = False
        """Whether it was sent to a server whose changes are not reported."""
        self._tracked = tracked

    def sent_to(self, server: Server) -> None:
        """Note that the commit is sent to this server."""
        if server.name not in self._tracked:
            self.untracked = True


class GameCache(ChangeListener, Generic[T]):
    """Decoded games by their id."""

    def __init__(
        self,
        client: StoreClient,
        decode: Callable[[bytes], T],
        size: int = limits.CACHED_GAMES,
        *,
        over: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self._client = client
        self._decode = decode
        self._size = size
        self._is_over = over
        self.apply_reports: Callable[[], None] = lambda: None
        """Called before a game from memory is trusted: applies all reports that have arrived. `GameStore` sets it."""
        self._lock = threading.Lock()
        self._games: OrderedDict[str, _CachedGame[T]] = OrderedDict()
        self._games_over: OrderedDict[str, None] = OrderedDict()
        """Cached games that have ended, in the order in which they were added. They are rarely read again, so only a
        few are kept; otherwise every ended game would stay until the cache is full."""
        self._fetches: dict[str, set[_Fetch[T]]] = {}
        self._writes: dict[str, set[PendingWrite[T]]] = {}
        """By game: the commits of this process that have not been answered."""
        self._last_known: Mapping[str, _CachedGame[T]] = {}
        """The games that were cached when the only server, on this machine, stopped. Until it is back, no process can
        change them, so they can still be read."""
        self._tracked: set[str] = set()
        self._wakers: dict[str, list[Waker]] = {}
        self._reaction_wakers: dict[str, list[Waker]] = {}
        self.hits = 0
        self.misses = 0

    def __len__(self) -> int:
        return len(self._games)

    @property
    def listening(self) -> bool:
        """Whether any server reports its changes, so that games can be cached."""
        return bool(self._tracked)

    # -- Reading -------------------------------------------------------------------------------------------------

    def load(self, game: str, min_version: int = 0, *, fresh: bool = False) -> T:
        """Return the game at this version or a later one."""
        value = None if fresh else self.cached(game, min_version)
        if value is not None:
            return value
        try:
            return self._fetch(game, min_version, fresh=fresh)
        except StoreUnavailable:
            last = None if fresh else self._last_known.get(game)
            if last is None or last.version < min_version:
                raise
            return last.value

    def cached(self, game: str, min_version: int = 0) -> T | None:
        """Return the game from memory if it is at this version or a later one; otherwise None. It is not older than a
        commit that was acknowledged before this call. Most reads end here, so no lock is taken unless reports have
        arrived: a dict and a flag need none."""
        self.apply_reports()
        kept = self._games.get(game)
        if kept is None or kept.suspect or kept.version < min_version:
            return None
        kept.used = True
        self.hits += 1  # two readers at once may count as one
        return kept.value

    def newest_known(self, game: str, min_version: int = 0) -> T | None:
        """Return the game from memory even if it may have changed since; None if it is not there. For commits, whose
        revision the store compares: an older game only makes them fail."""
        kept = self._games.get(game)
        return None if kept is None or kept.version < min_version else kept.value

    def _fetch(self, game: str, min_version: int, *, fresh: bool) -> T:
        require_blocking_allowed()
        with self._lock:
            fetches = self._fetches.setdefault(game, set())
            ahead = None if fresh else next((other for other in fetches if not other.outdated), None)
            fetch: _Fetch[T] = ahead or _Fetch()
            fetches.add(fetch)
        if ahead is not None:
            ahead.done.wait()
            if ahead.found is not None and ahead.found.version >= min_version:
                self.hits += 1
                return ahead.found.value
            return self._fetch(game, min_version, fresh=True)
        self.misses += 1
        found = self._read_from_store(game, fetch, fresh=fresh)
        if found.version < min_version:
            raise VersionAhead(found.version)
        return found.value

    def _read_from_store(self, game: str, fetch: _Fetch[T], *, fresh: bool) -> _CachedGame[T]:
        """Get the game from the store, and cache it unless a change was reported in the meantime. A suspect game is not
        read again if its revision is still the newest."""
        key = state_key(game)

        def before_send(server: Server) -> None:
            with self._lock:
                if server.name not in self._tracked:
                    fetch.outdated = fetch.untracked = True

        try:
            known = self._games.get(game)
            if known is not None and known.suspect and not fresh:
                head = self._client.read(key, "GETRANGE", key, 0, HEAD_BYTES - 1, before=before_send)
                if head and read_head(head).revision == known.revision and not fetch.untracked:
                    self._clear_suspicion(known, fetch)
                    return known
            data = self._client.read(key, "GET", key, before=before_send)
            if data is None:
                raise GameNotFound("there is no such game")
            head = read_head(data)
            found = fetch.found = _CachedGame(head.revision, head.version, self._decode(data))
            self._keep_fetched(game, fetch, found)
            return found
        finally:
            with self._lock:
                fetches = self._fetches[game]
                fetches.discard(fetch)
                if not fetches:
                    del self._fetches[game]
            fetch.done.set()

    def _clear_suspicion(self, known: _CachedGame[T], fetch: _Fetch[T]) -> None:
        """Clear the suspicion of a game whose revision is the newest, unless a change was reported in the meantime."""
        fetch.found = known
        with self._lock:
            known.suspect = fetch.outdated

    def _keep_fetched(self, game: str, fetch: _Fetch[T], found: _CachedGame[T]) -> None:
        with self._lock:
            kept = self._games.get(game)
            if fetch.outdated or (kept is not None and kept.revision > found.revision):
                return
            self._keep(game, found, self._is_over(found.value))

    def _keep(self, game: str, found: _CachedGame[T], over: bool) -> None:
        if game not in self._games and len(self._games) >= self._size:
            self._evict()
        self._games[game] = found
        if over:
            self._games_over[game] = None
            if len(self._games_over) > limits.CACHED_GAMES_OVER:
                self._drop(next(iter(self._games_over)))

    def _drop(self, game: str) -> None:
        self._games.pop(game, None)
        self._games_over.pop(game, None)

    def _evict(self) -> None:
        """Drop the first game of the queue that was not read since it was queued. Games that were read move to the end
        of the queue."""
        while True:
            game, kept = self._games.popitem(last=False)
            if not kept.used:
                self._games_over.pop(game, None)
                return
            kept.used = False
            self._games[game] = kept

    # -- Commits of this process ---------------------------------------------------------------------------------

    def begin_write(self, commit: Commit[T]) -> PendingWrite[T]:
        """Call this before a commit is sent, and `end_write` when it was answered or has failed."""
        pending = PendingWrite(commit, self._tracked)
        with self._lock:
            self._writes.setdefault(commit.game, set()).add(pending)
        return pending

    def end_write(self, pending: PendingWrite[T], done: bool) -> None:
        """Keep the game of a commit that was done. The store's report of the commit wakes the watchers of the game; if
        it has come already or will not come, this method wakes them."""
        commit = pending.commit
        game, stored, loaded = commit.game, commit.advance.stored, commit.loaded if done else None
        with self._lock:
            writes = self._writes[game]
            writes.discard(pending)
            if not writes:
                del self._writes[game]
            for fetch in self._fetches.get(game, ()):
                fetch.outdated = True
            known = self._games.get(game)
            if loaded is None or pending.untracked:
                self._drop(game)
            elif known is None or known.revision < stored.revision:
                echo_due = not pending.outdated
                found = _CachedGame(stored.revision, stored.version, loaded, suspect=True, echo_due=echo_due)
                self._keep(game, found, commit.over)
            reported_later = loaded is not None and not pending.outdated and not pending.untracked
            wakers = () if reported_later else tuple(self._wakers.get(game, ()))
        if wakers:
            _wake(wakers)

    # -- Reported changes -------------------------------------------------------------------------------------

    def connected(self, server: str) -> None:  # noqa: D102
        with self._lock:
            self._tracked.add(server)
            self._last_known = {}
            wakers = self._all_wakers()
        _wake(wakers)  # changes may have been missed before

    def disconnected(self, server: str) -> None:  # noqa: D102
        with self._lock:
            if server in self._tracked and self._is_local:
                self._last_known = self._games.copy()
            self._tracked.discard(server)
        self.everything_changed()

    @property
    def _is_local(self) -> bool:
        try:
            return all(server.folder is not None for server in self._client.servers())
        except StoreUnavailable:
            return False

    def changed(self, game: str) -> None:  # noqa: D102
        with self._lock:
            for fetch in self._fetches.get(game, ()):
                fetch.outdated = True
            kept, writes = self._games.get(game), self._writes.get(game, ())
            for write in writes:
                write.outdated = True
            if kept is not None and (writes or kept.echo_due):
                kept.suspect, kept.echo_due = True, False
            else:
                self._drop(game)
            # `end_write` wakes the watchers, when the committed game is in memory.
            wakers = () if writes else tuple(self._wakers.get(game, ()))
        _wake(wakers)

    def reacted(self, game: str) -> None:  # noqa: D102
        with self._lock:
            wakers = tuple(self._reaction_wakers.get(game, ()))
        _wake(wakers)

    def everything_changed(self) -> None:  # noqa: D102
        with self._lock:
            self._games.clear()
            self._games_over.clear()
            for fetches in self._fetches.values():
                for fetch in fetches:
                    fetch.outdated = True
            for writes in self._writes.values():
                for write in writes:
                    write.outdated = True
            wakers = self._all_wakers()
        _wake(wakers)

    def _all_wakers(self) -> tuple[Waker, ...]:
        return tuple(waker for wakers in self._wakers.values() for waker in wakers)

    # -- Watching ------------------------------------------------------------------------------------------------

    def watch(self, game: str, waker: Waker) -> Callable[[], None]:
        """Call `waker` whenever the game may have changed. It may be called without a change, and it is not called
        while the store cannot be reached. So watch first and load then, compare versions, and check from time to time
        without a call. Returns a function that ends the watch."""
        return self._watch(self._wakers, game, waker)

    def watch_reactions(self, game: str, waker: Waker) -> Callable[[], None]:
        """Call `waker` when a player of the game has said something. Returns a function that ends the watch."""
        return self._watch(self._reaction_wakers, game, waker)

    def _watch(self, watched: dict[str, list[Waker]], game: str, waker: Waker) -> Callable[[], None]:
        with self._lock:
            watched.setdefault(game, []).append(waker)

        def end() -> None:
            with self._lock:
                wakers = watched.get(game, [])
                if waker in wakers:
                    wakers.remove(waker)
                if not wakers:
                    watched.pop(game, None)

        return end


def _wake(wakers: tuple[Waker, ...]) -> None:
    for waker in wakers:
        try:
            waker()
        except Exception:
            _log.exception("Cannot wake a watcher.")
