"""Alhambras: what they are made of, how they are drawn, where tiles may be built, and what boards score.

geometry    Cell, SIDES, STEP; a Tile covers cells, `placed_parts` says how each of them looks; `wall_runs` and
            `wooden_walls_by_cell` say where walls run; edges are the letters OPEN, WALL, BASTION, GREEN, LEG and VOID
drawing     `draw` writes a board as text; `board_view` tells it as plain data
judging     `PlacementJudge` judges placements in an Alhambra of a game
no game     `StandaloneBoards` holds boards that somebody sent: judged and scored without a game
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


def marks_on_cells(game: Game, seat: int) -> dict[Cell, str]:
    """Return by cell what the modules of a game want drawn in the Alhambra of a seat; for `draw`."""
    found: dict[Cell, str] = {}
    for module in game.ruleset.modules:
        if module.marks is not None:
            found.update(module.marks(game, seat))
    return found
