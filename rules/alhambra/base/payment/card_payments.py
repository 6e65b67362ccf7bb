"""Payments with money cards of one currency, the only ones in a game whose modules bring no other way to pay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from .combinations import money_combinations
from .helper_items import most_valuable_first
from .offers import Offer, Payment, Tender
from .rules import payment_with

if TYPE_CHECKING:
    from ...ruleset import Ruleset

LISTED = 100
"""Maximum number of payments per offer in a list of legal moves. Payments that show a helper for the first time are
added."""
KEPT_PAYMENTS = 512
"""Maximum number of lists of card payments that are cached."""

BRIEF = ("exact", "over")
"""The lists of money from which nothing can be left out."""


class CardPayments:
    """Undominated payments with money cards of one currency, the only ones without modules that pay otherwise. They are
    cached by those cards and the price: a hand changes in one currency at a time, and prices are few."""

    __slots__ = ("_currencies", "_found", "_hand", "_known", "_tenders", "_values")

    def __init__(self, ruleset: Ruleset) -> None:
        self._known = ruleset.cards
        self._currencies = {card.id: card.currency for card in ruleset.cards.values() if card.value}
        self._values = {card.id: card.value for card in ruleset.cards.values()}
        self._hand: tuple[tuple[str, ...], dict[str, tuple[int, tuple[str, ...]]]] = ((), {})
        """The hand asked for last; by currency, the value of its cards and these cards. All offers of a market ask for
        the same hand."""
        self._tenders: dict[tuple[str, int], Tender] = {}
        self._found: dict[tuple[tuple[str, ...], int, bool, bool], list[Payment]] = {}

    def undominated(self, hand: tuple[str, ...], offer: Offer) -> list[Payment]:
        """Return up to LISTED payments for an offer in one currency, exact ones first."""
        kept, cards = self._hand  # one read, because threads may share the rules
        if kept is not hand:
            cards = self._by_currency(hand)
            self._hand = (hand, cards)
        worth, usable = cards.get(offer.currency, (0, ()))
        if worth < offer.price:
            return []
        key = (usable, offer.price, offer.exact, offer.never_exact)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= KEPT_PAYMENTS:
                self._found = {}
            found = self._found[key] = list(islice(self._list(*key), LISTED))
        return found

    def _by_currency(self, hand: tuple[str, ...]) -> dict[str, tuple[int, tuple[str, ...]]]:
        currencies, value_of = self._currencies, self._values.__getitem__
        found: dict[str, list[str]] = {}
        for card in sorted(hand):
            if card in currencies:
                found.setdefault(currencies[card], []).append(card)
        return {currency: (sum(map(value_of, cards)), tuple(cards)) for currency, cards in found.items()}

    def _list(self, cards: tuple[str, ...], price: int, exact: bool, never_exact: bool) -> Iterator[Payment]:
        usable = tuple(sorted([self._tender(card, cards.count(card)) for card in {*cards}], key=most_valuable_first))
        for wanted in BRIEF:
            for money in money_combinations(
                usable, price, wanted, exact_only=exact, fills=0, never_exact=never_exact, kept=False
            ):
                yield payment_with((), money)

    def _tender(self, card: str, copies: int) -> Tender:
        found = self._tenders.get((card, copies))
        if found is None:
            card_kind = self._known[card]
            found = Tender("cards", card, copies, card_kind.currency, card_kind.value)
            self._tenders[card, copies] = found
        return found
