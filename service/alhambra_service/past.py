"""What happened in a game, read from its log and played again: the log is the truth, events follow from it.

The events of games that somebody looks at are kept in the process, together with the place reached, so that the next
entries cost one step each and not a whole replay. What is handed out is never changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from alhambra import AlhambraError, Entry, Event, Game, read_move
from alhambra.replay import Retracing

from . import limits
from .store import DamagedGame, GameStore, LogEntry, first_broken
from .table import Table


@dataclass
class _Followed:
    """A game followed from its beginning: where it stands, and the events of every version."""

    path: Retracing
    events: list[tuple[Event, ...]]
    lock: threading.Lock = field(default_factory=threading.Lock)


class Past:
    """The past of every game. Safe to share between threads."""

    def __init__(self, store: GameStore[Table], size: int = limits.PAST_GAMES) -> None:
        self._store = store
        self._size = size
        self._lock = threading.Lock()
        self._followed: OrderedDict[tuple[str, bytes], _Followed] = OrderedDict()

    def events(self, game: str, table: Table, first: int, last: int) -> list[Event]:
        """The events of the versions from `first` to `last`, both included; 0 is setting up. The game must have come
        as far as `last` and must have been dealt."""
        followed = self._following(game, table)
        with followed.lock:
            for entry in self._entries(game, len(followed.events) - 1, last):
                followed.events.append(tuple(_step(followed.path, entry)))
            return [event for version in followed.events[max(0, first) : last + 1] for event in version]

    def _following(self, game: str, table: Table) -> _Followed:
        key = (game, table.record.secret)
        with self._lock:
            found = self._followed.get(key)
            if found is None:
                path = Retracing(table.options)
                found = self._followed[key] = _Followed(path, [tuple(path.events)])
            self._followed.move_to_end(key)
            if len(self._followed) > self._size:
                self._followed.popitem(last=False)
            return found

    def retraced(self, game: str, table: Table, version: int | None = None) -> Retracing:
        """A path of one's own through the game up to a version, by default to where the table stands."""
        last = table.version if version is None else version
        path = Retracing(table.options)
        for entry in self._entries(game, 0, last):
            _step(path, entry)
        if last == table.version and table.game is not None and path.game.state_bytes() != table.record.state:
            raise DamagedGame("the log does not lead to the stored state")
        return path

    def checked(self, game: str, table: Table) -> Game:
        """The whole game with its log, after its chain was checked link by link."""
        path = self.retraced(game, table)
        broken = first_broken(table.record.secret, _opening(table), self._entries(game, 0, table.version))
        if broken is not None:
            raise DamagedGame(f"the chain over the log is broken at entry {broken}")
        return path.game

    def as_it_was(self, game: str, table: Table, version: int) -> Table:
        """The table as it stood with an earlier version, apart from who sits there and what they ordered."""
        if version >= table.version or table.game is None:
            return table
        link = [entry.link for entry in self._entries(game, version - 1, version)] if version else [_opening(table)]
        record = replace(table.record, version=version, link=link[-1])
        return replace(
            table,
            record=record,
            game=self.retraced(game, table, version).game,
            since=version,
            deadline=None,
            proposal=None,
        )

    def _entries(self, game: str, after: int, last: int) -> Iterator[LogEntry]:
        """The entries behind version `after` up to `last`."""
        while after < last:
            page = self._store.log(game, after, last - after)
            if not page:
                raise DamagedGame(f"the log ends with version {after}, the state has {last}")
            yield from page
            after = page[-1].version


def _opening(table: Table) -> str:
    """The link that the chain begins with."""
    return table.record.dealt(Game.new(table.options)).link


def _step(path: Retracing, entry: LogEntry) -> list[Event]:
    try:
        return path.step(read_line(entry.text))
    except AlhambraError as fault:
        raise DamagedGame(f"entry {entry.version} of a log cannot be played") from fault


def read_line(text: str) -> Entry:
    """An entry of the log from its line."""
    seat, _, rest = text.partition(" ")
    if rest in ("undo", "resign"):
        return Entry(rest, int(seat))
    return Entry("move", int(seat), read_move(rest))
