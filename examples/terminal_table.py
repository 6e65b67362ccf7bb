"""A view of a game as lines of text, for `terminal_client.py`: what lies on cells is drawn as a map with its walls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

HEADING_OF_A_SEAT = ("seat", "name", "colour", "age", "occupancy", "serverPlayer", "resigned", "score")
SIDES = "NESW"
WALL = "wall"

Json = dict[str, Any]
Spot = tuple[int, int]


class Catalogue(Protocol):
    """What answers about the components of the game."""

    def get(self, path: str, token: str = "", **query: object) -> Any:
        """Read something."""


def _all(server: Catalogue, kind: str) -> Iterator[Json]:
    """Generate the entries of all pages of a list of the catalogue."""
    query: Json = {"pageSize": 1000}
    while True:
        page = server.get(f"/v1/catalog/{kind}", **query)
        yield from page[kind]
        if not page["nextPageToken"]:
            return
        query["pageToken"] = page["nextPageToken"]


class Names:
    """The names of modules and of everything that has an id, in the language of the person."""

    def __init__(self, server: Catalogue) -> None:
        self.modules: list[Json] = server.get("/v1/catalog/modules")["modules"]
        self.parts: dict[str, list[Json]] = {tile["id"]: tile["parts"] for tile in _all(server, "tiles")}
        """By id of a tile: where its parts lie if it is not turned, and their sides."""
        self._known: dict[str, str] = {}
        for found in _all(server, "components"):
            self._known.setdefault(found["id"], found["name"])
        for module in self.modules:
            self._known.setdefault(module["key"], module["name"])
            for word in (*module["facts"], *module["pieces"]):
                self._known.setdefault(word["key"], word["name"])

    def of(self, word: str) -> str:
        """The name of a word of the server; the word itself if it has no name. An argument stands behind a colon."""
        stem, colon, argument = word.partition(":")
        return f"{self._known.get(stem, stem)} {argument}" if colon else self._known.get(word, word)

    def label(self, member: str) -> str:
        """What a member of an answer is called: its name in the catalogue, or its own name in plain words."""
        return self._known.get(member) or re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", member).lower()


class Table:
    """Writes a view as lines of text, whatever it holds: lists, numbers, words, and whatever lies on cells as a map."""

    def __init__(self, names: Names, view: Json) -> None:
        self._names = names
        self._view = view
        self._players = {seat["seat"]: seat["name"] for seat in view["seats"]}

    def lines(self) -> Iterator[str]:
        """The whole table: what lies in the middle, what the modules show, then seat by seat."""
        for part in ("table", "modules"):
            yield from self._named(part, self._view.get(part))
        for seat in self._view["seats"]:
            yield f"— {seat['name']} ({seat['colour']}): {seat['score']} —"
            for member, value in seat.items():
                if member not in HEADING_OF_A_SEAT:
                    yield from self._named(member, value)

    def scores(self) -> str:
        """All scores in one line."""
        return " · ".join(f"{seat['name']} {seat['score']}" for seat in self._view["seats"])

    def result(self) -> Iterator[str]:
        """How the game ended."""
        yield from self._named("result", self._view["result"])

    def _named(self, member: str, value: Any) -> Iterator[str]:
        """The lines of one member; none if it holds nothing."""
        label = self._names.label(member)
        if isinstance(value, Mapping):
            inner = [line for name, held in value.items() for line in self._named(name, held)]
        elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            inner = list(self._map(value) if all("cell" in one for one in value) else self._counted(value))
        else:
            inner = []
            if text := self._text(member, value):
                yield f"{label}: {text}"
        if inner:
            yield f"{label}:"
            yield from (f"  {line}" for line in inner)

    def _counted(self, values: Sequence[Json]) -> Iterator[str]:
        """Objects, one in a line, those that are alike together."""
        for line, times in Counter(map(self._in_one_line, values)).items():
            yield f"{times} × {line}" if times > 1 else line

    def _in_one_line(self, value: Mapping[str, Any]) -> str:
        parts = []
        for member, held in value.items():
            text = self._text(member, held)
            if text:
                speaks = isinstance(held, str | list) or member.lower().endswith("seat")
                parts.append(text if speaks else f"{self._names.label(member)} {text}")
        return " · ".join(parts)

    def _text(self, member: str, value: Any) -> str:
        """A value in one line; empty if there is nothing to say."""
        if value is None or value is False or value in ("", [], {}):
            return ""
        if value is True:
            return "✓"
        if isinstance(value, int):
            return str(self._players.get(value, value) if member.lower().endswith("seat") else value)
        if isinstance(value, str):
            return self._names.of(value)
        if isinstance(value, Mapping):
            if value.keys() == {"x", "y"}:
                return f"({value['x']}, {value['y']})"
            return self._in_one_line(value)
        told = Counter(self._text(member, one) for one in value)
        return ", ".join(f"{times} × {text}" if times > 1 else text for text, times in told.items())

    def _map(self, things: Sequence[Json]) -> Iterator[str]:
        """Things that lie on cells: their numbers where they lie, north above, and a list of what the numbers mean."""
        numbers: dict[Spot, str] = {}
        walls: set[tuple[Spot, str]] = set()
        for number, thing in enumerate(things, 1):
            for where, sides in covered(thing, self._names.parts.get(thing.get("tile", ""), [])):
                numbers[where] = f"{numbers[where]}+{number}" if where in numbers else str(number)
                walls |= {(where, side) for side in sides}
        yield from drawn(numbers, walls)
        for number, thing in enumerate(things, 1):
            yield f"{number:>3} {self._in_one_line({name: held for name, held in thing.items() if name != 'cell'})}"


def covered(thing: Json, parts: Sequence[Json]) -> Iterator[tuple[Spot, set[str]]]:
    """Generate the cells on which a thing lies, each with the sides that have walls, printed or added."""
    x, y = thing["cell"]["x"], thing["cell"]["y"]
    turns = thing.get("rotation", 0) // 90
    for part in parts or [{"offset": {"x": 0, "y": 0}, "edges": []}]:
        across, down = part["offset"]["x"], part["offset"]["y"]
        for _ in range(turns):
            across, down = -down, across
        where = (x + across, y + down)
        printed = {SIDES[(number + turns) % 4] for number, edge in enumerate(part["edges"]) if edge == WALL}
        added = {
            edge["side"] for edge in thing.get("woodenWalls", ()) if (edge["cell"]["x"], edge["cell"]["y"]) == where
        }
        yield where, printed | added


def drawn(numbers: Mapping[Spot, str], walls: set[tuple[Spot, str]]) -> Iterator[str]:
    """Generate the lines of a map, with walls wherever a cell has one on that side."""
    standing = {(x + (side == "E"), y) for (x, y), side in walls if side in "EW"}  # at the west side of this cell
    lying = {(x, y + (side == "S")) for (x, y), side in walls if side in "NS"}  # at the north side of this cell
    wide = max(map(len, numbers.values())) + 1
    across, down = ([where[axis] for where in numbers] for axis in (0, 1))
    width = range(min(across), max(across) + 1)
    for y in range(min(down), max(down) + 2):
        if walls and (line := "".join(" " + (("─" if (x, y) in lying else " ") * wide) for x in width).rstrip()):
            yield line
        if y <= max(down):
            cells = "".join(("│" if (x, y) in standing else " ") + numbers.get((x, y), "·").rjust(wide) for x in width)
            yield cells + ("│" if (max(across) + 1, y) in standing else "") if walls else cells
