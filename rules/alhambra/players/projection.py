"""Points if a scoring took place now: a measure of a position that a person can check on the table.

It counts the points that every seat has, and what its Alhambra would score in the next scoring. It expects nothing of
the future, so the difference that a move makes can be explained by the tiles and walls that it changes.
"""

from __future__ import annotations

from ..base.scoring import score_boards
from ..game import Game

LAST_SCORING = 3


def next_scoring(game: Game) -> int:
    """Return the number of the next scoring; that of the last one if it has been held."""
    return min(LAST_SCORING, len(game.state.held) + 1)


def projected_scores(game: Game, scoring: int) -> tuple[int, ...]:
    """Return the score of every seat after this scoring: with what the Alhambras would score now if it has not been
    held yet. The game is not changed. Costs one clone and one scoring."""
    state = game.state
    if game.over or len(state.held) >= scoring:
        return tuple(seat.score for seat in state.seats)
    after = game.clone()
    score_boards(after, scoring)
    return tuple(seat.score for seat in after.state.seats)
