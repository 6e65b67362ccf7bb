"""The greedy player: looks one move ahead and picks the move with the best resulting position.

It works on a determinization of the game. A position is evaluated by the rules themselves: the points that the
Alhambras would score now, including modules, then money, tiles and actions left. So it needs no module-specific logic.

Its work is bounded: limited numbers of moves are tried and scorings held. A move that does not change what a scoring
depends on needs no scoring of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from math import gcd
from operator import itemgetter
from typing import NamedTuple, TypeVar

from ..base.build import builds, built_by, edit_board, wooden_walls_of
from ..base.payment.listing import payments
from ..base.payment.offers import Offer
from ..base.scoring import score_boards, steps_of_boards
from ..game import Game
from ..module import Verb
from ..moves import Move, need
from ..rng import Rng
from ..state import Decision, State
from .player import Action, Player
from .projection import LAST_SCORING

T = TypeVar("T")
FIRST = ("take_money", "pass")
"""Verbs of the base game that are always tried, besides those that pay."""
GOLDEN = 0.618
"""Fraction of a list to step by, so that neighbouring elements are taken late."""


class Weights(NamedTuple):
    """Values in points."""

    scoring: float = 1.0
    """A point in the next scoring, per scoring still to come."""
    money: float = 0.30
    """A unit of money in hand, up to `enough`."""
    surplus: float = 0.08
    """A unit of money above `enough`."""
    enough: int = 24
    action: float = 3.0
    """An action left in the player's own turn."""
    waiting: float = 1.5
    """A tile in the reserve."""
    rivals: float = 0.35
    """Weight of the best rival's position."""
    patience: int = 30
    """Rounds after which an action that neither spends nor takes money costs `dawdling` for each further round. Without
    this cost, two players who answer each other's redesigns may do so for ever."""
    dawdling: float = 0.5


WEIGHTS = Weights()


class Effort(NamedTuple):
    """Limits of the work for one decision."""

    tries: int
    """Moves tried."""
    scorings: int
    """Scorings held."""

    @property
    def of_one_verb(self) -> int:
        """Maximum number of moves listed for one verb."""
        return self.tries // 2


MOST, LEAST = Effort(20, 20), Effort(4, 2)
WORK = 6_000
"""Maximum cost of all scorings for one decision: steps of a scoring times tiles."""
STEP_COST = 30
"""Fixed cost of a scoring step, in tiles."""


def effort_for(game: Game) -> Effort:
    """Return the effort for the current state: lower if scorings are more expensive."""
    ruleset = game.ruleset
    steps = len(ruleset.table(steps_of_boards)) + len(ruleset.modifiers.get("majority_count", ()))
    tiles = sum(len(owner.board.placed) for owner in game.state.seats)
    scorings = WORK // (steps * (STEP_COST + tiles))
    return Effort(min(max(LEAST.tries, 2 * scorings), MOST.tries), min(max(LEAST.scorings, scorings), MOST.scorings))


class Rated(NamedTuple):
    """A move and the value of the resulting position, in points."""

    worth: float
    move: Move


def greedy_move(game: Game, rng: Rng, weights: Weights = WEIGHTS) -> Move:
    """Return the best move for the seat to decide. The game is not changed."""
    decision = game.decision
    assert decision is not None
    effort = effort_for(game)
    sample = game.determinize(decision.seat, rng, quiet=True)
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        return moves[0]
    return max(rate_moves(sample, moves, effort, weights), key=itemgetter(0)).move


# -- What is tried -----------------------------------------------------------------------------------------------------


def candidates(game: Game, decision: Decision, rng: Rng, effort: Effort) -> list[Move]:
    """Return representative legal moves, as many as may be tried: one move of each verb in turn."""
    found: list[list[Move]] = []
    listed = 0
    for verb in _in_order(game.offered_verbs(decision), rng):
        moves = _some(game, decision, verb, rng, effort.of_one_verb)
        if moves:
            found.append(moves)
            listed += len(moves)
            if listed > 2 * effort.tries:
                break
    in_turn = (move for moves in zip_longest(*found) for move in moves if move is not None)
    return list(islice(in_turn, effort.tries))


def _in_order(verbs: Sequence[Verb], rng: Rng) -> list[Verb]:
    """Return the verbs in random order, those that are always tried first."""
    places = [(verb.pays is None and verb.name not in FIRST, rng.random(), verb) for verb in verbs]
    return [verb for _, _, verb in sorted(places, key=itemgetter(0, 1))]


def _some(game: Game, decision: Decision, verb: Verb, rng: Rng, most: int) -> list[Move]:
    """Return some moves with one verb, in any order; for verbs that pay, one payment per offer."""
    if verb.pays is None:
        return _spread(list(_allowed(game, decision, verb, (verb.brief or verb.moves)(game, decision), most)), rng)
    offers = _spread(list(islice(verb.pays.offers(game, decision), 4 * most)), rng)
    return list(_allowed(game, decision, verb, _purchases(game, decision, verb, offers), most))


def _allowed(game: Game, decision: Decision, verb: Verb, moves: Iterator[Move], most: int) -> Iterable[Move]:
    return game.without_vetoed(verb, decision, islice(moves, most))


def _purchases(game: Game, decision: Decision, verb: Verb, offers: Sequence[Offer]) -> Iterator[Move]:
    """Yield one move for each offer that the seat can pay."""
    assert verb.pays is not None
    for offer in offers:
        for payment in islice(payments(game, decision.seat, offer, brief=True), 1):
            yield verb.pays.move(offer, payment)


