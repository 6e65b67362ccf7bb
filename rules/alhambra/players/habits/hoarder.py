"""The hoarder: takes money and pays only if no other move is legal.

Hoarders empty the deck repeatedly and leave the market alone. A game of hoarders ends by its turn limit.
"""

from __future__ import annotations

from ...game import Game
from ...module import Verb
from ...moves import Move
from ...rng import Rng
from ..player import Action, Player

FIRST = ("take_money", "pass")
"""Preferred verbs, best first."""


class Hoarder(Player):
    """The player that prefers taking money, then passing, then free moves."""

    name = "hoarder"
    about = "takes money, and buys only if nothing else is legal"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the cheapest move; among takes, one of the highest value."""
        decision = game.decision
        assert decision is not None
        verbs = list(game.offered_verbs(decision))
        while verbs:
            least = min(map(_cost, verbs))
            cheapest = [verb for verb in verbs if _cost(verb) == least]
            verb = cheapest[rng.randrange(len(cheapest))]
            verbs.remove(verb)
            move = _most_money(game, rng) if verb.name == FIRST[0] else game.sample_move(verb.name, rng.randrange)
            if move is not None:
                return move
        raise AssertionError(f"a decision without a legal move: {decision}")


def _cost(verb: Verb) -> int:
    """Return the rank of a verb: money first, then passing, then free verbs. Verbs that pay (those with `brief`) come
    last."""
    if verb.name in FIRST:
        return FIRST.index(verb.name)
    return len(FIRST) + (verb.brief is not None)


def _most_money(game: Game, rng: Rng) -> Move | None:
    """Return a legal take of the highest value; None if no card can be taken."""
    decision = game.decision
    assert decision is not None
    verb = game.ruleset.verbs[FIRST[0]]
    takes = [(_value(game, move), move) for move in game.without_vetoed(verb, decision, verb.moves(game, decision))]
    most = max((value for value, _ in takes), default=0)
    best = [move for value, move in takes if value == most]
    return best[rng.randrange(len(best))] if best else None


def _value(game: Game, move: Move) -> int:
    """Return the value of the cards; cards that are not money count 0."""
    return sum(game.ruleset.cards[card].value for card in move.display)
