"""Who sits where and comes after whom, seats that resigned left out; and whether a seat acts in its own turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..procedures import PHASES, PROCEDURES

if TYPE_CHECKING:
    from ..game import Game

TURN_PHASES = tuple(dict.fromkeys(PHASES[f"turn.{stage}"] for stage in PROCEDURES["turn"]))
"""The phases of a turn in their order: START, MAIN, PLACE, LATE, MONEY, SCORING, MARKET, AFTER, WINDOW."""


def in_own_turn(game: Game, seat: int, through: str = "LATE") -> bool:
    """Whether it is the seat's own turn, and the turn is not past this phase.

    Up to LATE a player acts; then come refills, scorings, and what other seats may do. So a tile that even the active
    seat gains after LATE comes to it out of turn. With `through="MARKET"` the refills still belong to the turn: that is
    the last moment to gain something that is used in AFTER. Before the first turn and after the last one, no seat is in
    its own turn."""
    state = game.state
    phases = TURN_PHASES[: TURN_PHASES.index(through) + 1]
    return seat == state.active and state.phase in phases


def seats_from(game: Game, seat: int) -> list[int]:
    """All seats still playing, clockwise from this one."""
    seats = game.state.seats
    order = [*range(seat, len(seats)), *range(seat)]
    return [number for number in order if not seats[number].resigned]


def seats_after(game: Game, seat: int) -> list[int]:
    """All seats still playing, clockwise from the next one; this one comes last."""
    return seats_from(game, (seat + 1) % len(game.state.seats))


def colour_of(game: Game, seat: int) -> str:
    """The colour that a seat plays with."""
    return game.options.seats[seat].colour


def soonest(game: Game) -> list[int]:
    """All seats still playing, the one whose regular turn comes soonest first: the active one while it is its turn."""
    active = game.state.active
    return seats_from(game, active) if in_own_turn(game, active) else seats_after(game, active)


def due_next(game: Game) -> int:
    """The seat whose turn comes next."""
    state = game.state
    seat = (state.active + 1) % len(state.seats)
    return seats_from(game, seat)[0] if state.seats[seat].resigned else seat
