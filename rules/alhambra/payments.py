"""Payments: what is offered for money, what a payment comes to, and every legal way to pay, in parts.

A verb that pays says so in its definition (`Verb.pays`): `verb.pays.offers(game, decision)` lists what can be paid for,
and `verb.pays.move(offer, payment)` writes the move. A rich hand can pay one offer in a hundred thousand ways, so
nothing should need the whole list: `walk` goes along it step by step and begins behind any place of it.
"""

from .base.payment.listing import Found, Place, listed_payments, walk
from .base.payment.offers import MIXED, Offer, Payment, Verdict
from .base.payment.rules import judge, payment_of
from .base.payment.sampling import affordable

__all__ = [
    "MIXED",
    "Found",
    "Offer",
    "Payment",
    "Place",
    "Verdict",
    "affordable",
    "judge",
    "listed_payments",
    "payment_of",
    "walk",
]
