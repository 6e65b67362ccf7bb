"""Rewards: by final rank, by final points, or by points as they are gained."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Game

__all__ = ["REWARDS", "Rewards"]

REWARDS = {
    "rank": "at the end: 1 for the first place, -1 for the last, evenly spaced between; equal places share",
    "points": "at the end: the score",
    "gain": "after every move: the points gained or lost by it",
}
"""The kinds of rewards by name, with their meanings."""


class Rewards:
    """The rewards of one game."""

    def __init__(self, kind: str, game: Game) -> None:
        if kind not in REWARDS:
            raise ValueError(f"unknown reward {kind!r}; known are {', '.join(REWARDS)}")
        self.kind = kind
        self._scores = [0] * len(game.state.seats)

    def after_move(self, game: Game) -> list[float]:
        """Return the rewards of all seats for the move that was just made."""
        seats = len(self._scores)
        if self.kind == "gain":
            scores = list(game.scores[:seats])
            gained = [float(now - before) for now, before in zip(scores, self._scores, strict=True)]
            self._scores = scores
            return gained
        if not game.over:
            return [0.0] * seats
        return [float(score) for score in game.scores[:seats]] if self.kind == "points" else by_rank(game)


def by_rank(game: Game) -> list[float]:
    """Return the rewards for the places in a finished game; their sum is 0. All are 0 if the game has no ranking."""
    seats = len(game.state.seats)
    places = {seat: place for seat, place in game.state.ranking if seat < seats}
    if len(places) < seats:
        return [0.0] * seats
    found = []
    for seat in range(seats):
        better = sum(place < places[seat] for place in places.values())
        equal = sum(place == places[seat] for place in places.values())
        found.append(1 - 2 * (better + (equal - 1) / 2) / (seats - 1))
    return found
