"""A table with the street trader: what the tests of the module begin with."""

from __future__ import annotations

from collections import Counter
from typing import Any

from alhambra import TYPES, Game
from alhambra.components import Cell
from alhambra.modules.street_trader import Residents
from tests.rules.situations import display, play, table

KEY = "street_trader"


def trader_table(seats: int = 3, *modules: str, **options: Any) -> Game:
    return table(seats, modules=[KEY, *modules], **options)


def disc(game: Game, seat: int, cell: Cell | None, *residents: str) -> None:
    """The disc lies there with exactly these residents; the others are in the supply."""
    kept = game.module_state(Residents)
    supply = Counter((*kept.supply, *kept.aboard[seat])) - Counter(residents)
    kept.supply = tuple(name for name in TYPES for _ in range(supply[name]))
    kept.aboard = (*kept.aboard[:seat], residents, *kept.aboard[seat + 1 :])
    kept.discs = (*kept.discs[:seat], cell, *kept.discs[seat + 1 :])


def supply(game: Game, *residents: str) -> None:
    """Exactly these residents are in the supply; the rest lives somewhere far away."""
    game.module_state(Residents).supply = residents


def house(game: Game, *tiles: str) -> None:
    """A resident lives in each of these buildings."""
    kept = game.module_state(Residents)
    left = list(kept.supply)
    for tile in tiles:
        left.remove(tile.split("-")[0])
    kept.supply = tuple(left)
    kept.homes = {**kept.homes, **{tile: tile.split("-")[0] for tile in tiles}}


def at_hand(game: Game, *tiles: str) -> None:
    """Seat 0 has made its action and is to place these tiles."""
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    game.state.seats[0].pending = tiles
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    play(game, "take_money dukat-1")


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def where(game: Game, seat: int) -> Cell | None:
    return game.module_state(Residents).discs[seat]


def aboard(game: Game, seat: int) -> tuple[str, ...]:
    return game.module_state(Residents).aboard[seat]


def meeting(tile: str = "garden-10", residents: str = "arcades garden tower", *modules: str) -> Game:
    """Seat 0 has just built that tile on the cell of its disc."""
    game = trader_table(3, *modules)
    disc(game, 0, (1, 0), *residents.split())
    at_hand(game, tile)
    play(game, f"place {tile} @1,0")
    return game
