"""Results of a game: the places of the seats, and what they are worth to a learner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Utility: TypeAlias = Literal["rank", "score"]
"""What a return measures: the place in the ranking, or the points."""


class Standing(NamedTuple):
    """One line of a ranking. Seats with the same score share a place; the next place is left out for them."""

    seat: int
    """The number of the seat; in a game for two in which Dirk can win, Dirk is 2."""
    place: int
    """1 for the winner."""
    score: int


def returns_by_rank(ranking: Iterable[Standing], seats: int) -> tuple[float, ...]:
    """Return by seat 1.0 for the first place, -1.0 for the last, and equal steps between. Seats that share a place get
    the mean of the places that they take up, so the sum is 0. Dirk is left out. Without a ranking, all get 0.0."""
    places = {standing.seat: standing.place for standing in ranking if standing.seat < seats}
    if not places:
        return (0.0,) * seats
    taken = list(places.values())
    found = []
    for seat in range(seats):
        better = sum(place < places[seat] for place in taken)
        worse = sum(place > places[seat] for place in taken)
        found.append((worse - better) / (seats - 1))
    return tuple(found)
