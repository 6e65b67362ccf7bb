"""The resigner: it plays at random and leaves the game at some moment, its own or another seat's.

Questions other than that for an action are rare and come in the middle of something: an auction, a purchase, a scoring,
the end of the game. Leaving there is likelier, so that it happens there too.
"""

from __future__ import annotations

from ...game import Game
from ...rng import Rng
from ..player import Action, Player, Resign
from ..random_player import random_move

AT_AN_ACTION = 60
"""One in this many times the resigner leaves when it is asked for an action …"""
AT_ANOTHER_QUESTION = 20
"""… when it is asked anything else …"""
WHILE_OTHERS_DECIDE = 600
"""… and when another seat is asked."""


class Resigner(Player):
    """Resigns at a random moment."""

    name = "resigner"
    about = "makes any legal move, and resigns at some moment"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return any legal move."""
        return random_move(game, rng)

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return the resignation, if this is the moment."""
        decision = game.decision
        assert decision is not None
        odds = WHILE_OTHERS_DECIDE
        if decision.seat == seat:
            odds = AT_AN_ACTION if decision.kind == "action" else AT_ANOTHER_QUESTION
        return None if rng.randrange(odds) else Resign(seat)
