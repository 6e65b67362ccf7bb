"""Who sits where and comes after whom: clockwise, seats that resigned left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Game


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
    """All seats still playing, the one whose regular turn comes soonest first: before a turn's actions its owner."""
    state = game.state
    return seats_from(game, state.active) if state.phase == "START" else seats_after(game, state.active)


def due_next(game: Game) -> int:
    """The seat whose turn comes next."""
    state = game.state
    seat = (state.active + 1) % len(state.seats)
    return seats_from(game, seat)[0] if state.seats[seat].resigned else seat
