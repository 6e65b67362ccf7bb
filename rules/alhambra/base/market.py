"""The market: four spaces, one currency each, refilled from the tower in ascending order.

A space that stays empty because the tower is exhausted ends the game at once, for whatever reason it was to be filled;
a full market with an empty tower does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ending import end_game
from .supply import SLOTS, draw_tile

if TYPE_CHECKING:
    from ..game import Game


def fill_market(game: Game, begin: int | None = None) -> None:
    """Refills the empty spaces, or goes on with it at one."""
    state = game.state
    if begin is None and "" not in state.market:
        return
    for place in range(begin or 0, len(SLOTS)):
        if state.market[place]:
            continue
        height = len(state.agenda)
        fill_space(game, place)
        if state.phase == "END" or game.resume(height, fill_market, place):
            return
    game.tell("market_filled", market=state.market, tower=len(state.tower))


def fill_space(game: Game, place: int) -> None:
    """Draws tiles for one space until one stays there; goes on after others have decided. If the tower is exhausted
    before, the end of the game begins."""
    state = game.state
    while not state.market[place]:
        height = len(state.agenda)
        tile = draw_tile(game)
        if tile is None:
            game.tell("market_filled", market=state.market, tower=0)
            end_game(game, "market")
            return
        game.tell("tile_drawn", tile=tile, slot=SLOTS[place])
        hooks = game.ruleset.drawn
        if not (hooks and any(react(game, tile, place) for react in hooks)):
            lay(game, tile, place)
        if game.resume(height, fill_space, place):
            return


def lay(game: Game, tile: str, place: int) -> None:
    """A tile is laid on a market space."""
    market = list(game.state.market)
    market[place] = tile
    game.state.market = tuple(market)
    game.react(game.ruleset.laid, tile, place)
