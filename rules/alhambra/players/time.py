"""The time manager: how long to think about a decision, given the time for one move and for the rest of the game.

The library reads no clock. The caller measures, and passes a function that tells when to stop.
"""

from __future__ import annotations

from ..game import Game

SAFETY = 0.8
"""Share of the time for a move that is used; the rest is for what the clock does not see."""
FEWEST_TURNS = 2
CARDS_PER_TURN = 1.5
"""Cards of the deck that a turn uses up, about."""
TILES_PER_TURN = 0.75
"""Tiles of the tower that a turn uses up, about."""
DECISIONS_PER_TURN = 2.2
"""Decisions of a seat in one of its turns that take thought, about."""
SMALL_SHARE = 0.5
"""Share of a usual decision that is spent on any other kind than an action."""


def decisions_left(game: Game) -> float:
    """Return about how many decisions a seat has still to make, judging by tower and deck."""
    state = game.state
    seats = max(1, sum(not owner.resigned for owner in state.seats))
    turns = len(state.tower) / TILES_PER_TURN
    if not turns:
        turns = len(state.deck) / CARDS_PER_TURN
    return DECISIONS_PER_TURN * max(FEWEST_TURNS, turns / seats)


def thinking_seconds(game: Game, move_seconds: float | None, game_seconds: float | None) -> float:
    """Return how long to think about the open decision: at most the time for one move, and a fair share of the time for
    the rest of the game. None is for no limit; with no limit at all the result is infinite."""
    limits = [float("inf")]
    if move_seconds is not None:
        limits.append(SAFETY * move_seconds)
    if game_seconds is not None:
        share = SAFETY * game_seconds / decisions_left(game)
        if game.decision is not None and game.decision.kind != "action":
            share *= SMALL_SHARE
        limits.append(share)
    return max(0.0, min(limits))
