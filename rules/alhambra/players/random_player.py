"""The random player: any legal move, verb first."""

from __future__ import annotations

from ..game import Game
from ..moves import Move
from ..rng import Rng
from .player import Action, Player


def random_move(game: Game, rng: Rng) -> Move:
    """Return any legal move."""
    return game.random_move(rng)


class RandomPlayer(Player):
    """Draws a verb that the decision offers, then a move with that verb."""

    name = "random"
    about = "makes any legal move"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return any legal move."""
        return game.random_move(rng)
