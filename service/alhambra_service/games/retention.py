"""How long a stored game is kept after its last change. Finished games and abandoned ones have a time of their own.

Every commit sets the time anew, so a game that is played never goes. A change of the settings reaches a game with its
next change.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..config import Settings
from .table import OVER, Table

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Retention:
    """Seconds after its last change until a game is removed; 0 for never."""

    finished: int = 0
    abandoned: int = 0
    """For games that wait for players or for a move. The time for a decision is added, so that no game goes before the
    deadline of its open decision."""

    @classmethod
    def chosen(cls, settings: Settings) -> Retention:
        """What the operator chose, in days."""
        return cls(DAY * settings.forget_finished_days, DAY * settings.forget_abandoned_days)

    def seconds(self, table: Table) -> int:
        """How long the game is kept if nothing happens to it any more; 0 for ever."""
        if table.status == OVER:
            return self.finished
        return self.abandoned + table.turn_seconds if self.abandoned else 0
