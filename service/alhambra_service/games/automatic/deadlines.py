"""Deadlines of decisions: when they pass, and how the server answers in place of a seat whose time is up.

In a game with `turn_seconds`, every decision has this number of seconds by the store's clock. After the deadline, the
next call that reads the game answers the decision (`game_change.py`). The store commits the answer only if the deadline
has passed by its own clock. A stream of events reads its game when a deadline passes. So deadlines do not depend on any
single process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alhambra import Game, Move

from .server_players import legal_moves

if TYPE_CHECKING:
    from ..loaded_game import LoadedGame

FIRST_CHOICES = ("pass", "reserve", "leave", "take_money")
"""The verbs that the server prefers for a seat whose time is up."""


def deadline_of(turn_seconds: int, game: Game, now: int) -> int | None:
    """Return the deadline of a decision that opens now, in milliseconds of Unix time; None if it has none."""
    return now + 1000 * turn_seconds if turn_seconds and game.decision is not None else None


def has_passed(loaded: LoadedGame, now: int) -> bool:
    """Return whether the deadline of the open decision has passed."""
    return loaded.deadline is not None and loaded.deadline <= now


def seconds_left(loaded: LoadedGame, now: int) -> float | None:
    """Return the seconds until the deadline; negative if it has passed, None if there is none."""
    return None if loaded.deadline is None else (loaded.deadline - now) / 1000


def late_answer(game: Game) -> Move:
    """Return the answer for a seat whose time is up: do nothing, else put a tile into the reserve, else take money,
    else the first move of the list."""
    decision = game.decision
    assert decision is not None
    ranks = {name: rank for rank, name in enumerate(FIRST_CHOICES)}
    for verb in sorted(game.offered_verbs(decision), key=lambda verb: ranks.get(verb.name, len(ranks))):
        for move in legal_moves(game, verb):
            return move
    raise AssertionError(f"a decision without a legal move: {decision.kind}")
