"""A table with falconers: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.components import Cell
from alhambra.modules.falconers import Falcons
from tests.rules.situations import alhambra, deck, display, hand, market, play, table

FULL = {"gulden": "seraglio-8-s", "dirham": "seraglio-7-w", "denar": "pavilion-7-e", "dukat": "pavilion-6-n"}
"""A market with nothing to refill."""
BLOCK: dict[Cell, str] = {(1, 0): "tower-11", (0, 1): "garden-10", (1, 1): "chambers-10"}
"""Three buildings that meet the fountain in one point."""
GARDEN_TOWER = "falcon_white_garden_tower"
CHAMBERS_TOWER = "falcon_white_chambers_tower"
CHAMBERS_GARDEN = "falcon_black_chambers_garden"


def falconers(
    seats: int = 3, *modules: str, tiles: dict[Cell, str] | None = None, cards: str = "denar-1 denar-2", **options: Any
) -> Game:
    """Seat 0 is at its action, with a block of four tiles around one point."""
    game = table(seats, modules=["falconers", *modules], **options)
    market(game, **FULL)
    display(game, "gulden-1 gulden-2 gulden-4 gulden-5")
    deck(game, "dirham-1 dirham-2 dirham-3 dirham-4 dirham-5")
    alhambra(game, 0, BLOCK if tiles is None else tiles)
    hand(game, 0, cards)
    return game


def buy(game: Game, falcon: str = GARDEN_TOWER, at: str = "@0,0", card: str = "denar-1") -> list[Event]:
    """The asked seat buys a falcon and puts it on the south-eastern corner of a cell."""
    return play(game, f"buy_falcon {falcon} {at} {card}", side="SE")


def perch(game: Game, seat: int, **falcons: Cell) -> None:
    """These falcons sit on points of the seat."""
    kept = game.module_state(Falcons)
    kept.sitting = {**kept.sitting, **{falcon: (seat, cell) for falcon, cell in falcons.items()}}


def sitting(game: Game) -> dict[str, tuple[int, Cell]]:
    return game.module_state(Falcons).sitting
