"""02 The bureaux de change.

Six bureau cards, each with two currencies, lie in the second, third and fourth pile of the money deck. A bureau that is
turned up lies among the open money cards; it is taken alone, instead of money. It is played with the payment for one
thing whose currency it shows, or for a bid in an auction: then both its currencies may be mixed in that payment, and
something of the other currency must be paid. One bureau serves one payment, and goes to the discard.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.payment.offers import Offer, Tender
from ..base.supply import DeckPlan
from ..components import Card, module_data
from ..game import Game
from ..module import Module

_DATA = module_data("bureaux_de_change")
PAIRS: dict[str, tuple[str, ...]] = {card["id"]: tuple(card["currencies"]) for card in _DATA["cards"]}
IN_PILES = {int(pile): int(count) for pile, count in _DATA["deck_piles"].items()}


def insert_cards(plan: DeckPlan) -> None:
    """Two bureaux, whichever they are, go into each of three piles."""
    cards = plan.shuffled("bureaux", PAIRS)
    for pile, count in IN_PILES.items():
        plan.insert(pile, [cards.pop() for _ in range(count)])


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield the bureaux in hand that show the currency asked for. In an auction, where no currency is asked for, all
    serve; where else the buyer may choose the currency, none does."""
    for card in game.state.seats[seat].hand:
        pair = PAIRS.get(card, ())
        if offer.currency in pair or (pair and offer.purpose == "bid"):
            yield Tender("cards", card, mixes=pair)


MODULE = Module(
    number=2,
    key="bureaux_de_change",
    cards=tuple(Card(card, "bureau") for card in PAIRS),
    deck=insert_cards,
    tenders=tenders,
)
