"""Boards: one player's Alhambra, the start tile with the lion fountain and the tiles built around it.

x grows to the east, y to the south; the fountain is at (0, 0). A board knows which tile lies where and what touches
what. Legal placements are in `placement/rules.py`, the outer wall in `placement/outline.py`.

    board = Board()
    board.violations(tile("garden-8-ne"), 1, 0)      # [] or every reason why not
    board.place(tile("garden-8-ne"), 1, 0)
    print(board)

Boards are mutable. Inside a game, a shared board is copied before it is changed; `copy` is cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard, TypeVar

from . import drawing
from .components import OPEN, SIDES, START_TILES, STEP, WALL, Cell, Tile
from .fast_tuple import new_tuple
from .placement import outline, rules
from .placement.bitboards import Bitboards
from .placement.contacts import (
    SIDE_INDEX,
    Contact,
    Edge,
    PlacedPart,
    PlacedTile,
    contact,
    edge_between,
    form_of,
    lying_walls,
    placed_parts,
)
from .placement.grid import LIMIT, Grid
from .violations import IllegalMove, Violation

__all__ = ["LIMIT", "Board", "Contact", "Edge", "PlacedPart", "PlacedTile"]

FOUNTAIN: Cell = (0, 0)
T = TypeVar("T")


class Board:
    """One Alhambra. `cells` shows tiles as they lie, with rotation and wooden walls applied."""

    __slots__ = ("_bitboards", "_kept", "cells", "coded", "grid", "odd", "passages", "placed", "plain", "start")

    def __init__(self, start: Tile = START_TILES[0]) -> None:
        self.start = start
        self.cells: dict[Cell, PlacedPart] = {}
        self.placed: dict[str, PlacedTile] = {}
        """All tiles by id, in building order, start tile first."""
        self.passages: frozenset[Edge] = frozenset()
        """Edges with a gate in a double wall: walls for all purposes except walking."""
        self.grid = Grid.empty()
        """The plain tiles as a grid of numbers."""
        self.odd = 0
        """Number of tiles that are not plain."""
        self.plain = True
        """Whether there are only plain tiles and no gates, so that the grid is sufficient."""
        self.coded = True
        """Whether all tiles can be represented by bitboards."""
        self._bitboards: Bitboards | None = None
        self._kept: dict[Callable[[Board], Any], Any] = {}
        """Cached results, see `cached`; replaced when tiles or gates change."""
        self.put(start, *FOUNTAIN)

    def __reduce__(self) -> tuple[Any, ...]:
        return Board.of, (tuple(self.placed.values()), self.passages)  # without cached results

    @staticmethod
    def of(placed: Sequence[PlacedTile], passages: frozenset[Edge] = frozenset()) -> Board:
        """Return the board with these tiles, start tile first, and gates on these edges."""
        board = Board.__new__(Board)
        board.start = placed[0].tile
        board.cells = {cell: placed_part for tile in placed for cell, placed_part in placed_parts(*tile)}
        board.placed = {tile.tile.id: tile for tile in placed}
        board.passages = passages
        plain = [tile for tile in placed if tile.tile.plain]
        board.grid = Grid.of(
            (tile.x, tile.y, lying_walls(tile.tile, tile.rotation, tile.wooden_walls)) for tile in plain
        )
        board.odd = len(placed) - len(plain)
        board.plain = not board.odd and not passages
        board.coded = all(tile.tile.coded for tile in placed)
        board._bitboards = None
        board._kept = {}
        return board

    def copy(self) -> Board:
        """Return an independent copy. Immutable parts are shared."""
        copy = Board.__new__(Board)
        copy.start = self.start
        copy.cells = self.cells.copy()
        copy.placed = self.placed.copy()
        copy.passages = self.passages
        copy.grid = self.grid
        copy.odd = self.odd
        copy.plain = self.plain
        copy.coded = self.coded
        copy._bitboards = self._bitboards
        copy._kept = self._kept
        return copy

    @property
    def bitboards(self) -> Bitboards:
        """All tiles and gates as bitboards, computed on first access and updated by later changes. Only if `coded`."""
        if self._bitboards is None:
            tiles = (
                (x, y, form_of(tile, turn, wooden_walls)) for tile, x, y, turn, wooden_walls in self.placed.values()
            )
            self._bitboards = Bitboards.of(tiles, self.passages)
        return self._bitboards

    # Building, checked by the construction rules.

    def violations(
        self, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()
    ) -> list[Violation]:
        """Return every reason why the tile cannot be built here; an empty list if it can."""
        if tile.id in self.placed:
            return [Violation("PLACE_TAKEN", "tile", tile=tile.id)]
        return list(rules.check_placement(self, tile, x, y, rotation, wooden_walls))

    def place(self, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> None:
        """Build the tile here. Raise IllegalMove with every violation, without changes, if that is illegal."""
        found = self.violations(tile, x, y, rotation, wooden_walls)
        if found:
            raise IllegalMove(found)
        self.put(tile, x, y, rotation, wooden_walls)

    def legal_cells(self, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> list[Cell]:
        """Return the cells where the tile may be built, row by row from the north."""
        return list(rules.legal_cells(self, tile, rotation, wooden_walls))

    def longest_wall(self) -> int:
        """Return the length of the longest run of outer walls."""
        return self.cached(outline.longest_wall)

    # Unchecked changes, for moves that are already verified.

    def put(self, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> None:
        """Lay the tile here."""
        assert tile.id not in self.placed, tile.id
        self._kept = {}
        self.cells.update(placed_parts(tile, x, y, rotation, wooden_walls))
        self.placed[tile.id] = new_tuple(PlacedTile, (tile, x, y, rotation, tuple(wooden_walls)))
        if tile.plain:
            walls = lying_walls(tile, rotation, wooden_walls) if rotation or wooden_walls else tile.walls
            self.grid = self.grid.with_cell(x, y, walls)
        else:
            self.odd += 1
            self.plain = False
            self.coded = self.coded and tile.coded
        if self._bitboards is not None:
            self._bitboards = (
                self._bitboards.with_tile(x, y, form_of(tile, rotation, wooden_walls)) if self.coded else None
            )

    def remove(self, tile_id: str) -> PlacedTile:
        """Remove a tile, and the gates at its sides."""
        cells = self.cells_of(tile_id)
        placed = self.placed.pop(tile_id)
        self._kept = {}
        for cell in cells:
            del self.cells[cell]
        if placed.tile.plain:
            self.grid = self.grid.without_cell(placed.x, placed.y)
        else:
            self.odd -= 1
        if self.passages:
            self.passages -= {edge_between(*cell, side) for cell in cells for side in SIDES}
        self.plain = not self.odd and not self.passages
        self.coded = self.coded or all(other.tile.coded for other in self.placed.values())
        if self._bitboards is not None:
            form = form_of(placed.tile, placed.rotation, placed.wooden_walls)
            self._bitboards = self._bitboards.without_tile(placed.x, placed.y, form, self.passages)
        return placed

    def add_wooden_walls(self, tile_id: str, masks: Sequence[int]) -> None:
        """Add wooden walls to a built tile: a bit mask of sides for each part, relative to the unrotated tile."""
        tile, x, y, rotation, wooden_walls = self.placed[tile_id]
        standing = wooden_walls or (0,) * len(masks)
        wooden_walls = tuple(old | new for old, new in zip(standing, masks, strict=True))
        self.placed[tile_id] = PlacedTile(tile, x, y, rotation, wooden_walls)
        self.cells.update(placed_parts(tile, x, y, rotation, wooden_walls))
        if tile.plain:
            self.grid = self.grid.without_cell(x, y).with_cell(x, y, lying_walls(tile, rotation, wooden_walls))
        self._bitboards = None
        self._kept = {}

    def add_passage(self, x: int, y: int, side: str) -> None:
        """Add a gate to the double wall at this side."""
        self.passages |= {edge_between(x, y, side)}
        self.plain = False
        self._bitboards = None
        self._kept = {}

    # Queries.

    def cached(self, find: Callable[[Board], T]) -> T:
        """Return the result of a function that depends only on tiles and gates. Cached by the board and its copies
        until these change, because several rules of one scoring need the same result."""
        answers = self._kept
        if find not in answers:
            answers[find] = find(self)
        answer: T = answers[find]
        return answer

    def of_kind(self, kind: str) -> Sequence[PlacedTile]:
        """Return the tiles of a kind, in building order."""
        return self.cached(_by_kind).get(kind, ())

    def at(self, x: int, y: int) -> PlacedPart | None:
        """Return the tile part in this cell; None if the cell is empty."""
        return self.cells.get((x, y))

    def cells_of(self, tile_id: str) -> tuple[Cell, ...]:
        """Return the cells of a built tile, part by part."""
        placed = self.placed[tile_id]
        if len(placed.tile.parts) == 1:
            return ((placed.x, placed.y),)
        return tuple(cell for cell, _ in placed_parts(*placed))

    def neighbours(self, x: int, y: int) -> Iterator[tuple[str, PlacedPart | None]]:
        """Yield the tile parts next to a cell, in the order N E S W."""
        for side, (dx, dy) in STEP.items():
            yield side, self.cells.get((x + dx, y + dy))

    def relation(self, x: int, y: int, side: str) -> Contact:
        """Return the contact of a cell with its neighbour on that side."""
        dx, dy = STEP[side]
        here, there = self.cells.get((x, y)), self.cells.get((x + dx, y + dy))
        if here is None or there is None:
            return Contact.EMPTY
        return contact(here, SIDE_INDEX[side], there)

    def walk(self, x: int, y: int) -> list[Cell]:
        """Return the cells one step away on foot, including steps through gates."""
        return [
            (x + dx, y + dy)
            for side, (dx, dy) in STEP.items()
            if self.relation(x, y, side) is Contact.PASS or self._gate(x, y, side)
        ]

    def _gate(self, x: int, y: int, side: str) -> bool:
        return bool(self.passages) and edge_between(x, y, side) in self.passages

    @staticmethod
    def full(placed_part: PlacedPart | None) -> TypeGuard[PlacedPart]:
        """Return whether the cell holds a full tile: only open sides and walls. Camps and watchtowers are not full."""
        return placed_part is not None and placed_part.edges.count(OPEN) + placed_part.edges.count(WALL) == len(SIDES)

    def line(self, x: int, y: int, side: str) -> list[PlacedPart]:
        """Return the full tiles in a straight line without gaps, starting next to this cell."""
        dx, dy = STEP[side]
        found = []
        while self.full(placed_part := self.cells.get((x := x + dx, y := y + dy))):
            found.append(placed_part)
        return found

    def open_sides(self, side: str) -> int:
        """Return the number of full tiles that are open to the outside on this side. Camps and void halves count as
        outside."""
        index = SIDE_INDEX[side]
        dx, dy = STEP[side]
        exposed = 0
        for (x, y), placed_part in self.cells.items():
            if placed_part.edges[index] == OPEN and self.full(placed_part):
                beyond = self.cells.get((x + dx, y + dy))
                exposed += (
                    beyond is None or not beyond.tile.walkable or contact(placed_part, index, beyond) is Contact.APART
                )
        return exposed

    def __str__(self) -> str:
        return drawing.draw(self)

    def __repr__(self) -> str:
        return f"<Alhambra of {len(self.placed)} tiles>"

    def _repr_svg_(self) -> str:
        """Return the board as SVG, for notebooks."""
        from .svg import draw_alhambra  # late import, because pictures depend on boards

        return draw_alhambra(self)


def _by_kind(board: Board) -> dict[str, list[PlacedTile]]:
    found: dict[str, list[PlacedTile]] = {}
    for placed in board.placed.values():
        found.setdefault(placed.tile.kind, []).append(placed)
    return found
