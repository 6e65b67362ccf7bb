"""The greedy player: it looks one move ahead, and takes the move after which its seat stands best.

It looks at a twin of the game in which all that its seat cannot know was dealt anew. How well a seat stands is told by
the rules themselves: the points that the Alhambras would bring if the next scoring were held now, as every module that
is on counts them, then money, tiles at hand and actions left. So it knows no module, and plays with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from ..base.building import builds, built_by, edit_board, sticks_of
from ..base.scoring import lines_of_boards
from ..base.ways_to_pay import payments
from ..game import Game
from ..module import Verb
from ..moves import Move
from ..state import Decision
from .player import Action, Chance, Player

LOOKED_AT = 24
"""Moves that are tried in the base game; each module that is on makes a try dearer, and the number smaller."""
AT_LEAST = 5
DEARER = 0.12
"""By how much one module makes a try dearer."""
WITHOUT_TILES = ("take_money", "pass")
"""Verbs of the base game after which every Alhambra scores what it scored before."""
SCORINGS = 3
LISTED = 60
"""Moves with one verb that are listed, to choose from."""


class Weights(NamedTuple):
    """What things are worth, in points."""

    scoring: float = 1.0
    """A point of the next scoring, for each scoring that is still to come."""
    money: float = 0.30
    """A unit of money in hand, up to `enough`."""
    surplus: float = 0.08
    """A unit of money beyond that."""
    enough: int = 24
    action: float = 3.0
    """An action that is left in the own turn."""
    waiting: float = 1.5
    """A tile in the reserve."""
    rivals: float = 0.35
    """How much the best of the others counts against a seat."""


WEIGHTS = Weights()


def greedy_move(game: Game, chance: Chance, weights: Weights = WEIGHTS) -> Move:
    """The move after which the asked seat stands best. The game stays as it is."""
    decision = game.decision
    assert decision is not None
    twin = game.determinize(decision.seat, chance)
    moves = _candidates(twin, decision, chance)
    if len(moves) == 1:
        return moves[0]
    before = points_to_come(twin.clone(), weights)

    def outlook(move: Move) -> float:
        return _outlook(twin.clone(), move, decision.seat, weights, before if move.verb in WITHOUT_TILES else None)

    return max(moves, key=outlook)


# -- What is tried -----------------------------------------------------------------------------------------------------


def _candidates(game: Game, decision: Decision, chance: Chance) -> list[Move]:
    """Legal moves that stand for all, as many as may be tried: some with each verb."""
    found = [moves for verb in game.offered_verbs(decision) if (moves := _some(game, decision, verb))]
    most = max(AT_LEAST, int(LOOKED_AT / (1 + DEARER * len(game.ruleset.modules))))
    each = max(1, most // len(found))
    spare = max(0, most - sum(min(each, len(moves)) for moves in found))
    chosen: list[Move] = []
    for moves in found:
        count = min(len(moves), each + spare)
        spare -= max(0, count - each)
        chosen += _sample(moves, count, chance)
    return chosen


def _some(game: Game, decision: Decision, verb: Verb) -> list[Move]:
    """Moves with one verb; of what is paid, one payment for each offer."""
    if verb.pays is None:
        return list(game.unopposed(verb, decision, islice((verb.brief or verb.moves)(game, decision), LISTED)))
    found: list[Move] = []
    for offer in islice(verb.pays.offers(game, decision), LISTED):
        ways = list(islice(payments(game, decision.seat, offer, brief=True), 1))
        if ways:
            found.append(verb.pays.move(offer, ways[0]))
    return list(game.unopposed(verb, decision, found))


def _sample(moves: list[Move], count: int, chance: Chance) -> list[Move]:
    """So many of the moves, spread over the list."""
    if count >= len(moves):
        return moves
    step = len(moves) / count
    begin = chance.random() * step
    return [moves[int(begin + number * step) % len(moves)] for number in range(count)]


# -- How a seat stands -------------------------------------------------------------------------------------------------


def _outlook(twin: Game, move: Move, seat: int, weights: Weights, to_come: Sequence[float] | None) -> float:
    """How well the seat stands after a move. Changes the twin. `to_come`: what scorings will bring every seat, if the
    move does not change that."""
    scorings = len(twin.state.held)
    twin.play(move)
    if twin.over:
        scores = twin.scores
        return 2.0 * (scores[seat] - max(score for other, score in enumerate(scores) if other != seat))
    state = twin.state
    worth = weights.action * state.actions if state.active == seat and len(state.held) == scorings else 0.0
    for tile in state.seats[seat].pending:
        worth += _lay(twin, seat, tile, weights)
    at_hand = [_at_hand(twin, other, weights) for other in range(len(state.seats))]
    if to_come is None:
        to_come = points_to_come(twin, weights)  # adds to the scores of the twin, so it comes last
    standing = [has + comes for has, comes in zip(at_hand, to_come, strict=True)]
    rivals = max(points for other, points in enumerate(standing) if other != seat)
    return worth + standing[seat] - weights.rivals * rivals


def _lay(twin: Game, seat: int, tile_id: str, weights: Weights) -> float:
    """Lays a pending tile somewhere, so that it counts; answers with its worth if it fits nowhere."""
    tile = twin.ruleset.tiles[tile_id]
    board = twin.state.seats[seat].board
    ways = builds(twin, seat, board, tile)
    if not ways:
        return weights.waiting
    move = built_by("place", tile_id, ways[len(ways) // 2])
    assert move.cell is not None
    edit_board(twin, seat).put(tile, *move.cell, move.rotation or 0, sticks_of(twin, tile_id))
    return 0.0


def points_to_come(twin: Game, weights: Weights = WEIGHTS) -> list[float]:
    """What the scorings that are left will bring every seat, if nobody builds any more. Changes the twin."""
    held = len(twin.state.held)
    found = [0.0] * len(twin.state.seats)
    share = weights.scoring * max(1, SCORINGS - held) / 2
    for line in lines_of_boards(twin, min(SCORINGS, held + 2)):
        if line.public["seat"] < len(found):
            found[line.public["seat"]] += share * line.public["points"]
    return found


def _at_hand(game: Game, seat: int, weights: Weights) -> float:
    """Points, money and tiles put by."""
    owner = game.state.seats[seat]
    value = sum([game.ruleset.cards[card].value for card in owner.hand])
    money = weights.money * min(value, weights.enough) + weights.surplus * max(0, value - weights.enough)
    return owner.score + money + weights.waiting * len(owner.reserve)


class Greedy(Player):
    """Plays for points, one move ahead."""

    name = "greedy"
    about = "looks one move ahead: walls, majorities, money and whatever the modules score"

    def answer(self, game: Game, chance: Chance) -> Action:
        """Return the move after which its seat stands best."""
        return greedy_move(game, chance)
