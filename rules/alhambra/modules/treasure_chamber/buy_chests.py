"""Buying all chests of a room, for 8 or more in any mixture of currencies."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import MIXED, Offer, Payment
from ...base.payment.rules import pay
from ...base.payment.verb import paying_verb
from ...game import Game
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .chamber import DATA, Chamber


def rooms_for_sale(game: Game, _decision: Decision) -> Iterator[Offer]:
    """Yield every room with chests in it."""
    for slot, chests in game.module_state(Chamber).rooms.items():
        if chests:
            yield Offer(slot, DATA["price"], MIXED, never_exact=True, purpose="chests")


def buy_chests(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """The chests wait for the end of the turn."""
    chamber = game.module_state(Chamber)
    pay(game, decision.seat, offer, payment)
    chests = chamber.rooms[offer.slot]
    chamber.rooms = {**chamber.rooms, offer.slot: ()}
    chamber.bought, chamber.emptied = (*chamber.bought, *chests), (*chamber.emptied, offer.slot)
    game.emit("chests_bought", seat=decision.seat, slot=offer.slot, types=chests)


def no_room(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """There is no such room, or it is empty."""
    yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")


BUY_CHESTS = paying_verb(
    "buy_chests",
    "slot [cards items]",
    offers=rooms_for_sale,
    paid=buy_chests,
    unoffered=no_room,
    at=("action",),
    action=True,
)
