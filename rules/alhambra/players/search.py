"""The search player: plays on from the most promising moves, in several determinizations.

The greedy player selects the most promising moves. Each is tried in several determinizations of the game: all seats
continue with a fast greedy player for some decisions, and the resulting position is evaluated. The worse half of the
moves is dropped repeatedly.

The caller limits the time: the search runs until `should_stop()` returns True, or all rounds are played. The library
reads no clock; `time.py` divides the time of a game among its decisions. A search reports its candidates, with visits
and values, to a caller that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

from ..game import Game
from ..moves import Move
from ..rng import Rng
from .greedy import Effort, Rated, candidates, effort_for, evaluate, evaluate_final, rate_moves
from .player import Action, Player


class Strength(NamedTuple):
    """The size of a search."""

    rounds: int
    """Maximum number of determinizations."""
    moves: int
    """Number of moves to play on from."""
    depth: int
    """Number of decisions played after each move."""
    width: int
    """Factor of moves evaluated first, compared to the greedy player."""


EASY, MEDIUM, HARD = Strength(2, 3, 4, 2), Strength(6, 4, 8, 3), Strength(16, 6, 12, 4)
ROLLOUT_EFFORT = (Effort(3, 2), Effort(6, 4))
"""Minimum and maximum effort for a decision during a rollout."""
TIMED_ROUNDS = 256
"""Maximum number of determinizations of a search that is limited by time."""
CLEAR_LEAD = 12.0
"""A move that leads all others by this many points is made without a search."""


def never_stop() -> bool:
    """Return False: play all rounds."""
    return False


class Candidate(NamedTuple):
    """A move that a search considered."""

    move: Move
    first_value: float
    """The value of the position right after the move, in points: own points to come minus those of the best rival."""
    visits: int = 0
    """The number of determinizations in which the search played on from it."""
    total: float = 0.0
    """The sum of the values of the positions reached."""

    @property
    def value(self) -> float:
        """The mean value of the positions reached, in points; the first value without visits."""
        return self.total / self.visits if self.visits else self.first_value


class SearchReport(NamedTuple):
    """What a search thought: its candidates, the chosen move first, then by visits and value."""

    candidates: tuple[Candidate, ...]
    rounds: int
    """Complete determinizations."""
    tried: int
    """Moves whose first value was computed."""

    def as_dict(self, most: int = 10) -> dict[str, Any]:
        """Return the report as JSON-ready data, with at most this many candidates."""
        return {
            "rounds": self.rounds,
            "tried": self.tried,
            "candidates": [
                {
                    "move": candidate.move.as_dict(),
                    "visits": candidate.visits,
                    "value": round(candidate.value, 2),
                    "firstValue": round(candidate.first_value, 2),
                }
                for candidate in self.candidates[:most]
            ],
        }


def search_move(
    game: Game,
    rng: Rng,
    strength: Strength,
    should_stop: Callable[[], bool] = never_stop,
    report: Callable[[SearchReport], None] | None = None,
) -> Move:
    """Return the best move for the seat to decide. The game is not changed. `report` is called once with what the
    search thought."""
    decision = game.decision
    assert decision is not None
    usual = effort_for(game)
    effort = Effort(usual.tries * strength.width, usual.scorings * strength.width)
    sample = game.determinize(decision.seat, rng, quiet=True)
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        found = SearchReport((Candidate(moves[0], 0.0),), 0, 1)
    else:
        judged = sorted(rate_moves(sample, moves, effort), key=itemgetter(0), reverse=True)
        found = search_among(game, judged, rng, strength, should_stop)
    if report is not None:
        report(found)
    return found.candidates[0].move


def search_among(
    game: Game, judged: list[Rated], rng: Rng, strength: Strength, should_stop: Callable[[], bool]
) -> SearchReport:
    """Return what a search thinks of moves that the greedy player has rated, best first. The game is not changed."""
    left = [move for worth, move in judged[: strength.moves] if worth > judged[0].worth - CLEAR_LEAD]
    prospects = {move: Candidate(move, worth) for worth, move in judged}
    rounds = 0
    for number in range(1, strength.rounds + 1):
        if len(left) == 1 or should_stop():
            break
        played = _play_round(game, left, rng, strength, should_stop)
        for move, worth in played:
            before = prospects[move]
            prospects[move] = before._replace(visits=before.visits + 1, total=before.total + worth)
        rounds += bool(played)
        if number & (number - 1) == 0 and number > 1:  # after 2, 4, 8 … rounds
            left = sorted(left, key=lambda move: prospects[move].total, reverse=True)[: max(2, (len(left) + 1) // 2)]
    best = max(left, key=lambda move: prospects[move].total)
    others = [candidate for move, candidate in prospects.items() if move != best]
    others.sort(key=lambda candidate: (candidate.visits, candidate.value), reverse=True)
    return SearchReport((prospects[best], *others), rounds, len(judged))


def _play_round(
    game: Game, moves: list[Move], rng: Rng, strength: Strength, should_stop: Callable[[], bool]
) -> list[tuple[Move, float]]:
    """Return the value of each move in one determinization. Empty if time runs out, because moves are compared only in
    the same determinizations."""
    assert game.decision is not None
    seat = game.decision.seat
    sample = game.determinize(seat, rng, quiet=True)
    found: list[tuple[Move, float]] = []
    for move in moves:
        if found and should_stop():
            return []
        found.append((move, _rollout(sample.clone(), move, seat, rng, strength.depth)))
    return found


def _rollout(sample: Game, move: Move, seat: int, rng: Rng, depth: int) -> float:
    """Return the value for the seat some decisions after the move. Changes the determinization."""
    held = sample.state.held
    sample.assume_legal(move)
    sample.play(move)
    for _ in range(depth):
        if sample.over:
            break
        sample.play(_rollout_move(sample, rng))
    return evaluate_final(sample, seat) if sample.over else evaluate(sample, seat, held)


def _rollout_move(sample: Game, rng: Rng) -> Move:
    """Return a move of the greedy player with little effort. The determinization is used as it is."""
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
    """A player that searches a fixed number of rounds, or as long as its caller allows."""

    strength: ClassVar[Strength]
    is_slow = True

    def __init__(self) -> None:
        self.report: SearchReport | None = None
        """What the player thought about its last decision."""

    def answer(self, game: Game, rng: Rng) -> Action:
        """Return the best move found."""
        return search_move(game, rng, self.strength, report=self._keep)

    def answer_within(self, game: Game, rng: Rng, should_stop: Callable[[], bool]) -> Action:
        """Return the best move found until `should_stop()` returns True: the time bounds the search, not the rounds."""
        return search_move(game, rng, self.strength._replace(rounds=TIMED_ROUNDS), should_stop, self._keep)

    def _keep(self, report: SearchReport) -> None:
        self.report = report


class SearchEasy(_Search):
    """The weakest search player."""

    name = "search_easy"
    about = "plays on a little from the best moves, in a few determinizations"
    strength = EASY


class SearchMedium(_Search):
    """The medium search player."""

    name = "search_medium"
    about = "plays on from the best moves, in several determinizations"
    strength = MEDIUM


class SearchHard(_Search):
    """The strongest search player."""

    name = "search_hard"
    about = "plays on far from the best moves, in many determinizations"
    strength = HARD
