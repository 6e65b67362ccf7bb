"""35 Palace designers.

Every player has a designer, who is put on the start tile before the market is filled, with the feet at one of its
edges. A player who extends the Alhambra by a tile beside the designer's tile scores at once: 2 points if it adjoins the
edge with the feet, 1 point at any other edge. Then the designer moves onto the new tile, and the player chooses an edge
of it for the feet. A tile that takes the place of another is no extension. If the designer's tile leaves the Alhambra,
the designer is put on any tile, without points. On camps and watchtowers nothing of this applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..base.scoring import score
from ..base.turn_order import seats_from
from ..board import Board
from ..components import SIDES, STEP, Cell, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import DecisionKind, Module, Step, Verb
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

DATA = module_data("palace_designers")
AT_FEET: int = DATA["points_at_feet"]
AT_OTHER_EDGES: int = DATA["points_other_sides"]


@dataclass(slots=True)
class Designers:
    """By seat: where the designer stands."""

    cells: tuple[Cell | None, ...] = ()
    """The cell of the tile; of a tile of two cells, that with the feet at its edge. None while the designer's tile has
    left the Alhambra and another one is still to be named."""
    sides: tuple[str, ...] = ()
    """The side of that cell with the feet; an empty text until it is chosen."""


def _stand(game: Game, seat: int, cell: Cell | None, side: str = "") -> None:
    kept = game.module_state(Designers)
    kept.cells = (*kept.cells[:seat], cell, *kept.cells[seat + 1 :])
    kept.sides = (*kept.sides[:seat], side, *kept.sides[seat + 1 :])


def set_out(game: Game) -> None:
    """Every designer stands on the start tile; one seat after the other chooses the edge."""
    kept, seats = game.module_state(Designers), game.state.seats
    kept.cells, kept.sides = tuple(None if seat.resigned else (0, 0) for seat in seats), ("",) * len(seats)
    for seat in reversed(seats_from(game, 0)):
        game.push(ask_facing, seat, game.state.seats[seat].board.start.id)


# -- What happens to the designer ----------------------------------------------------------------------------------


def reward(game: Game, seat: int, tile: str, how: str) -> None:
    """Scores a new tile beside the designer, who moves onto it."""
    kept, board = game.module_state(Designers), game.state.seats[seat].board
    here, side = kept.cells[seat], kept.sides[seat]
    new = board.cells_of(tile)
    if how == "swap" or here is None or not board.full(board.at(*new[0])):
        return
    stood_on = board.cells[here].tile.id
    if not any(part is not None and part.tile.id == stood_on for cell in new for _, part in board.neighbours(*cell)):
        return
    points = AT_FEET if side and _beyond(here, side) in new else AT_OTHER_EDGES
    score(game, seat, points, "designer", tile=tile)
    _stand(game, seat, new[0])
    game.push(ask_facing, seat, tile)


def step_off(game: Game, seat: int, _tile: str, _how: str) -> None:
    """A designer whose tile has left the Alhambra is put on another one, when everything else about it is settled."""
    here = game.module_state(Designers).cells[seat]
    if here is not None and here not in game.state.seats[seat].board.cells:
        _stand(game, seat, None)
        game.push(ask_where, seat)


def ask_facing(game: Game, seat: int, tile: str) -> None:
    """Ask for the edge of the tile that the designer stands on."""
    game.ask("face_designer", seat, tile=tile)


def ask_where(game: Game, seat: int) -> None:
    """Ask for any tile and one of its edges."""
    game.ask("move_designer", seat)


def _beyond(cell: Cell, side: str) -> Cell:
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def _edges(board: Board, tile: str) -> Iterator[tuple[Cell, str]]:
    """Yield the outer edges of a built tile: those between two of its cells are none."""
    covered = board.cells_of(tile)
    return ((cell, side) for cell in covered for side in SIDES if _beyond(cell, side) not in covered)


# -- Answers -------------------------------------------------------------------------------------------------------


def _edge_faults(board: Board, cell: Cell, side: str | None) -> Iterator[Violation]:
    if (cell, side) not in {*_edges(board, board.cells[cell].tile.id)}:
        yield Violation("NOUN_MALFORMED", "side", value=side)


def verify_face(game: Game, decision: Decision, move: Move) -> Iterable[Violation]:
    """An outer edge of the designer's tile. Of a tile of two cells the move names the half."""
    board = game.state.seats[decision.seat].board
    covered = board.cells_of(decision.context["tile"])
    if len(covered) == 1:
        if move.cell is not None:
            yield Violation("NOUN_UNEXPECTED", "cell", noun="cell")
        yield from _edge_faults(board, covered[0], move.side)
    elif move.cell is None:
        yield Violation("NOUN_MISSING", "cell", noun="cell")
    elif move.cell not in covered:
        yield Violation("NOT_THERE", "cell", id=list(move.cell), place="alhambra")
    else:
        yield from _edge_faults(board, move.cell, move.side)


