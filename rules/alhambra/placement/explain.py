"""Why a placement, a removal or a swap is refused: every reason, with its facts.

This is the general check: it looks at tiles one by one and handles all kinds. `placement/rules.py` decides legality
fifty times as fast with grid or bitboards, and uses this file to explain refusals, and for tiles that bitboards cannot
represent (`Tile.coded`). The tests compare the results.

A camp is not walkable and need not be reachable, but must touch something. With camps, holes are searched twice: with
the camps, and without them (08.38). The empty half of a watchtower's cell is connected only across its two void
edges (22.15).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..components import OPEN, SIDES, STEP, VOID, WALL, Cell, Tile
from ..violations import Violation, in_order
from .contacts import SIDE_INDEX, Contact, PlacedPart, contact, edge_between, placed_parts
from .grid import ENCLOSES, LIMIT

if TYPE_CHECKING:
    from ..board import Board

QUARTER_TURNS = (0, 90, 180, 270)
HOLE_CELLS_NAMED = 16
_AROUND = tuple((STEP[side], SIDE_INDEX[side]) for side in SIDES)
_CORNERS = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def explain_board(board: Board) -> tuple[Violation, ...]:
    """Return everything that is wrong with a whole board."""
    pairs = (
        Touch(cell, index, placed_part, beyond, contact(placed_part, index, beyond))
        for cell, placed_part in board.cells.items()
        for (dx, dy), index in _AROUND
        if SIDES[index] in "ES" and (beyond := board.cells.get((cell[0] + dx, cell[1] + dy)))
    )
    return in_order([*_explain_contacts(pairs), *_explain_remains(board)])


def explain_removal(board: Board, tile_id: str) -> tuple[Violation, ...]:
    """Return every reason against removing a built tile."""
    trial = board.copy()
    trial.remove(tile_id)
    return in_order(_explain_remains(trial))


def explain_swap(
    board: Board, old_id: str, tile: Tile, cell: Cell, rotation: int, wooden_walls: Sequence[int]
) -> tuple[Violation, ...]:
    """Return every reason against replacing a built tile by one that covers the same cells."""
    trial = board.copy()
    trial.remove(old_id)
    trial.passages = board.passages  # a gate may have been set for the new tile, where a camp was (05.39)
    clashes = list(_explain_contacts(_touches(trial, placed_parts(tile, *cell, rotation, wooden_walls))))
    trial.put(tile, *cell, rotation, wooden_walls)
    return in_order([*clashes, *_explain_remains(trial)])


class Touch(NamedTuple):
    """Two neighbouring tile parts: cell and side of the first, both parts, and their contact."""

    cell: Cell
    side: int
    here: PlacedPart
    there: PlacedPart
    contact: Contact


def explain_placement(
    board: Board, tile: Tile, x: int, y: int, rotation: int, wooden_walls: Sequence[int]
) -> Iterator[Violation]:
    """Yield every reason against building the tile here."""
    if rotation not in QUARTER_TURNS:
        yield Violation("NOUN_MALFORMED", "rotation", value=rotation)
        return
    laid = placed_parts(tile, x, y, rotation, wooden_walls)
    misplaced = False
    for cell, _ in laid:
        if max(abs(cell[0]), abs(cell[1])) > LIMIT:
            misplaced = True
            yield Violation("NOUN_MALFORMED", "cell", value=list(cell))
        elif cell in board.cells:
            misplaced = True
            yield Violation("PLACE_TAKEN", "cell", cell=list(cell))
    if misplaced:
        return
    touches = list(_touches(board, laid))
    yield from _explain_contacts(touches)
    if tile.walkable:
        touches = [touch for touch in touches if touch.there.tile.walkable]
        if not touches:
            yield Violation("NO_CONTACT", "cell", cell=[x, y])
        elif not _walks_in(board, laid, touches):
            yield Violation("NOT_REACHABLE", "cell", tiles=[tile.id])
    elif all(touch.contact is not Contact.MEET for touch in touches):
        yield Violation("NO_CONTACT", "cell", cell=[x, y])
    enclosed = _enclosed_by(board, laid)
    if enclosed:
        yield _hole(enclosed)


def explain_plain_placement(board: Board, tile: Tile, x: int, y: int, walls: int, number: int) -> Iterator[Violation]:
    """Yield the reasons against a plain tile on an empty cell of a plain board, from the number of the cell, in the
    order of the codes."""
    built, shown = number >> 4 & 15, number >> 8 & 15
    clashing = (walls ^ shown) & built
    for (dx, dy), side in _AROUND if clashing else ():
        if clashing >> side & 1:
            neighbour = board.cells[x + dx, y + dy].tile.id
            yield Violation("EDGE_MISMATCH", "cell", cell=[x, y], side=SIDES[side], neighbour=neighbour)
    if not built:
        yield Violation("NO_CONTACT", "cell", cell=[x, y])
    elif not built & ~(walls | shown):
        yield Violation("NOT_REACHABLE", "cell", tiles=[tile.id])
    if ENCLOSES[number & 255]:
        yield _hole(_closed_off(board, x, y))


def _closed_off(board: Board, x: int, y: int) -> list[Cell]:
    """Return the empty cells that a plain tile on this cell would cut off from the outside, row by row. All were
    connected before, so each such area is next to the tile."""
    built = board.cells
    xs, ys = [x, *(cell[0] for cell in built)], [y, *(cell[1] for cell in built)]
    west, east, north, south = min(xs), max(xs), min(ys), max(ys)
    found: set[Cell] = set()
    for (dx, dy), _ in _AROUND:
        start = (x + dx, y + dy)
        if start in built or start in found:
            continue
        area, frontier, outside = {start}, [start], False
        while frontier and not outside:
            ax, ay = frontier.pop()
            outside = not (west < ax < east and north < ay < south)
            for (sx, sy), _ in _AROUND:
                beyond = (ax + sx, ay + sy)
                if beyond not in built and beyond not in area and beyond != (x, y):
                    area.add(beyond)
                    frontier.append(beyond)
        if not outside:
            found |= area
    return sorted(found, key=lambda cell: (cell[1], cell[0]))


def _touches(board: Board, laid: Iterable[tuple[Cell, PlacedPart]]) -> Iterator[Touch]:
    """Yield every contact that a tile laid like this would have."""
    for cell, placed_part in laid:
        for (dx, dy), side in _AROUND:
            beyond = board.cells.get((cell[0] + dx, cell[1] + dy))
            if beyond is not None:
                met = contact(placed_part, side, beyond)
                if met is not Contact.APART:
                    yield Touch(cell, side, placed_part, beyond, met)


def _explain_contacts(touches: Iterable[Touch]) -> Iterator[Violation]:
    for touch in touches:
        if touch.contact is Contact.FORBIDDEN:
            x, y = touch.cell
            side, other = SIDES[touch.side], touch.there.tile.id
            letters = {touch.here.edges[touch.side], touch.there.edges[touch.side ^ 2]}
            if letters == {OPEN, WALL}:
                yield Violation("EDGE_MISMATCH", "cell", cell=[x, y], side=side, neighbour=other)
            else:
                yield Violation("CONTACT_FORBIDDEN", "cell", cell=[x, y], side=side, with_=other)


def _walks_in(board: Board, laid: Sequence[tuple[Cell, PlacedPart]], touches: Iterable[Touch]) -> bool:
    """Return whether every part of the new tile can be reached. All other tiles can, so a step from a neighbour or from
    another part is enough."""
    reached = {
        touch.cell
        for touch in touches
        if touch.contact is Contact.PASS
        or (board.passages and edge_between(*touch.cell, SIDES[touch.side]) in board.passages)
    }
    parts = dict(laid)
    frontier = list(reached)
    while frontier:
        x, y = frontier.pop()
        for (dx, dy), side in _AROUND:
            cell = (x + dx, y + dy)
            if cell in parts and cell not in reached and contact(parts[x, y], side, parts[cell]) is Contact.PASS:
                reached.add(cell)
                frontier.append(cell)
    return len(reached) == len(parts)


def _explain_remains(board: Board) -> Iterator[Violation]:
    """Yield what is wrong with a board apart from single contacts."""
    for cell, placed_part in board.cells.items():
        if not placed_part.tile.walkable and all(board.relation(*cell, side) is not Contact.MEET for side in SIDES):
            yield Violation("NO_CONTACT", "cell", cell=list(cell))
    cut_off = _cut_off(board)
    if cut_off:
        yield Violation("NOT_REACHABLE", "tile", tiles=cut_off)
    enclosed = enclosed_cells(_walkable(board.cells)) or enclosed_cells(board.cells)
    if enclosed:
        yield _hole(enclosed)


def _cut_off(board: Board) -> list[str]:
    """Return the walkable tiles that cannot be reached from the fountain, in building order."""
    frontier = [(0, 0)]
    reached = {(0, 0)}
    while frontier:
        steps = [cell for cell in board.walk(*frontier.pop()) if cell not in reached]
        reached.update(steps)
        frontier.extend(steps)
    lost = {
        placed_part.tile.id
        for cell, placed_part in board.cells.items()
        if placed_part.tile.walkable and cell not in reached
    }
    return [tile_id for tile_id in board.placed if tile_id in lost]


def _enclosed_by(board: Board, laid: Sequence[tuple[Cell, PlacedPart]]) -> list[Cell]:
    """Return the cells that a tile laid like this would enclose."""
    views = [board.cells]
    if board.odd and laid[0][1].tile.walkable:
        views.append(_walkable(board.cells))
    for cells in views:
        if not _keeps_outside_whole(cells, laid) and (found := enclosed_cells({**cells, **dict(laid)})):
            return found
    return []


def _keeps_outside_whole(cells: Mapping[Cell, PlacedPart], laid: Sequence[tuple[Cell, PlacedPart]]) -> bool:
    """Return whether it is certain that nothing is enclosed: laid part by part, each part leaves the empty cells at its
    sides in one run. False near void halves, and if one part fills what another encloses; then a full search is
    needed."""
    before: set[Cell] = set()
    for (x, y), placed_part in laid:
        if VOID in placed_part.edges:
            return False
        ring = 0
        for (dx, dy), side in _AROUND:
            other = cells.get((x + dx, y + dy))
            if other is not None:
                if other.edges[side ^ 2] == VOID:
                    return False
                ring |= 16 << side
            elif (x + dx, y + dy) in before:
                ring |= 16 << side
        for corner, (dx, dy) in enumerate(_CORNERS):
            if (x + dx, y + dy) in cells or (x + dx, y + dy) in before:
                ring |= 1 << corner
        if ENCLOSES[ring]:
            return False
        before.add((x, y))
    return True


def enclosed_cells(cells: Mapping[Cell, PlacedPart]) -> list[Cell]:
    """Return the empty cells and void halves that are not connected to the outside, row by row.

    A flood fill from the north-west, on an area one cell larger than the board, with all cells as bits of one integer.
    At the end of a row it may continue in the next row, from border to border, where everything is outside."""
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    west, north = min(xs) - 1, min(ys) - 1
    width, height = max(xs) + 2 - west, max(ys) + 2 - north
    everywhere = (1 << width * height) - 1
    built = hollow = 0
    voids = [0, 0, 0, 0]
    for (x, y), placed_part in cells.items():
        bit = 1 << (y - north) * width + x - west
        built |= bit
        if VOID in placed_part.edges:
            hollow |= bit
            for side in range(4):
                if placed_part.edges[side] == VOID:
                    voids[side] |= bit
    empty = everywhere & ~built
    air_n, air_e, air_s, air_w = (empty | void for void in voids)
    outside, before = 1, 0
    while outside != before:
        before = outside
        outside |= (outside & air_n) >> width & air_s | (outside & air_s) << width & air_n
        outside |= (outside & air_e) << 1 & air_w | (outside & air_w) >> 1 & air_e
    enclosed = (empty | hollow) & ~outside
    found = []
    while enclosed:
        lowest = enclosed & -enclosed
        y, x = divmod(lowest.bit_length() - 1, width)
        found.append((x + west, y + north))
        enclosed ^= lowest
    return found


def _walkable(cells: Mapping[Cell, PlacedPart]) -> dict[Cell, PlacedPart]:
    return {cell: placed_part for cell, placed_part in cells.items() if placed_part.tile.walkable}


def _hole(cells: Sequence[Cell]) -> Violation:
    return Violation("HOLE", "cell", cells=[list(cell) for cell in cells[:HOLE_CELLS_NAMED]])
