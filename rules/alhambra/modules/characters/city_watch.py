"""The city watch: at each scoring, a point for every three segments of the wall that is scored.

Only the longest run counts, as for the wall itself; what is left over after division counts nothing.
"""

from __future__ import annotations

from ...base.scoring import score
from ...game import Game
from ...module import Step
from ...placement.outline import longest_wall
from .character import VALUES, Character, owner_of


def score_city_watch(game: Game, number: int) -> None:
    """A point for every three segments of the wall."""
    seat = owner_of(game, "city_watch")
    if seat is not None:
        length = longest_wall(game.state.seats[seat].board)
        points = length // VALUES["city_watch_segments_per_point"]
        if points:
            score(game, seat, points, "wall_guard", scoring=number, count=length, piece="city_watch")


CITY_WATCH = Character(
    id="city_watch",
    scores={"wall_guard": "The city watch: a point for every three segments of the wall."},
    steps=(Step("scoring.walls", score_city_watch),),
)
