"""Tiles at personal markets: what tests of several modules begin with."""

from __future__ import annotations

from alhambra import Game
from alhambra.modules.personal_building_market import PLACES, Markets


def stall(game: Game, seat: int, **tiles: str) -> None:
    """Exactly these tiles lie at the places of the seat, named by their currencies."""
    state, markets = game.state, game.module_state(Markets)
    state.tower = (*(tile for tile in markets.lying[seat] if tile), *state.tower)
    state.tower = tuple(tile for tile in state.tower if tile not in tiles.values())
    lying = tuple(tiles.get(currency, "") for currency in PLACES)
    markets.lying = (*markets.lying[:seat], lying, *markets.lying[seat + 1 :])
