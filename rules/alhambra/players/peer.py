"""The peer player: the benchmark of published engines.

In three of four actions it buys a tile that it can afford and builds it somewhere; sometimes it builds from the
reserve; otherwise it takes money. In all other decisions it makes a random legal move.
"""

from __future__ import annotations

from ..base.payment.sampling import sample_payment, worth_of
from ..base.purchase import offers_at, purchase_of
from ..base.take_money import take_limit
from ..game import Game
from ..module import RandBelow
from ..moves import Move
from ..rng import Rng
from ..state import Decision
from .player import Action, Player, randbelow

BUYS = 0.75
ADDS = 0.10
TAKES_ONE = 0.5


def peer_move(game: Game, rng: Rng) -> Move:
    """Return a move of the peer player."""
    decision = game.decision
    assert decision is not None
    move = None
    if decision.kind == "action" and game.state.actions > 0:
        move = _action(game, rng)
    elif decision.kind in ("place_tiles", "place_now", "leftover_tiles"):
        move = game.sample_move("place", randbelow(rng))
    return game.random_move(rng) if move is None else move


def _action(game: Game, rng: Rng) -> Move | None:
    mood = rng.random()
    draw = randbelow(rng)
    move = None
    if mood < BUYS:
        move = game.sample_move("buy", draw, _purchase)
    elif mood < BUYS + ADDS:
        move = game.sample_move("add", draw)
    if move is None:
        move = game.sample_move("take_money", draw, _one_card if rng.random() < TAKES_ONE else _several_cards)
    return move


def _purchase(game: Game, decision: Decision, draw: RandBelow) -> Move | None:
    """Return the purchase of a random affordable tile, with cards in random order until the price is met; None if there
    is none."""
    worth = worth_of(game.ruleset, game.state.seats[decision.seat].hand)
    offers = [offer for offer in offers_at(game, decision) if offer.price <= worth.get(offer.currency, 0)]
    if not offers:
        return None
    offer = offers[draw(len(offers))]
    payment = sample_payment(game, decision.seat, offer, draw)
    return None if payment is None else purchase_of(offer, payment)


def _one_card(game: Game, _decision: Decision, draw: RandBelow) -> Move | None:
    """Return a take of any open card; None if there is none."""
    cards = game.state.display
    return _taking([cards[draw(len(cards))]]) if cards else None


def _several_cards(game: Game, decision: Decision, draw: RandBelow) -> Move | None:
    """Return a take of as many open cards as the limit allows, in random order; otherwise of any one card."""
    cards = list(game.state.display)
    if not cards:
        return None
    any_one = cards[draw(len(cards))]
    return _taking(_within_limit(game, decision, cards, draw) or [any_one])


def _taking(cards: list[str]) -> Move:
    return Move("take_money", display=tuple(sorted(cards)))


def _within_limit(game: Game, decision: Decision, cards: list[str], draw: RandBelow) -> list[str]:
    known = game.ruleset.cards
    left = take_limit(game, decision.seat)
    taken = []
    while cards:
        card = cards.pop(draw(len(cards)))
        value = known[card].value
        if 0 < value <= left:
            taken.append(card)
            left -= value
    return taken


class Peer(Player):
    """The player that buys and builds without a plan."""

    name = "peer"
    about = "buys and builds without a plan, as published engines measure themselves"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return a move of the peer player."""
        return peer_move(game, rng)
