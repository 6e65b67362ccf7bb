"""Offers, what may be laid down for them, and what comes of it: the records that purchases and bids are made of.

An offer is a thing with a price in a currency. A payment is a multiset of cards and items. What a seat may put into it
are its tenders: money of a currency and value, or helpers that change the price, fill a shortage or let two currencies
be mixed. `payment.py` judges and makes one payment, `ways_to_pay.py` finds all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ...codec import storable
from ...fast_tuple import new_tuple
from ...violations import Violation

if TYPE_CHECKING:
    from ...game import Game


ANY_ONE = ""
"""As an offer's currency: one currency of the buyer's choice."""
MIXED = "*"
"""As an offer's currency: any combination of currencies."""
DIAMOND = "diamond"


class Offer(NamedTuple):
    """Something that a seat may buy, or bid for. It is paid by value: a move that demands cards, whatever they are
    worth, is no offer."""

    slot: str
    price: int
    currency: str
    effects: tuple[str, ...] = ()
    """The columns of the purchase table that apply."""
    tile: str = ""
    piece: str = ""
    choice: str = ""
    """What the buyer adds or does otherwise: a watchtower, a site."""
    named: bool = False
    """Whether the move must name the tile or piece, because the slot holds several."""
    exact: bool = False
    """Whether only an exact payment is accepted."""
    never_exact: bool = False
    """Whether money that meets the price counts as not exact all the same."""
    deposited: bool = False
    """Whether what is laid down lies beside the thing and may come back, as in a standing bid: money that is written
    down somewhere, and is no card or coin, cannot lie there."""
    payee: int | None = None
    """The seat that receives the money cards, instead of the discard."""
    purpose: str = "buy"
    """The kind of payment: buy, bid, chests … Tenders look at it."""
    taken: Callable[[Game, Offer, Payment], None] | None = None
    """How the thing leaves its slot, once it is paid and before the buyer has it."""
    begun: Callable[[Game, int], None] | None = None
    """What happens before it is paid; gets the buyer's seat."""
    how: str = "buy"
    """How the buyer comes to it, in the word of the event `acquired`."""


class Tender(NamedTuple):
    """Something that a seat may put into a payment for an offer: money, or a helper."""

    noun: str
    id: str
    copies: int = 1
    currency: str = ""
    value: int = 0
    delta: int = 0
    """A helper that changes the price by this much."""
    fills: int = 0
    """A helper that fills a shortage of up to this much; the payment then counts as exact."""
    free: bool = False
    """A helper that pays everything, exactly."""
    mixes: tuple[str, ...] = ()
    """A helper that lets these two currencies be mixed."""
    group: str = ""
    """Of the helpers of one group only one may be used."""
    needs: tuple[str, ...] = ()
    """It may be used only together with one of these items. An item that does nothing else must be needed like that."""

    @property
    def opens(self) -> bool:
        """Whether it is a helper that does nothing but let other things be used, those that need it."""
        return not (self.value or self.delta or self.fills or self.free or self.mixes)


@storable
class Payment(NamedTuple):
    """What is put down, each part sorted."""

    cards: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@storable
class Purchase(NamedTuple):
    """A purchase that was paid: the procedure `purchase` gets it."""

    seat: int
    slot: str
    tile: str
    piece: str
    choice: str
    due: int
    paid: int
    exact: bool
    effects: tuple[str, ...]
    price: int
    currency: str
    at: str
    """The decision that was answered."""
    how: str
    """How the buyer comes to it: the word of the offer."""
    payment: Payment = Payment()
    """What was paid with. Empty in a game that was stored in the middle of a purchase before this was kept."""
    currencies: tuple[str, ...] = ()
    """The currencies of the money in it. Empty in a game that was stored before this was kept, like the payment."""

    @classmethod
    def of(cls, seat: int, offer: Offer, verdict: Verdict, at: str, payment: Payment) -> Purchase:
        """What becomes of an offer once it is paid."""
        slot, price, currency, effects, tile, piece, choice, *_ = offer
        _, due, paid, exact, currencies = verdict
        bought = (seat, slot, tile, piece, choice, due, paid, exact, effects, price, currency, at, offer.how)
        return new_tuple(cls, (*bought, payment, currencies))

    @property
    def over(self) -> int:
        """How much was paid beyond the price."""
        return 0 if self.exact else max(0, self.paid - self.due)


class Verdict(NamedTuple):
    """What a payment comes to."""

    violations: list[Violation]
    due: int
    paid: int
    exact: bool
    currencies: tuple[str, ...] = ()
    """The currencies of the money that was paid, in a fixed order."""
