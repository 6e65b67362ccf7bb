"""One watched game, followed once for all its watchers.

Each change is handled once, however many watchers there are: the table is loaded, its events come from the newest
commits or from a replay of the log, and each message is made once for all watchers who see the same. A watcher joins
between two changes, so its snapshot and the events after it fit together without a gap and without a repetition.

Changes without events (a seat is claimed, an undo is proposed, orders are given) are told by a new snapshot, and only
to watchers whose view changes: orders of other seats stay private.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from alhambra_api.v1 import events_pb2

from .. import limits
from ..auth.access import token_invalid
from ..events.recent_commits import Happened
from ..games.automatic.deadlines import seconds_left
from ..games.table import Table
from ..games.tables import Tables
from ..messages.event_ids import EventId, event_id
from ..messages.refusals import Refusal, from_error
from ..messages.translate import told_event, told_events, view_to
from ..store import DamagedGame, GameNotFound, StoreError, VersionAhead, WentBack, WrittenElsewhere
from .watcher import DELETED, WENT_BACK, Message, Reader, Ready, Watcher

UNDEALT = -1
"""The version of a game whose seats are still open."""


class Load(Protocol):
    """Loads a game for its watchers."""

    def __call__(self, game: str, min_version: int = 0, *, fresh: bool = False) -> Table:
        """Return the game as its watchers may see it, at this version or a later one."""


class FollowedGame:
    """A game that has watchers. Threads may share it."""

    def __init__(self, game: str, tables: Tables, load: Load | None = None) -> None:
        self.game = game
        self._load = load or tables.load
        self._live = load is None
        """Whether its watchers see the game as it stands."""
        self.users = 0
        """The number of streams of the game. `EventStreams` counts them."""
        self.forget: Callable[[], None] = lambda: None
        """Ends the watch of the game in the store. `EventStreams` sets it."""
        self.woken, self.due_asked = threading.Lock(), threading.Lock()
        """Held while a teller has been asked to look at the game. `EventStreams` uses it."""
        self._tables = tables
        self._watchers: set[Watcher] = set()
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._snapshots: dict[Reader, Message] = {}
        self._spoken = self._seen = self._looked = time.monotonic()
        """When something was last told, when the store last answered, and when it was last asked."""
        self._compare = math.inf
        """When the table is to be compared with the store, because it was told as this process had committed it."""

    # -- Joining ---------------------------------------------------------------------------------------------------

    def join(self, watcher: Watcher, min_version: int, *, stay: bool = True) -> tuple[Table, Message]:
        """Add a watcher, and return the present table and its snapshot. The watcher gets every change after it."""
        with self._lock:
            try:
                table = self._catch_up(min_version)
            except WentBack:  # the other watchers were told; a new one has seen nothing yet
                table = self._catch_up(min_version)
            if _revoked(table, watcher):
                raise token_invalid()
            if stay:
                self._watchers.add(watcher)
            return table, self._snapshot(table, watcher.reader)

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        with self._lock:
            self._watchers.discard(watcher)

    def past(self, table: Table, watcher: Watcher, after: EventId) -> Iterator[Message]:
        """Return the events after an event, up to the table, as the watcher sees them. Raises WentBack if the event is
        not part of the game."""
        viewer, language = watcher.reader
        if table.game is None or after.version > table.version:
            if not after.is_under(None):
                raise WentBack(table.version)
            return
        for first in range(after.version, table.version + 1, limits.TOLD_VERSIONS):
            last = min(first + limits.TOLD_VERSIONS - 1, table.version)
            events, links = self._tables.replay.happened(self.game, table, first, last)
            if first == after.version and not after.is_under(links[first]):
                raise WentBack(table.version)
            for event in events:
                if (event.version, event.index) > after[:2]:
                    yield Message(event=told_event(event, links[event.version], table, viewer, language))

    # -- Looking ---------------------------------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When to look without being asked, on the clock of `time.monotonic`: to give a sign of life, or because the
        time of a decision is up."""
        due = min(self._spoken + limits.STREAM_SILENCE_SECONDS, self._compare)
        table = self._table
        left = seconds_left(table, self._tables.now()) if table is not None else None
        if left is not None:
            due = min(due, max(time.monotonic() + left, self._looked + limits.LOOK_AGAIN_SECONDS))
        return due

    def look(self) -> None:
        """Send new events, because the game may have changed."""
        with self._lock:
            self._look(fresh=False, committed_here=True)

    def beat(self) -> None:
        """Compare the game with the store, and send a keep-alive if nothing has happened for a while."""
        with self._lock:
            compare, self._compare = self._compare <= time.monotonic(), math.inf
            self._look(fresh=not compare)
            now = time.monotonic()
            if self._table is not None and now >= self._spoken + limits.STREAM_SILENCE_SECONDS:
                self._spoken = now
                message = Ready.of(Message(keep_alive=events_pb2.KeepAlive(version=self._table.version)))
                for watcher in self._watchers:
                    watcher.keep_alive(message)

    def end(self, because: str, status: Refusal | None = None) -> None:
        """End the streams of all watchers."""
        with self._lock:
            self._end(because, status)

    def _end(self, because: str, status: Refusal | None) -> None:
        for watcher in self._watchers:
            watcher.end(because, status)

    def _look(self, *, fresh: bool, committed_here: bool = False) -> None:
        """Tells what is new. A game that is gone or cannot be read ends the streams; a store that cannot be reached
        does so only after a while."""
        self._looked = time.monotonic()
        try:
            self._catch_up(fresh=fresh, committed_here=committed_here)
        except GameNotFound as gone:
            self._end(DELETED, from_error(gone))
        except (VersionAhead, WrittenElsewhere, DamagedGame) as fault:
            self._end("", from_error(fault))
        except (StoreError, Refusal) as fault:
            if time.monotonic() > self._seen + limits.BLIND_SECONDS:
                self._end("", from_error(fault))

    def _catch_up(self, min_version: int = 0, *, fresh: bool = False, committed_here: bool = False) -> Table:
        """The table as it stands now, after everything new in it was told. With `committed_here`, a newer table that
        this process has committed will do: it is told without asking the store, and compared with it soon."""
        try:
            before = self._table
            known = self._committed_here(before) if committed_here and before is not None else None
            return self._caught_up(before, min_version, fresh=fresh, known=known)
        except WentBack as lost:
            self._end(WENT_BACK, from_error(lost))
            self._table, self._snapshots = None, {}
            raise

    def _committed_here(self, before: Table) -> Table | None:
        """The game as memory has it, if that is newer than what was told and waits for a person. The store may have a
        still newer one: one echo can stand for this commit and another change of the same moment."""
        if not self._live:
            return None  # its watchers may not see what was just committed
        known = self._tables.store.cache.newest_known(self.game)
        if known is None or known.record.revision <= before.record.revision or not known.patient:
            return None
        self._compare = min(self._compare, time.monotonic() + limits.COMPARE_SECONDS)
        return known

    def _caught_up(self, before: Table | None, min_version: int, *, fresh: bool, known: Table | None = None) -> Table:
        if before is None:
            self._table = table = self._load(self.game, min_version, fresh=fresh)
            self._seen = time.monotonic()
            return table
        try:
            table = known or self._load(self.game, max(min_version, before.version), fresh=fresh)
        except VersionAhead as behind:
            raise (WentBack(behind.version) if behind.version < before.version else behind) from None
        self._seen = time.monotonic()
        if table.record.secret != before.record.secret:
            raise GameNotFound("under this id there is another game now")
        seen = before.record.link if before.game is not None else ""
        if seen and table.version == before.version and table.record.link != seen:
            raise WentBack(table.version)
        if table.record.revision <= before.record.revision:
            return before
        first = before.version + 1 if seen else UNDEALT + 1
        replay = self._tables.replay
        new = Happened([], {})
        if table.game is not None:
            new = replay.happened(self.game, table, first, table.version, after=seen)
        self._table, self._snapshots = table, {}
        self._tell(before, table, new)
        return table

    # -- Telling ---------------------------------------------------------------------------------------------------

    def _tell(self, before: Table, table: Table, new: Happened) -> None:
        events, links = new
        told: dict[Reader, list[Ready]] = {}
        shown: dict[Reader, Ready] = {}
        beside: dict[int | None, bool] = {}
        for watcher in self._watchers:
            if _revoked(table, watcher):
                watcher.end(status=token_invalid())
                continue
            viewer, reader = watcher.viewer, watcher.reader
            if reader not in told:
                messages = told_events(events, links, table, *reader)
                told[reader] = [Ready.of(Message(event=message)) for message in messages]
            if viewer not in beside:
                beside[viewer] = _changed_beside(before, table, viewer, self.game)
            if beside[viewer] or (watcher.snapshots and events):
                if reader not in shown:
                    shown[reader] = Ready.of(self._snapshot(table, reader))
                watcher.tell([*told[reader], shown[reader]])
            elif events:
                watcher.tell(told[reader])
        if events or any(beside.values()):
            self._spoken = time.monotonic()

    def _snapshot(self, table: Table, reader: Reader) -> Message:
        found = self._snapshots.get(reader)
        if found is None:
            viewer, language = reader
            view = view_to(table, viewer, game_id=self.game, language=language)
            snapshot = events_pb2.Snapshot(view=view, last_event=self._last_event(table))
            found = self._snapshots[reader] = Message(snapshot=snapshot)
        return found

    def _last_event(self, table: Table) -> str:
        if table.game is None:
            return ""
        last = self._tables.replay.events(self.game, table, table.version, table.version)
        return event_id(table.version, last[-1].index if last else 0, table.record.link)


def _revoked(table: Table, watcher: Watcher) -> bool:
    return watcher.viewer is not None and table.tokens[watcher.viewer] != watcher.token


def _changed_beside(before: Table, table: Table, viewer: int | None, game: str) -> bool:
    """Return whether the view changed other than by events."""
    if table.version != before.version:
        return _beside(before, viewer) != _beside(table, viewer)
    return view_to(before, viewer, game_id=game) != view_to(table, viewer, game_id=game)


def _beside(table: Table, viewer: int | None) -> tuple[object, ...]:
    """Return the parts of a view that no event tells."""
    seats = [(seat.name, seat.occupancy, seat.server_player) for seat in table.seats]
    return seats, table.proposal, table.orders[viewer] if viewer is not None else ()
