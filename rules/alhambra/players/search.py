"""The searching player: it plays on from the most promising moves, in several guesses at what is hidden.

The greedy player's judgement names the most promising moves. Each of them is then tried in several determinizations of
the game, in which all that the seat cannot know was dealt anew; there every seat plays on with a quick greedy player
for some decisions, and the position that comes of it is judged. The worse half of the moves drops out again and again.

How long it may think is the caller's choice: it goes on until `should_stop()` says so, or until all rounds are played.
The library reads no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import ClassVar, NamedTuple

from ..game import Game
from ..moves import Move
from ..rng import Rng
from .greedy import Effort, candidates, effort_for, evaluate, evaluate_final, rate_moves
from .player import Action, Player


class Strength(NamedTuple):
    """How far a search looks."""

    rounds: int
    """Guesses at what is hidden, at most."""
    moves: int
    """Moves that are played on from."""
    depth: int
    """Decisions that are played on."""
    width: int
    """How many times as many moves as the greedy player it judges first."""


EASY, MEDIUM, HARD = Strength(2, 3, 4, 2), Strength(6, 4, 8, 3), Strength(16, 6, 12, 4)
ROLLOUT_EFFORT = (Effort(3, 2), Effort(6, 4))
"""What a seat looks at for a decision while the search plays on: the least, and the most."""
CLEAR_LEAD = 12.0
"""A move that is judged better than all others by this many points is made without a search."""


def never_stop() -> bool:
    """Return False: play all rounds."""
    return False


def search_move(game: Game, rng: Rng, strength: Strength, should_stop: Callable[[], bool] = never_stop) -> Move:
    """Return the move with the best prospects for the asked seat. The game stays as it is."""
    decision = game.decision
    assert decision is not None
    usual = effort_for(game)
    effort = Effort(usual.tries * strength.width, usual.scorings * strength.width)
    sample = game.determinize(decision.seat, rng)
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        return moves[0]
    judged = sorted(rate_moves(sample, moves, effort), key=itemgetter(0), reverse=True)
    left = [move for worth, move in judged[: strength.moves] if worth > judged[0].worth - CLEAR_LEAD]
    prospects = dict.fromkeys(left, 0.0)
    for number in range(1, strength.rounds + 1):
        if len(left) == 1 or should_stop():
            break
        for move, worth in _play_round(game, left, rng, strength, should_stop):
            prospects[move] += worth
        if number & (number - 1) == 0 and number > 1:  # after 2, 4, 8 … rounds
            left = sorted(left, key=prospects.__getitem__, reverse=True)[: max(2, (len(left) + 1) // 2)]
    return max(left, key=prospects.__getitem__)


def _play_round(
    game: Game, moves: list[Move], rng: Rng, strength: Strength, should_stop: Callable[[], bool]
) -> list[tuple[Move, float]]:
    """Return what comes of each of the moves in one guess at what is hidden; nothing if time is up before all are
    known, because moves are compared by the same guesses."""
    assert game.decision is not None
    seat = game.decision.seat
    sample = game.determinize(seat, rng)
    found: list[tuple[Move, float]] = []
    for move in moves:
        if found and should_stop():
            return []
        found.append((move, _rollout(sample.clone(), move, seat, rng, strength.depth)))
    return found


def _rollout(sample: Game, move: Move, seat: int, rng: Rng, depth: int) -> float:
    """Return how well the seat stands some decisions after the move. Changes the determinization."""
    held = sample.state.held
    sample.assume_legal(move)
    sample.play(move)
    for _ in range(depth):
        if sample.over:
            break
        sample.play(_rollout_move(sample, rng))
    return evaluate_final(sample, seat) if sample.over else evaluate(sample, seat, held)


def _rollout_move(sample: Game, rng: Rng) -> Move:
    """Return a move that the greedy player would make with little thought. It looks at the determinization as it is."""
    decision = sample.decision
    assert decision is not None
    usual, (least, most) = effort_for(sample), ROLLOUT_EFFORT
    effort = Effort(
        min(max(least.tries, usual.tries // 3), most.tries),
        min(max(least.scorings, usual.scorings // 3), most.scorings),
    )
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        return moves[0]
    return max(rate_moves(sample, moves, effort), key=itemgetter(0)).move


class _Search(Player):
    """Searches a number of rounds for each decision, whatever time that takes."""

    strength: ClassVar[Strength]
    is_slow = True

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the move with the best prospects."""
        return search_move(game, rng, self.strength)


class SearchEasy(_Search):
    """Searches a little."""

    name = "search_easy"
    about = "plays on a little from the best moves, in a few guesses at what is hidden"
    strength = EASY


class SearchMedium(_Search):
    """Searches for a while."""

    name = "search_medium"
    about = "plays on from the best moves, in several guesses at what is hidden"
    strength = MEDIUM


class SearchHard(_Search):
    """Searches long."""

    name = "search_hard"
    about = "plays on far from the best moves, in many guesses at what is hidden"
    strength = HARD
