"""The learned player: looks one move ahead and estimates final scores with weights learned from games of other players.

It works like the greedy player on a determinization of the game and tries some moves of each verb. It estimates the
final score of every seat as a weighted sum of features (`features.py`). The weights depend on the number of seats, on
the scorings held and on the time until the next one; `scripts/train_learned.py` made them. The best move is the one
with the largest estimated lead.

Its work is bounded like that of the greedy player. It needs nothing but the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from operator import itemgetter, mul
from typing import Any, NamedTuple

from ..base.build import builds, wooden_walls_of
from ..game import Game
from ..moves import Move
from ..placement.outline import longest_wall
from ..rng import Rng
from .features import NAMES, STAGES, Clock, clock_of, features, points_of_modules, scores_more
from .greedy import MOST, Effort, candidates, effort_for, evaluate_final, scores_equally
from .player import Action, Player

WEIGHTS_FILE = "learned.json"
TRIES = 30
"""Maximum number of moves tried for one decision."""
WAYS = 8
"""Places tried for a tile that was bought and not laid yet."""


class Model(NamedTuple):
    """Weights of the features, by number of seats. Each entry has a row for each stage: the weights, then the weights
    of the features times the time until the next scoring."""

    weights: dict[int, tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]]
    rivals: float = 1.0
    """Weight of the best rival's estimate."""

    def at(self, seats: int, clock: Clock) -> list[float]:
        """Return the weights for a position. Numbers of seats that are not in the model use the nearest one."""
        known = min(self.weights, key=lambda count: (abs(count - seats), count))
        fixed, timed = self.weights[known][clock.stage]
        return [weight + clock.time * slope for weight, slope in zip(fixed, timed, strict=True)]

    def estimates(self, game: Game, clock: Clock, found: Sequence[Sequence[float]]) -> list[float]:
        """Return the estimated final score of every seat, given its features."""
        weights = self.at(len(game.state.seats), clock)
        return [owner.score + sum(map(mul, weights, own)) for owner, own in zip(game.state.seats, found, strict=True)]


def read_model(data: dict[str, Any]) -> Model:
    """Return the model in a file that `scripts/train_learned.py` wrote. Raise ValueError if it does not fit."""
    if data["features"] != list(NAMES):
        raise ValueError("the weights were learned with other features")
    weights = {}
    for seats, stages in data["weights"].items():
        weights[int(seats)] = tuple((tuple(stage["fixed"]), tuple(stage["timed"])) for stage in stages)
        if any(len(row) != len(NAMES) for stage in weights[int(seats)] for row in stage) or len(stages) != STAGES:
            raise ValueError("the weights have the wrong size")
    return Model(weights, data["rivals"])


@cache
def learned_model() -> Model:
    """Return the weights that come with this version."""
    return read_model(json.loads(files(__package__).joinpath(WEIGHTS_FILE).read_text(encoding="utf-8")))


class Tried(NamedTuple):
    """A move, the estimated lead after it, and what it was estimated from; no features if the game is over then."""

    worth: float
    move: Move
    clock: Clock | None = None
    features: Sequence[Sequence[float]] = ()
    scores: tuple[int, ...] = ()


def learned_move(game: Game, rng: Rng, model: Model | None = None) -> Move:
    """Return the best move for the seat to decide. The game is not changed."""
    decision = game.decision
    assert decision is not None
    effort = learned_effort(game)
    sample = game.determinize(decision.seat, rng, quiet=True)
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        return moves[0]
    return max(try_moves(sample, moves, effort, model or learned_model()), key=itemgetter(0)).move


def learned_effort(game: Game) -> Effort:
    """Return the effort for the current state: more tries than the greedy player where scorings are cheap."""
    usual = effort_for(game)
    return Effort(TRIES * usual.tries // MOST.tries, usual.scorings)


def try_moves(sample: Game, moves: Sequence[Move], effort: Effort, model: Model) -> Iterator[Tried]:
    """Yield the moves with the estimated lead of the seat to decide. If modules score, moves that need a scoring after
    the limit is reached are skipped, except the first. The determinization is not changed."""
    assert sample.decision is not None
    seat = sample.decision.seat
    left = effort.scorings
    needs_scoring = sample.ruleset.table(scores_more)
    before: list[float] | None = None
    for number, move in enumerate(moves):
        after = sample.clone()
        after.assume_legal(move)
        after.play(move)
        if after.over:
            yield Tried(evaluate_final(after, seat), move)
            continue
        extra = None
        if needs_scoring:
            if scores_equally(sample.state, after.state):
                if before is None:
                    before = points_of_modules(sample)
                    left -= 1
                extra = before
            elif number and left <= 0:
                continue
            else:
                left -= 1
        lay_pending(after, seat)
        yield _estimate(after, seat, move, extra, model)


def _estimate(after: Game, seat: int, move: Move, extra: list[float] | None, model: Model) -> Tried:
    found = features(after, extra)
    clock = clock_of(after)
    estimates = model.estimates(after, clock, found)
    rival = max(estimate for other, estimate in enumerate(estimates) if other != seat)
    return Tried(estimates[seat] - model.rivals * rival, move, clock, found, after.scores[: len(found)])


def lay_pending(after: Game, seat: int) -> None:
    """Lay the tiles that the seat bought in this turn, each where the wall becomes longest; into the reserve if there
    is no place. Changes the game."""
    owner = after.state.seats[seat]
    for name in owner.pending:
        tile = after.ruleset.tiles[name]
        walls = wooden_walls_of(after, name)
        best, longest = None, -1
        for cell, rotation, _, _ in islice(builds(after, seat, owner.board, tile), WAYS):
            board = owner.board.copy()
            board.put(tile, *cell, rotation or 0, walls)
            length = longest_wall(board)
            if length > longest:
                best, longest = board, length
        if best is None:
            owner.reserve = (*owner.reserve, name)
        else:
            owner.board = best
    owner.pending = ()


class Learned(Player):
    """The player that estimates final scores with learned weights."""

    name = "learned"
    is_slow = True
    about = "looks one move ahead and estimates final scores with weights learned from games"

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the move with the largest estimated lead."""
        return learned_move(game, rng)