def face(game: Game, decision: Decision, move: Move) -> None:
    """The feet are at that edge."""
    covered = game.state.seats[decision.seat].board.cells_of(decision.context["tile"])
    _settle(game, decision.seat, move.cell or covered[0], move.side)


def facings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every outer edge of the designer's tile."""
    board, tile = game.state.seats[decision.seat].board, decision.context["tile"]
    single = len(board.cells_of(tile)) == 1
    for cell, side in _edges(board, tile):
        yield Move("face_designer", cell=None if single else cell, side=side)


def verify_move(game: Game, decision: Decision, move: Move) -> Iterable[Violation]:
    """A full tile of their own Alhambra, and one of its outer edges."""
    cell = need(move.cell)
    board = game.state.seats[decision.seat].board
    part = board.at(*cell)
    if part is None:
        yield Violation("NOT_THERE", "cell", id=list(cell), place="alhambra")
    elif not board.full(part):
        yield Violation("NOT_ELIGIBLE", "cell", tile=part.tile.id, for_="designer")
    else:
        yield from _edge_faults(board, cell, move.side)


def move_designer(game: Game, decision: Decision, move: Move) -> None:
    """The designer stands there from now on, without points."""
    _settle(game, decision.seat, need(move.cell), move.side)


def movings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every outer edge of every full tile."""
    board = game.state.seats[decision.seat].board
    for tile in board.placed:
        if board.full(board.at(*board.cells_of(tile)[0])):
            yield from (Move("move_designer", cell=cell, side=side) for cell, side in _edges(board, tile))


def _settle(game: Game, seat: int, cell: Cell, side: str | None) -> None:
    assert side is not None
    _stand(game, seat, cell, side)
    game.emit("designer_placed", seat=seat, tile=game.state.seats[seat].board.cells[cell].tile.id, cell=cell, side=side)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield every designer: at the edge with the feet, on a tile until it is chosen, or before the seat. One that
    stands nowhere when its seat resigns is out of the game."""
    kept = game.module_state(Designers)
    for seat, (cell, side) in enumerate(zip(kept.cells, kept.sides, strict=True)):
        if cell is None and game.state.seats[seat].resigned:
            continue
        where = {"cell": cell} if cell is not None else {}
        yield {"kind": "designer", "seat": seat, **where, **({"side": side} if side else {})}


MODULE = Module(
    number=35,
    key="palace_designers",
    events={"designer_placed": "A designer stands on a tile, with the feet at one of its edges."},
    reasons=(Reason("NOT_ELIGIBLE", "A designer stands neither on a camp nor on a watchtower.", ("designer",)),),
    scores={"designer": "A tile was built beside the designer's."},
    piece_kinds=(
        PieceKind(
            "designer",
            "The designer of a seat, on a tile of its Alhambra; `side` is the edge with the feet.",
            outline_of("designer"),
        ),
    ),
    state=Designers,
    verbs=(
        Verb("face_designer", "side [cell]", verify_face, face, facings),
        Verb("move_designer", "cell side", verify_move, move_designer, movings),
    ),
    decisions=(
        DecisionKind("face_designer", verbs=("face_designer",)),
        DecisionKind("move_designer", verbs=("move_designer",)),
    ),
    steps=(Step("setup.choices", set_out),),
    agenda={"ask_facing": ask_facing, "ask_where": ask_where},
    reactions={"built": reward, "unbuilt": step_off},
    public_pieces=public_pieces,
)
