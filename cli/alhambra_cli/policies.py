"""Players without a plan: how simulated games are played.

`random` draws any legal move, verb first. `peer` is what published engines measure themselves with: three times in four
it buys a tile it can afford and builds it somewhere, now and then it builds from the reserve, else it takes money.
"""

from collections.abc import Callable
from random import Random

from alhambra import Decision, Game, Move
from alhambra.base.purchase import offers_at, purchase_of
from alhambra.base.taking import take_limit
from alhambra.base.ways_to_pay import sample_payment, worth_of
from alhambra.module import Below

Policy = Callable[[Game, Random], Move]

BUYS = 0.75
ADDS = 0.10
TAKES_ONE = 0.5


def random_move(game: Game, rng: Random) -> Move:
    """Any legal move."""
    return game.random_move(rng)


def peer_move(game: Game, rng: Random) -> Move:
    """A move as the peers draw it; where they have no habit, any legal one."""
    decision = game.decision
    assert decision is not None
    move = None
    if decision.kind == "action" and game.state.actions > 0:
        move = _action(game, rng)
    elif decision.kind in ("place_tiles", "place_now", "leftover_tiles"):
        move = game.draw("place", _below(rng))
    return game.random_move(rng) if move is None else move


def _below(rng: Random) -> Below:
    """Draws from 0 to bound - 1. `randrange` takes longer than many a rule, and its evenness to the last bit is no
    use here."""
    draw = rng.random
    return lambda bound: int(draw() * bound)


def _action(game: Game, rng: Random) -> Move | None:
    mood = rng.random()
    below = _below(rng)
    move = None
    if mood < BUYS:
        move = game.draw("buy", below, _purchase)
    elif mood < BUYS + ADDS:
        move = game.draw("add", below)
    if move is None:
        move = game.draw("take_money", below, _one_card if rng.random() < TAKES_ONE else _several_cards)
    return move


def _purchase(game: Game, decision: Decision, below: Below) -> Move | None:
    """A random tile that the cards in hand can pay, with cards in random order until the price is met."""
    worth = worth_of(game.ruleset, game.state.seats[decision.seat].hand)
    offers = [offer for offer in offers_at(game, decision) if offer.price <= worth.get(offer.currency, 0)]
    if not offers:
        return None
    offer = offers[below(len(offers))]
    payment = sample_payment(game, decision.seat, offer, below)
    return None if payment is None else purchase_of(offer, payment)


def _one_card(game: Game, _decision: Decision, below: Below) -> Move | None:
    """Any open card."""
    cards = game.state.display
    return _taking([cards[below(len(cards))]]) if cards else None


def _several_cards(game: Game, decision: Decision, below: Below) -> Move | None:
    """As many open cards as fit into the limit, in random order; if none does, any."""
    cards = list(game.state.display)
    if not cards:
        return None
    any_one = cards[below(len(cards))]
    return _taking(_within_limit(game, decision, cards, below) or [any_one])


def _taking(cards: list[str]) -> Move:
    return Move("take_money", display=tuple(sorted(cards)))


def _within_limit(game: Game, decision: Decision, cards: list[str], below: Below) -> list[str]:
    known = game.ruleset.cards
    left = take_limit(game, decision.seat)
    taken = []
    while cards:
        card = cards.pop(below(len(cards)))
        value = known[card].value
        if 0 < value <= left:
            taken.append(card)
            left -= value
    return taken


POLICIES: dict[str, Policy] = {"random": random_move, "peer": peer_move}
