"""The resigner: plays at random and resigns at a random moment, during its own or another seat's decision.

Decisions other than `action` are rare and come in the middle of something: an auction, a purchase, a scoring, the end.
Resigning there is more likely, so that it happens often enough.
"""

from __future__ import annotations

from ...game import Game
from ...rng import Rng
from ..player import Action, Player, Resign
from ..random_player import random_move

AT_AN_ACTION = 60
"""It resigns with a probability of one in this number at `action` …"""
AT_ANOTHER_QUESTION = 20
"""… at its other decisions …"""
WHILE_OTHERS_DECIDE = 600
"""… and at decisions of other seats."""


class Resigner(Player):
    """The player that resigns at a random moment."""

    name = "resigner"
    about = "makes any legal move, and resigns at some moment"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a random legal move."""
        return random_move(game, rng)

    def interrupt(self, game: Game, seat: int, rng: Rng) -> Action | None:
        """Return the resignation, if this is the moment; otherwise None."""
        decision = game.decision
        assert decision is not None
        odds = WHILE_OTHERS_DECIDE
        if decision.seat == seat:
            odds = AT_AN_ACTION if decision.kind == "action" else AT_ANOTHER_QUESTION
        return None if rng.randrange(odds) else Resign(seat)
