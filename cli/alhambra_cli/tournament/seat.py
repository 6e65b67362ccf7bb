"""A bot at a seat, as the game sees it: the interface of all kinds of bots, and the time that they have."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from alhambra import Game
from alhambra.players import Action


class TimeLeft(NamedTuple):
    """The time that a bot has, in seconds."""

    move: float
    game: float | None

    @property
    def limit(self) -> float:
        """The time after which the bot has lost."""
        return self.move if self.game is None else max(0.0, min(self.move, self.game))

    def as_dict(self) -> dict[str, Any]:
        """Return the clock for a message, in milliseconds."""
        return {
            "moveMs": int(1_000 * self.limit),
            "gameMs": None if self.game is None else int(1_000 * self.game),
        }


class Bot(Protocol):
    """A bot at one seat of one game."""

    info: dict[str, Any] | None
    """What it told about its last decision."""

    def answer(self, game: Game, left: TimeLeft) -> Action:
        """Return the answer to the open decision. Raise BotFault if the bot fails."""

    def finish(self, result: dict[str, Any]) -> None:
        """Tell the bot how the game ended."""

    def fail(self) -> None:
        """End the bot after a fault."""
