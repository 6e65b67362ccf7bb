"""A table with palace designers: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from alhambra.components import Cell
from alhambra.modules.palace_designers import Designers
from tests.rules.situations import alhambra, display, market, table

FULL = {"gulden": "pavilion-2-new", "dirham": "seraglio-3-esw", "denar": "arcades-4-nes", "dukat": "chambers-5-nsw"}
"""A market with nothing to refill."""
KEY = "palace_designers"


def designers(seats: int = 3, *modules: str, tiles: dict[Cell, str] | None = None, **options: Any) -> Game:
    """A cleared table with a full market; seat 0 has these tiles. All designers look north from their fountains."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-6 dukat-7")
    alhambra(game, 0, tiles or {})
    return game


def stand(game: Game, seat: int, cell: Cell, side: str) -> None:
    """The designer of the seat stands there, with the feet at that side."""
    kept = game.module_state(Designers)
    kept.cells = (*kept.cells[:seat], cell, *kept.cells[seat + 1 :])
    kept.sides = (*kept.sides[:seat], side, *kept.sides[seat + 1 :])


def where(game: Game, seat: int = 0) -> tuple[Cell | None, str]:
    """Cell and side of a designer."""
    kept = game.module_state(Designers)
    return kept.cells[seat], kept.sides[seat]
