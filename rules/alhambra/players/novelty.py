"""The novelty seeker: it makes the kind of move that it has made least often, so that rare verbs are played too."""

from __future__ import annotations

from collections import Counter

from ..game import Game
from .player import Action, Chance, Player


class NoveltySeeker(Player):
    """Counts its verbs. An instance that plays several games goes on counting."""

    name = "novelty"
    about = "makes the kind of move that it has made least often"

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()

    def answer(self, game: Game, chance: Chance) -> Action:
        """Return a move with the verb made least often so far."""
        decision = game.decision
        assert decision is not None
        made = self.made
        verbs = [(made[verb.name], chance.random(), verb.name) for verb in game.offered_verbs(decision)]
        for _, _, name in sorted(verbs):
            move = game.draw(name, chance.randrange)
            if move is not None:
                made[name] += 1
                return move
        raise AssertionError(f"a decision without a legal move: {decision}")
