"""Dirk, the imaginary third player of a game for two. His tiles compete in every majority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..components import component_data
from .supply import draw_tile

if TYPE_CHECKING:
    from ..game import Game

_DATA = component_data()["base"]["dirk"]
FINAL = 3


def start_dirk(game: Game) -> None:
    """Give Dirk his first tiles."""
    if len(game.state.seats) == 2:
        give_dirk(game, _DATA["initial"])


def give_dirk(game: Game, count: int) -> None:
    """Give Dirk tiles from the tower, as far as there are any."""
    state = game.state
    tiles = []
    for _ in range(count):
        tile = draw_tile(game)
        if tile is None:
            break
        tiles.append(tile)
        state.dirk = (*state.dirk, tile)
        game.run_hooks(game.ruleset.reactions["given"], tile)
    game.emit("dirk_received", tiles=tuple(tiles))


def reward_dirk(game: Game, number: int) -> None:
    """Give Dirk further tiles after the first two scorings."""
    state = game.state
    if len(state.seats) != 2 or number == FINAL:
        return
    if number == 1:
        give_dirk(game, _DATA["after_1"])
    elif game.options.rules["dirk_third_allotment"] == "two_tiles":
        give_dirk(game, 2)
    else:
        give_dirk(game, len(state.tower) // 3)
