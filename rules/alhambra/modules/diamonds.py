"""06 The diamonds.

Ten diamond cards are shuffled into the money cards before the starting money is dealt. They are taken like any other
money, count as cards and with their value, and are a fifth currency: whatever has a price may be paid with diamonds
alone, in whichever currency it is asked, but never with diamonds and other money together. Diamonds do not count when
leftover tiles are given out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.payment.offers import Offer, Tender
from ..base.supply import DeckPlan
from ..components import Card, module_data
from ..game import Game
from ..module import Module

_DATA = module_data("diamonds")
VALUES: list[int] = _DATA["values"]
CARDS = {
    f"{_DATA['currency']}-{value}": Card(f"{_DATA['currency']}-{value}", "money", _DATA["currency"], value)
    for value in VALUES
}


def shuffle_in(plan: DeckPlan) -> None:
    """All ten belong to the money, however many play."""
    plan.money.extend(f"{_DATA['currency']}-{value}" for value in VALUES)


def tenders(game: Game, seat: int, _offer: Offer) -> Iterator[Tender]:
    """Yield the diamonds in hand for every offer; that they are paid with no other money is a rule of all payments."""
    hand = game.state.seats[seat].hand
    for id_, card in CARDS.items():
        if id_ in hand:
            yield Tender("cards", id_, hand.count(id_), card.currency, card.value)


MODULE = Module(
    number=6,
    key="diamonds",
    cards=tuple(CARDS.values()),
    deck=shuffle_in,
    tenders=tenders,
)
