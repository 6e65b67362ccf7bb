"""The random player: any legal move, verb first."""

from __future__ import annotations

from ..game import Game
from ..moves import Move
from .player import Action, Chance, Player


def random_move(game: Game, chance: Chance) -> Move:
    """Return any legal move."""
    return game.random_move(chance)


class RandomPlayer(Player):
    """Draws a verb that the decision offers, then a move with that verb."""

    name = "random"
    about = "makes any legal move"

    def answer(self, game: Game, chance: Chance) -> Action:
        """Return any legal move."""
        return game.random_move(chance)
