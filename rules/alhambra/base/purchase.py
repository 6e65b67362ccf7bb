"""Buying: pay for what lies in a slot.

In the base game that is a tile on a market space, for at least its price in the space's currency; no change is given.
Paid exactly, the purchase grants a further action. The tile is pending until the turn's actions are over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..components import CURRENCIES
from ..fast_tuple import new_tuple
from ..module import EveryEffect, Step, TileKind
from ..moves import Move
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
NAMING = ("tile", "piece", "choice")
"""The nouns that tell the offers of one slot apart."""


def market_offers(game: Game, _seat: int) -> tuple[Offer, ...]:
    """The tiles on the four market spaces, at their printed prices."""
    return game.ruleset.table(Stall).offers(game.state.market)


class Stall:
    """What can lie on the market, as it is offered then. The same market is looked at before a purchase, while it is
    made, and by everybody until a tile is sold: so the last one is kept."""

    __slots__ = ("_last", "_printed")

    def __init__(self, ruleset: Ruleset) -> None:
        self._printed = [
            {
                tile.id: Offer(
                    *(slot, tile.price, currency, ruleset.effects_of[tile.kind], tile.id), taken=_off_the_market
                )
                for tile in ruleset.tiles.values()
                if tile.price is not None
            }
            for slot, currency in zip(SLOTS, CURRENCIES, strict=True)
        ]
        """For each market space: every tile that can lie there."""
        self._last: tuple[tuple[str, ...], tuple[Offer, ...]] = ((), ())

    def offers(self, market: tuple[str, ...]) -> tuple[Offer, ...]:
        """The offers of a market."""
        kept, offers = self._last  # both at once: threads may share the rules
        if kept is not market:
            offers = tuple([printed[tile] for printed, tile in zip(self._printed, market, strict=True) if tile])
            self._last = (market, offers)
        return offers


def _off_the_market(game: Game, offer: Offer, _payment: Payment) -> None:
    clear_space(game, SLOTS.index(offer.slot))


def offers_at(game: Game, decision: Decision) -> list[Offer]:
    """Everything that the asked seat may buy at this decision, with every variation."""
    found: list[Offer] = []
    for contribute in game.ruleset.offers.get(decision.kind, ()):
        found.extend(contribute(game, decision.seat))
    if game.ruleset.variations:
        return [variation for offer in found for variation in _varied(game, decision.seat, offer)]
    return found


def _varied(game: Game, seat: int, offer: Offer) -> Iterator[Offer]:
    yield offer
    for vary in game.ruleset.variations:
        yield from vary(game, seat, offer)


def _named(offer: Offer) -> tuple[str | None, str | None, str | None]:
    """The nouns tile, piece and choice as a move for this offer spells them."""
    return (offer.tile or None) if offer.named else None, offer.piece or None, offer.choice or None


def why_not_on_offer(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Why a move means none of the offers."""
    unknown = list(_unknown_ids(game, move))
    named = {fault.noun for fault in unknown}
    return unknown + [fault for fault in _not_on_offer(game, decision, move) if fault.noun not in named]


def _unknown_ids(game: Game, move: Move) -> Iterator[Violation]:
    if move.tile is not None and move.tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=move.tile)
    if move.piece is not None and move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)


def _not_on_offer(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Why a move means no offer: nothing is sold in that slot, or not what the move names."""
    names = [_named(offer) for offer in offers_at(game, decision) if offer.slot == move.slot]
    unsold = [look(game, decision.seat, move) for look in game.ruleset.unsold.get(decision.kind, ())]
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
    for noun, value, offered in zip(NAMING, named, zip(*names, strict=True), strict=True):
        if value in offered:
            continue
        if value is None:
            faults.append(Violation("NOUN_MISSING", noun, noun=noun))
        elif noun != "choice" and not any(offered):
            faults.append(Violation("NOUN_UNEXPECTED", noun, noun=noun))
        else:
            faults.append(Violation("NOT_THERE", noun, id=value, place="slot"))
    # What is left are nouns that are on offer there one by one, but not together.
    yield from faults or [Violation("NOT_THERE", "slot", id=move.slot, place="slot")]


def buy(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """Pays, takes the thing, and lets the purchase have its effects."""
    if offer.begun is not None:
        offer.begun(game, decision.seat)
    verdict = pay(game, decision.seat, offer, payment)
    purchase = Purchase.of(decision.seat, offer, verdict, decision.kind, payment)
    game.enter("purchase", purchase)
    if offer.taken is not None:
        offer.taken(game, offer, payment)
    if offer.tile:
        acquire(game, decision.seat, offer.tile, offer.how)
    elif offer.piece:
        game.emit("acquired", seat=decision.seat, piece=offer.piece, how=offer.how)


def grant_bonus(game: Game, purchase: Purchase) -> None:
    """An exact payment grants a further action."""
    if purchase.exact and "bonus" in purchase.effects:
        grant_action(game, purchase.seat)


def grant_action(game: Game, seat: int) -> None:
    """A further action for paying exactly, unless the turn has as many as the options allow, or the seat resigned."""
    state = game.state
    if state.seats[seat].resigned:
        return
    if game.options.rules["max_actions"] == "five" and len(state.taken) >= MOST_ACTIONS:
        return
    state.actions += 1
    game.emit("bonus_action", seat=seat, because="exact")


def purchase_of(offer: Offer, payment: Payment) -> Move:
    """The move that takes an offer and pays it like this."""
    tile, piece, choice = _named(offer)
    nouns = (tile, piece, None, None, None, offer.slot, *payment, None, None, None, None, choice)
    return new_tuple(Move, ("buy", *nouns))


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
