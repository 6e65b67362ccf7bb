"""The undoer: plays at random and undoes moves, with consent where necessary.

It undoes several moves in a row as far as the game allows. The number of undos per player is bounded, so games end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...game import Game
from ...rng import Rng
from ..player import Action, Player, Undo
from ..random_player import random_move

UNDOS = 16
"""Maximum number of undos per player and game."""
ODDS = 5
"""One in this many moves is undone; after an undo, every second one."""


class Undoer(Player):
    """The player that undoes moves, sometimes several in a row."""

    name = "undoer"
    about = f"makes random legal moves and undoes up to {UNDOS} of them"
    undoes = True
    required_options: ClassVar[Mapping[str, object]] = {"undo": "by_consent"}

    def __init__(self) -> None:
        self.left = UNDOS
        self._looked = 0
        """The version at which the player last considered an undo."""

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a random legal move."""
        return random_move(game, rng)

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return an undo if one is possible and chosen at random; otherwise None."""
        if not self.left or game.version == self._looked:
            return None
        self._looked = game.version
        last = game.log[-1]
        if last.seat != seat or rng.randrange(2 if last.kind == "undo" else ODDS):
            return None
        for consent in (False, True):
            if game.can_undo(seat, consent=consent) is None:
                self.left -= 1
                return Undo(seat, consent)
        return None
