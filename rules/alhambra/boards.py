"""Alhambras: their geometry, text drawings, legal placements and scores.

geometry    Cell, SIDES and STEP; `placed_parts` describes each cell that a Tile covers; `wall_runs` and
            `wooden_walls_by_cell` list the walls; edges are OPEN, WALL, BASTION, GREEN, LEG or VOID
drawing     `draw` returns a board as text, `board_view` as plain data
placement   `PlacementJudge` checks placements on a board of a game
no game     `StandaloneBoards` checks and scores boards without a game
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base.scoring import count_buildings
from .board import Board
from .components import (
    BASTION,
    COLOURS,
    GREEN,
    LEG,
    OPEN,
    SIDES,
    START_TILES,
    STEP,
    VOID,
    WALL,
    Cell,
    Tile,
)
from .deprecated import renamed
from .drawing import draw
from .placement.contacts import PlacedPart, PlacedTile, placed_parts, wooden_walls_by_cell
from .placement.judge import PlacementJudge
from .placement.outline import wall_runs
from .placement.rules import QUARTER_TURNS
from .placement.standalone_boards import LaidTile, StandaloneBoards
from .views import board_view

if TYPE_CHECKING:
    from .game import Game

__all__ = [
    "BASTION",
    "COLOURS",
    "GREEN",
    "LEG",
    "OPEN",
    "QUARTER_TURNS",
    "SIDES",
    "START_TILES",
    "STEP",
    "VOID",
    "WALL",
    "Board",
    "Cell",
    "LaidTile",
    "PlacedPart",
    "PlacedTile",
    "PlacementJudge",
    "StandaloneBoards",
    "Tile",
    "board_view",
    "count_buildings",
    "draw",
    "marks_on_cells",
    "placed_parts",
    "wall_runs",
    "wooden_walls_by_cell",
]

__getattr__ = renamed(
    __name__,
    {
        "LaidBoards": "StandaloneBoards",
        "Lot": "PlacedPart",
        "Placed": "PlacedTile",
        "lots": "placed_parts",
        "wooden_walls": "wooden_walls_by_cell",
    },
)


def marks_on_cells(game: Game, seat: int) -> dict[Cell, str]:
    """Return the marks that the modules draw on the Alhambra of a seat, by cell; pass them to `draw`."""
    found: dict[Cell, str] = {}
    for module in game.ruleset.modules:
        marked = {kind.name for kind in module.piece_kinds if kind.in_text}
        for piece in module.public_pieces(game) if marked and module.public_pieces is not None else ():
            if piece["kind"] in marked and piece.get("seat") == seat and "cell" in piece:
                found[piece["cell"]] = piece["kind"]
    return found
