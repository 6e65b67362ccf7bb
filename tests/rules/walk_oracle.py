"""Where a figure can walk in an Alhambra, from the rules pages alone.

A step leads to the tile on one of the four sides, never across a wall and never off the tiles (29, 36). A gate lets one
through a double wall (05). Nobody enters a camp (08). A watchtower fills the half of its cell at its two legs: it is
entered and left over its legs only, each entering costs a step, and no walk ends there (22). Inside a double tile only
a wall printed on both halves is in the way (28). Stepping back and forth is allowed, and steps may be forgone.

An Alhambra is given by its tiles as they lie and by its gates. Nothing here knows the code under test but the letters
that are printed on the tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Cell = tuple[int, int]
COMPASS = "NESW"
AWAY: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class Lying(NamedTuple):
    """One tile: its name, the cell of its first part, how far it is turned, its parts (where at rotation 0, and the
    letters of their sides), and the sides of each part with a wooden wall at rotation 0."""

    name: str
    cell: Cell
    rotation: int
    parts: tuple[tuple[Cell, str], ...]
    wood: tuple[str, ...] = ()


class _Ground(NamedTuple):
    tile: str
    ways: dict[str, str]
    """By side: the letter one sees there, a wooden wall as a wall."""
    stays: bool


def _turned(cell: Cell, quarters: int) -> Cell:
    x, y = cell
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _grounds(tiles: Iterable[Lying]) -> dict[Cell, _Ground]:
    """Every cell that figures can enter."""
    found = {}
    for tile in tiles:
        quarters = tile.rotation // 90
        for number, (at, letters) in enumerate(tile.parts):
            dx, dy = _turned(at, quarters)
            ways = {}
            for place, letter in enumerate(letters):
                wooden = letter == "o" and number < len(tile.wood) and COMPASS[place] in tile.wood[number]
                ways[COMPASS[(place + quarters) % 4]] = "w" if wooden else letter
            if not {"b", "g"} & {*letters}:
                found[tile.cell[0] + dx, tile.cell[1] + dy] = _Ground(tile.name, ways, "v" not in letters)
    return found


def _crosses(here: _Ground, side: str, there: _Ground) -> bool:
    seen = here.ways[side] + there.ways[COMPASS[(COMPASS.index(side) + 2) % 4]]
    if here.tile == there.tile:
        return seen != "ww"
    return "w" not in seen and "v" not in seen


def neighbours(tiles: Iterable[Lying], gates: Iterable[frozenset[Cell]]) -> dict[Cell, set[Cell]]:
    """By cell: the cells one step away."""
    grounds, opened = _grounds(tiles), set(gates)
    found: dict[Cell, set[Cell]] = {cell: set() for cell in grounds}
    for cell, here in grounds.items():
        for side, (dx, dy) in AWAY.items():
            other = (cell[0] + dx, cell[1] + dy)
            there = grounds.get(other)
            if there is not None and (frozenset((cell, other)) in opened or _crosses(here, side, there)):
                found[cell].add(other)
    return found


def ends(tiles: Iterable[Lying], gates: Iterable[frozenset[Cell]], start: Cell, steps: int) -> set[Cell]:
    """Every cell where a walk of at most so many steps may end."""
    lying = list(tiles)
    ways, grounds = neighbours(lying, gates), _grounds(lying)
    reached, rim = {start}, {start}
    for _ in range(steps):
        rim = {other for cell in rim for other in ways[cell]} - reached
        reached |= rim
    return {cell for cell in reached if grounds[cell].stays}
