"""A review of a game that is over: the course of points, and the moves that changed the lead most.

Every position is measured by what a person can check: the points of each seat, with what its Alhambra would score if
the next scoring took place now (`projection.py`). A move is measured by the change of its seat's lead over the best
other seat. Moves during which a scoring is held are left out, because the scoring changes more than the move does.
"""

from __future__ import annotations

from typing import NamedTuple

from ..game import Game
from ..moves import Move
from ..state import State
from .greedy import scores_equally
from .projection import next_scoring, projected_scores


class ReviewPoint(NamedTuple):
    """The points of all seats after a turn or a scoring."""

    version: int
    turn: int
    scoring: int
    """The number of the scoring that was held since the point before; 0 if none was."""
    scores: tuple[int, ...]
    projected: tuple[int, ...]
    """The scores after the next scoring, if that took place now."""


class ReviewedMove(NamedTuple):
    """A move and the lead of its seat over the best other seat, before and after it."""

    version: int
    seat: int
    move: Move
    lead_before: int
    lead_after: int

    @property
    def swing(self) -> int:
        """How much the lead has grown."""
        return self.lead_after - self.lead_before


class Review:
    """A review that grows with a replayed game: `see` it after each entry of the log."""

    def __init__(self, game: Game) -> None:
        """Begin with the game as it was dealt."""
        self._before: State = game.state.clone()
        self._projected = projected_scores(game, next_scoring(game))
        self.points = [self._point(game, 0)]
        self.moves: list[ReviewedMove] = []

    def see(self, game: Game, seat: int, move: Move | None) -> None:
        """Add an entry of the log that has just been applied. `move` is None for entries that are no moves."""
        before, state = self._before, game.state
        held = len(before.held)
        if not scores_equally(before, state) or game.over:
            after = projected_scores(game, min(held + 1, next_scoring(game)))
            if move is not None and len(state.held) == held and not game.over:
                leads = _lead(self._projected, seat), _lead(after, seat)
                if leads[0] != leads[1]:
                    self.moves.append(ReviewedMove(game.version, seat, move, *leads))
            scored = len(state.held) > held and not game.over
            self._projected = projected_scores(game, next_scoring(game)) if scored else after
        if len(state.held) > held or state.turn != before.turn or game.over:
            self.points.append(self._point(game, len(state.held) if len(state.held) > held else 0))
        self._before = state.clone()

    def take_back(self, game: Game, seat: int) -> None:
        """Add an entry of the log that takes back the last move of a seat."""
        if self.moves and self.moves[-1].seat == seat and self.moves[-1].version == game.version - 1:
            self.moves.pop()
        self._before = game.state.clone()
        self._projected = projected_scores(game, next_scoring(game))

    def key_moves(self, most: int) -> list[ReviewedMove]:
        """Return the moves that changed the lead of their seat most, in the order of the game."""
        largest = sorted(self.moves, key=lambda one: -abs(one.swing))[:most]
        return sorted(largest, key=lambda one: one.version)

    def _point(self, game: Game, scoring: int) -> ReviewPoint:
        scores = tuple(seat.score for seat in game.state.seats)
        return ReviewPoint(game.version, game.state.turn, scoring, scores, self._projected)


def _lead(points: tuple[int, ...], seat: int) -> int:
    return points[seat] - max(score for other, score in enumerate(points) if other != seat)
