"""Retention: how long a stored game is kept after its last change. Finished and abandoned games have separate times.

Every commit starts the time again, so a game that is played is never deleted. New settings apply to a game with its
next change. A game that is open to anyone is deleted sooner while it waits for players.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import limits
from ..config import Settings
from .loaded_game import LoadedGame

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Retention:
    """Seconds after its last change until a game is deleted; 0 for never."""

    finished: int = 0
    abandoned: int = 0
    """For games that wait for players or for a move. The time for a decision is added, so that no game is deleted
    before the deadline of its open decision."""

    @classmethod
    def chosen(cls, settings: Settings) -> Retention:
        """Return the times that the operator chose in days."""
        return cls(DAY * settings.forget_finished_days, DAY * settings.forget_abandoned_days)

    def seconds(self, loaded: LoadedGame) -> int:
        """Return the seconds after which the game is deleted if it does not change; 0 for never."""
        if loaded.over:
            return self.finished
        if loaded.open_to_anyone and loaded.game is None:
            return min(limits.OPEN_GAME_SECONDS, self.abandoned or limits.OPEN_GAME_SECONDS)
        clock = loaded.clocks.most // 1000 if loaded.clocks is not None else 0
        return self.abandoned + max(loaded.turn_seconds, clock) if self.abandoned else 0
