"""Payments: offers, their legal payments, and checks of a payment.

A verb that pays has `Verb.pays`: `verb.pays.offers(game, decision)` lists what can be bought, and
`verb.pays.move(offer, payment)` returns the move. A large hand can have 100,000 legal payments for one offer, so do not
list them all: `iterate_payments` yields them one by one and can continue from any position.
"""

from .base.payment.listing import (
    OfferPayments,
    PaymentPosition,
    PaymentStep,
    SharedLists,
    iterate_payments,
    listed_payments,
)
from .base.payment.offers import MIXED, Offer, Payment, Verdict
from .base.payment.rules import judge, payment_of
from .base.payment.sampling import affordable
from .deprecated import renamed

__all__ = [
    "MIXED",
    "Offer",
    "OfferPayments",
    "Payment",
    "PaymentPosition",
    "PaymentStep",
    "SharedLists",
    "Verdict",
    "affordable",
    "iterate_payments",
    "judge",
    "listed_payments",
    "payment_of",
]

__getattr__ = renamed(__name__, {"Found": "PaymentStep", "Place": "PaymentPosition", "walk": "iterate_payments"})
