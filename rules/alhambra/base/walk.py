"""Walking: figures step from tile to tile through an Alhambra.

A module declares a `Walk`: a question that is answered with one step after another, or by passing. A step leads to a
neighbouring cell that can be reached on foot, through gates too. A figure may cross half a tile (a watchtower) but not
stay there: the last step onto one is refused, and while a figure stands on one, only that figure may step and passing
is refused.

    Walk("staff_walk", figures=where_he_stands, moved=enter_tile)        # in the definition's `decisions`
    begin_walk(game, "staff_walk", seat, steps)                          # in a step or reaction
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..components import SIDES, STEP, Cell
from ..declarations import PASS, StandingOrder
from ..module import DecisionKind, Verb
from ..moves import Move
from ..placement.contacts import Contact
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game


class Figure(NamedTuple):
    """A figure that may step, and where it stands. Without a `piece` it is the only one, and a move names no more than
    a side."""

    cell: Cell
    piece: str = ""


def may_stop(game: Game, decision: Decision) -> Iterator[Violation]:
    """A walk may end wherever every figure stands on a full tile."""
    if _must_go_on(game, decision) is not None:
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def step_off(game: Game, decision: Decision) -> None:
    """A seat that resigned walks no further, but a figure of it that stands where nobody may stay is led on."""
    if _must_go_on(game, decision) is not None:
        step(game, decision, next(_steps(game, decision)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk(DecisionKind):
    """A question that is answered with steps. Its public context says how many are left."""

    verbs: tuple[str, ...] = ("step",)
    passing: Callable[[Game, Decision], Iterable[Violation]] | None = may_stop
    unanswered: Callable[[Game, Decision], None] | None = step_off
    orders: tuple[StandingOrder, ...] = (PASS,)
    figures: Callable[[Game, int], Iterable[Figure]]
    """The figures of a seat that may step, in a fixed order. Public."""
    moved: Callable[[Game, int, Figure, Cell], None]
    """A figure has stepped onto a cell: changes the module state and tells it."""


def begin_walk(game: Game, kind: str, seat: int, steps: int) -> None:
    """Puts a walk on the agenda. The seat is asked as long as steps are left and one is possible."""
    game.push(go_on, kind, seat, steps)


def go_on(game: Game, kind: str, seat: int, steps: int) -> None:
    """Asks for the next step, if everybody can see that there is one."""
    if steps > 0 and any(_steps(game, Decision(kind, seat, {"steps": steps}))):
        game.ask(kind, seat, steps=steps)


def _walk(game: Game, decision: Decision) -> Walk:
    kind = game.ruleset.questions[decision.kind].kind
    assert isinstance(kind, Walk), decision.kind
    return kind


def _figures(game: Game, decision: Decision) -> list[Figure]:
    """The figures that may step now: all, or only the one that stands where nobody may stay."""
    held_up = _must_go_on(game, decision)
    return [held_up] if held_up is not None else list(_walk(game, decision).figures(game, decision.seat))


def _must_go_on(game: Game, decision: Decision) -> Figure | None:
    board = game.state.seats[decision.seat].board
    if not board.odd:
        return None
    figures = _walk(game, decision).figures(game, decision.seat)
    return next((figure for figure in figures if not _may_stay(board, figure.cell)), None)


def _may_stay(board: Board, cell: Cell) -> bool:
    return board.full(board.cells.get(cell))


def _beside(cell: Cell, side: str) -> Cell:
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def _obstacle(board: Board, cell: Cell, side: str, steps: int) -> str | None:
    """Why a figure cannot step to that side; None if it can."""
    there = _beside(cell, side)
    if there not in board.cells:
        return "no_tile"
    if there not in board.walk(*cell):
        return "no_tile" if board.relation(*cell, side) in (Contact.EMPTY, Contact.APART) else "wall"
    return "no_stop" if steps == 1 and not _may_stay(board, there) else None


def _steps(game: Game, decision: Decision) -> Iterator[Move]:
    board, steps = game.state.seats[decision.seat].board, decision.context["steps"]
    for figure in _figures(game, decision):
        for side in SIDES:
            if _obstacle(board, figure.cell, side, steps) is None:
                yield _move(figure, side)


def _move(figure: Figure, side: str) -> Move:
    if figure.piece:
        return Move("step", piece=figure.piece, cell=figure.cell, side=side)
    return Move("step", side=side)


def _named(game: Game, decision: Decision, move: Move) -> Figure | None:
    """The figure that a move means."""
    for figure in _figures(game, decision):
        if move.piece == (figure.piece or None) and move.cell == (figure.cell if figure.piece else None):
            return figure
    return None


def verify_step(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A figure that may step now, and a way to that side."""
    figure = _named(game, decision, move)
    if figure is None:
        yield from _nobody(game, decision, move)
        return
    if move.side not in SIDES:
        yield Violation("NOUN_MALFORMED", "side", value=move.side)
        return
    board = game.state.seats[decision.seat].board
    because = _obstacle(board, figure.cell, move.side, decision.context["steps"])
    if because is not None:
        yield Violation("STEP_BLOCKED", "side", cell=list(figure.cell), side=move.side, because=because)


def _nobody(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Why a move names no figure: it needs or takes no name, or no such figure stands there and may step."""
    figures = _figures(game, decision)
    named = bool(figures and figures[0].piece)
    for noun, value in (("piece", move.piece), ("cell", move.cell)):
        if named and value is None:
            yield Violation("NOUN_MISSING", noun, noun=noun)
        elif not named and value is not None:
            yield Violation("NOUN_UNEXPECTED", noun, noun=noun)
    if named and move.piece is not None and move.cell is not None:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="alhambra")


def step(game: Game, decision: Decision, move: Move) -> None:
    """The figure stands on the next cell; the seat is asked for the next step."""
    figure = _named(game, decision, move)
    assert figure is not None
    assert move.side is not None
    begin_walk(game, decision.kind, decision.seat, decision.context["steps"] - 1)
    _walk(game, decision).moved(game, decision.seat, figure, _beside(figure.cell, move.side))


def steps(game: Game, decision: Decision) -> Iterator[Move]:
    """Every figure to every side that it can step to."""
    return _steps(game, decision)


STEP_VERB = Verb("step", "side [piece cell]", verify_step, step, steps)
AGENDA = {"go_on": go_on}
