"""Tiles made for the tests of the board, by what the construction rules know of them."""

from __future__ import annotations

from itertools import count

from alhambra.board import Board
from alhambra.components import BASTION, GREEN, SIDES, Part, Tile, edges_of

_numbers = count(1)


def building(walls: str = "", kind: str = "garden", price: int = 8) -> Tile:
    """A new building tile with walls on these sides."""
    return Tile(f"{kind}-{next(_numbers)}", "standard", (Part(0, 0, edges_of(walls), kind),), price)


def camp(bastions: str) -> Tile:
    """A new camp."""
    edges = "".join(BASTION if side in bastions else GREEN for side in SIDES)
    return Tile(f"camp-{next(_numbers)}", "camp", (Part(0, 0, edges),), 8, walkable=False)


def watchtower(kind: str = "garden") -> Tile:
    """A new watchtower: unturned its legs are the north and the east side."""
    part = Part(0, 0, "llvv", kind)
    return Tile(f"watchtower-{next(_numbers)}", "watchtower", (part,), rotatable=True)


NE, SE, SW, NW = 0, 90, 180, 270
"""How far a watchtower is turned for its legs to meet in that corner."""


def project(first: str, second: str, *, down: bool = False) -> Tile:
    """A new double tile: the walls of its two halves, the second to the east or to the south."""
    halves = Part(0, 0, edges_of(first), "garden"), Part(int(not down), int(down), edges_of(second), "tower")
    return Tile(f"project-{next(_numbers)}", "project", halves)


def built(*tiles: tuple[int, int, str]) -> Board:
    """An Alhambra of the start tile and building tiles, each with its cell and its walls, placed in turn."""
    board = Board()
    for x, y, walls in tiles:
        board.place(building(walls), x, y)
    return board
