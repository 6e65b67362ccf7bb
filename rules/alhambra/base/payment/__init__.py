"""Payments: offers, tenders, and every legal payment.

offers.py        offers, tenders, payments and verdicts, as plain values
rules.py         whether a payment is legal, and where the money goes
helper_items.py  items that lower a price or allow other money, and how they combine
combinations.py  combinations of money that pay a price
listing.py       every legal payment for an offer, lazily, exact ones first
sampling.py      whether a seat can pay, and a random payment, without a list
verb.py          `paying_verb`: verbs of modules that sell something
"""
