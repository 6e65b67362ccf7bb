"""The novelty seeker: makes the kind of move it has made least often, so that rare verbs are played."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from operator import itemgetter
from typing import TypeAlias

from ...game import Game
from ...module import Verb
from ...moves import Move, noun_form
from ...rng import Rng
from ...state import Decision
from ..player import Action, Player

TRIES = 3
"""Samples of a verb that takes items, from which the rarest is made."""
LISTED = 400
"""Maximum number of moves listed for a verb that takes a choice, because rare choices are seldom sampled."""

Kind: TypeAlias = tuple[str, str | None, int]
"""Verb, choice and number of items of a move."""


class NoveltySeeker(Player):
    """The player that counts its moves by verb, choice and items. An instance keeps counting over several games."""

    name = "novelty"
    about = "makes the kind of move that it has made least often"

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.kinds: Counter[Kind] = Counter()

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a move with the verb used least, and among these of the rarest kind."""
        decision = game.decision
        assert decision is not None
        made = self.made
        verbs = [(made[verb.name], rng.random(), verb) for verb in game.offered_verbs(decision)]
        for _, _, verb in sorted(verbs, key=itemgetter(0, 1)):
            move = self._rarest(game, decision, verb, rng)
            if move is not None:
                made[verb.name] += 1
                self.kinds[_kind(move)] += 1
                return move
        raise AssertionError(f"a decision without a legal move: {decision}")

    def _rarest(self, game: Game, decision: Decision, verb: Verb, rng: Rng) -> Move | None:
        """Return a move with the verb, of the kind made least often; None if there is no legal one."""
        nouns = noun_form(verb.nouns)[1]
        if "choice" in nouns:
            listed = game.without_vetoed(verb, decision, (verb.brief or verb.moves)(game, decision))
            found = list(islice(listed, LISTED))
        else:
            tries = TRIES if "items" in nouns else 1
            found = [move for _ in range(tries) if (move := game.sample_move(verb.name, rng.randrange)) is not None]
        return min(found, key=lambda move: (self.kinds[_kind(move)], rng.random()), default=None)


def _kind(move: Move) -> Kind:
    return move.verb, move.choice, len(move.items)
