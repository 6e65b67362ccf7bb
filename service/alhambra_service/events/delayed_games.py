"""Games as spectators see them if the game was created with a delay: as they stood some entries of the log ago.

Every view, picture, verdict, event and version number that such a spectator gets is made from the delayed game, which
contains nothing of what happened since. Its deadline, its proposal of an undo and the time of its last change are left
out, because they belong to the present.

Each game that spectators read is followed with its delay, so one more entry of the log costs one step. The delay ends
with the game: a finished game is shown completely.
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
from ..blocking import holding
from ..store import DamagedGame, GameStore, RulesChanged, Segment, StoredGame
from .replay import Replay

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame


class _Followed:
    """A game that is followed with the delay of its spectators."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.path: LogReplay | None = None
        self.version = 0
        self.link = ""
        """The link of that version."""
        self.source = ""
        """The newest link of the game from which the delayed game was made."""
        self.loaded: LoadedGame | None = None


class DelayedGames:
    """Every game with a delay, as its spectators see it. Safe to share between threads."""

    def __init__(self, replay: Replay, store: GameStore[LoadedGame], size: int = limits.DELAYED_GAMES) -> None:
        self._replay = replay
        self._store = store
        self._size = size
        self._lock = threading.Lock()
        self._games: OrderedDict[tuple[str, bytes], _Followed] = OrderedDict()
        """By game; the most recently read one is last."""

    def of(self, game: str, loaded: LoadedGame) -> LoadedGame:
        """Return the game as delayed spectators see it: as it stood `spectator_delay` entries ago, or as it was dealt
        if there are fewer entries. While seats are open and after the end, return the game itself. Raises RulesChanged
        if that version was played under other rules and cannot be replayed under these."""
        if loaded.game is None or loaded.game.over:
            return loaded
        version = max(0, loaded.version - loaded.spectator_delay)
        followed = self._following((game, loaded.stored.secret))
        with holding(followed.lock):
            if not self._is_current(game, followed, loaded, version):
                self._advance(game, followed, loaded, version)
            assert followed.loaded is not None
            return followed.loaded

    def _following(self, key: tuple[str, bytes]) -> _Followed:
        with self._lock:
            found = self._games.setdefault(key, _Followed())
            self._games.move_to_end(key)
            if len(self._games) > self._size:
                self._games.popitem(last=False)
            return found

    def _is_current(self, game: str, followed: _Followed, loaded: LoadedGame, version: int) -> bool:
        """Return whether the delayed game that was made last can be used. A caller that loaded the game before others
        committed may get a later version than its own, unless the store has lost that version."""
        if followed.loaded is None or followed.version < version:
            return False
        if followed.version > version:
            return [entry.link for entry in self._store.log(game, followed.version - 1, 1)] == [followed.link]
        return version == 0 or followed.source == loaded.stored.link

    def _advance(self, game: str, followed: _Followed, loaded: LoadedGame, version: int) -> None:
        """Follow the log to a version. Start again if the followed version is no longer part of the log."""
        path, link = followed.path, followed.link
        followed.path = followed.loaded = None  # after a step that fails, the path is at no version
        if path is None or followed.version >= version or not self._is_in_log(game, loaded, link, followed.version):
            path = self._replay_to(game, loaded, version)
            link = self._link(game, loaded, version)
        else:
            for entry in self._store.entries(game, followed.version, version):
                if next_link(loaded.stored.secret, link, entry.text) != entry.link:
                    raise DamagedGame(f"the chain over the log is broken at entry {entry.version}")
                path.step(read_entry(entry.text))
                link = entry.link
        followed.path, followed.version, followed.link, followed.source = path, version, link, loaded.stored.link
        followed.loaded = replace(
            loaded,
            stored=_stored_at(loaded.stored, version, link),
            game=path.game.clone(),
            since=version,
            deadline=None,
            clocks=loaded.clocks and loaded.clocks.without_times,
            proposal=None,
            updated=0,
            ttl=0,
        )

    def _is_in_log(self, game: str, loaded: LoadedGame, link: str, version: int) -> bool:
        return link == self._link(game, loaded, version)

    def _link(self, game: str, loaded: LoadedGame, version: int) -> str:
        """Return the link of a version."""
        return next(self._store.entries(game, version - 1, version)).link if version else loaded.stored.opening

    def _replay_to(self, game: str, loaded: LoadedGame, version: int) -> LogReplay:
        """Return a replay that has reached this version."""
        if loaded.stored.segment(version).ruleset == loaded.ruleset.id:
            return self._replay.retraced(game, loaded, version)
        return self._replayed_other_rules(game, loaded, version)

    def _replayed_other_rules(self, game: str, loaded: LoadedGame, version: int) -> LogReplay:
        """Return a replay of a part of the log that was played under other rules, if these rules lead to the same end.
        Raises RulesChanged if they do not."""
        segment = loaded.stored.segment(version)
        with suppress(AlhambraError, RulesDefect):
            end = self._played(game, loaded, segment, segment.last)
            if self._reaches_end(game, loaded, segment, end):
                return self._played(game, loaded, segment, version)
        known = loaded.ruleset.id
        message = f"what spectators may see was played under {segment.ruleset} and cannot be replayed under {known}"
        raise RulesChanged(message, written_by=segment.ruleset, known=known)

    def _played(self, game: str, loaded: LoadedGame, segment: Segment, version: int) -> LogReplay:
        """Return a replay from the beginning of a part of the log to one of its versions."""
        if segment.first:
            path = self._replay.from_upgrade(game, loaded, segment)
        else:
            path = LogReplay(loaded.options, origin=loaded.stored.origin)
        for entry in self._store.entries(game, segment.first, version):
            path.step(read_entry(entry.text))
        return path

    def _reaches_end(self, game: str, loaded: LoadedGame, segment: Segment, end: LogReplay) -> bool:
        """Return whether a replay has reached the state that follows the part of the log."""
        assert loaded.game is not None
        if segment.last == loaded.version:
            return end.game.state_bytes() == loaded.game.state_bytes()
        upgrade = read_entry(next(self._store.entries(game, segment.last, segment.last + 1)).text).upgrade
        return upgrade is not None and end.leads_to(upgrade)


def _stored_at(stored: StoredGame, version: int, link: str) -> StoredGame:
    """Return the stored game at this version, without a state."""
    return replace(
        stored,
        version=version,
        link=link,
        state=b"",
        ruleset=stored.segment(version).ruleset,
        rules_upgrades=tuple(upgrade for upgrade in stored.rules_upgrades if upgrade[0] <= version),
    )
