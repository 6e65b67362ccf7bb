"""A game played action by action, with masks and observations: what all environments share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from ..options import Options
from ..presets import preset_modules
from .actions import ActionSpace
from .move_choice import MoveChoice
from .observations import Arrays, Observer, Shown

if TYPE_CHECKING:
    from ..moves import Move

__all__ = ["Stepper", "options_of"]


def options_of(seats: int, seed: str, modules: Iterable[str] = (), preset: str | None = None, **rules: Any) -> Options:
    """Return the options of a game. A preset stands for its modules; both together are added up."""
    named = list(modules)
    if preset is not None:
        named += [key for key in preset_modules(preset) if key not in named]
    return Options(seats, seed, modules=named, **rules)


class Stepper:
    """A game and the move that is being chosen in it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.space = game.ruleset.table(ActionSpace)
        self.observer = game.ruleset.table(Observer)
        self.choice: MoveChoice | None = None
        """The move that is being chosen; None if the game is over."""
        self._actions = len(self.space)
        self._each = 1 / float(self.observer.bounds["move"])
        """The share of an action that was taken in the vector."""
        self._seen: dict[int, NDArray[np.int16]] = {}
        """By seat: all numbers that it sees, until the game changes."""
        self._vectors: dict[int, NDArray[np.float32]] = {}
        """By seat: the same as a vector."""
        self._shown: dict[int, Shown] = {}
        """By seat: what modules showed when the seat looked last."""
        self.refresh()

    def refresh(self) -> None:
        """Begin anew with the open decision, after the game was changed from outside."""
        self.choice = None if self.game.over else MoveChoice(self.game, self.space)
        self._seen.clear()
        self._vectors.clear()

    @property
    def seat(self) -> int:
        """The seat to act."""
        assert self.choice is not None, "the game is over"
        return self.choice.seat

    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to act; empty if the game is over."""
        return [] if self.choice is None else self.choice.options

    def step(self, action: int) -> Move | None:
        """Take an action. Return the move if the action finished one. Raise ValueError if the action is illegal."""
        choice = self.choice
        if choice is None:
            raise ValueError("the game is over")
        choice.choose(action)
        move = choice.move
        if move is not None:
            self.game.assume_legal(move)
            self.game.play(move)
            self.refresh()
        return move

    # -- What a seat sees -----------------------------------------------------------------------------------------

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return the legal actions of a seat as ones. Only the seat to act has any."""
        mask = bytearray(self._actions)  # numbers are set much faster in bytes than in an array
        choice = self.choice
        if choice is not None and choice.seat == seat:
            for action in choice.options:
                mask[action] = 1
        return np.frombuffer(mask, np.int8)

    def arrays(self, seat: int) -> Arrays:
        """Return what a seat sees as named arrays, without the mask."""
        found = self._look(seat).copy()
        self._mark(found[-self._actions :], seat, 1)
        return self.observer.named(found)

    def vector(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees as one vector."""
        kept = self._vectors.get(seat)
        if kept is None:
            kept = self._vectors[seat] = self.observer.vector(self._look(seat))
        found = kept.copy()
        self._mark(found[-self._actions :], seat, self._each)
        return found

    def _look(self, seat: int) -> NDArray[np.int16]:
        found = self._seen.get(seat)
        if found is None:
            found, self._shown[seat] = self.observer.look(self.game, seat, self._shown.get(seat, {}))
            self._seen[seat] = found
        return found

    def _mark(self, move: NDArray[Any], seat: int, each: float) -> None:
        """Count the actions taken for the move that is being chosen; only the seat that chooses sees them."""
        if self.choice is not None and self.choice.seat == seat:
            for action in self.choice.taken:
                move[action] += each
