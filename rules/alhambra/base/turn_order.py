"""Turn order: the seats still playing, and whether a seat acts in its own turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..procedures import PHASES, PROCEDURES

if TYPE_CHECKING:
    from ..game import Game

TURN_PHASES = tuple(dict.fromkeys(PHASES[f"turn.{stage}"] for stage in PROCEDURES["turn"]))
"""The phases of a turn in order: START, MAIN, PLACE, LATE, MONEY, SCORING, MARKET, AFTER, WINDOW."""


def in_own_turn(game: Game, seat: int, through: str = "LATE") -> bool:
    """Return whether it is the seat's own turn and not past the phase `through`. Players act up to LATE; then come
    refills, scorings and decisions of other seats, so a tile gained later counts as gained out of turn. With
    `through="MARKET"` the refills belong to the turn: the last chance to gain something for AFTER. Before the first and
    after the last turn the result is False."""
    state = game.state
    phases = TURN_PHASES[: TURN_PHASES.index(through) + 1]
    return seat == state.active and state.phase in phases


def seats_from(game: Game, seat: int) -> list[int]:
    """Return the seats still playing, clockwise from this one."""
    seats = game.state.seats
    order = [*range(seat, len(seats)), *range(seat)]
    return [number for number in order if not seats[number].resigned]


def seats_after(game: Game, seat: int) -> list[int]:
    """Return the seats still playing, clockwise from the next one; this one is last."""
    return seats_from(game, (seat + 1) % len(game.state.seats))


def colour_of(game: Game, seat: int) -> str:
    """Return the colour of a seat."""
    return game.options.seats[seat].colour


def soonest(game: Game) -> list[int]:
    """Return the seats still playing by their next regular turn, starting with the active seat."""
    active = game.state.active
    return seats_from(game, active) if in_own_turn(game, active) else seats_after(game, active)


def due_next(game: Game) -> int:
    """Return the seat whose turn comes next."""
    state = game.state
    seat = (state.active + 1) % len(state.seats)
    return seats_from(game, seat)[0] if state.seats[seat].resigned else seat
