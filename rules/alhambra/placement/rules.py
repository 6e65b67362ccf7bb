"""The construction rules.

Neighbouring tiles both have a wall on the shared edge, or neither has. Every tile can be reached on foot from the
fountain, over tiles and never across a wall. A new tile shares an edge with the Alhambra. No empty area may be
enclosed; empty cells connect by their sides. After a redesign all of this must hold for all tiles.

There are three checks, each used only where the one before is not sufficient: the grid for plain tiles; bitboards
(`placement/bitboards.py`) for camps, watchtowers, double tiles and gates; the general check (`placement/explain.py`)
for all other tiles, and to explain refusals.

Callers and modules decide whether a tile may be rotated, which wall a camp needs and which colour a watchtower needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..components import STEP, Cell, Tile
from ..violations import Violation, in_order
from .bitboards import can_be_swapped
from .contacts import PlacedTile, form_of, lying_walls, placed_parts
from .explain import (
    QUARTER_TURNS,
    explain_board,
    explain_placement,
    explain_plain_placement,
    explain_removal,
    explain_swap,
)
from .grid import BUILT, EMPTY_BELOW, ENCLOSES, FITS, LIMIT, ROW

if TYPE_CHECKING:
    from ..board import Board

__all__ = [
    "QUARTER_TURNS",
    "cells_forbidden_only_by",
    "check_placement",
    "check_removal",
    "check_swap",
    "explain_board",
    "is_legal",
    "legal_cells",
    "may_remove",
    "may_swap",
    "place_of",
    "places_for",
    "removable_tiles",
]


def check_placement(
    board: Board, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> tuple[Violation, ...]:
    """Return every reason against building the tile here, in the order of the codes."""
    # Most placements are legal and plain: one lookup in the grid is enough.
    if board.plain and tile.plain and -LIMIT <= x <= LIMIT and -LIMIT <= y <= LIMIT and rotation in QUARTER_TURNS:
        walls = lying_walls(tile, rotation, wooden_walls) if rotation or wooden_walls else tile.walls
        number = board.grid.numbers.get(x + ROW * y, BUILT)
        if number < EMPTY_BELOW:
            if FITS[walls][number >> 4] and not ENCLOSES[number & 255]:
                return ()
            return tuple(explain_plain_placement(board, tile, x, y, walls, number))
    elif tile.coded and board.coded and rotation in QUARTER_TURNS:
        bitboards = board.bitboards
        if bitboards.has(bitboards.sites(form_of(tile, rotation, wooden_walls)).legal, x, y):
            return ()
    return in_order(explain_placement(board, tile, x, y, rotation, wooden_walls))


def is_legal(board: Board, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> bool:
    """Return whether the tile may be built here, without reasons."""
    if rotation not in QUARTER_TURNS:
        return False
    if board.plain and tile.plain:
        if max(abs(x), abs(y)) > LIMIT:
            return False
        walls = lying_walls(tile, rotation, wooden_walls) if rotation or wooden_walls else tile.walls
        number = board.grid.numbers.get(x + ROW * y, BUILT)
        return number < EMPTY_BELOW and bool(FITS[walls][number >> 4]) and not ENCLOSES[number & 255]
    if tile.coded and board.coded:
        bitboards = board.bitboards
        return bitboards.has(bitboards.sites(form_of(tile, rotation, wooden_walls)).legal, x, y)
    return next(explain_placement(board, tile, x, y, rotation, wooden_walls), None) is None


def legal_cells(board: Board, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> Sequence[Cell]:
    """Return every legal cell for the tile's first part, row by row from the north."""
    if rotation not in QUARTER_TURNS:
        return ()
    if board.plain and tile.plain:
        return board.grid.cells_for(
            lying_walls(tile, rotation, wooden_walls) if rotation or wooden_walls else tile.walls
        )
    if tile.coded and board.coded:
        bitboards = board.bitboards
        return bitboards.cells_in(bitboards.sites(form_of(tile, rotation, wooden_walls)).legal)
    return [cell for cell in _rim(board, tile, rotation) if is_legal(board, tile, *cell, rotation, wooden_walls)]


