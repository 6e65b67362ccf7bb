"""Games as spectators see them if the game was created with a delay: as they stood some entries of the log ago.

A delayed table is the whole answer to what such a spectator may see: every view, picture, judgement, event and version
number is made from it, and it holds nothing of what happened since. Its deadline, its proposal of an undo and the time
of its last change are left out, because these tell of the present.

Each game that spectators look at is followed at its distance: one more entry of the log costs one step. The delay ends
with the game: of a finished game everything is shown.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from alhambra import AlhambraError, RulesDefect, next_link
from alhambra.export import LogReplay, read_entry

from .. import limits
from ..handover import holding
from ..store import DamagedGame, GameStore, Record, RulesChanged, Segment
from .replay import Replay

if TYPE_CHECKING:
    from ..games.table import Table


class _Followed:
    """A game followed at the distance of its spectators."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.path: LogReplay | None = None
        self.version = 0
        self.link = ""
        """The link of the chain with which that version ended."""
        self.source = ""
        """The newest link of the game from which it was made."""
        self.table: Table | None = None


class DelayedTables:
    """Every game with a delay, as its spectators see it. Safe to share between threads."""

    def __init__(self, replay: Replay, store: GameStore[Table], size: int = limits.DELAYED_GAMES) -> None:
        self._replay = replay
        self._store = store
        self._size = size
        self._lock = threading.Lock()
        self._games: OrderedDict[tuple[str, bytes], _Followed] = OrderedDict()
        """By game, the one that was looked at last behind all others."""

    def of(self, game: str, table: Table) -> Table:
        """Return the table as delayed spectators see it: as it stood `spectator_delay` entries ago, or as it was dealt
        while there are fewer entries. While seats are open and after the end it is the table itself. Raises
        RulesChanged if that version was played under rules that these cannot retell."""
        if table.game is None or table.game.over:
            return table
        version = max(0, table.version - table.spectator_delay)
        followed = self._following((game, table.record.secret))
        with holding(followed.lock):
            if not self._is_there(game, followed, table, version):
                self._go(game, followed, table, version)
            assert followed.table is not None
            return followed.table

    def _following(self, key: tuple[str, bytes]) -> _Followed:
        with self._lock:
            found = self._games.setdefault(key, _Followed())
            self._games.move_to_end(key)
            if len(self._games) > self._size:
                self._games.popitem(last=False)
            return found

    def _is_there(self, game: str, followed: _Followed, table: Table, version: int) -> bool:
        """Whether the table that was made last will do. A caller who read the game before others committed may get the
        later one: it was old enough for them. If the store has lost that later one, it will not do."""
        if followed.table is None or followed.version < version:
            return False
        if followed.version > version:
            return [entry.link for entry in self._store.log(game, followed.version - 1, 1)] == [followed.link]
        return version == 0 or followed.source == table.record.link

    def _go(self, game: str, followed: _Followed, table: Table, version: int) -> None:
        """Goes on to a version, or begins anew if the log took another way."""
        path, link = followed.path, followed.link
        followed.path = followed.table = None  # a step that fails leaves the path at no version
        if path is None or followed.version >= version or not self._on_path(game, table, link, followed.version):
            path = self._begun(game, table, version)
            link = self._link(game, table, version)
        else:
            for entry in self._store.entries(game, followed.version, version):
                if next_link(table.record.secret, link, entry.text) != entry.link:
                    raise DamagedGame(f"the chain over the log is broken at entry {entry.version}")
                path.step(read_entry(entry.text))
                link = entry.link
        followed.path, followed.version, followed.link, followed.source = path, version, link, table.record.link
        followed.table = replace(
            table,
            record=_record_at(table.record, version, link),
            game=path.game.clone(),
            since=version,
            deadline=None,
            proposal=None,
            updated=0,
            ttl=0,
        )

    def _on_path(self, game: str, table: Table, link: str, version: int) -> bool:
        return link == self._link(game, table, version)

    def _link(self, game: str, table: Table, version: int) -> str:
        """The link of the chain with which a version ended."""
        return next(self._store.entries(game, version - 1, version)).link if version else table.record.opening

    def _begun(self, game: str, table: Table, version: int) -> LogReplay:
        """A path that has come to this version."""
        if table.record.stretch(version).ruleset == table.ruleset.id:
            return self._replay.retraced(game, table, version)
        return self._retold(game, table, version)

    def _retold(self, game: str, table: Table, version: int) -> LogReplay:
        """A path through a stretch of the log that other rules played, if these rules lead to its end as well."""
        stretch = table.record.stretch(version)
        with suppress(AlhambraError, RulesDefect):
            end = self._played(game, table, stretch, stretch.last)
            if self._ends_well(game, table, stretch, end):
                return self._played(game, table, stretch, version)
        known = table.ruleset.id
        message = f"what spectators may see was played under {stretch.ruleset} and cannot be told again by {known}"
        raise RulesChanged(message, written_by=stretch.ruleset, known=known)

    def _played(self, game: str, table: Table, stretch: Segment, version: int) -> LogReplay:
        """A path from the beginning of a stretch to one of its versions."""
        if stretch.first:
            path = self._replay.from_seam(game, table, stretch)
        else:
            path = LogReplay(table.options, origin=table.record.origin)
        for entry in self._store.entries(game, stretch.first, version):
            path.step(read_entry(entry.text))
        return path

    def _ends_well(self, game: str, table: Table, stretch: Segment, end: LogReplay) -> bool:
        """Whether a path has come to the state with which the game went on after the stretch, or in which it is."""
        assert table.game is not None
        if stretch.last == table.version:
            return end.game.state_bytes() == table.game.state_bytes()
        seam = read_entry(next(self._store.entries(game, stretch.last, stretch.last + 1)).text).upgrade
        return seam is not None and end.leads_to(seam)


def _record_at(record: Record, version: int, link: str) -> Record:
    """The record as far as this version, without a state."""
    return replace(
        record,
        version=version,
        link=link,
        state=b"",
        ruleset=record.stretch(version).ruleset,
        rules_upgrades=tuple(upgrade for upgrade in record.rules_upgrades if upgrade[0] <= version),
    )
