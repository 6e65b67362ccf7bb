"""The spoiler: it takes from the market what the others want most, builds nothing with it, and lets time run.

A seat wants a tile more, the more buildings of that type it has. Where there is nothing to take away the spoiler passes
if it can, puts tiles away rather than building them, and takes a single card of money.
"""

from __future__ import annotations

from ...base.payment.offers import Offer
from ...base.payment.sampling import sample_payment
from ...base.purchase import offers_at, purchase_of
from ...game import Game
from ...module import RandBelow
from ...moves import Move
from ...rng import Rng
from ...state import Decision
from ..player import Action, Player, randbelow

SLOWEST = ("pass", "reserve", "leave", "take_money")
"""What lets time run, best first."""


class Spoiler(Player):
    """Buys what hurts the others; otherwise gives the slowest answer."""

    name = "spoiler"
    about = "buys what the others want most, and lets time run otherwise"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a purchase that hurts, else the slowest answer, else any legal move."""
        draw = randbelow(rng)
        move = game.sample_move("buy", draw, _most_wanted)
        if move is not None:
            return move
        for verb in SLOWEST:
            move = game.sample_move(verb, draw, _single_card if verb == "take_money" else None)
            if move is not None:
                return move
        return game.random_move(rng)


def _most_wanted(game: Game, decision: Decision, draw: RandBelow) -> Move | None:
    """Return a purchase of the tile that the others want most, among those that the seat can pay."""
    offers = offers_at(game, decision)
    order = sorted(offers, key=lambda offer: (_wanted(game, decision.seat, offer), draw(1_000)), reverse=True)
    for offer in order:
        payment = sample_payment(game, decision.seat, offer, draw)
        if payment is not None:
            return purchase_of(offer, payment)
    return None


def _wanted(game: Game, own: int, offer: Offer) -> int:
    """Count the buildings of the offered tile's types in the Alhambras of the other seats."""
    if not offer.tile:
        return 0
    tiles = game.ruleset.tiles
    types = {part.type for part in tiles[offer.tile].parts}
    return sum(
        part.type in types
        for seat, owner in enumerate(game.state.seats)
        if seat != own
        for placed in owner.board.placed
        for part in tiles[placed].parts
    )


def _single_card(game: Game, decision: Decision, draw: RandBelow) -> Move | None:
    """Return a take of as few cards as possible."""
    takes = list(game.ruleset.verbs["take_money"].moves(game, decision))
    fewest = min((len(move.display) for move in takes), default=0)
    best = [move for move in takes if len(move.display) == fewest]
    return best[draw(len(best))] if best else None
