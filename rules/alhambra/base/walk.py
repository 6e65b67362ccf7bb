"""Walking: figures step from tile to tile through an Alhambra.

A module declares a `Walk`: a decision answered with one step after another, or a pass. A step leads to a neighbouring
cell that can be reached on foot, also through gates. A figure may cross half a tile (a watchtower) but not stay there:
the last step onto one is refused, and while a figure stands on one, only that figure may step and passing is refused.

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
from ..moves import Move, need
from ..placement.contacts import Contact
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game


class Figure(NamedTuple):
    """A figure that may step, and its cell. Without a `piece` it is the only one, and a move names only a side."""

    cell: Cell
    piece: str = ""


def may_stop(game: Game, decision: Decision) -> Iterator[Violation]:
    """Yield a violation if the walk ends while a figure stands on half a tile."""
    if _must_go_on(game, decision) is not None:
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


def step_off(game: Game, decision: Decision) -> None:
    """End the walk of a resigned seat. A figure on half a tile is moved on first."""
    if _must_go_on(game, decision) is not None:
        step(game, decision, next(_steps(game, decision)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk(DecisionKind):
    """A decision answered with steps. Its public context has the number of steps left."""

    verbs: tuple[str, ...] = ("step",)
    passing: Callable[[Game, Decision], Iterable[Violation]] | None = may_stop
    unanswered: Callable[[Game, Decision], None] | None = step_off
    orders: tuple[StandingOrder, ...] = (PASS,)
    figures: Callable[[Game, int], Iterable[Figure]]
    """Return the seat's figures that may step, in a fixed order. Public."""
    moved: Callable[[Game, int, Figure, Cell], None]
    """Called when a figure has stepped onto a cell: updates the module state and emits the event."""


def begin_walk(game: Game, kind: str, seat: int, steps: int) -> None:
    """Push a walk. The seat is asked while steps are left and one is possible."""
    game.push(go_on, kind, seat, steps)


def go_on(game: Game, kind: str, seat: int, steps: int) -> None:
    """Ask for the next step, if there visibly is one."""
    if steps > 0 and any(_steps(game, Decision(kind, seat, {"steps": steps}))):
        game.ask(kind, seat, steps=steps)


def _walk(game: Game, decision: Decision) -> Walk:
    kind = game.ruleset.questions[decision.kind].kind
    assert isinstance(kind, Walk), decision.kind
    return kind


def _figures(game: Game, decision: Decision) -> list[Figure]:
    """Return the figures that may step now: all, or only one that stands on half a tile."""
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
    """Return why a figure cannot step to that side; None if it can."""
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
    """Return the figure that a move names."""
    for figure in _figures(game, decision):
        if move.piece == (figure.piece or None) and move.cell == (figure.cell if figure.piece else None):
            return figure
    return None


def verify_step(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield violations: the figure must be allowed to step, and the side must be passable."""
    figure = _named(game, decision, move)
    if figure is None:
        yield from _figure_faults(game, decision, move)
        return
    if move.side not in SIDES:
        yield Violation("NOUN_MALFORMED", "side", value=move.side)
        return
    board = game.state.seats[decision.seat].board
    because = _obstacle(board, figure.cell, move.side, decision.context["steps"])
    if because is not None:
        yield Violation("STEP_BLOCKED", "side", cell=list(figure.cell), side=move.side, because=because)


def _figure_faults(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield why a move names no figure: the piece is missing, superfluous or not there."""
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
    """Move the figure to the next cell, and ask for the next step."""
    figure = _named(game, decision, move)
    assert figure is not None
    begin_walk(game, decision.kind, decision.seat, decision.context["steps"] - 1)
    _walk(game, decision).moved(game, decision.seat, figure, _beside(figure.cell, need(move.side)))


def steps(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every step of every figure."""
    return _steps(game, decision)


STEP_VERB = Verb("step", "side [piece cell]", verify_step, step, steps)
AGENDA = {"go_on": go_on}
