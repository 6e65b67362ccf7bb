"""Quiet games: for playouts, where nobody reads what happened.

A quiet game keeps neither events nor a log. Its moves, scores, views and states are those of an ordinary game, byte for
byte. Without a log it cannot undo and cannot be written as a whole; `state_bytes` is possible.

Create one with `Game.new(options, quiet=True)` or `game.clone(quiet=True)`. Copies and determinizations of a quiet game
are quiet.
"""

from __future__ import annotations

from typing import Any, NoReturn

from .engine import WORK_LIMIT
from .game import Game
from .moves import Move
from .options import Options
from .rules_upgrades import RulesUpgrade
from .ruleset import Ruleset, rules_for
from .state import State
from .undo import Entry


class QuietGame(Game):
    """A game without events and log. `version` still counts the entries that a log would have."""

    __slots__ = ("_entries",)

    def __init__(self, options: Options, ruleset: Ruleset, state: State, log: list[Entry], origin: str = "") -> None:
        super().__init__(options, ruleset, state, [], origin)
        self._entries = len(log)

    @classmethod
    def of(cls, game: Game) -> QuietGame:
        """Return a quiet copy of a game."""
        copy = game._copy_to(cls, [])
        copy._entries = game.version
        copy._emitted, copy._events = [], None
        return copy

    def clone(self, *, quiet: bool = True) -> Game:
        """Return an independent copy, which is always quiet."""
        return QuietGame.of(self)

    @property
    def version(self) -> int:
        """The number of entries that the log would have."""
        return self._entries

    def emit(self, kind: str, private: dict[int, dict[str, Any]] | None = None, /, **public: Any) -> None:
        """Keep nothing. The event counts as work, so that a rule that does not terminate is stopped."""
        self._work += 1
        if self._work > WORK_LIMIT:
            self.count_work()

    def to_bytes(self) -> NoReturn:
        """Raise ValueError: the log is a part of these bytes. `state_bytes` is possible."""
        raise ValueError("a quiet game has no log, so it cannot be written as a whole")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, QuietGame)
            and (self.version, self.options) == (other.version, other.options)
            and self.state_bytes() == other.state_bytes()
        )

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.options, self.state_bytes(), self._entries, self._is_determinization)

    def _keep_entry(self, kind: str, seat: int, move: Move | None = None, upgrade: RulesUpgrade | None = None) -> None:
        """Keep nothing but the count."""
        self._entries += 1


def _unpickled(options: Options, state: bytes, version: int, is_determinization: bool) -> Game:
    """Return a pickled game."""
    game = QuietGame.of(QuietGame(options, rules_for(options), State([]), []).with_state(state))
    game._entries = version
    game._is_determinization = is_determinization
    return game
