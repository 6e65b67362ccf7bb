"""What lies in the box: tiles, money cards, and the words for them.

Everything printed on a component comes from `data/components.json`; nothing is typed in here.
A tile fills one cell or several; each side of a cell has an edge letter, and the construction
rules know nothing of a tile but these letters (`board.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from .violations import AlhambraError

TYPES = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
CURRENCIES = ("gulden", "dirham", "denar", "dukat")
"""In the order of the market spaces 1 to 4."""
SIDES = ("N", "E", "S", "W")
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
COLOURS = ("white", "red", "yellow", "green", "blue", "orange")

Cell: TypeAlias = tuple[int, int]

# Edge letters. A plain tile knows open and wall; the others belong to tiles with rules of their own.
OPEN, WALL = "o", "w"
BASTION, GREEN = "b", "g"
LEG, VOID = "l", "v"


@dataclass(frozen=True, slots=True)
class Part:
    """One cell of a tile, as it lies at rotation 0: where, with which edges (N E S W), of which type."""

    dx: int
    dy: int
    edges: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile that can lie in an Alhambra. `kind` names its class: standard, start, square, camp …"""

    id: str
    kind: str
    parts: tuple[Part, ...]
    price: int | None = None
    rotatable: bool = False
    walkable: bool = True
    plain: bool = field(init=False)
    """One cell, walkable, nothing but open sides and walls: the fast construction check may judge it."""
    coded: bool = field(init=False)
    """Whether the bitboards can tell it: a full cell or two, a camp, or a triangle with two open legs."""
    walls: int = field(init=False)
    """Printed walls of the first cell as bits: N 1, E 2, S 4, W 8."""
    forms: dict[tuple[int, tuple[int, ...]], Any] = field(init=False, repr=False, compare=False)
    """By rotation and wooden walls: its form as the construction rules see it (`contacts.form_of`), once worked out."""

    def __post_init__(self) -> None:
        edges = "".join(part.edges for part in self.parts)
        set_field = object.__setattr__
        set_field(self, "plain", len(self.parts) == 1 and self.walkable and set(edges) <= {OPEN, WALL})
        set_field(self, "coded", self.plain or _can_be_coded(self.parts, edges, walkable=self.walkable))
        set_field(self, "forms", {})
        set_field(self, "walls", sum(1 << n for n, edge in enumerate(self.parts[0].edges) if edge == WALL))

    @property
    def type(self) -> str:
        """The building type of its first cell, or an empty text."""
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
    """Edge letters of a cell with walls on these sides."""
    standing = set(walls)
    return "".join(WALL if side in standing else OPEN for side in SIDES)


def plain_tile(data: dict[str, Any], kind: str, *, rotatable: bool = False) -> Tile:
    """A one-cell tile from its entry in the component data: id, type, price, walls."""
    part = Part(0, 0, edges_of(data.get("walls", ())), data.get("type") or "")
    return Tile(data["id"], kind, (part,), data.get("price"), rotatable)


@cache
def component_data() -> dict[str, Any]:
    """The component data as it stands in the file, provenance included. Not to be changed."""
    text = files(__package__).joinpath("data/components.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def module_data(key: str) -> dict[str, Any]:
    """What is printed on the components of one module."""
    data: dict[str, Any] = component_data()["modules"][key]["data"]
    return data


BASE_TILES: dict[str, Tile] = {data["id"]: plain_tile(data, "standard") for data in component_data()["base"]["tiles"]}
START_TILES: tuple[Tile, ...] = tuple(Tile(f"start-{seat}", "start", (Part(0, 0, OPEN * 4),)) for seat in range(6))


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card of the money deck. Copies of one kind are interchangeable."""

    id: str
    kind: str = "money"
    """What it is: money, scoring, bureau, gate … decides where it goes when it is turned up."""
    currency: str = ""
    value: int = 0
    """What it is worth; a card with a value is a money card."""
    leaves: bool = False
    """Whether it leaves the game once spent, instead of going to the discard."""


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
    """A tile of the base game by its id."""
    found = BASE_TILES.get(tile_id)
    if found is None:
        raise AlhambraError("ID_UNKNOWN", f"no tile {tile_id!r} in the base game", noun="tile", id=tile_id)
    return found
