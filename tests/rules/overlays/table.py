"""The table of docs/overlays.md: what becomes of what lies on a tile, for every way in which the tile can move.

One file of `cells/` holds the row of one overlay. A cell says what becomes of the overlay, where the rules say so, and
which tests prove it. Tests of this folder that run once for each way take their ways and what they expect from here.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
WAYS: dict[str, tuple[str, str]] = {
    "placed": ("placed", "A tile just bought is built at the end of the turn."),
    "reserved": ("reserved", "A tile just bought is put into the reserve."),
    "added": ("added", "A tile of the reserve is built by a redesign."),
    "removed": ("removed", "A built tile goes into the reserve by a redesign."),
    "swapped": ("swapped", "A built tile goes into the reserve, and one of the reserve takes its place."),
    "relocated": ("relocated", "A built tile is lifted and laid elsewhere in the same Alhambra (31, 37)."),
    "stowed": ("put into a market", "A tile is put into the personal market of its owner (41)."),
    "sold": ("sold", "Another seat buys a tile of a personal market and builds it (41)."),
    "given": ("given", "A tile just bought or claimed is given to Dirk."),
    "boxed": ("boxed", "A tile leaves the game, because a personal market is full (41)."),
    "sunk": ("sunk", "The dancer puts a tile of the market back into the tower (07)."),
    "out_of_turn": ("out of turn", "A tile is laid between turns: by a vizier (01), a claim (18) or a key (37)."),
    "left_over": ("left over", "A tile left on the market goes to the richest seat at the end."),
    "resigned": ("owner resigned", "The seat that owns the tile leaves the table."),
}
"""By key: the heading of the column, and what happens to the tile."""
FATES = {
    "arrives": "It comes onto the tile.",
    "stays": "It lies on the tile, wherever the tile is now.",
    "returns": "It goes back to where such pieces come from: supply, bag, stack or hand.",
    "leaves": "It leaves the game.",
    "locked": "The move is refused.",
    "choice": "The owner decides.",
    "none": "Nothing of the kind lies on a tile that moves in this way.",
}
"""By key: what can become of an overlay."""


@dataclass(frozen=True)
class Cell:
    """What becomes of one overlay on one way, where the rules say so, and the tests behind it: file and function."""

    fate: str
    says: str
    source: str
    tests: tuple[tuple[Path, str], ...]


@dataclass(frozen=True)
class Row:
    """One overlay: its name in the table, the number and key of its module, and a cell for every way."""

    key: str
    name: str
    number: int
    module: str
    cells: dict[str, Cell]


def row(path: Path) -> Row:
    """Reads the file of one overlay. Each of its blocks is about one way or several of them."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    cells: dict[str, Cell] = {}
    for block in data["cell"]:
        for way in block["ways"].split():
            assert way not in cells, f"{path.name} has two cells for {way}"
            tests = tuple(_test(path.stem, name) for name in block["tests"])
            cells[way] = Cell(block["fate"], block["says"], block["source"], tests)
    return Row(path.stem, data["name"], data["number"], data["module"], {way: cells[way] for way in WAYS})


def _test(overlay: str, name: str) -> tuple[Path, str]:
    """A test named alone is one of the overlay's own. A file named with it lies in this folder or with the modules."""
    file, _, function = name.rpartition("::")
    here = FOLDER / f"{file or f'test_{overlay}'}.py"
    return (here if not file or here.exists() else FOLDER.parent / "modules" / here.name, function)


@cache
def rows() -> tuple[Row, ...]:
    """All overlays, by the numbers of their modules."""
    return tuple(sorted(map(row, sorted((FOLDER / "cells").glob("*.toml"))), key=lambda found: found.number))


@dataclass(frozen=True)
class Form:
    """A form of a way that the columns do not tell apart: what happens, the source, and overlays by their fate."""

    key: str
    way: str
    says: str
    source: str
    fates: dict[str, tuple[str, ...]]


@cache
def forms() -> tuple[Form, ...]:
    """All of them, in the order of their file."""
    data = tomllib.loads((FOLDER / "forms.toml").read_text(encoding="utf-8"))
    return tuple(
        Form(
            *(key, form["way"], form["says"], form["source"]),
            {fate: tuple(form[fate].split()) for fate in FATES if fate in form},
        )
        for key, form in data.items()
    )


def cells_of(overlay: str, test: str) -> list[tuple[str, str]]:
    """The ways whose cells name a test of the overlay's own file, each with the fate that its cell tells."""
    found = next(row for row in rows() if row.key == overlay)
    named = (FOLDER / f"test_{overlay}.py", test)
    return [(way, cell.fate) for way, cell in found.cells.items() if named in cell.tests]


def ways_of(overlay: str, test: str) -> list[str]:
    """The ways whose cells name a test of the overlay's own file."""
    return [way for way, _ in cells_of(overlay, test)]
