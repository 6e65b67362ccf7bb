"""Grid: fast construction checks for boards of plain tiles.

On a board of plain tiles (only open sides and walls) whose empty cells are all connected to the outside, three facts
hold; the tests confirm them by brute force:

- A new tile is reachable if one of its open sides faces a neighbour.
- It encloses a hole if the empty cells around it that touch its sides fall into more than one run: a table of 256
  entries, indexed by the eight neighbours.
- A tile can be removed if one of its side neighbours is empty and all other tiles stay connected.

So each cell in and around the board has a number, and one lookup decides a placement. The same board as sets of cells
in five integers answers for all cells at once, by shifting.

Bits of a cell's number:  0-3 corner neighbours NE SE SW NW are built, 4-7 side neighbours N E S W are built, 8-11 they
have a wall towards this cell, 12-15 the cell's own walls, 16 the cell itself is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar, TypeAlias

from ..components import Cell

LIMIT = 127
"""Maximum distance of a cell from the fountain, in either direction."""
ROW = 512
"""The key of cell (x, y) is x + ROW * y."""
BUILT = 1 << 16
EMPTY_BELOW = 1 << 12
"""Numbers of empty cells are lower than this."""
RING = (1 - ROW, 1 + ROW, ROW - 1, -1 - ROW, -ROW, 1, ROW, -1)
"""Key offsets of the neighbours NE SE SW NW N E S W."""

Sites: TypeAlias = tuple[int, tuple[tuple[int, int, int], ...]]


def _shown_around(walls: int) -> tuple[tuple[int, int], ...]:
    """Return what a tile with these walls adds to the numbers of its neighbours, each with its key offset."""
    corners = [1 << (corner ^ 2) for corner in range(4)]
    sides = [(16 << (side ^ 2)) + (walls >> side & 1) * (256 << (side ^ 2)) for side in range(4)]
    return tuple(zip(RING, corners + sides, strict=True))


def _encloses(ring: int) -> bool:
    """Return whether a tile with these neighbours (bits 0-7) would separate the empty cells at its sides."""
    corners, sides = ring & 15, ring >> 4
    breaks = 0
    for side in range(4):
        onward = (sides >> (side + 1) % 4 | corners >> side) & 1
        breaks += not sides >> side & 1 and onward
    return breaks > 1


def _fits(walls: int, around: int) -> bool:
    """Return whether the sides match and there is a way in. `around` is bits 4-11: built neighbours, and those with a
    wall."""
    built, shown = around & 15, around >> 4
    return not (walls ^ shown) & built and bool(built & ~walls)


SHOWN = tuple(_shown_around(walls) for walls in range(16))
ENCLOSES = bytes(_encloses(ring) for ring in range(256))
FITS = tuple(bytes(_fits(walls, around) for around in range(256)) for walls in range(16))


class Extent:
    """A square of cells; each is one bit of an integer, row by row from the north-west."""

    SIZES: ClassVar[tuple[int, ...]] = (16, 24, 32, 64, 128, 288)

    def __init__(self, size: int) -> None:
        half = size // 2
        self.size = size
        self.origin = half * size + half
        # Tiles stay two cells away from the border (otherwise the extent is enlarged), so that every cell next to a
        # tile is inside and no shift wraps around; the largest extent ends at LIMIT instead.
        self.reach = min(half - 2, LIMIT)
        self.cells: tuple[Cell, ...] = tuple((x - half, y - half) for y in range(size) for x in range(size))
        row = (1 << 2 * self.reach + 1) - 1 << half - self.reach
        self.within = sum(row << y * size for y in range(half - self.reach, half + self.reach + 1))

    @staticmethod
    @cache
    def of(size: int) -> Extent:
        """Return the extent of this size."""
        return Extent(size)

    def holds(self, x: int, y: int) -> bool:
        """Return whether a tile may lie here without enlarging the extent."""
        return -self.reach < x < self.reach > y > -self.reach or self.size == self.SIZES[-1]

    def cells_in(self, bits: int) -> list[Cell]:
        """Return the cells of a bit set, row by row. Taking the highest bit first needs no negative numbers, which are
        slow."""
        found = []
        cells = self.cells
        while bits:
            highest = bits.bit_length() - 1
            found.append(cells[highest])
            bits ^= 1 << highest
        found.reverse()
        return found

    def wider(self) -> Extent:
        """Return the next larger extent."""
        return self.of(self.SIZES[self.SIZES.index(self.size) + 1])


class Grid:
    """The plain tiles of one board, immutable: changes return a new grid."""

    __slots__ = (
        *("_cells", "_fits", "_removable", "_replaceable", "_sites"),
        *("extent", "numbers", "occupied", "spots", "walled"),
    )

    def __init__(
        self,
        numbers: dict[int, int],
        spots: tuple[int, ...],
        extent: Extent,
        occupied: int,
        walled: tuple[int, int, int, int],
    ) -> None:
        self.numbers = numbers
        self.spots = spots
        """Keys of the built cells, in building order."""
        self.extent = extent
        self.occupied = occupied
        self.walled = walled
        """The cells with a wall on their N, E, S, W side; bit sets like `occupied`."""
        self._sites: Sites | None = None
        self._fits: dict[int, tuple[int, int]] = {}
        """By walls: the results of `_judged`."""
        self._cells: dict[int, tuple[Cell, ...]] = {}
        """By walls: the cells where such a tile may be built."""
        self._removable: dict[int, bool] = {}
        """By key of a built cell: whether its tile may be removed."""
        self._replaceable: dict[int, frozenset[Cell]] = {}
        """By walls: the built cells whose tile such a tile may replace."""

    @staticmethod
    def empty() -> Grid:
        """Return a grid without tiles."""
        return Grid({}, (), Extent.of(Extent.SIZES[0]), 0, (0, 0, 0, 0))

    @staticmethod
    def of(tiles: Iterable[tuple[int, int, int]]) -> Grid:
        """Return the grid of these tiles, each given by its cell and walls, in building order."""
        built = tuple(tiles)
        extent = Extent.of(Extent.SIZES[0])
        while not all(extent.holds(x, y) for x, y, _ in built):
            extent = extent.wider()
        numbers: dict[int, int] = {}
        number_at = numbers.get
        occupied = 0
        walled = [0, 0, 0, 0]
        for x, y, walls in built:
            key = x + ROW * y
            numbers[key] = number_at(key, 0) + (BUILT | walls << 12)
            for step, shown in SHOWN[walls]:
                numbers[key + step] = number_at(key + step, 0) + shown
            bit = 1 << extent.origin + y * extent.size + x
            occupied |= bit
            for side in range(4):
                if walls >> side & 1:
                    walled[side] |= bit
        north, east, south, west = walled
        return Grid(numbers, tuple(x + ROW * y for x, y, _ in built), extent, occupied, (north, east, south, west))

    def with_cell(self, x: int, y: int, walls: int) -> Grid:
        """Return the grid with one more tile."""
        if not self.extent.holds(x, y):
            return Grid.of([*((*cell, standing) for cell, standing in self), (x, y, walls)])
        key = x + ROW * y
        numbers = self.numbers.copy()
        number_at = numbers.get
        numbers[key] = number_at(key, 0) + (BUILT | walls << 12)
        for step, shown in SHOWN[walls]:
            beside = key + step
            numbers[beside] = number_at(beside, 0) + shown
        return self._toggled(numbers, (*self.spots, key), x, y, walls)

    def without_cell(self, x: int, y: int) -> Grid:
        """Return the grid without the tile at this cell."""
        key = x + ROW * y
        numbers = self.numbers.copy()
        walls = numbers[key] >> 12 & 15
        numbers[key] -= BUILT | walls << 12
        for step, shown in SHOWN[walls]:
            numbers[key + step] -= shown
        return self._toggled(numbers, tuple(spot for spot in self.spots if spot != key), x, y, walls)

    def _toggled(self, numbers: dict[int, int], spots: tuple[int, ...], x: int, y: int, walls: int) -> Grid:
        """Return the grid with the bits of one cell toggled: a tile added or removed."""
        extent = self.extent
        bit = 1 << extent.origin + y * extent.size + x
        north, east, south, west = self.walled
        walled = (
            north ^ bit if walls & 1 else north,
            east ^ bit if walls & 2 else east,
            south ^ bit if walls & 4 else south,
            west ^ bit if walls & 8 else west,
        )
        return Grid(numbers, spots, extent, self.occupied ^ bit, walled)

    def __iter__(self) -> Iterator[tuple[Cell, int]]:
        """Yield the built cells in building order, each with its walls."""
        for key in self.spots:
            y = (key + ROW // 2) // ROW
            yield (key - ROW * y, y), self.numbers[key] >> 12 & 15

    def cells_for(self, walls: int) -> tuple[Cell, ...]:
        """Return every cell where a tile with these walls may be built, row by row."""
        found = self._cells.get(walls)
        if found is None:
            found = self._cells[walls] = self._find_cells(walls)
        return found

    def _find_cells(self, walls: int) -> tuple[Cell, ...]:
        refused, entered = self._judged(walls)
        free, _ = self._sites or self._find_sites()
        return tuple(self.extent.cells_in(free & entered & ~refused))

    def _judged(self, walls: int) -> tuple[int, int]:
        """Return the cells where a side of a tile with these walls does not match its neighbour, and those that can be
        entered from a neighbour."""
        found = self._fits.get(walls)
        if found is not None:
            return found
        _, sides = self._sites or self._find_sites()
        refused = entered = 0
        for bit, open_there, walled_there in sides:
            if walls & bit:
                refused |= open_there
            else:
                refused |= walled_there
                entered |= open_there
        self._fits[walls] = (refused, entered)
        return refused, entered

    def _find_sites(self) -> Sites:
        """Return what does not depend on the tile: the cells that enclose no hole and, by side (its bit), the cells
        whose neighbour there has an open side or a wall."""
        size, built = self.extent.size, self.occupied
        north, east, south, west = built << size, built >> 1, built >> size, built << 1
        # From each side clockwise to the next: is the run of empty cells interrupted? Twice means a hole.
        break_n = (built << size - 1 | east) & ~north
        break_e = (built >> size + 1 | south) & ~east
        break_s = (built >> size - 1 | west) & ~south
        break_w = (built << size + 1 | north) & ~west
        holes = break_n & break_e | break_s & break_w | (break_n | break_e) & (break_s | break_w)
        their_n, their_e, their_s, their_w = self.walled
        wall_n, wall_e, wall_s, wall_w = their_s << size, their_w >> 1, their_n >> size, their_e << 1
        self._sites = (
            self.extent.within & ~(built | holes),
            (
                (1, north ^ wall_n, wall_n),
                (2, east ^ wall_e, wall_e),
                (4, south ^ wall_s, wall_s),
                (8, west ^ wall_w, wall_w),
            ),
        )
        return self._sites

    def can_replace(self, x: int, y: int, walls: int) -> bool:
        """Return whether a tile with these walls may replace the one here. Only the sides must match."""
        number = self.numbers[x + ROW * y]
        return not (walls ^ number >> 8) & number >> 4 & 15

    def replaceable_by(self, walls: int) -> frozenset[Cell]:
        """Return the built cells whose tile may be replaced by one with these walls."""
        found = self._replaceable.get(walls)
        if found is None:
            found = self._replaceable[walls] = frozenset(self.extent.cells_in(self.occupied & ~self._judged(walls)[0]))
        return found

    def can_remove(self, x: int, y: int) -> bool:
        """Return whether the tile at this cell may be removed."""
        key = x + ROW * y
        found = self._removable.get(key)
        if found is None:
            found = self._removable[key] = self._leaves_all_reachable(key, x, y)
        return found

    def _leaves_all_reachable(self, key: int, x: int, y: int) -> bool:
        number = self.numbers[key]
        sides = number >> 4 & 15
        if sides == 15:
            return False  # an enclosed hole
        ways = sides & ~(number >> 8)
        if not ways & ways - 1:
            return True  # a tile with one way in lies on no path between others
        extent = self.extent
        remaining = self.occupied ^ 1 << extent.origin + y * extent.size + x
        return self._reachable(remaining) == remaining

    def _reachable(self, remaining: int) -> int:
        """Return the cells among these that can be reached from the fountain."""
        size = self.extent.size
        wall_n, wall_e, wall_s, wall_w = self.walled
        reached, before = 1 << self.extent.origin, 0
        while reached != before:
            before = reached
            reached |= (
                (reached & ~wall_n) >> size
                | (reached & ~wall_e) << 1
                | (reached & ~wall_s) << size
                | (reached & ~wall_w) >> 1
            ) & remaining
        return reached
