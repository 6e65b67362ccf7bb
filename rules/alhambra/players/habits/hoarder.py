"""The hoarder: it takes money and never spends any, as long as the rules leave it another answer.

A table of hoarders empties the deck again and again and leaves the market as it is. Such a game ends by its turn limit.
"""

from __future__ import annotations

from ...game import Game
from ...module import Verb
from ...moves import Move
from ...rng import Rng
from ..player import Action, Player

FIRST = ("take_money", "pass")
"""What the hoarder does if it can, best first."""


class Hoarder(Player):
    """Prefers taking money, then passing, then whatever costs nothing; pays only if nothing else is legal."""

    name = "hoarder"
    about = "takes money, and buys only if nothing else is legal"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the least costly move; among takes, one of the highest value."""
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
    """Rank a verb: money first, then passing, then what is free. Verbs that pay have a list without needless
    payments (`brief`); they come last."""
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
    """Return what the cards are worth; cards that are no money are worth nothing."""
    return sum(game.ruleset.cards[card].value for card in move.display)
