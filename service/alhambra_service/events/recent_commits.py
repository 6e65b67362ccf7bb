"""The events of the newest commits of this process, so that the log need not be replayed to find them.

The thread that commits a move adds its events under the last link of the commit (`alhambra.fairness`). Streams that
follow the game look them up by the link of the game that they loaded. A link identifies one game and its whole log, so
the events under it are the right ones, or there are none.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from alhambra import Event

from .. import limits


class LinkedEvents(NamedTuple):
    """Events of a game, and the links of their versions."""

    events: list[Event]
    links: Mapping[int, str]
    """By version. There may be links of other versions beside those of the events."""


@dataclass(frozen=True, slots=True)
class _Commit:
    before: str
    """The link of the version before the first one."""
    first: int
    events: tuple[Event, ...]
    links: Mapping[int, str]
    """By version: the links of the commit."""


class RecentCommits:
    """The events of the newest commits, by game and link. Threads may share it."""

    def __init__(self, most: int = limits.RECENT_COMMITS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._commits: OrderedDict[tuple[str, str], _Commit] = OrderedDict()

    def add(
        self, game: str, before: str, link: str, first: int, events: Sequence[Event], links: Mapping[int, str]
    ) -> None:
        """Note the events of a commit, from version `first` on, between two links of the chain, and the links of their
        versions. A commit without entries leaves the link as it was and is not noted."""
        if before == link:
            return
        commit = _Commit(before, first, tuple(events), links)
        with self._lock:
            self._commits[game, link] = commit
            if len(self._commits) > self._most:
                self._commits.popitem(last=False)

    def events_since(self, game: str, link: str, first: int, after: str = "") -> LinkedEvents | None:
        """Return the events from version `first` up to the version with this link; None if not all of them are known,
        or if the version before `first` does not have the link `after`."""
        parts: list[_Commit] = []
        while True:
            commit = self._commits.get((game, link))
            if commit is None:
                return None
            parts.append(commit)
            if commit.first <= first:
                break
            link = commit.before
        if after and (parts[-1].first != first or parts[-1].before != after):
            return None
        links: dict[int, str] = {}
        for commit in parts:
            links.update(commit.links)
        return LinkedEvents(
            [event for commit in reversed(parts) for event in commit.events if event.version >= first], links
        )
