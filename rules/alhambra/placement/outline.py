"""The outer wall: the longest run of walls along the outline of an Alhambra.

A wall next to an empty cell is an outer wall. Along the outline, the longest unbroken run of outer walls counts, one
point per edge, around corners and from tile to tile; it may be a closed ring. Walls between two tiles do not count.
Camps do not matter: the outline is that of the walkable tiles.

The long side of a watchtower is one wall of the outline. A tile across a void edge touches it in a point, so the
outline can pass a corner twice; there a run follows the empty side it came along (22.30). So the walk is based
on eight octants around each corner of the lattice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..components import SIDES, VOID, WALL, Cell
from .contacts import PlacedPart
from .grid import RING, ROW, Grid

if TYPE_CHECKING:
    from ..board import Board

Segment: TypeAlias = tuple[int, int, str]
"""A cell and its side N E S W; for the long side of a watchtower, the corner of its legs: NE SE SW NW."""


class Run(NamedTuple):
    """Consecutive outer walls, clockwise."""

    length: int
    towers: int
    """The number of watchtowers among them."""
    segments: tuple[Segment, ...]


def longest_wall(board: Board) -> int:
    """Return the length of the longest run of outer walls."""
    if board.plain:
        return _longest_of(board.grid)
    return max((run.length for run in wall_runs(board)), default=0)


def wall_runs(board: Board) -> list[Run]:
    """Return all runs of outer walls, longest first; of equal length, most watchtowers first."""
    return list(board.cached(_walked_runs))


def _walked_runs(board: Board) -> tuple[Run, ...]:
    cells = {cell: part for cell, part in board.cells.items() if part.tile.walkable}
    after = {segment: _next_segment(cells, segment) for segment in _outer_walls(cells)}
    runs = []
    # Open runs start where no wall leads; the rest are rings, started at their smallest segment.
    for first in sorted(after.keys() - after.values()) + sorted(after):
        segments = []
        segment = first
        while segment in after:
            segments.append(segment)
            segment = after.pop(segment)
        if segments:
            towers = sum(len(side) == 2 for _, _, side in segments)
            runs.append(Run(len(segments), towers, tuple(segments)))
    return tuple(sorted(runs, key=lambda run: (-run.length, -run.towers, run.segments)))


# The general walk. Directions and octants count clockwise from north: direction 1 is north-east, octant 1 lies between
# directions 1 and 2. Clockwise, the Alhambra is on the right: in the octant after the direction.

_CORNER_OF = {
    # by segment: the corner of its cell where it starts, and its direction
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
    # by octant of a corner: its cell, and the side of that cell next to it
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
_STEP_AND_BACK = tuple((side, index, *_DIRECTIONS[2 * index], index ^ 2) for index, side in enumerate(SIDES))


def _outer_walls(cells: Mapping[Cell, PlacedPart]) -> list[Segment]:
    found = []
    for (x, y), part in cells.items():
        if VOID in part.edges:
            legs = "".join(side for side in "NSEW" if part.edges[SIDES.index(side)] != VOID)
            found.append((x, y, legs))
        for side, index, dx, dy, back in _STEP_AND_BACK:
            if part.edges[index] == WALL:
                beyond = cells.get((x + dx, y + dy))
                if beyond is None or beyond.edges[back] == VOID:
                    found.append((x, y, side))
    return found


def _next_segment(cells: Mapping[Cell, PlacedPart], segment: Segment) -> Segment:
    """Return the next segment of the outline: turn clockwise through the empty octants at the end of the segment, up to
    the first built one."""
    x, y, side = segment
    right, down, direction = _CORNER_OF[side]
    dx, dy = _DIRECTIONS[direction]
    corner_x, corner_y = x + right + dx, y + down + dy
    for turn in range(8):
        octant = (direction + 4 + turn) % 8
        cell_x, cell_y, bound = _OCTANTS[octant]
        part = cells.get((corner_x + cell_x, corner_y + cell_y))
        if part is not None and part.edges[SIDES.index(bound)] != VOID:
            return (corner_x + cell_x, corner_y + cell_y, _SEGMENT_TOWARDS[octant])
    raise AssertionError("a segment of the outline begins and ends at a built cell")


# The fast walk for plain tiles, from arc to arc. An arc is the part of the outline along one tile, from the side where
# the walk enters to the side where it leaves.

Arc: TypeAlias = tuple[bool, int, int, int, int, int]
"""Whether all are walls; walls before the first open side; longest run inside; walls after the last open side; key
offset and side of the next arc."""


class _Arcs(dict[int, tuple[Arc, ...]]):
    """Arcs by the number of a built cell, one for each entry side; computed on first use."""

    def __missing__(self, number: int) -> tuple[Arc, ...]:
        arcs = self[number] = tuple(_arc(number, side) for side in range(4))
        return arcs


def _arc(number: int, side: int) -> Arc:
    walls: list[int] = []
    step = 0
    while not step and len(walls) < 4:
        walls.append(number >> 12 + side & 1)
        ahead = (side + 1) % 4
        if number >> side & 1:  # the corner ahead is built: the outline turns left, along that tile
            step, side = RING[side], (side - 1) % 4
        elif number >> 4 + ahead & 1:  # the next side is built: straight on, along the neighbour
            step = RING[4 + ahead]
        else:
            side = ahead
    first, *inside = (len(run) for run in "".join(map(str, walls)).split("0"))
    if not inside:
        return True, first, 0, first, step, side
    *inside, last = inside
    return False, first, max(inside, default=0), last, step, side


_ARCS = _Arcs()


def _longest_of(grid: Grid) -> int:
    entry = _open_edge(grid)
    if entry is None:
        return _walls_all_around(grid)
    numbers, arcs = grid.numbers, _ARCS
    key, side = entry
    # The part behind the open edge is on this arc. The walk ends when it reaches the second arc again.
    _, _, longest, run, step, side = arcs[numbers[key]][side]
    second = key = key + step
    second_side = side
    while True:
        unbroken, before, inside, behind, step, side = arcs[numbers[key]][side]
        key += step
        run += before
        if not unbroken:
            # `max` would take as long as the rest of the step.
            if run > longest:  # noqa: PLR1730
                longest = run
            if inside > longest:  # noqa: PLR1730
                longest = inside
            run = behind
        if key == second and side == second_side:
            return longest


def _open_edge(grid: Grid) -> tuple[int, int] | None:
    """Return an open side on the outline: the key of its cell, and the side."""
    for side, walled in enumerate(grid.walled):
        open_there = grid.occupied & ~walled & ~_built_beyond(grid, side)
        if open_there:
            x, y = grid.extent.cells[open_there.bit_length() - 1]
            return x + ROW * y, side
    return None


def _walls_all_around(grid: Grid) -> int:
    return sum((walled & ~_built_beyond(grid, side)).bit_count() for side, walled in enumerate(grid.walled))


def _built_beyond(grid: Grid, side: int) -> int:
    """Return the cells whose neighbour on that side is built."""
    step = grid.extent.size if side in (0, 2) else 1
    return grid.occupied << step if side in (0, 3) else grid.occupied >> step
