"""Resigning: a seat leaves the game for good.

It is neither asked nor given anything from then on, and it cannot win. With one seat left the game is over.

- What it has: its hand and the tiles that it has not placed leave the game unseen. What becomes of a module's things is
  the module's hook `resigned`. Its Alhambra stays, with everything on its tiles, and goes on scoring (`scoring.score`).
- What waits for it: a question to a seat that resigned is not asked, and one that stands open is withdrawn
  (`settle_question`). A question to another seat is withdrawn if it does not stand any more (`DecisionKind.stands`).
- What was promised to it: the rest of its turn and of its purchases is skipped (`procedures.of_a_seat`). Cards, tiles
and
  actions that come to it later leave the game or lapse.
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
    state.seats[seat].resigned = True
    game.emit("resigned", seat=seat)
    give_everything_up(game, seat)
    state.passes = 0  # a pass of this seat must not complete a round of the others
    if seat == state.active:
        state.actions = 0
        state.taken = (*state.taken, "resign")
    if len(seats_from(game, 0)) == 1:
        state.decision = None
        declare_result(game, "resigned")
    elif state.decision is not None and not _stands(game, state.decision):
        withdrawn, state.decision = state.decision, None
        settle_question(game, withdrawn)


def give_everything_up(game: Game, seat: int) -> None:
    """The hand of the seat and the tiles that it has not placed leave the game; modules see to what else it has."""
    state, owner = game.state, game.state.seats[seat]
    state.box = (*state.box, *owner.hand)
    owner.hand = owner.unseen = owner.unseen_kinds = ()
    for tile in owner.pending:
        box_pending(game, seat, tile)
    for react in game.ruleset.resigned:
        react(game, seat)


def _stands(game: Game, decision: Decision) -> bool:
    """Whether the open question can stay as it is."""
    if game.state.seats[decision.seat].resigned:
        return False
    stands = game.ruleset.questions[decision.kind].kind.stands
    return stands is None or stands(game, decision)


def leave_empty_handed(_kept: Document, state: Document) -> None:
    """In games that version 1 stored, a seat that had resigned could have come to cards afterwards: they leave."""
    for seat in state["seats"]:
        if seat["resigned"]:
            state["box"] = [*state["box"], *seat["hand"]]
            seat["hand"], seat["unseen"], seat["unseen_kinds"] = [], [], []


def settle_question(game: Game, decision: Decision) -> None:
    """A question is not asked, or withdrawn, because of a seat that resigned: does what follows without an answer. That
    is what the kind of question says; otherwise what follows from a pass, if its kind knows passing."""
    kind = game.ruleset.questions[decision.kind].kind
    if kind.unanswered is not None:
        kind.unanswered(game, decision)
    elif kind.passing is not None and kind.answered is not None:
        kind.answered(game, decision, Move("pass"))
