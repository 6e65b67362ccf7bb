"""Advice for a seat that has to decide: what the greedy and the search player would do, and what it gains.

Both players see what the seat sees: they work on determinizations. The search plays on from the moves that the greedy
player rates highest, so that both kinds of advice cost little more than one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import NamedTuple

from ..game import Game
from ..moves import Move
from ..rng import Rng
from .greedy import candidates, effort_for, lay_somewhere, rate_moves
from .projection import next_scoring, projected_scores
from .search import TIMED_ROUNDS, Candidate, SearchReport, Strength, search_among

GREEDY, SEARCH = "greedy", "search"
STRENGTH = Strength(rounds=TIMED_ROUNDS, moves=3, depth=4, width=1)
"""The size of the search: as `search_easy`, for as long as the caller allows."""


class Advice(NamedTuple):
    """What one player would do."""

    player: str
    """"greedy" or "search"."""
    move: Move
    next_best: Move | None
    """The move that the player likes second best; None if it compared no other."""
    lead: float
    """How much better the move is than the second best, in points; 0 if there is none."""
    compared: int
    """How many moves were compared."""
    rounds: int
    """In how many determinizations the moves were played on; 0 for the greedy player."""
    points_before: int
    """The points of the seat after the next scoring, if that took place now."""
    points_after: int
    """Those points after the move. Tiles that are still to be placed are laid somewhere."""


def advise(game: Game, rng: Rng, should_stop: Callable[[], bool]) -> tuple[Advice, Advice]:
    """Return the advice of the greedy and of the search player for the seat to decide. The game is not changed. The
    search runs until `should_stop()` returns True."""
    decision = game.decision
    assert decision is not None
    effort = effort_for(game)
    sample = game.determinize(decision.seat, rng, quiet=True)
    moves = candidates(sample, decision, rng, effort)
    if len(moves) == 1:
        greedy = search = SearchReport((Candidate(moves[0], 0.0),), 0, 1)
    else:
        rated = sorted(rate_moves(sample, moves, effort), key=itemgetter(0), reverse=True)
        greedy = SearchReport(tuple(Candidate(move, worth) for worth, move in rated), 0, len(rated))
        search = search_among(game, rated, rng, STRENGTH, should_stop)
    scoring = next_scoring(game)
    before = projected_scores(game, scoring)[decision.seat]
    return _advice(GREEDY, greedy, sample, scoring, before), _advice(SEARCH, search, sample, scoring, before)


def _advice(player: str, report: SearchReport, sample: Game, scoring: int, before: int) -> Advice:
    best, *others = report.candidates
    compared = next((other for other in others if other.visits == best.visits), None)
    return Advice(
        player,
        best.move,
        compared.move if compared is not None else None,
        best.value - compared.value if compared is not None else 0.0,
        report.tried,
        report.rounds,
        before,
        _points_after(sample, best.move, scoring),
    )


def _points_after(sample: Game, move: Move, scoring: int) -> int:
    assert sample.decision is not None
    seat, after = sample.decision.seat, sample.clone()
    after.assume_legal(move)
    after.play(move)
    for tile in () if after.over else after.state.seats[seat].pending:
        lay_somewhere(after, seat, tile)
    return projected_scores(after, scoring)[seat]
