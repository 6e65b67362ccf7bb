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
from .observations import Arrays, Observer

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
        self._mask: NDArray[np.int8] | None = None
        """The legal actions of the seat to act, once they were asked for."""
        self._seen: dict[int, tuple[Arrays, NDArray[np.float32] | None]] = {}
        """By seat: what it sees, until the game changes."""
        self.refresh()

    def refresh(self) -> None:
        """Begin anew with the open decision, after the game was changed from outside."""
        self.choice = None if self.game.over else MoveChoice(self.game, self.space)
        self._mask = None
        self._seen.clear()

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
        self._mask = None
        move = choice.move
        if move is not None:
            self.game.assume_legal(move)
            self.game.play(move)
            self.refresh()
        return move

    # -- What a seat sees -----------------------------------------------------------------------------------------

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return the legal actions of a seat as ones. Only the seat to act has any."""
        choice = self.choice
        if choice is None or choice.seat != seat:
            return np.zeros(self._actions, dtype=np.int8)
        if self._mask is None:
            self._mask = np.zeros(self._actions, dtype=np.int8)
            self._mask[choice.options] = 1
        return self._mask.copy()

    def arrays(self, seat: int) -> Arrays:
        """Return what a seat sees as named arrays, without the mask."""
        arrays, _ = self._look(seat)
        found = {name: array.copy() for name, array in arrays.items()}
        self._mark(found["move"], seat, 1)
        return found

    def vector(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees as one vector."""
        arrays, kept = self._look(seat)
        if kept is None:
            kept = self.observer.vector(arrays)
            self._seen[seat] = (arrays, kept)
        found = kept.copy()
        self._mark(found[-len(self.space) :], seat, 1 / float(self.observer.bounds["move"]))
        return found

    def _look(self, seat: int) -> tuple[Arrays, NDArray[np.float32] | None]:
        if seat not in self._seen:
            self._seen[seat] = (self.observer.arrays(self.game, seat), None)
        return self._seen[seat]

    def _mark(self, move: NDArray[Any], seat: int, each: float) -> None:
        """Count the actions taken for the move that is being chosen; only the seat that chooses sees them."""
        if self.choice is not None and self.choice.seat == seat:
            for action in self.choice.taken:
                move[action] += each
