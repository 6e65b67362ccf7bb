"""Resignation: a seat leaves the game for good.

It gets no more decisions or pieces, and cannot win. If only one seat is left, the game is over.

- Belongings: its hand and pending tiles leave the game face down. Modules handle their pieces in the hook `resigned`.
  Its Alhambra stays, with everything on it, and continues to score (`scoring.score`).
- Decisions: a resigned seat is not asked, and its open decision is withdrawn (`settle_question`). A decision of another
  seat is withdrawn if it has become pointless (`DecisionKind.stands`).
- Rights: the rest of its turn and purchases is skipped (`procedures.belongs_to_seat`). Cards, tiles and actions that it
  would get later leave the game or lapse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..migrations import Document
from ..moves import Move
from ..state import Decision
from ..violations import Violation
from .game_end import declare_result
from .place_tiles import box_pending
from .turn_order import seats_from

if TYPE_CHECKING:
    from ..game import Game


def refusal(game: Game, seat: int) -> Violation | None:
    """Return why the seat cannot resign; None if it can."""
    state = game.state
    if state.over:
        return Violation("GAME_OVER")
    if not 0 <= seat < len(state.seats) or state.seats[seat].resigned:
        return Violation("NOT_THERE", "seat", id=seat, place="table")
    return None


def resign_seat(game: Game, seat: int) -> None:
    """Resign the seat: its cards and pending tiles leave the game, and it is skipped from now on. Its Alhambra still
    counts."""
    state = game.state
    state.seats[seat].resigned = True
    game.emit("resigned", seat=seat)
    give_everything_up(game, seat)
    state.passes = 0  # this seat's pass must not complete a round of passes by the others
    if seat == state.active:
        state.actions = 0
        state.taken = (*state.taken, "resign")
    if len(seats_from(game, 0)) == 1:
        state.decision = None
        declare_result(game, "resigned")
    elif state.decision is not None and not _remains_open(game, state.decision):
        withdrawn, state.decision = state.decision, None
        settle_question(game, withdrawn)


def give_everything_up(game: Game, seat: int) -> None:
    """Remove the seat's hand and pending tiles from the game, and let modules handle their pieces."""
    state, owner = game.state, game.state.seats[seat]
    state.box = (*state.box, *owner.hand)
    owner.hand = owner.unseen = owner.unseen_kinds = ()
    for tile in owner.pending:
        box_pending(game, seat, tile)
    for react in game.ruleset.reactions["resigned"]:
        react(game, seat)


def _remains_open(game: Game, decision: Decision) -> bool:
    """Return whether the open decision can stay open."""
    if game.state.seats[decision.seat].resigned:
        return False
    stands = game.ruleset.questions[decision.kind].kind.stands
    return stands is None or stands(game, decision)


def leave_empty_handed(_kept: Document, state: Document) -> None:
    """Remove cards of resigned seats from stored games of version 1, in which they could still gain some."""
    for seat in state["seats"]:
        if seat["resigned"]:
            state["box"] = [*state["box"], *seat["hand"]]
            seat["hand"], seat["unseen"], seat["unseen_kinds"] = [], [], []


def settle_question(game: Game, decision: Decision) -> None:
    """Do what follows if a decision is not asked, or withdrawn, because of a resignation: what its kind says
    (`DecisionKind.unanswered`), otherwise what follows from a pass if the kind allows one."""
    kind = game.ruleset.questions[decision.kind].kind
    if kind.unanswered is not None:
        kind.unanswered(game, decision)
    elif kind.passing is not None and kind.answered is not None:
        kind.answered(game, decision, Move("pass"))
