"""The interface of players: answer the open decision with a move, undo, or resign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple, TypeAlias

from ..game import Game
from ..module import RandBelow
from ..moves import Move
from ..rng import Rng


class Undo(NamedTuple):
    """Undo of the seat's last move. With consent, also beyond decisions of other seats."""

    seat: int
    consent: bool = False


class Resign(NamedTuple):
    """Resignation of a seat."""

    seat: int


Action: TypeAlias = Move | Undo | Resign
"""An action of a player. A move answers the open decision, so it belongs to the seat to decide."""

Mover: TypeAlias = Callable[[Game, Rng], Move]
"""A player that only makes moves, as a function."""


def apply_action(game: Game, action: Action) -> None:
    """Apply the action to the game; `game.events` has the events. Raise IllegalMove if it is refused."""
    if isinstance(action, Move):
        game.play(action)
    elif isinstance(action, Undo):
        game.undo(action.seat, consent=action.consent)
    else:
        game.resign(action.seat)


def randbelow(rng: Rng) -> RandBelow:
    """Return a function that returns a number from 0 to bound - 1. Faster than `randrange`, and uniform enough here."""
    draw = rng.random
    return lambda bound: int(draw() * bound)


class Player:
    """One player in one game. It may keep state, but must not change the game."""

    name: ClassVar[str]
    """The name for `alhambra simulate --policy`."""
    about: ClassVar[str]
    """One line for help texts."""
    is_slow: ClassVar[bool] = False
    """Whether it looks ahead, which is too slow for thousands of games."""
    undoes: ClassVar[bool] = False
    """Whether it undoes moves, so that its games need a log."""
    required_options: ClassVar[Mapping[str, object]] = {}
    """Rule options that the player needs: `Options(..., **required_options)`."""

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the action for a decision of this player's seat."""
        raise NotImplementedError

    def answer_within(self, game: Game, rng: Rng, should_stop: Callable[[], bool]) -> Action:
        """Return the action for a decision, at once when `should_stop()` returns True. By default, answer as always:
        only players that can use more time override this method."""
        return self.answer(game, rng)

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return an action to take before the open decision is answered, by any seat; None for nothing.

        The table asks only players whose class overrides this method."""
        return None