def _spread(things: list[T], rng: Rng) -> list[T]:
    """Return the elements reordered so that any prefix is spread over the whole list."""
    count = len(things)
    if count <= 1:
        return things
    start = int(rng.random() * count)
    step = next(step for step in range(int(count * GOLDEN) or 1, count + 1) if gcd(step, count) == 1)
    return [things[(start + number * step) % count] for number in range(count)]


# -- How a seat stands -------------------------------------------------------------------------------------------------


def rate_moves(sample: Game, moves: list[Move], effort: Effort, weights: Weights = WEIGHTS) -> Iterator[Rated]:
    """Yield the moves with the value of the resulting position for the seat to decide. Moves that need a scoring after
    the limit is reached are skipped, except the first. The determinization is not changed."""
    assert sample.decision is not None
    seat = sample.decision.seat
    left = effort.scorings
    before: list[float] | None = None
    dawdling = _dawdling(sample, weights)
    for number, move in enumerate(moves):
        after = sample.clone()
        after.assume_legal(move)
        after.play(move)
        if after.over:
            yield Rated(evaluate_final(after, seat), move)
            continue
        alike = scores_equally(sample.state, after.state)
        if alike and before is None:
            before = expected_points(sample.clone(), weights)
            left -= 1
        elif not alike and number and left <= 0:
            continue
        if not alike:
            left -= 1
        worth = evaluate(after, seat, sample.state.held, before if alike else None, weights)
        if dawdling and after.state.seats[seat].hand == sample.state.seats[seat].hand:
            worth -= dawdling
        yield Rated(worth, move)


def _dawdling(game: Game, weights: Weights) -> float:
    """Return what an action costs that neither spends nor takes money: more with every round of a long game."""
    if game.state.actions <= 0:
        return 0.0
    return weights.dawdling * max(0, game.state.turn // len(game.state.seats) - weights.patience)


def evaluate(
    game: Game,
    seat: int,
    held: tuple[int, ...],
    to_come: Sequence[float] | None = None,
    weights: Weights = WEIGHTS,
) -> float:
    """Return the value of an unfinished game for a seat, in points. Changes the game. `held`: the scorings held when
    the seat was asked; the rest of its turn counts only if none was held since. `to_come`: the expected points of every
    seat, if known."""
    worth = _own_turn(game, seat, held, weights)
    at_hand = [_material_value(game, other, weights) for other in range(len(game.state.seats))]
    if to_come is None:
        to_come = expected_points(game, weights)  # last, because it adds to the scores of the game
    standing = [has + comes for has, comes in zip(at_hand, to_come, strict=True)]
    rivals = max(points for other, points in enumerate(standing) if other != seat)
    return worth + standing[seat] - weights.rivals * rivals


def scores_equally(before: State, after: State) -> bool:
    """Return whether a scoring has the same result in both states: same Alhambras, pieces on tiles and module
    states."""
    return (
        before.held == after.held
        and before.dirk == after.dirk
        and before.covered == after.covered
        and before.types == after.types
        and all(own.board is new.board and not new.pending for own, new in zip(before.seats, after.seats, strict=True))
        and before.module_states == after.module_states
    )


def evaluate_final(game: Game, seat: int) -> float:
    """Return the seat's lead at the end of the game, doubled because it is certain."""
    scores = game.scores
    return 2.0 * (scores[seat] - max(score for other, score in enumerate(scores) if other != seat))


def _own_turn(game: Game, seat: int, held: tuple[int, ...], weights: Weights) -> float:
    """Return the value of the rest of the seat's turn: actions, and pending tiles. Lays the tiles, so that they
    score."""
    state = game.state
    worth = weights.action * state.actions if state.active == seat and state.held == held else 0.0
    for tile in state.seats[seat].pending:
        worth += lay_somewhere(game, seat, tile, weights)
    return worth


def lay_somewhere(sample: Game, seat: int, tile_id: str, weights: Weights = WEIGHTS) -> float:
    """Lay a pending tile somewhere, so that it scores. Return its value in the reserve if it fits nowhere, otherwise
    0."""
    tile = sample.ruleset.tiles[tile_id]
    board = sample.state.seats[seat].board
    ways = builds(sample, seat, board, tile)
    if not ways:
        return weights.waiting
    move = built_by("place", tile_id, ways[len(ways) // 2])
    edit_board(sample, seat).put(tile, *need(move.cell), move.rotation or 0, wooden_walls_of(sample, tile_id))
    return 0.0


def expected_points(sample: Game, weights: Weights = WEIGHTS) -> list[float]:
    """Return the points of every seat in the remaining scorings, if no seat builds any more. Changes the
    determinization."""
    held = len(sample.state.held)
    share = weights.scoring * max(1, LAST_SCORING - held) / 2
    before = [owner.score for owner in sample.state.seats]
    score_boards(sample, min(LAST_SCORING, held + 2))
    return [share * (owner.score - score) for owner, score in zip(sample.state.seats, before, strict=True)]


def _material_value(game: Game, seat: int, weights: Weights) -> float:
    """Return the value of points, money and reserve."""
    owner = game.state.seats[seat]
    value = sum([game.ruleset.cards[card].value for card in owner.hand])
    money = weights.money * min(value, weights.enough) + weights.surplus * max(0, value - weights.enough)
    return owner.score + money + weights.waiting * len(owner.reserve)


class Greedy(Player):
    """The player that maximises points one move ahead."""

    name = "greedy"
    is_slow = True
    about = "looks one move ahead: walls, majorities, money and module scores"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the move with the best resulting position."""
        return greedy_move(game, rng)
