"""The random player: a random verb, then a random legal move with it."""

from __future__ import annotations

from ..game import Game
from ..moves import Move
from ..rng import Rng
from .player import Action, Player


def random_move(game: Game, rng: Rng) -> Move:
    """Return a random legal move."""
    return game.random_move(rng)


class RandomPlayer(Player):
    """The player that makes random legal moves."""

    name = "random"
    about = "makes any legal move"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a random legal move."""
        return game.random_move(rng)
