"""Components of the game: tiles and money cards.

All printed values come from `data/components.json`. A tile covers one or more cells. Each side of a cell has an edge
letter; the construction rules depend only on these letters (`board.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from .data_files import read_data
from .violations import AlhambraError

TYPES = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
CURRENCIES = ("gulden", "dirham", "denar", "dukat")
"""The currencies in the order of market spaces 1 to 4."""
SIDES = ("N", "E", "S", "W")
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
COLOURS = ("white", "red", "yellow", "green", "blue", "orange")

Cell: TypeAlias = tuple[int, int]

# Edge letters. Plain tiles have only OPEN and WALL; the others belong to special tiles.
OPEN, WALL = "o", "w"
BASTION, GREEN = "b", "g"
LEG, VOID = "l", "v"


@dataclass(frozen=True, slots=True)
class Part:
    """One cell of a tile at rotation 0: its position, edges (N E S W) and type."""

    dx: int
    dy: int
    edges: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile that can lie in an Alhambra. `kind` is its class: standard, start, square, camp …"""

    id: str
    kind: str
    parts: tuple[Part, ...]
    price: int | None = None
    rotatable: bool = False
    walkable: bool = True
    plain: bool = field(init=False)
    """Whether it is one walkable cell with only open sides and walls, so that the grid can check it."""
    coded: bool = field(init=False)
    """Whether bitboards can represent it: one or two full cells, a camp, or a triangle with two open legs."""
    walls: int = field(init=False)
    """Printed walls of the first cell as bits: N 1, E 2, S 4, W 8."""
    forms: dict[tuple[int, tuple[int, ...]], Any] = field(init=False, repr=False, compare=False)
    """Cache of `contacts.form_of`, by rotation and wooden walls."""

    def __post_init__(self) -> None:
        edges = "".join(part.edges for part in self.parts)
        set_field = object.__setattr__
        set_field(self, "plain", len(self.parts) == 1 and self.walkable and set(edges) <= {OPEN, WALL})
        set_field(self, "coded", self.plain or _can_be_coded(self.parts, edges, walkable=self.walkable))
        set_field(self, "forms", {})
        set_field(self, "walls", sum(1 << n for n, edge in enumerate(self.parts[0].edges) if edge == WALL))

    @property
    def type(self) -> str:
        """The building type of the first cell, or an empty string."""
        return self.parts[0].type

    def __str__(self) -> str:
        return self.id


def _can_be_coded(parts: tuple[Part, ...], letters: str, *, walkable: bool) -> bool:
    if len(parts) == 1:
        triangular = letters in {"llvv", "vllv", "vvll", "lvvl"}
        return (triangular or set(letters) <= {OPEN, WALL, LEG}) if walkable else set(letters) <= {BASTION, GREEN}
    side_by_side = len(parts) == 2 and not (parts[0].dx or parts[0].dy) and abs(parts[1].dx) + abs(parts[1].dy) == 1
    return side_by_side and walkable and set(letters) <= {OPEN, WALL}


def edges_of(walls: Iterable[str]) -> str:
    """Return the edge letters of a cell with walls on these sides."""
    standing = set(walls)
    return "".join(WALL if side in standing else OPEN for side in SIDES)


def plain_tile(data: dict[str, Any], kind: str, *, rotatable: bool = False) -> Tile:
    """Return a one-cell tile from its entry in the component data: id, type, price, walls."""
    part = Part(0, 0, edges_of(data.get("walls", ())), data.get("type") or "")
    return Tile(data["id"], kind, (part,), data.get("price"), rotatable)


@cache
def component_data() -> dict[str, Any]:
    """Return the component data as in the file, including provenance. Do not change it."""
    data: dict[str, Any] = read_data("components.json")
    return data


def module_data(key: str) -> dict[str, Any]:
    """Return the printed values of one module's components."""
    data: dict[str, Any] = component_data()["modules"][key]["data"]
    return data


BASE_TILES: dict[str, Tile] = {data["id"]: plain_tile(data, "standard") for data in component_data()["base"]["tiles"]}
START_TILES: tuple[Tile, ...] = tuple(Tile(f"start-{seat}", "start", (Part(0, 0, OPEN * 4),)) for seat in range(6))


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card in the money deck. Copies are interchangeable."""

    id: str
    kind: str = "money"
    """Class of the card (money, scoring, bureau, gate …), which decides where it goes when turned up."""
    currency: str = ""
    value: int = 0
    """A card with a value is a money card."""
    leaves: bool = False
    """Whether it leaves the game when spent, instead of going to the discard."""


MONEY_CARDS: dict[str, Card] = {
    f"{currency}-{value}": Card(f"{currency}-{value}", "money", currency, value)
    for currency in CURRENCIES
    for value in component_data()["base"]["money"]["values"]
}
SCORING_CARDS: dict[str, Card] = {f"scoring-{n}": Card(f"scoring-{n}", "scoring") for n in (1, 2)}
MAJORITY_VALUES: dict[str, dict[int, tuple[int, ...]]] = {
    name: {int(scoring): tuple(places) for scoring, places in rows.items()}
    for name, rows in component_data()["base"]["scoring"].items()
}


def tile(tile_id: str) -> Tile:
    """Return a tile of the base game by its id."""
    found = BASE_TILES.get(tile_id)
    if found is None:
        raise AlhambraError("ID_UNKNOWN", f"no tile {tile_id!r} in the base game", noun="tile", id=tile_id)
    return found
