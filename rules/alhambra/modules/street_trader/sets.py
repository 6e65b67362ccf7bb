"""At each scoring the residents in the buildings form sets of different colours.

A set of one is worth 1 point, of two 3, of three 6, of four 10, of five 15, of all six 21. Residents on a disc do not
count.
"""

from __future__ import annotations

from ...base.scoring import score
from ...components import TYPES, module_data
from ...game import Game
from .residents import Residents

SET_POINTS = {int(size): int(points) for size, points in module_data("street_trader")["set_points"].items()}


def score_residents(game: Game, number: int) -> None:
    """Score sets of different colours: the first takes one of every colour there is, the next one of every colour
    left."""
    homes = game.module_state(Residents).homes
    for seat, owner in enumerate(game.state.seats):
        residents = [resident for tile, resident in homes.items() if tile in owner.board.placed]
        counts = [residents.count(colour) for colour in TYPES]
        for used in range(max(counts)):
            size = sum(count > used for count in counts)
            score(game, seat, SET_POINTS[size], "residents", scoring=number, count=size)
