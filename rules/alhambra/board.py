"""One player's Alhambra: the start tile with the lion fountain, and what was built around it.

x grows to the east, y to the south, the fountain stands at (0, 0). The board knows what lies where and what touches
what; whether a tile *may* lie there is judged in `placement/rules.py`, the outer wall is measured in
`placement/outline.py`.

    board = Board()
    board.violations(tile("garden-8-ne"), 1, 0)      # [] or every reason why not
    board.place(tile("garden-8-ne"), 1, 0)
    print(board)

Boards change in place. Inside a game a board that anybody else can see is copied first; `copy` is cheap.
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
    """One Alhambra. Every wooden wall and every turned tile is in `cells`, as it lies."""

    __slots__ = ("_bitboards", "_kept", "cells", "coded", "grid", "odd", "passages", "placed", "plain", "start")

    def __init__(self, start: Tile = START_TILES[0]) -> None:
        self.start = start
        self.cells: dict[Cell, PlacedPart] = {}
        self.placed: dict[str, PlacedTile] = {}
        """Every tile by its id, in building order, the start tile first."""
        self.passages: frozenset[Edge] = frozenset()
        """Double walls with a gate: closed for everything but walking."""
        self.grid = Grid.empty()
        """The plain tiles as numbers."""
        self.odd = 0
        """How many tiles are not plain."""
        self.plain = True
        """Nothing but plain tiles and no passages: the grid can answer for the whole Alhambra."""
        self.coded = True
        """Nothing but tiles that the bitboards can tell."""
        self._bitboards: Bitboards | None = None
        self._kept: dict[Callable[[Board], Any], Any] = {}
        """Answers of functions of the tiles and gates, see `kept`; a new table when these change."""
        self.put(start, *FOUNTAIN)

    @staticmethod
    def of(placed: Sequence[PlacedTile], passages: frozenset[Edge] = frozenset()) -> Board:
        """The Alhambra of these tiles, the start tile first, with gates on these edges."""
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
        """An independent copy; what does not change in place is shared."""
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
        """All tiles and gates as bitboards, worked out when first asked for; only if `coded`. Building keeps them up
        to date."""
        if self._bitboards is None:
            tiles = (
                (x, y, form_of(tile, turn, wooden_walls)) for tile, x, y, turn, wooden_walls in self.placed.values()
            )
            self._bitboards = Bitboards.of(tiles, self.passages)
        return self._bitboards

    # Building, judged by the construction rules.

    def violations(
        self, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()
    ) -> list[Violation]:
        """Everything that speaks against building the tile here; an empty list if nothing does."""
        if tile.id in self.placed:
            return [Violation("PLACE_TAKEN", "tile", tile=tile.id)]
        return list(rules.check_placement(self, tile, x, y, rotation, wooden_walls))

    def place(self, tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> None:
        """Build the tile here. Raises `IllegalMove` with every violation, and then nothing has changed."""
        found = self.violations(tile, x, y, rotation, wooden_walls)
        if found:
            raise IllegalMove(found)
        self.put(tile, x, y, rotation, wooden_walls)

    def legal_cells(self, tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> list[Cell]:
        """Every cell where the tile may be built, row by row from the north."""
        return rules.legal_cells(self, tile, rotation, wooden_walls)

    def longest_wall(self) -> int:
        """The length of the longest run of outer walls."""
        return outline.longest_wall(self)

    # Changing without a check: for moves that were verified already.

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
        """Take a tile off, and with it the passages at its sides."""
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

    def add_sticks(self, tile_id: str, masks: Sequence[int]) -> None:
        """Put wooden walls on a built tile: a mask of sides per part, in the tile's own frame."""
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
        """Set a gate on the double wall at this side."""
        self.passages |= {edge_between(x, y, side)}
        self.plain = False
        self._bitboards = None
        self._kept = {}

    # Looking.

    def kept(self, find: Callable[[Board], T]) -> T:
        """The answer of a function that looks at nothing but tiles and gates. The board, and every copy of it, keeps it
        until these change: several rules ask in one scoring, and a player asks again after each move that is tried."""
        answers = self._kept
        if find not in answers:
            answers[find] = find(self)
        answer: T = answers[find]
        return answer

    def of_kind(self, kind: str) -> Sequence[PlacedTile]:
        """The tiles of a kind, in building order."""
        return self.kept(_by_kind).get(kind, ())

    def at(self, x: int, y: int) -> PlacedPart | None:
        """What lies in this cell."""
        return self.cells.get((x, y))

    def cells_of(self, tile_id: str) -> tuple[Cell, ...]:
        """The cells of a built tile, part by part."""
        placed = self.placed[tile_id]
        if len(placed.tile.parts) == 1:
            return ((placed.x, placed.y),)
        return tuple(cell for cell, _ in placed_parts(*placed))

    def neighbours(self, x: int, y: int) -> Iterator[tuple[str, PlacedPart | None]]:
        """What lies on each side of a cell, in the order N E S W."""
        for side, (dx, dy) in STEP.items():
            yield side, self.cells.get((x + dx, y + dy))

    def relation(self, x: int, y: int, side: str) -> Contact:
        """The contact of a cell with its neighbour on that side."""
        dx, dy = STEP[side]
        here, there = self.cells.get((x, y)), self.cells.get((x + dx, y + dy))
        if here is None or there is None:
            return Contact.EMPTY
        return contact(here, SIDE_INDEX[side], there)

    def walk(self, x: int, y: int) -> list[Cell]:
        """The cells one step away on foot, through gates too."""
        return [
            (x + dx, y + dy)
            for side, (dx, dy) in STEP.items()
            if self.relation(x, y, side) is Contact.PASS or self._gate(x, y, side)
        ]

    def _gate(self, x: int, y: int, side: str) -> bool:
        return bool(self.passages) and edge_between(x, y, side) in self.passages

    @staticmethod
    def full(placed_part: PlacedPart | None) -> TypeGuard[PlacedPart]:
        """Is it a full tile: nothing but open sides and walls? Camps and watchtowers are not."""
        return placed_part is not None and placed_part.edges.count(OPEN) + placed_part.edges.count(WALL) == len(SIDES)

    def line(self, x: int, y: int, side: str) -> list[PlacedPart]:
        """The full tiles in a straight, gap-free line that starts next to this cell."""
        dx, dy = STEP[side]
        found = []
        while self.full(placed_part := self.cells.get((x := x + dx, y := y + dy))):
            found.append(placed_part)
        return found

    def open_sides(self, side: str) -> int:
        """How many full tiles stand open to the outside on that side; a camp or a void half is outside."""
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
        """The picture of the Alhambra, as notebooks show it."""
        from .svg import draw_alhambra  # here, because pictures are drawn from boards

        return draw_alhambra(self)


def _by_kind(board: Board) -> dict[str, list[PlacedTile]]:
    found: dict[str, list[PlacedTile]] = {}
    for placed in board.placed.values():
        found.setdefault(placed.tile.kind, []).append(placed)
    return found
