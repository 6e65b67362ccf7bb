"""The market: four spaces, one currency each, refilled in ascending order; and what lies beside it.

Each empty space runs through the procedure `space`: seats may take something back from it, a module may have another
source than the tower, then tiles are drawn until one stays. Kinds of tiles that have a stall go beside the market
instead of onto a space. Once every space had its chance, one that is still empty ends the game: its sources and the
tower are exhausted. A full market with an empty tower does not end it.
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
    """Gives each empty space its chance to be filled, from space `begin` on. The end of the game begins if one stays
    empty."""
    state = game.state
    if not begin and "" not in state.market:
        return
    for place in range(begin, len(SLOTS)):
        if not state.market[place]:
            height = len(state.agenda)
            game.run_frame("space", place)
            if game.resume(height, fill_market, place + 1):
                return
    game.emit("market_filled", market=state.market, tower=len(state.tower))
    if "" in state.market:
        end_game(game, "market")


def draw_for_space(game: Game, place: int) -> None:
    """Draws tiles for one space until one stays there or the tower is empty; goes on after seats have decided."""
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
            settle(game, tile, place)
        if game.resume(height, draw_for_space, place):
            return


def fill_space(game: Game, place: int) -> None:
    """Draws for one space out of turn: whatever lies there beside the tile stays as it is. If the tower is exhausted
    before a tile stays, the space has the same chance, or ends the game, as in a regular refill."""
    game.push(fill_market)
    game.push(draw_for_space, place)


# -- On a space, or beside the market --------------------------------------------------------------------------------


def slot_for(game: Game, tile: str, place: int) -> str:
    """The slot where a tile lies that comes to a space: the space itself, or a stall beside the market."""
    stalls = game.ruleset.side_market
    stall = stalls.get(game.ruleset.tiles[tile].kind) if stalls else None
    return SLOTS[place] if stall is None else stall(place)


def settle(game: Game, tile: str, place: int) -> None:
    """A tile comes to a space without being offered to anybody: it is laid there, or beside the market if its kind
    has a stall. Then the space is still empty."""
    slot = slot_for(game, tile, place)
    if slot == SLOTS[place]:
        lay(game, tile, place)
    else:
        beside = game.state.beside
        game.state.beside = {**beside, slot: (*beside.get(slot, ()), tile)}


def lay(game: Game, tile: str, place: int) -> None:
    """A tile is laid on a market space."""
    market = list(game.state.market)
    market[place] = tile
    game.state.market = tuple(market)
    game.react(game.ruleset.laid, tile, place)


def beside_space(place: int) -> str:
    """The stall for tiles that lie beside one space and are bought in its currency."""
    return f"beside-{CURRENCIES[place]}"


# -- Prices ----------------------------------------------------------------------------------------------------------


def sale_price(game: Game, tile: str) -> int | None:
    """The printed price at which an open tile is for sale. None: it has no price, or something covers it."""
    return None if tile in game.state.covered else game.ruleset.tiles[tile].price


def price_on_space(game: Game, currency: str) -> int | None:
    """The price of the tile on the market space of a currency; None if there is no tile or it has no price."""
    tile = game.state.market[CURRENCIES.index(currency)]
    return sale_price(game, tile) if tile else None


def offer_beside(game: Game, slot: str, tile: str, price: int, currency: str, *, exact: bool = False) -> Offer:
    """The offer of a tile that lies beside the market. A move must name the tile, for a stall can hold several."""
    effects = game.ruleset.effects_of[game.ruleset.tiles[tile].kind]
    return Offer(slot, price, currency, effects, tile, named=True, exact=exact, taken=_from_beside)


def offers_beside_spaces(game: Game, kind: str) -> Iterator[Offer]:
    """The offers of all tiles of one kind that lie beside a space (`beside_space`): at the printed price, in the
    currency of the space, whatever lies on the space itself."""
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
