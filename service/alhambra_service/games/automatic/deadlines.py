"""Deadlines of decisions: when they pass, and how the server answers in place of a seat whose time is up.

In a game with `turn_seconds`, every decision has this number of seconds by the store's clock; in a game with clocks, it
has at most what the clock of its seat has left (`clocks.py`). After the deadline, the next call that reads the game
answers the decision (`game_change.py`). The store commits the answer only if the deadline
has passed by its own clock. A stream of events reads its game when a deadline passes. So deadlines do not depend on any
single process.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from alhambra import Decision, Game, Move

from .server_players import legal_moves

if TYPE_CHECKING:
    from ..loaded_game import LoadedGame
    from .clocks import Clocks

FIRST_CHOICES = ("pass", "reserve", "leave", "take_money")
"""The verbs that the server prefers for a seat whose time is up."""


def deadline_of(loaded: LoadedGame, decision: Decision | None, clocks: Clocks | None, now: int) -> int | None:
    """Return the deadline of a decision that opens now, in milliseconds of Unix time; None if it has none. `loaded` may
    be the game before it: only its seats and its `turn_seconds` count."""
    if decision is None:
        return None
    limit = now + 1000 * loaded.turn_seconds if loaded.turn_seconds else None
    if clocks is None or loaded.seats[decision.seat].server_player:
        return limit
    flag = clocks.flag_time(decision.seat)
    return flag if limit is None else min(limit, flag)


def reopened(loaded: LoadedGame, now: int) -> LoadedGame:
    """Return the game with all the time for its open decision again, after a player came back to the seat that is
    asked."""
    clocks = loaded.clocks and replace(loaded.clocks, since=now)
    return replace(loaded, clocks=clocks, deadline=deadline_of(loaded, loaded.decision, clocks, now))


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
