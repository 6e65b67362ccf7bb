"""Wall pieces: one is built in at an open side of a tile of their own that has no neighbour there.

Any full tile of the Alhambra will do, the start tile too; on a tile of two cells each cell has its own sides. The void
half of a watchtower's cell and the cell of a disc count as empty. The piece belongs to the tile for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.build import add_wooden_walls
from ...components import OPEN, SIDES, Cell
from ...game import Game
from ...module import Verb
from ...moves import Move, need
from ...placement.contacts import Contact
from ...state import Decision
from ...violations import Violation
from .keys import Gates


def _refusals(game: Game, seat: int, cell: Cell, side: str) -> Iterator[str]:
    """Yield why no wall piece can stand at that side of a full tile: a wall stands there, or it faces a tile."""
    board = game.state.seats[seat].board
    if board.cells[cell].edges[SIDES.index(side)] != OPEN:
        yield "covered"
    if board.relation(*cell, side) not in (Contact.EMPTY, Contact.APART):
        yield "faces_tile"


def takes_wall_somewhere(game: Game, seat: int) -> bool:
    """Return whether a wall piece can be built in anywhere: everybody can see that."""
    return next(_places(game, seat), None) is not None


def _places(game: Game, seat: int) -> Iterator[tuple[Cell, str]]:
    board = game.state.seats[seat].board
    for cell, placed_part in board.cells.items():
        if board.full(placed_part):
            yield from ((cell, side) for side in SIDES if next(_refusals(game, seat, cell, side), None) is None)


def verify_wall(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A full tile, and a side of it that can take the piece."""
    cell = need(move.cell)
    side = need(move.side)
    board = game.state.seats[decision.seat].board
    placed_part = board.at(*cell)
    if side not in SIDES:
        yield Violation("NOUN_MALFORMED", "side", value=side)
    elif placed_part is None:
        yield Violation("NOT_THERE", "cell", id=list(cell), place="alhambra")
    elif not board.full(placed_part):
        yield Violation("NOT_ELIGIBLE", "cell", tile=placed_part.tile.id, for_="wall")
    else:
        for because in _refusals(game, decision.seat, cell, side):
            yield Violation("WALL_REFUSED", "side", tile=placed_part.tile.id, side=side, because=because)


def add_wall(game: Game, decision: Decision, move: Move) -> None:
    """The piece stands there like a printed wall, wherever the tile goes (37.49)."""
    cell = need(move.cell)
    side = need(move.side)
    kept, board = game.module_state(Gates), game.state.seats[decision.seat].board
    placed_part = board.cells[cell]
    tile = placed_part.tile.id
    upright = SIDES[(SIDES.index(side) - board.placed[tile].rotation // 90) % len(SIDES)]
    kept.walls -= 1
    kept.standing = {**kept.standing, tile: (*kept.standing.get(tile, ()), (placed_part.part, upright))}
    add_wooden_walls(game, decision.seat, tile, (side,), part=placed_part.part, event="wall_added", cell=cell)


def wall_places(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every side that can take a wall piece."""
    return (Move("add_wall", cell=cell, side=side) for cell, side in _places(game, decision.seat))


def walls_off_the_board(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the wall pieces on tiles that are not built; those on built ones are part of the Alhambra."""
    standing = game.module_state(Gates).standing
    for seat, owner in enumerate(game.state.seats) if standing else ():
        for tile in (*game.ruleset.reserve.tiles(game, seat), *owner.pending):
            parts = game.ruleset.tiles[tile].parts
            for part, side in standing.get(tile, ()):
                half = {"type": parts[part].type} if len(parts) > 1 else {}
                yield {"kind": "wall_piece", "seat": seat, "tile": tile, "side": side, **half}


ADD_WALL = Verb("add_wall", "cell side", verify_wall, add_wall, wall_places)
