"""Offers, tenders, payments and purchases, as plain values.

An offer is a piece with a price in a currency. A payment is a multiset of cards and items. Tenders are what a seat may
use in a payment: money with a currency and value, or helpers that change the price, fill a shortage or allow two
currencies to be mixed. `rules.py` judges and makes one payment, `listing.py` finds all of them.
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
"""Currency of an offer: any one currency, chosen by the buyer."""
MIXED = "*"
"""Currency of an offer: any combination of currencies."""
DIAMOND = "diamond"


class Offer(NamedTuple):
    """Something that a seat may buy or bid for, paid by value. A move that demands cards regardless of their value is
    no offer."""

    slot: str
    price: int
    currency: str
    effects: tuple[str, ...] = ()
    """The columns of the purchase table that apply."""
    tile: str = ""
    piece: str = ""
    choice: str = ""
    """What the buyer adds or changes: a watchtower, a site."""
    named: bool = False
    """Whether a move must name the tile, because the slot holds several. A piece is always named."""
    exact: bool = False
    """Whether only an exact payment is accepted."""
    never_exact: bool = False
    """Whether a payment of exactly the price does not count as exact."""
    deposited: bool = False
    """Whether the payment is kept beside the piece and may be returned, as in a bid. Money that is only noted, not a
    card or coin, cannot be used then."""
    payee: int | None = None
    """The seat that receives the money cards instead of the discard."""
    purpose: str = "buy"
    """The kind of payment: buy, bid, chests … Tenders depend on it."""
    taken: Callable[[Game, Offer, Payment], None] | None = None
    """Called after payment to remove the piece from its slot."""
    begun: Callable[[Game, int], None] | None = None
    """Called with the buyer's seat before payment."""
    how: str = "buy"
    """How the buyer gets it, as in the event `acquired`."""


class Tender(NamedTuple):
    """Money or a helper that a seat may use in a payment for an offer."""

    noun: str
    id: str
    copies: int = 1
    currency: str = ""
    value: int = 0
    delta: int = 0
    """Change of the price by this helper."""
    fills: int = 0
    """Shortage that this helper fills, at most; the payment counts as exact then."""
    free: bool = False
    """Whether this helper pays everything, exactly."""
    mixes: tuple[str, ...] = ()
    """The two currencies that this helper allows to be mixed."""
    group: str = ""
    """Only one helper of each group may be used."""
    needs: tuple[str, ...] = ()
    """Items of which one must be used, too. An item without another effect must be required like this."""

    @property
    def opens(self) -> bool:
        """Whether it is a helper whose only effect is to allow tenders that require it."""
        return not (self.value or self.delta or self.fills or self.free or self.mixes)


@storable
class Payment(NamedTuple):
    """A payment, each part sorted."""

    cards: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@storable
class Purchase(NamedTuple):
    """A paid purchase, passed to the procedure `purchase`."""

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
    """How the buyer gets it, as in the offer."""
    payment: Payment = Payment()
    """The payment. Empty in games stored during a purchase by a version without this field."""
    currencies: tuple[str, ...] = ()
    """Currencies of the money paid. Empty in games stored by a version without this field."""

    @classmethod
    def of(cls, seat: int, offer: Offer, verdict: Verdict, at: str, payment: Payment) -> Purchase:
        """Return the purchase of an offer that was paid."""
        slot, price, currency, effects, tile, piece, choice, *_ = offer
        _, due, paid, exact, currencies = verdict
        bought = (seat, slot, tile, piece, choice, due, paid, exact, effects, price, currency, at, offer.how)
        return new_tuple(cls, (*bought, payment, currencies))

    @property
    def over(self) -> int:
        """The amount paid above the price."""
        return 0 if self.exact else max(0, self.paid - self.due)


class Verdict(NamedTuple):
    """The result of judging a payment."""

    violations: list[Violation]
    due: int
    paid: int
    exact: bool
    currencies: tuple[str, ...] = ()
    """Currencies of the money paid, in a fixed order."""
