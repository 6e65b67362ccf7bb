"""How a tile lies, and what its sides may touch.

Two tiles side by side must both have a wall or both have none on the shared edge. Tiles of the modules bring
sides of their own: a camp leans on a wall with its bastion and meets other camps green to green; one walks over
the two legs of a watchtower, while the cell across its long side counts as empty.

Sides are told by edge letters, four to a cell in the order N E S W, and everything that may happen between two
letters stands in one closed table, `CONTACTS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..components import BASTION, GREEN, LEG, OPEN, SIDES, STEP, VOID, WALL, Cell, Tile
from ..fast_tuple import new_tuple

SIDE_INDEX = {side: n for n, side in enumerate(SIDES)}
Edge: TypeAlias = tuple[int, int, str]
"""An edge between two cells, in its one spelling: the east or south side of the west or north cell."""


class Contact(Enum):
    """What two neighbouring cells are to each other."""

    EMPTY = "empty"
    """One of them is empty."""
    APART = "apart"
    """A void half lies between them: to each the other cell is empty."""
    PASS = "pass"
    """Open on both sides: one can walk across."""
    MEET = "meet"
    """They lean on each other; nobody walks across, unless a gate stands there."""
    FORBIDDEN = "forbidden"
    """These sides may not touch."""


def _contact_of(here: str, there: str) -> Contact:
    pair = {here, there}
    if VOID in pair:
        return Contact.APART
    if pair <= {OPEN, LEG}:
        return Contact.PASS
    if pair in ({WALL}, {WALL, BASTION}, {GREEN}):
        return Contact.MEET
    return Contact.FORBIDDEN


_LETTERS = (OPEN, WALL, BASTION, GREEN, LEG, VOID)
CONTACTS = {here + there: _contact_of(here, there) for here in _LETTERS for there in _LETTERS}


class PlacedPart(NamedTuple):
    """One built cell: a part of a tile, as it lies."""

    tile: Tile
    part: int
    edges: str
    """Wooden walls included, turned with the tile."""
    type: str


class PlacedTile(NamedTuple):
    """One built tile: where its first part lies, how far it is turned, and its wooden walls."""

    tile: Tile
    x: int
    y: int
    rotation: int
    wooden_walls: tuple[int, ...]


class Form(NamedTuple):
    """How a tile lies, without its name: what the construction rules judge it by."""

    parts: tuple[tuple[int, int, str], ...]
    """For each part the step to it from the first, and its edge letters. Inside a double tile both letters are walls if
    a wall is printed on both halves, else both are open (28.14)."""
    walkable: bool


def contact(here: PlacedPart, side: int, there: PlacedPart) -> Contact:
    """The contact of two neighbouring lots; `side` is the index of the side of `here`."""
    letters = here.edges[side] + there.edges[side ^ 2]
    if here.tile.id == there.tile.id:
        # Inside a double tile only a wall printed on both halves stops anybody (28.14).
        return Contact.MEET if letters == WALL + WALL else Contact.PASS
    return CONTACTS[letters]


def placed_parts(
    tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> list[tuple[Cell, PlacedPart]]:
    """The cells that a tile would cover, and how each part would lie there."""
    if not rotation and not wooden_walls:  # as nearly all tiles lie
        return [
            ((x + part.dx, y + part.dy), new_tuple(PlacedPart, (tile, number, part.edges, part.type)))
            for number, part in enumerate(tile.parts)
        ]
    turns = rotation // 90
    covered = []
    for number, part in enumerate(tile.parts):
        dx, dy, edges = part.dx, part.dy, part.edges
        for _ in range(turns):
            dx, dy = -dy, dx
        if number < len(wooden_walls):
            edges = _with_wooden_walls(edges, wooden_walls[number])
        covered.append(((x + dx, y + dy), PlacedPart(tile, number, edges[-turns:] + edges[:-turns], part.type)))
    return covered


def form_of(tile: Tile, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> Form:
    """The form of a tile as it would lie, wooden walls included."""
    key = (rotation, tuple(wooden_walls))
    form: Form | None = tile.forms.get(key)
    if form is None:
        covered = dict(placed_parts(tile, 0, 0, rotation, wooden_walls))
        parts = tuple(_settled(cell, placed_part, covered) for cell, placed_part in covered.items())
        form = tile.forms[key] = Form(parts, tile.walkable)
    return form


def _settled(cell: Cell, placed_part: PlacedPart, covered: Mapping[Cell, PlacedPart]) -> tuple[int, int, str]:
    """The step to a part and its letters; towards other parts of the tile, what the two letters come to."""
    edges = ""
    for side, (dx, dy) in enumerate(STEP.values()):
        other = covered.get((cell[0] + dx, cell[1] + dy))
        letter = placed_part.edges[side]
        edges += letter if other is None else WALL if contact(placed_part, side, other) is Contact.MEET else OPEN
    return (*cell, edges)


def _with_wooden_walls(edges: str, wooden_walls: int) -> str:
    return "".join(WALL if letter == OPEN and wooden_walls >> side & 1 else letter for side, letter in enumerate(edges))


def wooden_walls_by_cell(placed: PlacedTile) -> Iterator[tuple[Cell, list[str]]]:
    """Yield for each cell of a tile the sides on which wooden walls stand, as the tile lies; nothing if it has none."""
    turns = placed.rotation // 90
    for (cell, _), mask in zip(placed_parts(*placed[:4]), placed.wooden_walls, strict=False):
        own = {(number + turns) % len(SIDES) for number in range(len(SIDES)) if mask >> number & 1}
        yield cell, [side for number, side in enumerate(SIDES) if number in own]


def lying_walls(tile: Tile, rotation: int, wooden_walls: Sequence[int]) -> int:
    """The walls of a plain tile as bits (N 1, E 2, S 4, W 8), wooden ones included, as it would lie."""
    walls = tile.walls | (wooden_walls[0] if wooden_walls else 0)
    turns = rotation // 90
    return (walls << turns | walls >> (4 - turns)) & 15


def edge_between(x: int, y: int, side: str) -> Edge:
    """The one spelling of the edge on that side of a cell."""
    if side == "N":
        return (x, y - 1, "S")
    if side == "W":
        return (x - 1, y, "E")
    return (x, y, side)