def cells_forbidden_only_by(
    code: str, board: Board, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> list[Cell]:
    """Return the cells where only this code forbids the tile, column by column from the west."""
    if code == "NOT_REACHABLE" and tile.coded and board.coded:
        bitboards = board.bitboards
        return sorted(bitboards.cells_in(bitboards.sites(form_of(tile, rotation, wooden_walls)).unreached))
    return [
        cell
        for cell in sorted(_rim(board, tile, rotation))
        if {fault.code for fault in explain_placement(board, tile, *cell, rotation, wooden_walls)} == {code}
    ]


def _rim(board: Board, tile: Tile, rotation: int) -> list[Cell]:
    """Return the free cells at which the tile could touch the Alhambra, row by row."""
    offsets = [cell for cell, _ in placed_parts(tile, 0, 0, rotation)]
    near = {(x + dx - px, y + dy - py) for x, y in board.cells for dx, dy in STEP.values() for px, py in offsets}
    return sorted(near - board.cells.keys(), key=lambda cell: (cell[1], cell[0]))


def check_removal(board: Board, tile_id: str) -> tuple[Violation, ...]:
    """Return every reason against removing the tile."""
    locked = _explain_touching(board, tile_id)
    if locked:
        return locked
    return () if _can_remove(board, tile_id) else explain_removal(board, tile_id)


def may_remove(board: Board, tile_id: str) -> bool:
    """Return whether the tile may be removed. Faster than `check_removal`."""
    if tile_id == board.start.id:
        return False
    return _can_remove(board, tile_id) or (not board.coded and not explain_removal(board, tile_id))


def removable_tiles(board: Board) -> tuple[str, ...]:
    """Return the tiles that may be removed, in building order."""
    return tuple([tile for tile in board.placed if may_remove(board, tile)])


def _can_remove(board: Board, tile_id: str) -> bool:
    """Return whether grid or bitboards allow the removal of a built tile."""
    tile, x, y, rotation, wooden_walls = board.placed[tile_id]
    if board.plain:
        return board.grid.can_remove(x, y)
    return board.coded and board.bitboards.can_remove(x, y, form_of(tile, rotation, wooden_walls))


def may_swap(board: Board, old_id: str, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> bool:
    """Return whether the tile may replace a built one exactly. Faster than `check_swap`."""
    if old_id == board.start.id:
        return False
    cell = place_of(board, old_id, tile, rotation)
    return cell is not None and _can_replace(board, old_id, tile, cell, rotation, wooden_walls)


def places_for(
    board: Board, tile: Tile, leaving: Sequence[PlacedTile], rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> set[str]:
    """Return the ids of the built tiles that the tile may replace exactly."""
    if board.plain and tile.plain:
        walls = lying_walls(tile, rotation, wooden_walls) if rotation or wooden_walls else tile.walls
        cells = board.grid.replaceable_by(walls)
        return {old.tile.id for old in leaving if (old.x, old.y) in cells and old.tile.id != board.start.id}
    found = set()
    refused = 0
    if tile.plain and board.coded:
        # Walkable one-cell tiles need only matching sides.
        refused = board.bitboards.fit(form_of(tile, rotation, wooden_walls).parts[0][2]).refused
    for old in leaving:
        if tile.plain and old.tile.plain and board.coded:
            fits = old.tile.id != board.start.id and not board.bitboards.has(refused, old.x, old.y)
        else:
            fits = may_swap(board, old.tile.id, tile, rotation, wooden_walls)
        if fits:
            found.add(old.tile.id)
    return found


def check_swap(
    board: Board, old_id: str, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> tuple[Violation, ...]:
    """Return every reason against replacing a built tile exactly."""
    locked = _explain_touching(board, old_id)
    if locked:
        return locked
    if rotation not in QUARTER_TURNS:
        return (Violation("NOUN_MALFORMED", "rotation", value=rotation),)
    cell = place_of(board, old_id, tile, rotation)
    if cell is None:
        old = board.placed[old_id]
        return (Violation("FOOTPRINT_MISMATCH", "tile", tile=tile.id, cell=[old.x, old.y]),)
    if _can_replace(board, old_id, tile, cell, rotation, wooden_walls):
        return ()
    return explain_swap(board, old_id, tile, cell, rotation, wooden_walls)


def _can_replace(board: Board, old_id: str, tile: Tile, cell: Cell, rotation: int, wooden_walls: Sequence[int]) -> bool:
    """Return whether the tile may lie here instead of a built one that covers the same cells."""
    if board.plain and tile.plain:
        return board.grid.can_replace(*cell, lying_walls(tile, rotation, wooden_walls))
    if tile.coded and board.coded:
        old = board.placed[old_id]
        before, after = form_of(old.tile, old.rotation, old.wooden_walls), form_of(tile, rotation, wooden_walls)
        if can_be_swapped(before, after):
            return board.bitboards.can_replace(*cell, before, after)
    return not explain_swap(board, old_id, tile, cell, rotation, wooden_walls)


def place_of(board: Board, old_id: str, tile: Tile, rotation: int = 0) -> Cell | None:
    """Return the cell for the tile's first part so that it covers exactly the cells of a built one; None if it
    cannot."""
    old = board.placed[old_id]
    if len(old.tile.parts) == len(tile.parts) == 1:
        return old.x, old.y
    if len(old.tile.parts) != len(tile.parts):
        return None
    wanted = set(board.cells_of(old_id))
    return next(
        (cell for cell in sorted(wanted) if {covered for covered, _ in placed_parts(tile, *cell, rotation)} == wanted),
        None,
    )


def _explain_touching(board: Board, tile_id: str) -> tuple[Violation, ...]:
    if tile_id not in board.placed:
        return (Violation("NOT_THERE", "tile", id=tile_id, place="alhambra"),)
    if tile_id == board.start.id:
        return (Violation("LOCKED", "tile", tile=tile_id, by="start"),)
    return ()
