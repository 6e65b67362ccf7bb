"""41 The personal building market.

Instead of a reserve board everybody has four market places, one of each currency, for one tile each. A tile that is not
built, or that leaves the Alhambra, goes to any free one of them. There its owner may build it in later, and every other
player may buy it in their own turn, for its price in the currency of the place; the money goes to the owner, who can
refuse nothing. What has no price is not for sale. Only if all four places are taken a further tile takes the place of
one that lies there, which leaves the game, or leaves the game itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.market import sale_price
from ..base.payment.offers import Offer, Payment
from ..base.payment.rules import received_cards
from ..base.place_tiles import hold, leave, ordinary_tiles
from ..base.supply import box_tile
from ..components import COLOURS, module_data
from ..declarations import PieceKind, Reason
from ..game import Game
from ..module import DecisionKind, Module, Reserve, Step, Verb
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

KEY = "personal_building_market"
PLACES: tuple[str, ...] = tuple(place["currency"] for place in module_data(KEY)["tiles_per_player"])
EFFECTS = (
    *("bonus", "coins", "certificate", "colours", "treasure", "carpenter", "white_die", "watchtower", "patron"),
    *("coiner", "scout", "key"),
)
"""What buying from another player allows, as far as the kind of tile does."""


_SLOTS = [[f"personal-{seat}-{currency}" for currency in PLACES] for seat in range(len(COLOURS))]


@dataclass(slots=True)
class Markets:
    """By seat: the tiles at the four places, in the order of their currencies; an empty text where none lies."""

    lying: tuple[tuple[str, ...], ...] = ()


def lay_out(game: Game) -> None:
    """Everybody's places are empty."""
    game.module_state(Markets).lying = (("",) * len(PLACES),) * len(game.state.seats)


def slots_of(game: Game, seat: int) -> dict[str, str]:
    """Return the places of a seat by their slots, each with its tile."""
    return dict(zip(_SLOTS[seat], game.module_state(Markets).lying[seat], strict=True))


def _fill(game: Game, seat: int, slots: dict[str, str]) -> None:
    markets = game.module_state(Markets)
    markets.lying = (*markets.lying[:seat], tuple(slots.values()), *markets.lying[seat + 1 :])


# -- In place of the reserve ---------------------------------------------------------------------------------------


def tiles_lying(game: Game, seat: int) -> tuple[str, ...]:
    """Return the tiles at the places of a seat."""
    return tuple(tile for tile in game.module_state(Markets).lying[seat] if tile)


def take(game: Game, seat: int, tile: str) -> None:
    """The tile leaves its place."""
    _fill(game, seat, {slot: "" if lying == tile else lying for slot, lying in slots_of(game, seat).items()})


def _open_slots(game: Game, seat: int) -> list[str]:
    """Return the places for a further tile: the free ones; if there is none, all."""
    slots = slots_of(game, seat)
    return [slot for slot, lying in slots.items() if not lying] or list(slots)


def verify_place(game: Game, seat: int, move: Move) -> Iterator[Violation]:
    """A tile goes to one of their own places, and to an occupied one only if all are (41.27)."""
    if move.slot is None:
        yield Violation("NOUN_MISSING", "slot", noun="slot")
    elif move.slot not in slots_of(game, seat):
        yield Violation("NOT_THERE", "slot", id=move.slot, place="reserve")
    elif move.slot not in _open_slots(game, seat):
        yield Violation("PLACE_TAKEN", "slot", slot=move.slot)


def put(game: Game, seat: int, move: Move) -> None:
    """The tile lies there for all to buy; one that it replaces leaves the game."""
    tile = need(move.tile)
    slot = need(move.slot)
    slots = slots_of(game, seat)
    replaced = slots[slot]
    if replaced:
        box_tile(game, replaced, seat=seat, slot=slot)
    _fill(game, seat, {**slots, slot: tile})
    game.emit("reserved", seat=seat, tile=tile, slot=slot)


def ways_to_put(game: Game, seat: int, tile: str) -> Iterator[Move]:
    """Yield a move for each place that is open to the tile."""
    for slot in _open_slots(game, seat):
        yield Move("reserve", tile, slot=slot)


