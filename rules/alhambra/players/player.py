"""What a player can do: answer the open decision with a move, take its last move back, or resign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple, TypeAlias

from ..game import Game
from ..module import RandBelow
from ..moves import Move
from ..rng import Rng


class Undo(NamedTuple):
    """The seat takes its last move back. With consent it may also cross a decision of another seat."""

    seat: int
    consent: bool = False


class Resign(NamedTuple):
    """The seat leaves the game."""

    seat: int


Action: TypeAlias = Move | Undo | Resign
"""What a player does. A move answers the open decision, so it belongs to the seat that is asked."""

Mover: TypeAlias = Callable[[Game, Rng], Move]
"""A player that only makes moves, as a plain function."""


def apply_action(game: Game, action: Action) -> None:
    """Let the game take the action; what happened stands in `game.events`. Raises IllegalMove if it is refused."""
    if isinstance(action, Move):
        game.play(action)
    elif isinstance(action, Undo):
        game.undo(action.seat, consent=action.consent)
    else:
        game.resign(action.seat)


def randbelow(rng: Rng) -> RandBelow:
    """Return a function that draws from 0 to bound - 1. `randrange` takes longer than many a rule, and its evenness
    to the last bit is of no use here."""
    draw = rng.random
    return lambda bound: int(draw() * bound)


class Player:
    """One player in one game. The instance may remember what it did; it must not change the game."""

    name: ClassVar[str]
    """The word that `alhambra simulate --policy` takes."""
    about: ClassVar[str]
    """The habit in one line, for help texts."""
    is_slow: ClassVar[bool] = False
    """Whether it looks ahead: too slow for games by the thousand."""
    required_options: ClassVar[Mapping[str, object]] = {}
    """Rule options under which the habit shows: `Options(..., **required_options)`."""

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return what the player does when its seat is asked."""
        raise NotImplementedError

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return what the player does before the open decision is answered, whoever is asked; None for nothing.

        The table asks only players whose class overrides this method."""
        return None
