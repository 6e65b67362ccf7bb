"""Pictures beside the lessons of the base game: components with signs between them, and small Alhambras."""

from __future__ import annotations

from alhambra import EDITIONS, Board, compile_ruleset
from alhambra.svg import draw_alhambra

SEATS = 2
"""Seats of the game whose components are shown."""

Part = tuple[str, str]
"""Kind and id of a component; the kind is empty for a sign between components."""

ROWS: dict[str, tuple[Part, ...]] = {
    "money": (("card", "gulden-2"), ("", "+"), ("card", "dirham-3"), ("", "= 5")),
    "buying": (("tile", "garden-8-ne"), ("", "≤"), ("card", "dirham-4"), ("", "+"), ("card", "dirham-7")),
    "exact": (("tile", "garden-8-ne"), ("", "="), ("card", "dirham-3"), ("", "+"), ("card", "dirham-5"), ("", "✓")),
    "redesign": (("tile", "garden-8-ne"), ("", "⇄"), ("tile", "arcades-6-sw")),
}
"""By lesson: what a row shows."""

_SMALL = (("pavilion-8", 0, 1), ("arcades-6-sw", 0, 2), ("arcades-9", 1, 2), ("tower-10-w", -1, 0))
_LARGE = (*_SMALL, ("garden-8-ne", -1, -1), ("arcades-8-n", -2, -1), ("tower-11-n", 1, 0), ("pavilion-3-sw", -1, 1))
BOARDS = {"placing": _SMALL, "walls": _LARGE}
"""By lesson: the tiles of an Alhambra, in the order in which they are built."""


def alhambra(lesson: str, language: str) -> str:
    """Return the Alhambra of a lesson as SVG."""
    tiles = compile_ruleset(SEATS, next(iter(EDITIONS)), ()).tiles
    board = Board()
    for tile, x, y in BOARDS[lesson]:
        board.place(tiles[tile], x, y)
    return draw_alhambra(board, language=language)
