"""One watched game, followed once for all its watchers.

Each change is handled once, however many watchers there are: the game is loaded, its events come from the newest
commits or from a replay of the log, and each message is made once for all watchers who see the same. A watcher joins
between two changes, so its snapshot and the events after it have no gap and no overlap.

Changes without events (a seat is claimed, an undo is proposed, orders are set) are sent as a new snapshot, and only to
watchers whose view changes, because orders of other seats are private.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from alhambra_api.v1 import events_pb2, reactions_pb2

from .. import limits
from ..auth.access import token_invalid
from ..events.recent_commits import LinkedEvents
from ..games.answers.game_answer import GameAnswer
from ..games.automatic.deadlines import seconds_left
from ..games.game_commands import GameCommands
from ..games.loaded_game import LoadedGame
from ..games.reactions import Reactions
from ..messages.encoded_views import Marks, encoded_view, field_bytes
from ..messages.event_ids import EventId, event_id
from ..messages.events import events_for_viewer
from ..messages.refusals import Refusal, from_error
from ..store import (
    DamagedGame,
    GameNotFound,
    StoreError,
    StoreUnavailable,
    VersionAhead,
    WentBack,
    WrittenElsewhere,
)
from .watcher import DELETED, WENT_BACK, EncodedMessage, Message, Reader, Watcher

_SNAPSHOT = Message.DESCRIPTOR.fields_by_name["snapshot"].number

UNDEALT = -1
"""The version of a game whose seats are still open."""


class Load(Protocol):
    """Loads a game for its watchers."""

    def __call__(self, game: str, min_version: int = 0, *, fresh: bool = False) -> LoadedGame:
        """Return the game as its watchers may see it, at this version or a later one."""


class FollowedGame:
    """A game that has watchers. Threads may share it."""

    def __init__(self, game: str, commands: GameCommands, load: Load | None = None) -> None:
        self.game = game
        self._load = load or commands.load
        self._live = load is None
        """Whether its watchers see the game as it stands."""
        self.users = 0
        """The number of streams of the game. `OpenStreams` counts them."""
        self.forget: Callable[[], None] = lambda: None
        """Ends the watches of the game and of what its players say in the store. `EventStreams` sets it."""
        self.reaction_reported = threading.Lock()
        self.check_requested, self.compare_requested = threading.Lock(), threading.Lock()
        """Held while a check of the game is queued. `OpenStreams` uses them."""
        self._commands = commands
        self._watchers: set[Watcher] = set()
        self._lock = threading.Lock()
        self._loaded: LoadedGame | None = None
        self._snapshots: dict[Reader, EncodedMessage] = {}
        self._reactions = Reactions(commands.store.client)
        self._said: set[str] = set()
        """The ids of phrases that were sent and that the store still has."""
        self._last_sent = self._last_answer = self._last_check = time.monotonic()
        """When something was last sent, when the store last answered, and when the game was last checked."""
        self._compare = math.inf
        """When to compare the game with the store, because a commit of this process was sent without asking the
        store."""

    # -- Joining ---------------------------------------------------------------------------------------------------

    def join(self, watcher: Watcher, min_version: int, *, stay: bool = True) -> tuple[LoadedGame, EncodedMessage]:
        """Add a watcher, and return the present game and its snapshot. The watcher gets every change after it."""
        with self._lock:
            try:
                loaded = self._catch_up(min_version)
            except WentBack:  # the streams of the other watchers were ended; a new one has seen nothing yet
                loaded = self._catch_up(min_version)
            if _revoked(loaded, watcher):
                raise token_invalid()
            if stay:
                self._watchers.add(watcher)
            return loaded, self._snapshot(loaded, watcher.reader)

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        with self._lock:
            self._watchers.discard(watcher)

    def past(self, loaded: LoadedGame, watcher: Watcher, after: EventId) -> Iterator[EncodedMessage]:
        """Generate the events after an event, up to the loaded game, as the watcher sees them. Raises WentBack if the
        event is not part of the game."""
        viewer, language, _ = watcher.reader
        if loaded.game is None or after.version > loaded.version:
            if not after.is_under(None):
                raise WentBack(loaded.version)
            return
        for first in range(after.version, loaded.version + 1, limits.REPLAYED_AT_ONCE):
            last = min(first + limits.REPLAYED_AT_ONCE - 1, loaded.version)
            events, links = self._commands.replay.linked_events(self.game, loaded, first, last)
            if first == after.version and not after.is_under(links[first]):
                raise WentBack(loaded.version)
            later = (event for event in events if (event.version, event.index) > after[:2])
            for message in events_for_viewer(later, links, loaded, viewer, language):
                yield EncodedMessage.of(Message(event=message))

    # -- Checking for changes ----------------------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When to compare the game with the store, on the clock of `time.monotonic`: to send a keep-alive, or because
        the deadline of a decision passes."""
        due = min(self._last_sent + limits.STREAM_SILENCE_SECONDS, self._compare)
        loaded = self._loaded
        left = seconds_left(loaded, self._commands.now()) if loaded is not None else None
        if left is not None:
            due = min(due, max(time.monotonic() + left, self._last_check + limits.DEADLINE_RETRY_SECONDS))
        return due

    def check(self) -> None:
        """Send new events, because the game may have changed."""
        with self._lock:
            self._check(fresh=False, committed_here=True)

    def compare(self) -> None:
        """Compare the game with the store, and send a keep-alive if nothing has happened for a while."""
        with self._lock:
            compare, self._compare = self._compare <= time.monotonic(), math.inf
            self._check(fresh=not compare)
            now = time.monotonic()
            if self._loaded is not None and now >= self._last_sent + limits.STREAM_SILENCE_SECONDS:
                self._last_sent = now
                message = EncodedMessage.of(Message(keep_alive=events_pb2.KeepAlive(version=self._loaded.version)))
                for watcher in self._watchers:
                    watcher.keep_alive(message)

    def send_reactions(self) -> None:
        """Send what players have said since the last time to the watchers that want it."""
        with self._lock:
            try:
                newest = self._reactions.newest(self.game)
            except StoreUnavailable:
                return  # a phrase is lost
            oldest = self._commands.now() - 1000 * limits.REACTION_FRESH_SECONDS
            fresh = [said for said in newest if said.id not in self._said and said.time >= oldest]
            self._said = {said.id for said in newest}
            messages = [
                EncodedMessage.of(Message(reaction=reactions_pb2.Reaction(seat=said.seat, phrase=said.phrase)))
                for said in fresh
            ]
            for watcher in self._watchers if messages else ():
                if watcher.reactions:
                    watcher.send(messages)

    def end(self, because: str, status: Refusal | None = None) -> None:
        """End the streams of all watchers."""
        with self._lock:
            self._end(because, status)

    def _end(self, because: str, status: Refusal | None) -> None:
        for watcher in self._watchers:
            watcher.end(because, status)

    def _check(self, *, fresh: bool, committed_here: bool = False) -> None:
        """Send what is new. End the streams if the game is deleted or cannot be read, or if the store has not been
        reached for STORE_LOST_SECONDS."""
        self._last_check = time.monotonic()
        try:
            self._catch_up(fresh=fresh, committed_here=committed_here)
        except GameNotFound as gone:
            self._end(DELETED, from_error(gone))
        except (VersionAhead, WrittenElsewhere, DamagedGame) as fault:
            self._end("", from_error(fault))
        except (StoreError, Refusal) as fault:
            if time.monotonic() > self._last_answer + limits.STORE_LOST_SECONDS:
                self._end("", from_error(fault))

    def _catch_up(self, min_version: int = 0, *, fresh: bool = False, committed_here: bool = False) -> LoadedGame:
        """Return the present game, after everything new in it was sent. With `committed_here`, a newer game that this
        process has committed is used without asking the store, and compared with the store soon."""
        try:
            before = self._loaded
            known = self._committed_here(before) if committed_here and before is not None else None
            return self._caught_up(before, min_version, fresh=fresh, known=known)
        except WentBack as lost:
            self._end(WENT_BACK, from_error(lost))
            self._loaded, self._snapshots = None, {}
            raise

    def _committed_here(self, before: LoadedGame) -> LoadedGame | None:
        """Return the game from memory if it is newer than what was sent and waits for a person; otherwise None. The
        store may have a still newer one: it may report this commit and another change at the same time as one."""
        if not self._live:
            return None  # its watchers may not see what was just committed
        known = self._commands.store.cache.newest_known(self.game)
        if known is None or known.stored.revision <= before.stored.revision or not known.changes_only_by_calls:
            return None
        self._compare = min(self._compare, time.monotonic() + limits.COMPARE_SECONDS)
        return known

    def _caught_up(
        self, before: LoadedGame | None, min_version: int, *, fresh: bool, known: LoadedGame | None = None
    ) -> LoadedGame:
        if before is None:
            self._loaded = loaded = self._load(self.game, min_version, fresh=fresh)
            self._last_answer = time.monotonic()
            return loaded
        try:
            loaded = known or self._load(self.game, max(min_version, before.version), fresh=fresh)
        except VersionAhead as behind:
            raise (WentBack(behind.version) if behind.version < before.version else behind) from None
        self._last_answer = time.monotonic()
        if loaded.stored.secret != before.stored.secret:
            raise GameNotFound("another game has this id now")
        seen = before.stored.link if before.game is not None else ""
        if seen and loaded.version == before.version and loaded.stored.link != seen:
            raise WentBack(loaded.version)
        if loaded.stored.revision <= before.stored.revision:
            return before
        first = before.version + 1 if seen else UNDEALT + 1
        replay = self._commands.replay
        new = LinkedEvents([], {})
        if loaded.game is not None:
            new = replay.linked_events(self.game, loaded, first, loaded.version, after=seen)
        self._loaded, self._snapshots = loaded, {}
        self._send(before, loaded, new)
        return loaded

    # -- Sending ---------------------------------------------------------------------------------------------------

    def _send(self, before: LoadedGame, loaded: LoadedGame, new: LinkedEvents) -> None:
        events, links = new
        messages_of: dict[Reader, list[EncodedMessage]] = {}
        snapshot_of: dict[Reader, EncodedMessage] = {}
        changed_of: dict[int | None, bool] = {}
        mover = events[0].public.get("seat") if events else None
        for watcher in self._watchers:
            if _revoked(loaded, watcher):
                watcher.end(status=token_invalid())
                continue
            viewer, reader = watcher.viewer, watcher.reader
            if reader not in messages_of:
                messages = events_for_viewer(events, links, loaded, reader.seat, reader.language)
                messages_of[reader] = [EncodedMessage.of(Message(event=message)) for message in messages]
            if viewer not in changed_of:
                changed_of[viewer] = _changed_without_event(before, loaded, viewer, self.game)
            if changed_of[viewer] or (watcher.snapshots and events):
                if reader not in snapshot_of:
                    snapshot_of[reader] = self._next_snapshot(before, loaded, reader, mover)
                watcher.send([*messages_of[reader], snapshot_of[reader]])
            elif events:
                watcher.send(messages_of[reader])
        if events or any(changed_of.values()):
            self._last_sent = time.monotonic()

    def _snapshot(self, loaded: LoadedGame, reader: Reader) -> EncodedMessage:
        """Return a snapshot with the whole view."""
        found = self._snapshots.get(reader)
        if found is None:
            found = self._snapshots[reader] = self._encoded(loaded, self._answer(loaded, reader), None)
        return found

    def _next_snapshot(
        self, before: LoadedGame, loaded: LoadedGame, reader: Reader, mover: int | None
    ) -> EncodedMessage:
        """Return the snapshot after a change. A reader of changes has the view of the game before it, or an equal
        one. The seat that moved has been answered with moves, scores and pictures; if not, the checksum tells it that
        something is missing."""
        if not reader.include.changes:
            return self._snapshot(loaded, reader)
        told, known = self._answer(loaded, reader), self._answer(before, reader).marks
        if mover is None or mover != reader.seat:
            return self._encoded(loaded, told, known)
        return self._encoded(loaded, told, {**known, **told.extra_marks}, moves=False)

    def _answer(self, loaded: LoadedGame, reader: Reader) -> GameAnswer:
        return GameAnswer(self._commands.key, self.game, loaded, reader)

    def _encoded(
        self, loaded: LoadedGame, told: GameAnswer, known: Marks | None, *, moves: bool = True
    ) -> EncodedMessage:
        last = self._last_event(loaded)
        data = told.added_to(events_pb2.Snapshot(last_event=last), known, moves=moves)
        return EncodedMessage(field_bytes(_SNAPSHOT, data), last_event=last)

    def _last_event(self, loaded: LoadedGame) -> str:
        if loaded.game is None:
            return ""
        last = self._commands.replay.events(self.game, loaded, loaded.version, loaded.version)
        return event_id(loaded.version, last[-1].index if last else 0, loaded.stored.link)


def _revoked(loaded: LoadedGame, watcher: Watcher) -> bool:
    return watcher.viewer is not None and loaded.tokens[watcher.viewer] != watcher.token


def _changed_without_event(before: LoadedGame, loaded: LoadedGame, viewer: int | None, game: str) -> bool:
    """Return whether the view has changed by something that no event shows."""
    if loaded.version != before.version:
        return _parts_without_events(before, viewer) != _parts_without_events(loaded, viewer)
    one, other = (encoded_view(game_then, viewer, game, None).encoded() for game_then in (before, loaded))
    return one != other


def _parts_without_events(loaded: LoadedGame, viewer: int | None) -> tuple[object, ...]:
    """Return the parts of a view that no event shows."""
    seats = [(seat.name, seat.occupancy, seat.server_player) for seat in loaded.seats]
    return seats, loaded.proposal, loaded.orders[viewer] if viewer is not None else ()
