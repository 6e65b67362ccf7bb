"""The spoiler: buys what the others want most, builds nothing and delays the game.

A seat wants a tile more, the more buildings of its type it has. Otherwise the spoiler passes if it can, reserves tiles
instead of building them, and takes a single card.
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
"""Verbs that delay the game, best first."""


class Spoiler(Player):
    """The player that buys what others want, and otherwise delays the game."""

    name = "spoiler"
    about = "buys what the others want most, and lets time run otherwise"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a purchase of a wanted tile, otherwise the slowest move, otherwise a random legal move."""
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
    """Return the purchase of the affordable tile that the others want most; None if there is none."""
    offers = offers_at(game, decision)
    order = sorted(offers, key=lambda offer: (_wanted(game, decision.seat, offer), draw(1_000)), reverse=True)
    for offer in order:
        payment = sample_payment(game, decision.seat, offer, draw)
        if payment is not None:
            return purchase_of(offer, payment)
    return None


def _wanted(game: Game, own: int, offer: Offer) -> int:
    """Return the number of buildings of the tile's types in the other Alhambras."""
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
