"""Payments: what is offered for money, what may be laid down for it, and every legal way to pay.

offers.py        offers, tenders, payments and what comes of them, as plain values
rules.py         whether a payment is legal, and where the money goes
helper_items.py  items that lower a price or let more money be used, and which of them go together
combinations.py  which money makes up a price
listing.py       every legal payment for an offer, lazily, exact ones first
sampling.py      one legal payment without listing them: whether a seat can pay, and a random payment
verb.py          `paying_verb`: the verb of a module that sells something
"""
