"""The events of games, made by replaying their logs.

A game that is read is followed: its state and its events are kept in memory, so each further entry costs one step and
not a whole replay. Each step is checked against the chain of the log. If the log does not continue from the followed
version, because the store lost its newest commits, the game is replayed from its beginning. Callers must not change
what they get.
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
from ..blocking import holding
from ..cpu_budget import CpuBudget, CpuBudgetSpent
from ..store import DamagedGame, GameStore, LogEntry, Segment, WentBack, first_broken
from .checkpoints import EARLIER, Checkpoint, Checkpoints
from .packed_history import History
from .recent_commits import LinkedEvents, RecentCommits

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame


class _LogDiffers(Exception):
    """The log does not continue from the followed version."""


class _CannotReplay(Exception):
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
        """The version of the checkpoint with which it begins. The events of that version are not known."""
        self._links: list[str] = []
        """The links of the chain, from the version before the first of its history on."""
        self._skipped: set[int] = set()
        """The first versions of parts of the log that these rules cannot replay."""

    @property
    def version(self) -> int:
        """The version up to which it was followed."""
        return self._history.last

    @property
    def size(self) -> int:
        """The number of events in memory."""
        return self._history.size

    def begin(self, loaded: LoadedGame, checkpoint: Checkpoint | None = None) -> None:
        """Go back to the deal of the game, or to a checkpoint."""
        if checkpoint is not None:
            self._path = LogReplay(loaded.options, checkpoint.game, loaded.stored.origin)
            self._history = History(checkpoint.version, ())
            self._links = ["", checkpoint.link]
            self._unknown = checkpoint.version
            return
        self._path = LogReplay(loaded.options, origin=loaded.stored.origin)
        self._history = History(0, self._path.events)
        self._links = ["", loaded.stored.opening]
        self._unknown = -1

    @property
    def game(self) -> Game:
        """The game at the followed version."""
        assert self._path is not None
        return self._path.game

    def knows(self, loaded: LoadedGame, first: int) -> bool:
        """Return whether the events from `first` on are known or can be reached, on the same chain as the loaded
        game."""
        known = self._history.first
        if self._path is None or first < known or first <= self._unknown:
            return False
        return not known <= loaded.version <= self.version or self.link(loaded.version) == loaded.stored.link

    def link(self, version: int) -> str:
        """Return the link of a version."""
        return self._links[version - self._history.first + 1]

    def links(self, first: int, last: int) -> dict[int, str]:
        """Return the links of these versions, both included."""
        place = first - self._history.first + 1
        return dict(zip(range(first, last + 1), self._links[place : place + last + 1 - first], strict=True))

    def step(self, loaded: LoadedGame, entry: LogEntry) -> None:
        """Replay one entry."""
        path, stored = self._path, loaded.stored
        assert path is not None
        if next_link(stored.secret, self._links[-1], entry.text) != entry.link:
            raise _LogDiffers
        segment = stored.segment(entry.version - 1 if entry.version in dict(stored.rules_upgrades) else entry.version)
        if segment.ruleset == path.game.ruleset.id:
            events = _step(path, entry)
        elif segment.first in self._skipped:
            played = read_entry(entry.text)
            events = path.skip(played) if played.upgrade is None else path.step(played)
        else:
            events = self._replay_other_rules(path, read_entry(entry.text), segment)
        self._history.append(events)
        self._links.append(entry.link)

    def _replay_other_rules(self, path: LogReplay, entry: Entry, segment: Segment) -> list[Event]:
        """Replay an entry of other rules, and return its events."""
        try:
            if entry.upgrade is not None and not path.leads_to(entry.upgrade):
                raise _CannotReplay(segment.first)
            return path.step(entry)
        except (AlhambraError, RulesDefect) as fault:
            raise _CannotReplay(segment.first) from fault

    def arrive(self, loaded: LoadedGame) -> None:
        """Raise _CannotReplay if a part under other rules was replayed up to the loaded game and leads to another
        state."""
        segment = loaded.stored.segment(loaded.version)
        if self.version != loaded.version or loaded.game is None or segment.ruleset == self.game.ruleset.id:
            return
        if segment.first not in self._skipped and self.game.state_bytes() != loaded.game.state_bytes():
            raise _CannotReplay(segment.first)

    def leave_out(self, loaded: LoadedGame, first: int) -> None:
        """Do not replay the part under other rules that begins with this version, and go back to the beginning."""
        self._skipped.add(first)
        self.begin(loaded)

    def events(self, first: int, last: int) -> list[Event]:
        """Return the events of these versions."""
        return self._history.events(first, last)

    def shorten(self) -> None:
        """Keep only the events of the newest version."""
        self._history.shorten()
        del self._links[:-2]


class Replay:
    """The followed games of a process. Threads may share it."""

    def __init__(
        self,
        store: GameStore[LoadedGame],
        size: int = limits.FOLLOWED_GAMES,
        events: int = limits.FOLLOWED_EVENTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self.checkpoints = Checkpoints(store)
        self.recent = RecentCommits()
        self._size = size
        self._most_events = events
        self._clock = clock
        self._kept = 0
        """The number of events of all games."""
        self._lock = threading.Lock()
        self._followed: OrderedDict[tuple[str, bytes], _Followed] = OrderedDict()
        """Followed games by id; the most recently read one is last."""
        self._over: OrderedDict[tuple[str, bytes], None] = OrderedDict()
        """Followed games that are over. They do not change, so only a few are kept."""

    def events(
        self, game: str, loaded: LoadedGame, first: int, last: int, *, after: str = "", budget: CpuBudget | None = None
    ) -> list[Event]:
        """Return the events as `happened` does, without their links."""
        return self.linked_events(game, loaded, first, last, after=after, budget=budget).events

    def linked_events(
        self, game: str, loaded: LoadedGame, first: int, last: int, *, after: str = "", budget: CpuBudget | None = None
    ) -> LinkedEvents:
        """Return the events of the versions from `first` to `last`, both included, and the links of these versions;
        version 0 is the deal. The game must have been dealt and have reached `last`. `after` is the link of the version
        before `first` that a reader has seen: raises WentBack if the log does not continue from it. With `budget`,
        raises CpuBudgetSpent if the time is used up; the next call continues from there."""
        key = (game, loaded.stored.secret)
        first = max(0, first)
        if first > last:
            return LinkedEvents([], {})
        if last == loaded.version:
            known = self.recent.events_since(game, loaded.stored.link, first, after)
            if known is not None:
                return known
        followed = self._following(key)
        with holding(followed.lock):
            self._approach(game, followed, loaded, first)
            self._follow(game, followed, loaded, self._last_to_follow(loaded, last), budget)
            if after and followed.link(first - 1) != after:
                raise WentBack(loaded.version)
            found = LinkedEvents(followed.events(first, last), followed.links(first, last))
            self._count(key, followed)
            if loaded.game is not None and loaded.game.over:
                self._limit_finished(key)
            return found

    def _last_to_follow(self, loaded: LoadedGame, last: int) -> int:
        """Return how far the log must be followed to be sure of the events up to `last`: to the end of a part under
        other rules."""
        segment = loaded.stored.segment(last)
        return last if segment.ruleset == loaded.ruleset.id else max(last, segment.last)

    def _approach(self, game: str, followed: _Followed, loaded: LoadedGame, first: int) -> None:
        """Go to a version from which `first` is reached quickly: back, or forward to a checkpoint that is much
        nearer."""
        if not followed.knows(loaded, first):
            followed.begin(loaded, self.checkpoints.before(game, loaded, first))
        elif first - followed.version > 2 * limits.CHECKPOINT_VERSIONS:
            checkpoint = self.checkpoints.before(game, loaded, first)
            if checkpoint is not None and checkpoint.version > followed.version:
                followed.begin(loaded, checkpoint)

    def _following(self, key: tuple[str, bytes]) -> _Followed:
        now = self._clock()
        with self._lock:
            found = self._followed.setdefault(key, _Followed())
            found.looked = now
            self._followed.move_to_end(key)
            while len(self._followed) > self._size or self._oldest_read() < now - limits.FOLLOWED_SECONDS:
                self._drop(next(iter(self._followed)))
            return found

    def _oldest_read(self) -> float:
        """Return when the least recently read game was read."""
        return next(iter(self._followed.values())).looked

    def _drop(self, key: tuple[str, bytes]) -> None:
        self._over.pop(key, None)
        dropped = self._followed.pop(key, None)
        self._kept -= dropped.counted if dropped is not None else 0

    def _limit_finished(self, key: tuple[str, bytes]) -> None:
        """Note that a finished game was read; drop the least recently read one if there are too many."""
        with self._lock:
            self._over[key] = None
            self._over.move_to_end(key)
            if len(self._over) > limits.FOLLOWED_GAMES_OVER:
                self._drop(next(iter(self._over)))

    def _follow(self, game: str, followed: _Followed, loaded: LoadedGame, last: int, budget: CpuBudget | None) -> None:
        """Follow the log to `last`. Start again if the chain differs, or if these rules cannot replay other rules."""
        left = False
        while True:
            try:
                self._walk(game, followed, loaded, last, budget)
                followed.arrive(loaded)
                break
            except _CannotReplay as segment:
                followed.leave_out(loaded, segment.first)
            except _LogDiffers:
                if left:
                    raise DamagedGame(f"the chain over the log is broken at entry {followed.version + 1}") from None
                left = True
                followed.begin(loaded)
        if loaded.version <= followed.version and followed.link(loaded.version) != loaded.stored.link:
            if self._store.read_game(game).link == loaded.stored.link:
                raise DamagedGame("the chain of the state is not that of the log")
            raise WentBack(loaded.version)

    def _walk(self, game: str, followed: _Followed, loaded: LoadedGame, last: int, budget: CpuBudget | None) -> None:
        """Follow the log to `last`, and save a checkpoint at the newest version on the way that needs one. Stops if the
        caller has gone or the CPU time is used up; the next call continues from there."""
        found: Checkpoint | None = None
        mover = None
        for entry in self._store.entries(game, followed.version, last):
            followed.step(loaded, entry)
            version = followed.version
            if version % limits.REPLAY_CHECK_ENTRIES == 0:
                current_call.require_caller()
            if budget is not None and budget.spent() and version < last:
                raise CpuBudgetSpent
            new_block = (
                found is None or version // limits.CHECKPOINT_VERSIONS > found.version // limits.CHECKPOINT_VERSIONS
            )
            native = loaded.stored.segment(version).ruleset == loaded.ruleset.id
            if version < last and new_block and native and self.checkpoints.wanted(game, followed.game, version):
                found, mover = Checkpoint(version, entry.link, followed.game.clone()), followed.game.last_mover
        if found is not None:
            self.checkpoints.save(game, loaded, found, mover)

    def _count(self, key: tuple[str, bytes], followed: _Followed) -> None:
        """Count the events that are kept; if they are too many, the least recently read games keep fewer."""
        with self._lock:
            if self._followed.get(key) is not followed:
                return
            self._recount(followed)
            for other in self._followed.values():
                if self._kept <= self._most_events:
                    break
                if other is not followed and other.counted and other.lock.acquire(blocking=False):
                    other.shorten()
                    self._recount(other)
                    other.lock.release()

    def _recount(self, followed: _Followed) -> None:
        size = followed.size
        self._kept += size - followed.counted
        followed.counted = size

    def retraced(self, game: str, loaded: LoadedGame, version: int | None = None) -> LogReplay:
        """Return a separate replay of the game up to a version, by default up to the loaded one."""
        last = loaded.version if version is None else version
        checkpoint = self.checkpoints.before(game, loaded, last + 1)
        if (
            checkpoint is not None
            and next(self._store.entries(game, checkpoint.version - 1, checkpoint.version)).link != checkpoint.link
        ):
            checkpoint = None  # it belongs to a log that the store has lost
        segment = loaded.stored.segment(last)
        if segment.first and (checkpoint is None or checkpoint.version < segment.first):
            start, path = segment.first, self.from_upgrade(game, loaded, segment)
        else:
            start = checkpoint.version if checkpoint is not None else 0
            path = LogReplay(loaded.options, checkpoint.game if checkpoint is not None else None, loaded.stored.origin)
        for entry in self._store.entries(game, start, last):
            _step(path, entry)
            if entry.version % limits.REPLAY_CHECK_ENTRIES == 0:
                current_call.require_caller()
        if last == loaded.version and loaded.game is not None and path.game.state_bytes() != loaded.stored.state:
            raise DamagedGame("the log does not lead to the stored state")
        return path

    def from_upgrade(self, game: str, loaded: LoadedGame, segment: Segment) -> LogReplay:
        """Return a replay that begins with the rules upgrade at the start of a segment."""
        entry = read_entry(next(self._store.entries(game, segment.first - 1, segment.first)).text)
        if entry.upgrade is None:
            raise DamagedGame(f"entry {segment.first} of a log does not contain the state after the rules upgrade")
        begin = Game.from_state(loaded.options, entry.upgrade.state, [EARLIER] * (segment.first - 1) + [entry])
        return LogReplay(loaded.options, begin, loaded.stored.origin, entry.upgrade.ruleset)

    def tail(self, game: str, loaded: LoadedGame, count: int) -> LinkedEvents:
        """Return the newest events, at most this number. Each version has at least one."""
        last = loaded.version
        events, links = self.linked_events(game, loaded, max(0, last + 1 - count), last)
        return LinkedEvents(events[-count:], links)

    def checked(self, game: str, loaded: LoadedGame) -> Game:
        """Return the game with its whole log. The log is not replayed: its chain is checked, which proves that these
        entries led to the state."""
        assert loaded.game is not None
        entries = list(self._store.entries(game, 0, loaded.version))
        current_call.require_caller()
        broken = first_broken(loaded.stored.secret, loaded.stored.opening, entries)
        if broken is not None:
            raise DamagedGame(f"the chain over the log is broken at entry {broken}")
        if entries and entries[-1].link != loaded.stored.link:
            raise DamagedGame("the chain of the state is not that of the log")
        log = [read_entry(entry.text) for entry in entries]
        return Game(loaded.options, loaded.ruleset, loaded.game.state, log, loaded.stored.origin)

    def at_version(self, game: str, loaded: LoadedGame, version: int) -> LoadedGame:
        """Return the game at an earlier version, with the present seats and orders. If that version was played under
        other rules, return the present game."""
        if version >= loaded.version or loaded.game is None:
            return loaded
        if loaded.stored.segment(version).ruleset != loaded.ruleset.id:
            return loaded
        entries = self._store.entries(game, version - 1, version)
        link = [entry.link for entry in entries] if version else [loaded.stored.opening]
        stored = replace(loaded.stored, version=version, link=link[-1])
        return replace(
            loaded,
            stored=stored,
            game=self.retraced(game, loaded, version).game,
            since=version,
            deadline=None,
            clocks=loaded.clocks and loaded.clocks.without_times,
            proposal=None,
        )


def _step(path: LogReplay, entry: LogEntry) -> list[Event]:
    try:
        return path.step(read_entry(entry.text))
    except AlhambraError as fault:
        raise DamagedGame(f"entry {entry.version} of a log cannot be played") from fault
