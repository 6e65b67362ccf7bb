"""A table with palace staff: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from alhambra.components import TYPES, Cell
from alhambra.modules.palace_staff import Staff
from tests.rules.situations import alhambra, display, market, play, table

KEY = "palace_staff"
FULL = {"gulden": "tower-11", "dirham": "seraglio-9", "denar": "arcades-10", "dukat": "chambers-10"}
"""A market with nothing to refill."""
LINE: dict[Cell, str] = {(1, 0): "garden-10", (2, 0): "chambers-11", (3, 0): "arcades-9", (4, 0): "tower-12"}
"""From the fountain to the east, without a wall."""


def staffed(seats: int = 3, *others: str, open_servants: str = "garden arcades tower", **options: Any) -> Game:
    """A table at which exactly these servants lie open and no building has one."""
    game = table(seats, modules=[KEY, *others], **options)
    staff = game.module_state(Staff)
    supply = [*staff.supply, *staff.display]
    for name in open_servants.split():
        supply.remove(name)
    staff.display = tuple(sorted(open_servants.split(), key=TYPES.index))
    staff.supply = tuple(sorted(supply, key=TYPES.index))
    market(game, **FULL)
    display(game, "denar-1 denar-2 denar-6 dukat-3")
    return game


def sent(cards: str = "denar-2", tiles: dict[Cell, str] | None = None, *others: str, **options: Any) -> Game:
    """Seat 0 has taken these cards and may walk its major-domo."""
    game = staffed(3, *others, **options)
    alhambra(game, 0, LINE if tiles is None else tiles)
    display(game, cards)
    play(game, f"take_money {cards}")
    return game


def house(game: Game, tile: str, name: str, part: int = 0) -> None:
    """A servant of the supply lives on a tile."""
    staff = game.module_state(Staff)
    supply = list(staff.supply)
    supply.remove(name)
    staff.supply = tuple(supply)
    staff.housed = {**staff.housed, tile: tuple(sorted((*staff.housed.get(tile, ()), (part, name))))}


def stand_at(game: Game, cell: Cell, seat: int = 0) -> None:
    """The major-domo of the seat stands there."""
    staff = game.module_state(Staff)
    staff.cells = (*staff.cells[:seat], cell, *staff.cells[seat + 1 :])


def served(game: Game) -> dict[str, list[str]]:
    """By tile: the colours of its servants."""
    return {tile: [name for _, name in servants] for tile, servants in game.module_state(Staff).housed.items()}
