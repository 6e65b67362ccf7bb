"""Resigning: a seat leaves the game for good.

It is skipped from then on. Its hand and the tiles that it has not placed leave the game unseen; its Alhambra still
counts, and it cannot win. A question that stands open for it, or comes up later, is answered for it: by a pass where
that is allowed, otherwise by the first legal move. With one seat left the game is over. What becomes of a module's
things is the module's hook `resigned`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..moves import Move
from ..violations import Violation
from .ending import declare_result
from .placing import box_pending
from .seating import seats_from

if TYPE_CHECKING:
    from ..game import Game


def refusal(game: Game, seat: int) -> Violation | None:
    """Why the seat cannot resign; None if it can."""
    state = game.state
    if state.over:
        return Violation("GAME_OVER")
    if not 0 <= seat < len(state.seats) or state.seats[seat].resigned:
        return Violation("NOT_THERE", "seat", id=seat, place="table")
    return None


def resign_seat(game: Game, seat: int) -> None:
    """The seat is skipped from now on; its cards leave the game unseen, so do the tiles that it has not placed yet. Its
    Alhambra still counts."""
    state = game.state
    owner = state.seats[seat]
    owner.resigned = True
    state.box = (*state.box, *owner.hand)
    owner.hand = owner.unseen = owner.unseen_kinds = ()
    game.tell("resigned", seat=seat)
    for tile in owner.pending:
        box_pending(game, seat, tile)
    if state.decision is not None and state.decision.seat == seat and "tiles" in state.decision.context:
        state.decision = None  # it was about those tiles
    for react in game.ruleset.resigned:
        react(game, seat)
    state.passes = 0  # a pass of this seat must not complete a round of the others
    if seat == state.active:
        state.actions = 0
        state.taken = (*state.taken, "resign")
    if len(seats_from(game, 0)) == 1:
        state.decision = None
        declare_result(game, "resigned")


def forced_answer(game: Game) -> Move:
    """The answer to the open decision for a seat that resigned: a pass if it is legal, else the first legal move."""
    found = game.legal_moves()
    return next((move for move in found if move.verb == "pass"), found[0])
