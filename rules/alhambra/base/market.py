"""The market: four spaces, one currency each, refilled in ascending order; and tiles beside it.

Each empty space runs the procedure `space`: seats may take something back from it, a module may fill it from another
source, then tiles are drawn from the tower until one stays. Some kinds of tiles go beside the market instead of onto a
space. If a space is still empty after all have been tried, the game ends. An empty tower alone does not end it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..components import CURRENCIES
from ..module import Agenda, Step
from .game_end import end_game
from .payment.offers import Offer, Payment
from .supply import SLOTS, draw_tile, without

if TYPE_CHECKING:
    from ..game import Game


# -- Refilling -----------------------------------------------------------------------------------------------------


def fill_market(game: Game, begin: int = 0) -> None:
    """Fill each empty space, starting with space `begin`. If one stays empty, the end of the game begins."""
    state = game.state
    if not begin and "" not in state.market:
        return
    for place in range(begin, len(SLOTS)):
        if not state.market[place]:
            height = len(state.agenda)
            game.run_procedure("space", place)
            if game.continue_later(height, fill_market, place + 1):
                return
    game.emit("market_filled", market=state.market, tower=len(state.tower))
    if "" in state.market:
        end_game(game, "market")


def draw_for_space(game: Game, place: int) -> None:
    """Draw tiles for one space until one stays or the tower is empty; continue after decisions of seats."""
    state = game.state
    while not state.market[place]:
        height = len(state.agenda)
        tile = draw_tile(game)
        if tile is None:
            return
        slot = slot_for(game, tile, place)
        game.emit("tile_drawn", tile=tile, slot=slot)
        hooks = game.ruleset.drawn
        if slot != SLOTS[place] or not (hooks and any(react(game, tile, place) for react in hooks)):
            put_on_market(game, tile, place)
        if game.continue_later(height, draw_for_space, place):
            return


def fill_space(game: Game, place: int) -> None:
    """Draw for one space out of turn. If the tower is exhausted before a tile stays, the market is filled as in a
    regular refill, which may end the game."""
    game.push(fill_market)
    game.push(draw_for_space, place)


# -- On a space, or beside the market --------------------------------------------------------------------------------


def slot_for(game: Game, tile: str, place: int) -> str:
    """Return the slot for a tile drawn for a space: the space itself, or a slot beside the market."""
    side_slots = game.ruleset.side_slots
    side_slot = side_slots.get(game.ruleset.tiles[tile].kind) if side_slots else None
    return SLOTS[place] if side_slot is None else side_slot(place)


def put_on_market(game: Game, tile: str, place: int) -> None:
    """Put a tile on a space, or beside the market if its kind goes there, which leaves the space empty. Hooks for drawn
    tiles are not run."""
    slot = slot_for(game, tile, place)
    if slot == SLOTS[place]:
        lay_on_space(game, tile, place)
    else:
        beside = game.state.beside
        game.state.beside = {**beside, slot: (*beside.get(slot, ()), tile)}


def lay_on_space(game: Game, tile: str, place: int) -> None:
    """Lay a tile on a market space."""
    market = list(game.state.market)
    market[place] = tile
    game.state.market = tuple(market)
    game.run_hooks(game.ruleset.reactions["laid"], tile, place)


def beside_space(place: int) -> str:
    """Return the slot beside one space. Tiles there are bought in its currency."""
    return f"beside-{CURRENCIES[place]}"


# -- Prices ----------------------------------------------------------------------------------------------------------


def sale_price(game: Game, tile: str) -> int | None:
    """Return the printed price of an open tile; None if it has no price or is covered."""
    return None if tile in game.state.covered else game.ruleset.tiles[tile].price


def price_on_space(game: Game, currency: str) -> int | None:
    """Return the price of the tile on a currency's market space; None if there is no tile or it has no price."""
    tile = game.state.market[CURRENCIES.index(currency)]
    return sale_price(game, tile) if tile else None


def offer_beside(game: Game, slot: str, tile: str, price: int, currency: str, *, exact: bool = False) -> Offer:
    """Return the offer of a tile beside the market. Moves must name the tile, because the slot can hold several."""
    effects = game.ruleset.effects_of[game.ruleset.tiles[tile].kind]
    return Offer(slot, price, currency, effects, tile, named=True, exact=exact, taken=_from_beside)


def offers_beside_spaces(game: Game, kind: str) -> Iterator[Offer]:
    """Yield the offers of all tiles of a kind that lie beside a space (`beside_space`): printed price, currency of the
    space."""
    for place, currency in enumerate(CURRENCIES):
        slot = beside_space(place)
        for tile in game.state.beside.get(slot, ()):
            price = game.ruleset.tiles[tile].price
            if game.ruleset.tiles[tile].kind == kind and price is not None:
                yield offer_beside(game, slot, tile, price, currency)


def _from_beside(game: Game, offer: Offer, _payment: Payment) -> None:
    beside = game.state.beside
    left = without(beside[offer.slot], (offer.tile,))
    others = {slot: tiles for slot, tiles in beside.items() if slot != offer.slot}
    game.state.beside = {**others, offer.slot: left} if left else others


STEPS = (Step("space.draw", draw_for_space),)
AGENDA: Agenda = {"fill_market": fill_market, "fill_space": fill_space, "draw_for_space": draw_for_space}
