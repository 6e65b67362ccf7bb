"""The events of games, made by replaying their logs.

A game that is read is followed: its state and its events are kept in memory, so each further entry costs one step and
not a whole replay. Each step is checked against the chain of the log. If the chain is broken,
because the store lost its newest commits, the game is replayed from its beginning. Callers must not change what they
get.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from alhambra import AlhambraError, Entry, Event, Game, RulesDefect, next_link
from alhambra.export import LogReplay, read_entry

from .. import current_call, limits
from ..effort import Effort, EffortSpent
from ..handover import holding
from ..store import DamagedGame, GameStore, LogEntry, Segment, WentBack, first_broken
from .marks import EARLIER, Mark, Marks
from .packed_history import History
from .recent_commits import Happened, RecentCommits

if TYPE_CHECKING:
    from ..games.table import Table


class _LeftThePath(Exception):
    """The log does not continue from the followed version."""


class _NotRetold(Exception):
    """A part of the log was played under other rules, and these rules cannot replay it."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first
        """The first version of that part."""


class _Followed:
    """A followed game: its state at the followed version, and the events of its newest versions."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.counted = 0
        """Its share in the number of events of all games. `Replay` sets it."""
        self.looked = 0.0
        """When it was last read. `Replay` sets it."""
        self._path: LogReplay | None = None
        self._history = History(0, ())
        self._unknown = -1
        """The version of the mark with which it begins. The events of that version are not known."""
        self._links: list[str] = []
        """The links of the chain, from the version before the first of its history on."""
        self._untold: set[int] = set()
        """The first versions of parts of the log that these rules cannot replay."""

    @property
    def version(self) -> int:
        """The version up to which it was followed."""
        return self._history.last

    @property
    def size(self) -> int:
        """The number of events in memory."""
        return self._history.size

    def begin(self, table: Table, mark: Mark | None = None) -> None:
        """Go back to the deal of the game, or to a mark."""
        if mark is not None:
            self._path = LogReplay(table.options, mark.game, table.record.origin)
            self._history = History(mark.version, ())
            self._links = ["", mark.link]
            self._unknown = mark.version
            return
        self._path = LogReplay(table.options, origin=table.record.origin)
        self._history = History(0, self._path.events)
        self._links = ["", table.record.opening]
        self._unknown = -1

    @property
    def game(self) -> Game:
        """The game at the followed version."""
        assert self._path is not None
        return self._path.game

    def knows(self, table: Table, first: int) -> bool:
        """Return whether the events from `first` on are known or can be reached, on the same chain as the table."""
        known = self._history.first
        if self._path is None or first < known or first <= self._unknown:
            return False
        return not known <= table.version <= self.version or self.link(table.version) == table.record.link

    def link(self, version: int) -> str:
        """Return the link of a version."""
        return self._links[version - self._history.first + 1]

    def links(self, first: int, last: int) -> dict[int, str]:
        """Return the links of these versions, both included."""
        place = first - self._history.first + 1
        return dict(zip(range(first, last + 1), self._links[place : place + last + 1 - first], strict=True))

    def step(self, table: Table, entry: LogEntry) -> None:
        """Replay one entry."""
        path, record = self._path, table.record
        assert path is not None
        if next_link(record.secret, self._links[-1], entry.text) != entry.link:
            raise _LeftThePath
        stretch = record.stretch(entry.version - 1 if entry.version in dict(record.rules_upgrades) else entry.version)
        if stretch.ruleset == path.game.ruleset.id:
            events = _step(path, entry)
        elif stretch.first in self._untold:
            played = read_entry(entry.text)
            events = path.skip(played) if played.upgrade is None else path.step(played)
        else:
            events = self._retold(path, read_entry(entry.text), stretch)
        self._history.append(events)
        self._links.append(entry.link)

    def _retold(self, path: LogReplay, entry: Entry, stretch: Segment) -> list[Event]:
        """Replay an entry of other rules, and return its events."""
        try:
            if entry.upgrade is not None and not path.leads_to(entry.upgrade):
                raise _NotRetold(stretch.first)
            return path.step(entry)
        except (AlhambraError, RulesDefect) as fault:
            raise _NotRetold(stretch.first) from fault

    def arrive(self, table: Table) -> None:
        """Raise _NotRetold if a part under other rules was replayed up to the table and leads to another state."""
        stretch = table.record.stretch(table.version)
        if self.version != table.version or table.game is None or stretch.ruleset == self.game.ruleset.id:
            return
        if stretch.first not in self._untold and self.game.state_bytes() != table.game.state_bytes():
            raise _NotRetold(stretch.first)

    def leave_out(self, table: Table, first: int) -> None:
        """Do not replay the part under other rules that begins with this version, and go back to the beginning."""
        self._untold.add(first)
        self.begin(table)

    def told(self, first: int, last: int) -> list[Event]:
        """Return the events of these versions."""
        return self._history.told(first, last)

    def shorten(self) -> None:
        """Keep only the events of the newest version."""
        self._history.shorten()
        del self._links[:-2]


class Replay:
    """The followed games of a process. Threads may share it."""

    def __init__(
        self,
        store: GameStore[Table],
        size: int = limits.PAST_GAMES,
        events: int = limits.PAST_EVENTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self.marks = Marks(store)
        self.recent = RecentCommits()
        self._size = size
        self._room = events
        self._clock = clock
        self._kept = 0
        """The number of events of all games."""
        self._lock = threading.Lock()
        self._followed: OrderedDict[tuple[str, bytes], _Followed] = OrderedDict()
        """Followed games by id; the most recently read one is last."""
        self._over: OrderedDict[tuple[str, bytes], None] = OrderedDict()
        """Followed games that are over. They do not change, so only a few are kept."""

    def events(
        self, game: str, table: Table, first: int, last: int, *, after: str = "", effort: Effort | None = None
    ) -> list[Event]:
        """Return the events as `happened` does, without their links."""
        return self.happened(game, table, first, last, after=after, effort=effort).events

    def happened(
        self, game: str, table: Table, first: int, last: int, *, after: str = "", effort: Effort | None = None
    ) -> Happened:
        """Return the events of the versions from `first` to `last`, both included, and the links of these versions;
        version 0 is the deal. The game must have been dealt and have reached `last`. `after` is the link of the version
        before `first` that a reader has seen: raises WentBack if the log does not continue from it. With `effort`,
        raises EffortSpent if the time is used up; the next call continues from there."""
        key = (game, table.record.secret)
        first = max(0, first)
        if first > last:
            return Happened([], {})
        if last == table.version:
            known = self.recent.told(game, table.record.link, first, after)
            if known is not None:
                return known
        followed = self._following(key)
        with holding(followed.lock):
            self._approach(game, followed, table, first)
            self._follow(game, followed, table, self._told_together(table, last), effort)
            if after and followed.link(first - 1) != after:
                raise WentBack(table.version)
            found = Happened(followed.told(first, last), followed.links(first, last))
            self._count(key, followed)
            if table.game is not None and table.game.over:
                self._lay_aside(key)
            return found

    def _told_together(self, table: Table, last: int) -> int:
        """Return how far the log must be followed to be sure of the events up to `last`: to the end of a part under
        other rules."""
        stretch = table.record.stretch(last)
        return last if stretch.ruleset == table.ruleset.id else max(last, stretch.last)

    def _approach(self, game: str, followed: _Followed, table: Table, first: int) -> None:
        """Go to a version from which `first` is reached quickly: back, or forward to a mark that is much nearer."""
        if not followed.knows(table, first):
            followed.begin(table, self.marks.before(game, table, first))
        elif first - followed.version > 2 * limits.MARK_VERSIONS:
            mark = self.marks.before(game, table, first)
            if mark is not None and mark.version > followed.version:
                followed.begin(table, mark)

    def _following(self, key: tuple[str, bytes]) -> _Followed:
        now = self._clock()
        with self._lock:
            found = self._followed.setdefault(key, _Followed())
            found.looked = now
            self._followed.move_to_end(key)
            while len(self._followed) > self._size or self._longest_ago() < now - limits.PAST_SECONDS:
                self._drop(next(iter(self._followed)))
            return found

    def _longest_ago(self) -> float:
        """Return when the least recently read game was read."""
        return next(iter(self._followed.values())).looked

    def _drop(self, key: tuple[str, bytes]) -> None:
        self._over.pop(key, None)
        dropped = self._followed.pop(key, None)
        self._kept -= dropped.counted if dropped is not None else 0

    def _lay_aside(self, key: tuple[str, bytes]) -> None:
        """Note that a finished game was read; drop the least recently read one if there are too many."""
        with self._lock:
            self._over[key] = None
            self._over.move_to_end(key)
            if len(self._over) > limits.PAST_GAMES_OVER:
                self._drop(next(iter(self._over)))

    def _follow(self, game: str, followed: _Followed, table: Table, last: int, effort: Effort | None) -> None:
        """Follow the log to `last`. Start again if the chain differs, or if these rules cannot replay other rules."""
        left = False
        while True:
            try:
                self._walk(game, followed, table, last, effort)
                followed.arrive(table)
                break
            except _NotRetold as stretch:
                followed.leave_out(table, stretch.first)
            except _LeftThePath:
                if left:
                    raise DamagedGame(f"the chain over the log is broken at entry {followed.version + 1}") from None
                left = True
                followed.begin(table)
        if table.version <= followed.version and followed.link(table.version) != table.record.link:
            if self._store.record(game).link == table.record.link:
                raise DamagedGame("the chain of the state is not that of the log")
            raise WentBack(table.version)

    def _walk(self, game: str, followed: _Followed, table: Table, last: int, effort: Effort | None) -> None:
        """Follow the log to `last`, and make a mark at the newest version on the way that lacks one. Stops if the
        caller has gone or the effort is spent; the next call continues from there."""
        found: Mark | None = None
        mover = None
        for entry in self._store.entries(game, followed.version, last):
            followed.step(table, entry)
            version = followed.version
            if version % limits.PAST_CHECK_ENTRIES == 0:
                current_call.require_caller()
            if effort is not None and effort.spent() and version < last:
                raise EffortSpent
            new_block = found is None or version // limits.MARK_VERSIONS > found.version // limits.MARK_VERSIONS
            native = table.record.stretch(version).ruleset == table.ruleset.id
            if version < last and new_block and native and self.marks.wanted(game, followed.game, version):
                found, mover = Mark(version, entry.link, followed.game.clone()), followed.game.last_mover
        if found is not None:
            self.marks.make(game, table, found, mover)

    def _count(self, key: tuple[str, bytes], followed: _Followed) -> None:
        """Count the events that are kept; if they are too many, the least recently read games keep fewer."""
        with self._lock:
            if self._followed.get(key) is not followed:
                return
            self._recount(followed)
            for other in self._followed.values():
                if self._kept <= self._room:
                    break
                if other is not followed and other.counted and other.lock.acquire(blocking=False):
                    other.shorten()
                    self._recount(other)
                    other.lock.release()

    def _recount(self, followed: _Followed) -> None:
        size = followed.size
        self._kept += size - followed.counted
        followed.counted = size

    def retraced(self, game: str, table: Table, version: int | None = None) -> LogReplay:
        """Return a separate replay of the game up to a version, by default up to the table."""
        last = table.version if version is None else version
        mark = self.marks.before(game, table, last + 1)
        if mark is not None and next(self._store.entries(game, mark.version - 1, mark.version)).link != mark.link:
            mark = None  # it belongs to a log that the store has lost
        stretch = table.record.stretch(last)
        if stretch.first and (mark is None or mark.version < stretch.first):
            start, path = stretch.first, self.from_seam(game, table, stretch)
        else:
            start = mark.version if mark is not None else 0
            path = LogReplay(table.options, mark.game if mark is not None else None, table.record.origin)
        for entry in self._store.entries(game, start, last):
            _step(path, entry)
            if entry.version % limits.PAST_CHECK_ENTRIES == 0:
                current_call.require_caller()
        if last == table.version and table.game is not None and path.game.state_bytes() != table.record.state:
            raise DamagedGame("the log does not lead to the stored state")
        return path

    def from_seam(self, game: str, table: Table, stretch: Segment) -> LogReplay:
        """Return a replay that begins where newer rules took over."""
        entry = read_entry(next(self._store.entries(game, stretch.first - 1, stretch.first)).text)
        if entry.upgrade is None:
            raise DamagedGame(f"entry {stretch.first} of a log does not hold the state with which the game goes on")
        begin = Game.from_state(table.options, entry.upgrade.state, [EARLIER] * (stretch.first - 1) + [entry])
        return LogReplay(table.options, begin, table.record.origin, entry.upgrade.ruleset)

    def tail(self, game: str, table: Table, count: int) -> Happened:
        """Return the newest events, at most this number. Each version has at least one."""
        last = table.version
        events, links = self.happened(game, table, max(0, last + 1 - count), last)
        return Happened(events[-count:], links)

    def checked(self, game: str, table: Table) -> Game:
        """Return the game of the table with its whole log. The log is not replayed: its chain is checked, which proves
        that these entries led to the state."""
        assert table.game is not None
        entries = list(self._store.entries(game, 0, table.version))
        current_call.require_caller()
        broken = first_broken(table.record.secret, table.record.opening, entries)
        if broken is not None:
            raise DamagedGame(f"the chain over the log is broken at entry {broken}")
        if entries and entries[-1].link != table.record.link:
            raise DamagedGame("the chain of the state is not that of the log")
        log = [read_entry(entry.text) for entry in entries]
        return Game(table.options, table.ruleset, table.game.state, log, table.record.origin)

    def as_it_was(self, game: str, table: Table, version: int) -> Table:
        """Return the table at an earlier version, with the present seats and orders. If that version was played under
        other rules, return the present table."""
        if version >= table.version or table.game is None:
            return table
        if table.record.stretch(version).ruleset != table.ruleset.id:
            return table
        entries = self._store.entries(game, version - 1, version)
        link = [entry.link for entry in entries] if version else [table.record.opening]
        record = replace(table.record, version=version, link=link[-1])
        return replace(
            table,
            record=record,
            game=self.retraced(game, table, version).game,
            since=version,
            deadline=None,
            proposal=None,
        )


def _step(path: LogReplay, entry: LogEntry) -> list[Event]:
    try:
        return path.step(read_entry(entry.text))
    except AlhambraError as fault:
        raise DamagedGame(f"entry {entry.version} of a log cannot be played") from fault
