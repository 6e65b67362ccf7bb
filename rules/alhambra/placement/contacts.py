"""Contacts: how a tile lies, and what its sides may touch.

Two neighbouring tiles must both have a wall, or both have none, on the shared edge. Tiles of modules have other sides:
a camp touches a wall with its bastion, and other camps green to green; the two legs of a watchtower are walkable, and
the cell across its long side counts as empty.

Sides are edge letters, four per cell in the order N E S W. `CONTACTS` is the table of all pairs of letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..components import BASTION, GREEN, LEG, OPEN, SIDES, STEP, VOID, WALL, Cell, Tile
from ..fast_tuple import new_tuple

SIDE_INDEX = {side: n for n, side in enumerate(SIDES)}
Edge: TypeAlias = tuple[int, int, str]
"""An edge between two cells, normalised: the east or south side of the west or north cell."""


class Contact(Enum):
    """The contact between two neighbouring cells."""

    EMPTY = "empty"
    """One of them is empty."""
    APART = "apart"
    """A void half lies between them; each sees the other as empty."""
    PASS = "pass"
    """Open on both sides; walkable."""
    MEET = "meet"
    """They touch, but are walkable only through a gate."""
    FORBIDDEN = "forbidden"
    """These sides must not touch."""


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
    """One cell of a built tile, as it lies."""

    tile: Tile
    part: int
    edges: str
    """Edge letters after rotation, including wooden walls."""
    type: str


class PlacedTile(NamedTuple):
    """One built tile: the cell of its first part, its rotation and its wooden walls."""

    tile: Tile
    x: int
    y: int
    rotation: int
    wooden_walls: tuple[int, ...]


class Form(NamedTuple):
    """The shape of a tile as it lies, for the construction rules."""

    parts: tuple[tuple[int, int, str], ...]
    """By part: the step from the first part, and its edge letters. Between the halves of a double tile both letters are
    walls if a wall is printed on both halves, otherwise both are open (28.14)."""
    walkable: bool


def contact(here: PlacedPart, side: int, there: PlacedPart) -> Contact:
    """Return the contact of two neighbouring tile parts; `side` is the index of the side of `here`."""
    letters = here.edges[side] + there.edges[side ^ 2]
    if here.tile.id == there.tile.id:
        # Inside a double tile, only a wall printed on both halves blocks the way (28.14)
        return Contact.MEET if letters == WALL + WALL else Contact.PASS
    return CONTACTS[letters]


def placed_parts(
    tile: Tile, x: int, y: int, rotation: int = 0, wooden_walls: Sequence[int] = ()
) -> list[tuple[Cell, PlacedPart]]:
    """Return the cells that a tile would cover, with each part as it would lie."""
    if not rotation and not wooden_walls:  # nearly all tiles
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
    """Return the form of a tile as it would lie, including wooden walls."""
    key = (rotation, tuple(wooden_walls))
    form: Form | None = tile.forms.get(key)
    if form is None:
        covered = dict(placed_parts(tile, 0, 0, rotation, wooden_walls))
        parts = tuple(_settled(cell, placed_part, covered) for cell, placed_part in covered.items())
        form = tile.forms[key] = Form(parts, tile.walkable)
    return form


def _settled(cell: Cell, placed_part: PlacedPart, covered: Mapping[Cell, PlacedPart]) -> tuple[int, int, str]:
    """Return the step to a part and its letters; towards other parts of the tile, the combined letters."""
    edges = ""
    for side, (dx, dy) in enumerate(STEP.values()):
        other = covered.get((cell[0] + dx, cell[1] + dy))
        letter = placed_part.edges[side]
        edges += letter if other is None else WALL if contact(placed_part, side, other) is Contact.MEET else OPEN
    return (*cell, edges)


def _with_wooden_walls(edges: str, wooden_walls: int) -> str:
    return "".join(WALL if letter == OPEN and wooden_walls >> side & 1 else letter for side, letter in enumerate(edges))


def wooden_walls_by_cell(placed: PlacedTile) -> Iterator[tuple[Cell, list[str]]]:
    """Yield for each cell of a tile the sides with wooden walls, as the tile lies; nothing if it has none."""
    turns = placed.rotation // 90
    for (cell, _), mask in zip(placed_parts(*placed[:4]), placed.wooden_walls, strict=False):
        own = {(number + turns) % len(SIDES) for number in range(len(SIDES)) if mask >> number & 1}
        yield cell, [side for number, side in enumerate(SIDES) if number in own]


def lying_walls(tile: Tile, rotation: int, wooden_walls: Sequence[int]) -> int:
    """Return the walls of a plain tile as bits (N 1, E 2, S 4, W 8), including wooden ones, as it would lie."""
    walls = tile.walls | (wooden_walls[0] if wooden_walls else 0)
    turns = rotation // 90
    return (walls << turns | walls >> (4 - turns)) & 15


def edge_between(x: int, y: int, side: str) -> Edge:
    """Return the normalised edge on that side of a cell."""
    if side == "N":
        return (x, y - 1, "S")
    if side == "W":
        return (x - 1, y, "E")
    return (x, y, side)
