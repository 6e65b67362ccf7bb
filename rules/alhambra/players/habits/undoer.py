"""The undoer: it plays at random and takes moves back, its own decision or not, with consent where that is needed.

It takes back one move after the other as far as the game lets it. Each player of this kind takes back a bounded number
of moves in a game, so the game ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...game import Game
from ...rng import Rng
from ..player import Action, Player, Undo
from ..random_player import random_move

UNDOS = 16
"""Moves that the player takes back in one game, at most."""
ODDS = 5
"""One in this many moves is taken back; after an undo, one in two of the moves before it."""


class Undoer(Player):
    """Takes back moves, several in a row now and then."""

    name = "undoer"
    about = f"makes any legal move, and takes back up to {UNDOS} of them"
    required_options: ClassVar[Mapping[str, object]] = {"undo": "by_consent"}

    def __init__(self) -> None:
        self.left = UNDOS
        self._looked = 0
        """The version at which the player last thought about an undo: it does so once for each."""

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return any legal move."""
        return random_move(game, rng)

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return an undo, if one is possible and the player is in the mood."""
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
