"""The outer wall: the longest run of walls along the outline of an Alhambra.

A wall whose neighbouring cell is empty is an outer wall. Walk once around the Alhambra: the longest unbroken run of
outer walls counts, one point an edge, around corners and from tile to tile; it may close into a ring. Walls between
two tiles count nothing. A camp in front of a wall changes nothing: the outline is that of the walkable tiles.

The long side of a watchtower is one wall of the outline. A tile across a void edge touches it in a point, so that the
outline may run through one corner twice; there a run follows the empty side it came along and never jumps to the
other (moves.md 9.B5). Hence the walk is told by eight octants around each corner of the lattice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .components import SIDES, VOID, WALL, Cell
from .contacts import Lot
from .grid import RING, ROW, Grid

if TYPE_CHECKING:
    from .board import Board

Segment: TypeAlias = tuple[int, int, str]
"""A cell and its side N E S W; for the long side of a watchtower the corner where its legs meet: NE SE SW NW."""


class Run(NamedTuple):
    """Outer walls in a row, clockwise."""

    length: int
    towers: int
    """How many of them are watchtowers."""
    segments: tuple[Segment, ...]


def longest_wall(board: Board) -> int:
    """The length of the longest run of outer walls."""
    if board.plain:
        return _longest_of(board.grid)
    return max((run.length for run in wall_runs(board)), default=0)


def wall_runs(board: Board) -> list[Run]:
    """Every run of outer walls: the longest first, of equally long ones that with the most watchtowers."""
    cells = {cell: lot for cell, lot in board.cells.items() if lot.tile.walkable}
    after = {segment: _next_segment(cells, segment) for segment in _outer_walls(cells)}
    runs = []
    # Open runs begin where no wall leads; what is left afterwards are rings, begun at their least segment.
    for first in sorted(after.keys() - after.values()) + sorted(after):
        segments = []
        segment = first
        while segment in after:
            segments.append(segment)
            segment = after.pop(segment)
        if segments:
            towers = sum(len(side) == 2 for _, _, side in segments)
            runs.append(Run(len(segments), towers, tuple(segments)))
    return sorted(runs, key=lambda run: (-run.length, -run.towers, run.segments))


# The general walk. Directions and octants count clockwise from north: direction 1 is north-east, octant 1 lies
# between directions 1 and 2. Walking clockwise the Alhambra is on the right hand: in the octant after the direction.

_CORNER_OF = {
    # segment: the corner of its cell where it begins, and its direction
    "N": (0, 0, 2),
    "E": (1, 0, 4),
    "S": (1, 1, 6),
    "W": (0, 1, 0),
    "NE": (1, 1, 7),
    "SE": (0, 1, 1),
    "SW": (0, 0, 3),
    "NW": (1, 0, 5),
}
_DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_OCTANTS = (
    # octant of a corner: the cell it belongs to, and the side of that cell which bounds it
    (0, -1, "W"),
    (0, -1, "S"),
    (0, 0, "N"),
    (0, 0, "W"),
    (-1, 0, "E"),
    (-1, 0, "N"),
    (-1, -1, "S"),
    (-1, -1, "E"),
)
_SEGMENT_TOWARDS = {direction: name for name, (_, _, direction) in _CORNER_OF.items()}
_STEP_AND_BACK = tuple(
    (side, index, *_DIRECTIONS[2 * index], index ^ 2) for index, side in enumerate(SIDES)
)


def _outer_walls(cells: Mapping[Cell, Lot]) -> list[Segment]:
    found = []
    for (x, y), lot in cells.items():
        if VOID in lot.edges:
            legs = "".join(side for side in "NSEW" if lot.edges[SIDES.index(side)] != VOID)
            found.append((x, y, legs))
        for side, index, dx, dy, back in _STEP_AND_BACK:
            if lot.edges[index] == WALL:
                beyond = cells.get((x + dx, y + dy))
                if beyond is None or beyond.edges[back] == VOID:
                    found.append((x, y, side))
    return found


def _next_segment(cells: Mapping[Cell, Lot], segment: Segment) -> Segment:
    """What follows on the outline: turn through the empty octants at the end of the segment, clockwise from
    where it came from, up to the first that is built on."""
    x, y, side = segment
    right, down, direction = _CORNER_OF[side]
    dx, dy = _DIRECTIONS[direction]
    corner_x, corner_y = x + right + dx, y + down + dy
    for turn in range(8):
        octant = (direction + 4 + turn) % 8
        cell_x, cell_y, bound = _OCTANTS[octant]
        lot = cells.get((corner_x + cell_x, corner_y + cell_y))
        if lot is not None and lot.edges[SIDES.index(bound)] != VOID:
            return (corner_x + cell_x, corner_y + cell_y, _SEGMENT_TOWARDS[octant])
    raise AssertionError("a segment of the outline begins and ends at a built cell")


# The fast walk of plain tiles. An edge is the number `key + side * _PLANE`; for each tile a table names its outer
# walls and the edge with which the outline goes on after each, relative to the tile's key in the grid.

_PLANE = ROW * ROW
_outer_walls_of: dict[int, tuple[tuple[int, int], ...]] = {}
"""By the number of a built cell; filled as numbers are met, of which there are a few thousand."""


def _longest_of(grid: Grid) -> int:
    numbers = grid.numbers
    try:
        after = {
            key + wall: key + onward for key in grid.spots for wall, onward in _outer_walls_of[numbers[key]]
        }
    except KeyError:
        _outer_walls_of.update((number, _walls_and_onward(number)) for number in map(numbers.get, grid.spots))
        return _longest_of(grid)
    beginnings = after.keys() - after.values()
    if not beginnings:  # no walls, or walls all around: the outline of plain tiles is one ring
        return len(after)
    longest = 0
    for edge in beginnings:
        length = 0
        while edge in after:
            edge = after[edge]
            length += 1
        if length > longest:
            longest = length
    return longest


def _walls_and_onward(number: int) -> tuple[tuple[int, int], ...]:
    outer = number >> 12 & ~(number >> 4)
    return tuple((side * _PLANE, _onward(number, side)) for side in range(4) if outer >> side & 1)


def _onward(number: int, side: int) -> int:
    ahead = (side + 1) % 4
    if number >> side & 1:  # the corner ahead is built on: the outline turns left, along it
        return RING[side] + (side - 1) % 4 * _PLANE
    if number >> 4 + ahead & 1:  # straight on, along the neighbour
        return RING[4 + ahead] + side * _PLANE
    return ahead * _PLANE
