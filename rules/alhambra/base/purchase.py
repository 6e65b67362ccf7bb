"""Buying: pay for the contents of a slot.

In the base game this is a tile on a market space, for at least its price in the currency of the space; no change is
given. An exact payment grants a further action. The tile is pending until the actions of the turn are over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..components import CURRENCIES
from ..module import EveryEffect, Step, TileKind
from ..moves import Move, paying_move
from ..state import Decision
from ..violations import Violation
from .payment.offers import Offer, Payment, Purchase
from .payment.rules import pay
from .payment.verb import paying_verb
from .place_tiles import acquire
from .supply import SLOTS, clear_space

if TYPE_CHECKING:
    from ..game import Game
    from ..ruleset import Ruleset

STANDARD = TileKind("standard", EveryEffect(), typed=True)
START = TileKind("start")
EFFECTS = {
    "bonus": "An exact payment grants a further action.",
    "coins": "Overpaying gives change.",
}
MOST_ACTIONS = 5
OFFER_NOUNS = ("tile", "piece", "choice")
"""The nouns that distinguish offers of the same slot."""


def market_offers(game: Game, _seat: int) -> tuple[Offer, ...]:
    """Return the tiles on the four market spaces as offers, at their printed prices."""
    return game.ruleset.table(MarketOffers).offers(game.state.market)


class MarketOffers:
    """Offers of all tiles that can lie on the market. The result for the last market is cached, because it is used many
    times until a tile is sold."""

    __slots__ = ("_last", "_printed")

    def __init__(self, ruleset: Ruleset) -> None:
        self._printed = [
            {
                tile.id: Offer(
                    slot, tile.price, currency, ruleset.effects_of[tile.kind], tile.id, taken=_clear_offer_space
                )
                for tile in ruleset.tiles.values()
                if tile.price is not None
            }
            for slot, currency in zip(SLOTS, CURRENCIES, strict=True)
        ]
        """For each market space: the offer of every tile that can lie there."""
        self._last: tuple[tuple[str, ...], tuple[Offer, ...]] = ((), ())

    def offers(self, market: tuple[str, ...]) -> tuple[Offer, ...]:
        """Return the offers of a market."""
        kept, offers = self._last  # one read, because threads may share the rules
        if kept is not market:
            offers = tuple([printed[tile] for printed, tile in zip(self._printed, market, strict=True) if tile])
            self._last = (market, offers)
        return offers


def _clear_offer_space(game: Game, offer: Offer, _payment: Payment) -> None:
    clear_space(game, SLOTS.index(offer.slot))


def offers_at(game: Game, decision: Decision) -> list[Offer]:
    """Return all offers for the seat at this decision, including variations."""
    found: list[Offer] = []
    for contribute in game.ruleset.offers.get(decision.kind, ()):
        found.extend(contribute(game, decision.seat))
    if game.ruleset.variations:
        return [variation for offer in found for variation in _with_variations(game, decision.seat, offer)]
    return found


def _with_variations(game: Game, seat: int, offer: Offer) -> Iterator[Offer]:
    yield offer
    for vary in game.ruleset.variations:
        yield from vary(game, seat, offer)


def _offer_nouns(offer: Offer) -> tuple[str | None, str | None, str | None]:
    """Return tile, piece and choice as a move for this offer names them."""
    return (offer.tile or None) if offer.named else None, offer.piece or None, offer.choice or None


def why_not_on_offer(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return why a move matches no offer."""
    unknown = list(_unknown_ids(game, move))
    named = {fault.noun for fault in unknown}
    return unknown + [fault for fault in _not_on_offer(game, decision, move) if fault.noun not in named]


def _unknown_ids(game: Game, move: Move) -> Iterator[Violation]:
    if move.tile is not None and move.tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=move.tile)
    if move.piece is not None and move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)


def _not_on_offer(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield why a move matches no offer: the slot sells nothing, or not what the move names."""
    names = [_offer_nouns(offer) for offer in offers_at(game, decision) if offer.slot == move.slot]
    unsold = [explain(game, decision.seat, move) for explain in game.ruleset.unsold.get(decision.kind, ())]
    because = next((fault for fault in unsold if fault is not None), None)
    if because is not None:
        yield because
        return
    if not names:
        if move.piece in game.ruleset.pieces:
            yield Violation("NOT_THERE", "piece", id=move.piece, place="slot")
        else:
            yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
        return
    named = (move.tile, move.piece, move.choice)
    faults = []
    for noun, value, offered in zip(OFFER_NOUNS, named, zip(*names, strict=True), strict=True):
        if value in offered:
            continue
        if value is None:
            faults.append(Violation("NOUN_MISSING", noun, noun=noun))
        elif noun != "choice" and not any(offered):
            faults.append(Violation("NOUN_UNEXPECTED", noun, noun=noun))
        else:
            faults.append(Violation("NOT_THERE", noun, id=value, place="slot"))
    # Otherwise each noun is on offer, but not this combination.
    yield from faults or [Violation("NOT_THERE", "slot", id=move.slot, place="slot")]


def buy(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """Pay for the offer, take the piece and start the procedure `purchase`."""
    if offer.begun is not None:
        offer.begun(game, decision.seat)
    verdict = pay(game, decision.seat, offer, payment)
    purchase = Purchase.of(decision.seat, offer, verdict, decision.kind, payment)
    game.push_procedure("purchase", purchase)
    if offer.taken is not None:
        offer.taken(game, offer, payment)
    if offer.tile:
        acquire(game, decision.seat, offer.tile, offer.how)
    elif offer.piece:
        game.emit("acquired", seat=decision.seat, piece=offer.piece, how=offer.how)


def grant_bonus(game: Game, purchase: Purchase) -> None:
    """Grant a further action for an exact payment."""
    if purchase.exact and "bonus" in purchase.effects:
        grant_action(game, purchase.seat)


def grant_action(game: Game, seat: int) -> None:
    """Grant a further action for an exact payment, unless the turn has reached the maximum or the seat resigned."""
    state = game.state
    if state.seats[seat].resigned:
        return
    if game.options.rules["max_actions"] == "five" and len(state.taken) >= MOST_ACTIONS:
        return
    state.actions += 1
    game.emit("bonus_action", seat=seat, because="exact")


def purchase_of(offer: Offer, payment: Payment) -> Move:
    """Return the move that buys an offer with this payment."""
    tile, piece, choice = _offer_nouns(offer)
    return paying_move("buy", tile, piece, offer.slot, payment, choice)


BUY = paying_verb(
    "buy",
    "slot [tile piece cards display items choice]",
    offers=offers_at,
    paid=buy,
    unoffered=why_not_on_offer,
    move=purchase_of,
    at=("action",),
    action=True,
)
STEPS = (Step("purchase.bonus", grant_bonus),)
