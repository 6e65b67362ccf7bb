"""Laying the disc: on a free cell at a side of any own tile.

Only that it touches a side counts, not a corner: walls, ways on foot and holes do not matter, and the cell still counts
as empty. A disc that was set aside is laid out again at the end of the turn, after all building; after a placement out
of turn, at once; when the game ends, no more. It is never moved otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.turn_order import in_own_turn
from ...components import STEP
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .residents import PICKED, Residents, put_disc


def verify_disc(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A free cell at a side of an own tile; walls do not matter. Camps and watchtowers are no neighbours for it."""
    cell = need(move.cell)
    board = game.state.seats[decision.seat].board
    aboard = len(game.module_state(Residents).aboard[decision.seat])
    if decision.kind == "pick_residents" and aboard < PICKED:
        yield Violation("CONDITION_UNMET", "verb", what="residents", need=PICKED, have=aboard)
    if cell in board.cells:
        yield Violation("PLACE_TAKEN", "cell", cell=list(cell))
    elif not any(board.full(part) for _, part in board.neighbours(*cell)):
        yield Violation("NO_CONTACT", "cell", cell=list(cell))


def lay_disc(game: Game, decision: Decision, move: Move) -> None:
    """There it lies; as long as the choices are secret only its owner knows where."""
    seat = decision.seat
    put_disc(game, seat, move.cell)
    if game.module_state(Residents).published:
        game.emit("disc_laid", seat=seat, cell=move.cell)
    else:
        game.emit("disc_laid", {seat: {"cell": move.cell}}, seat=seat)


def cells_around(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield the disc on every cell at or beside a tile, row by row from the north."""
    cells = game.state.seats[decision.seat].board.cells
    around = {(x + dx, y + dy) for x, y in cells for dx, dy in STEP.values()}
    return (Move("lay_disc", cell=cell) for cell in sorted(around, key=lambda cell: (cell[1], cell[0])))


def return_disc(game: Game) -> None:
    """At the end of the turn a disc that was set aside is laid out again."""
    if game.module_state(Residents).discs[game.state.active] is None:
        game.ask("lay_disc", game.state.active)


def return_disc_now(game: Game, seat: int) -> None:
    """After a placement out of turn at once; in their own turn it waits for its end, when the game ends for ever."""
    waits = game.state.phase == "END" or in_own_turn(game, seat)
    if not waits and game.module_state(Residents).discs[seat] is None:
        game.ask("lay_disc", seat)


LAY_DISC = Verb(
    "lay_disc",
    "cell",
    verify_disc,
    lay_disc,
    those_that_verify(verify_disc, cells_around),
    at=("pick_residents", "lay_disc"),
)
