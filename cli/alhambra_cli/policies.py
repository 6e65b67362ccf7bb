"""Players without a plan: how simulated games are played.

`random` draws any legal move, verb first. `peer` is what published engines measure themselves with: three times in four
it buys a tile it can afford and builds it somewhere, now and then it builds from the reserve, else it takes money.
"""

from collections.abc import Callable
from random import Random

from alhambra import Game, Move
from alhambra.base.payment import affordable, sample_payment
from alhambra.base.purchase import offers_at, purchase_of
from alhambra.base.taking import take_limit

Policy = Callable[[Game, Random], Move]

BUYS = 0.75
ADDS = 0.10
TAKES_ONE = 0.5


def random_move(game: Game, rng: Random) -> Move:
    """Any legal move."""
    return game.random_move(rng)


def peer_move(game: Game, rng: Random) -> Move:
    """A move as the peers draw it; where they have no habit, any legal one."""
    assert game.decision is not None
    kind = game.decision.kind
    move = None
    if kind == "action" and game.state.actions > 0:
        move = _action(game, rng)
    elif kind in ("place_tiles", "place_now", "leftover_tiles"):
        move = game.draw("place", _below(rng))
    return game.random_move(rng) if move is None else move


def _below(rng: Random) -> Callable[[int], int]:
    """A number from 0 to bound - 1. `randrange` would take longer than many a rule; its last bit of evenness is no
    loss here."""
    number = rng.random
    return lambda bound: int(number() * bound)


def _action(game: Game, rng: Random) -> Move | None:
    mood = rng.random()
    move = None
    if mood < BUYS:
        move = _purchase(game, _below(rng))
    elif mood < BUYS + ADDS:
        move = game.draw("add", _below(rng))
    return _money(game, rng) if move is None else move


def _purchase(game: Game, below: Callable[[int], int]) -> Move | None:
    """A random tile that can be paid, with cards in random order until the price is met."""
    decision = game.decision
    assert decision is not None
    offers = [offer for offer in offers_at(game, decision) if affordable(game, decision.seat, offer)]
    if not offers:
        return None
    offer = offers[below(len(offers))]
    payment = sample_payment(game, decision.seat, offer, below)
    return _unopposed(game, purchase_of(offer, payment)) if payment is not None else None


def _money(game: Game, rng: Random) -> Move | None:
    """One open card, or as many as fit into the limit, in random order."""
    cards = list(game.state.display)
    if not cards:
        return None
    if rng.random() < TAKES_ONE:
        return _unopposed(game, Move("take_money", display=(rng.choice(cards),)))
    rng.shuffle(cards)
    assert game.decision is not None
    known = game.ruleset.cards
    limit = take_limit(game, game.decision.seat)
    taken, total = [], 0
    for card in cards:
        value = known[card].value
        if value and total + value <= limit:
            taken.append(card)
            total += value
    return _unopposed(game, Move("take_money", display=tuple(sorted(taken or cards[:1]))))


def _unopposed(game: Game, move: Move) -> Move | None:
    """The move, unless a module objects to it; nothing is verified twice without need."""
    return move if move.verb not in game.ruleset.vetoes or not game.verify(move) else None


POLICIES: dict[str, Policy] = {"random": random_move, "peer": peer_move}
