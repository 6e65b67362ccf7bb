"""Players without a plan: how simulated games are played.

`random` draws any legal move, verb first. `peer` is what published engines measure themselves with: three times in four
it buys a tile it can afford and builds it somewhere, now and then it builds from the reserve, else it takes money.
"""

from collections.abc import Callable
from random import Random

from alhambra import Game, Move
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
        move = _one_of(game, "place", rng)
    return game.random_move(rng) if move is None else move


def _action(game: Game, rng: Random) -> Move | None:
    mood = rng.random()
    move = None
    if mood < BUYS:
        move = _purchase(game, rng)
    elif mood < BUYS + ADDS:
        move = _one_of(game, "add", rng)
    return _money(game, rng) if move is None else move


def _purchase(game: Game, rng: Random) -> Move | None:
    """A random tile that can be paid, with cards in random order until the price is met."""
    verb = game.ruleset.verbs["buy"]
    assert game.decision is not None
    assert verb.sample is not None
    move = verb.sample(game, game.decision, rng.randrange)
    return move if move is not None and _unopposed(game, move) else None


def _one_of(game: Game, verb: str, rng: Random) -> Move | None:
    assert game.decision is not None
    found = [move for move in game.ruleset.verbs[verb].moves(game, game.decision) if _unopposed(game, move)]
    return rng.choice(found) if found else None


def _unopposed(game: Game, move: Move) -> bool:
    """Whether no module objects to a move that the verb itself offers; nothing is verified twice without need."""
    return move.verb not in game.ruleset.vetoes or not game.verify(move)


def _money(game: Game, rng: Random) -> Move | None:
    """One open card, or as many as fit into the limit, in random order."""
    known = game.ruleset.cards
    cards = list(game.state.display)
    rng.shuffle(cards)
    if not cards:
        return None
    assert game.decision is not None
    taken, total = [], 0
    if rng.random() >= TAKES_ONE:
        limit = take_limit(game, game.decision.seat)
        for card in cards:
            value = known[card].value
            if value and total + value <= limit:
                taken.append(card)
                total += value
    move = Move("take_money", display=tuple(sorted(taken or cards[:1])))
    return move if _unopposed(game, move) else None


POLICIES: dict[str, Policy] = {"random": random_move, "peer": peer_move}
