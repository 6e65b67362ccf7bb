"""Reviews of finished games, made by replaying their logs a part at a time.

A call spends REVIEW_SECONDS of CPU time on a review; the next call continues. The newest reviews are kept in memory, so
that every further reader of a finished game gets its review at once. A process that has no review of a game begins one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from alhambra.export import LogReplay, read_entry
from alhambra.players import Review

from .. import current_call, limits
from ..blocking import holding
from ..cpu_budget import CpuBudget
from ..store import GameStore

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame


class ReviewInParts:
    """The review of one finished game, as far as it was made."""

    def __init__(self, loaded: LoadedGame) -> None:
        self.lock = threading.Lock()
        self._path = LogReplay(loaded.options, origin=loaded.stored.origin)
        self.review = Review(self._path.game)

    @property
    def version(self) -> int:
        """The version up to which the game was reviewed."""
        return self._path.game.version

    def proceed(self, store: GameStore[LoadedGame], game: str, last: int, budget: CpuBudget) -> None:
        """Review further entries of the log, until the CPU time is used up."""
        for line in store.entries(game, self.version, last):
            entry = read_entry(line.text)
            self._path.step(entry)
            if entry.kind == "undo":
                self.review.take_back(self._path.game, entry.seat)
            else:
                self.review.see(self._path.game, entry.seat, entry.move if entry.kind == "move" else None)
            if line.version % limits.REPLAY_CHECK_ENTRIES == 0:
                current_call.require_caller()
            if budget.spent():
                return


class Reviews:
    """The reviews of a process. Threads may share it."""

    def __init__(self, store: GameStore[LoadedGame]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], ReviewInParts] = OrderedDict()
        """By game and last link; the most recently read one is last."""

    def of(self, game: str, loaded: LoadedGame) -> tuple[Review, bool] | None:
        """Return the review of a finished game and whether it is complete, after some more work on it. Return None for
        a game that was begun under other rules, which these rules cannot replay."""
        if loaded.stored.rules_upgrades or loaded.stored.ruleset != loaded.ruleset.id:
            return None
        key = (game, loaded.stored.link)
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = ReviewInParts(loaded)
            self._kept.move_to_end(key)
            while len(self._kept) > limits.REVIEWS_KEPT:
                self._kept.popitem(last=False)
        with holding(found.lock):
            if found.version < loaded.version:
                found.proceed(self._store, game, loaded.version, CpuBudget(limits.REVIEW_SECONDS, every=1))
            return found.review, found.version >= loaded.version