def stow(game: Game, seat: int, tile: str) -> None:
    """The owner says where a tile goes that left the Alhambra; until then it is pending."""
    hold(game, seat, tile)
    game.push(ask_where, seat, tile)


def ask_where(game: Game, seat: int, tile: str) -> None:
    """Where the tile goes: which currency, is a choice that everybody has."""
    game.ask("stow", seat, tiles=(tile,))


# -- Out of the game -----------------------------------------------------------------------------------------------


def verify_box(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """The tile is at hand, and there is no free place for it."""
    if move.tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=move.tile)
    elif move.tile not in ordinary_tiles(game, decision):
        yield Violation("NOT_THERE", "tile", id=move.tile, place="pending")
    free = len(PLACES) - len(tiles_lying(game, decision.seat))
    if free:
        yield Violation("CONDITION_UNMET", "verb", what="free_places", need=0, have=free)


def boxings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile at hand, if all places are taken."""
    if len(tiles_lying(game, decision.seat)) == len(PLACES):
        for tile in ordinary_tiles(game, decision):
            yield Move("box", tile)


# -- For sale ------------------------------------------------------------------------------------------------------


def offers(game: Game, seat: int) -> Iterator[Offer]:
    """Yield what lies at the places of the others and is for sale. For a seat that resigned nobody takes the money."""
    lying_at = game.module_state(Markets).lying
    for owner, person in enumerate(game.state.seats):
        if owner == seat or not any(lying_at[owner]):
            continue
        for currency, (slot, lying) in zip(PLACES, slots_of(game, owner).items(), strict=True):
            price = sale_price(game, lying) if lying else None
            if price is not None:
                allowed = game.ruleset.effects_of[game.ruleset.tiles[lying].kind]
                effects = tuple(effect for effect in EFFECTS if effect in allowed)
                payee = None if person.resigned else owner
                yield Offer(slot, price, currency, effects, lying, payee=payee, taken=hand_over)


def without_price(game: Game, _seat: int, move: Move) -> Violation | None:
    """A tile that has no price, or that something covers, lies there and cannot be bought."""
    places = (slots_of(game, seat) for seat in _seats(game))
    lying = next((slots[move.slot] for slots in places if move.slot in slots), "")
    if not lying or sale_price(game, lying) is not None:
        return None
    return Violation("NOT_ELIGIBLE", "slot", tile=lying, for_="sale")


def hand_over(game: Game, offer: Offer, payment: Payment) -> None:
    """The tile leaves its place; its owner has the money by now."""
    seller = next(seat for seat in _seats(game) if offer.slot in slots_of(game, seat))
    take(game, seller, offer.tile)
    cards = () if offer.payee is None else received_cards(game, payment)
    game.emit("sold", tile=offer.tile, slot=offer.slot, seller=seller, cards=cards)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the four places of every seat, under their tiles where one lies there."""
    for seat, lying in enumerate(game.module_state(Markets).lying):
        for currency, tile in zip(PLACES, lying, strict=True):
            yield {"kind": "personal", "seat": seat, "currency": currency, "tile": tile}


def _seats(game: Game) -> range:
    return range(len(game.state.seats))


def census(game: Game) -> Iterator[str]:
    """Yield the tiles at all places."""
    for seat in _seats(game):
        yield from tiles_lying(game, seat)


MODULE = Module(
    number=41,
    key=KEY,
    events={
        "sold": "A tile was sold from a personal market.",
    },
    reasons=(Reason("CONDITION_UNMET", "A tile leaves the game only if all places are taken.", ("free_places",)),),
    piece_kinds=(
        PieceKind(
            "personal",
            "A place of a personal market, with the tile that lies there.",
            holds_tile=True,
        ),
    ),
    slots=tuple(slot for places in _SLOTS for slot in places),
    state=Markets,
    offers={"action": offers},
    unsold={"action": without_price},
    verbs=(Verb("box", "tile", verify_box, leave, boxings, at=("place_tiles", "place_now", "stow")),),
    decisions=(DecisionKind("stow", verbs=("reserve",)),),
    steps=(Step("setup.deal", lay_out),),
    agenda={"ask_where": ask_where},
    reserve=Reserve(tiles_lying, take, stow, verify_place, put, ways_to_put),
    public_pieces=public_pieces,
    census=census,
)
