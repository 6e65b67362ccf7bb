"""Lists of legal payments for an offer: exact before overpaid, undominated ones first.

A large hand has 100,000 of them, and helpers multiply that. Only `payments` and `iterate_payments` go through all, one
by one. `listed_payments` finds a representative few with a bounded amount of work. `sampling.py` finds out whether
there is a payment, and samples one, without a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...components import CURRENCIES
from ...fast_tuple import new_tuple
from .combinations import money_combinations
from .helper_items import (
    MAX_CURRENCY_SETS,
    Combinations,
    Combined,
    Helpers,
    is_leading,
    most_valuable_first,
    usable_money,
)
from .offers import Offer, Payment, Tender
from .rules import payment_with, tenders
from .sampling import first_payment

if TYPE_CHECKING:
    from ...game import Game
    from ...ruleset import Ruleset

LISTED = 100
"""Maximum number of payments per offer in a list of legal moves. Payments that show a helper for the first time are
added."""
SHARE_OF_MANY = 5
"""With more than LISTED_COMBINATIONS combinations of helpers, this fraction (one in …) of the payments is listed."""
FEWEST = 4
"""Minimum number of payments listed per offer, if there are as many."""
LISTED_IN_ALL = 400
"""Maximum number of payments for all offers in a list of moves. With more than four offers, each gets fewer."""
LISTED_COMBINATIONS = 50
"""Number of combinations of helpers, fewest helpers first, that are considered for a list."""
STEPS_FOR_EACH = 4
"""Steps through all payments for each payment to be listed."""
STEPS_IN_ALL = 480
"""Steps for all offers of a list of moves. With helpers, many steps lead to no payment."""
KEPT_PAYMENTS = 512
"""Maximum number of lists of card payments that are cached."""
SHOWN_STEPS = 4
"""Steps to find a payment with one helper alone."""

BRIEF = ("exact", "over")
"""The lists of money from which nothing can be left out."""
EVERY = ("exact", "over", "rest")

PaymentPosition = tuple[int, ...]
"""A position in the list of all payments: the number of a segment, then the number of copies of each tender."""


class PaymentStep(NamedTuple):
    """One step through the list of payments."""

    payment: Payment | None
    """None if the step led to no payment. It still counts as work, and the list can be continued after it."""
    segment: int
    usable: tuple[Tender, ...]
    money: tuple[Tender, ...]

    @property
    def position(self) -> PaymentPosition:
        """The position of this step; `iterate_payments(…, after=position)` continues after it."""
        return (self.segment, *(self.money.count(tender) for tender in self.usable))


class _Segment(NamedTuple):
    """A part of the list: payments of one kind, with the same helpers and one currency set."""

    number: int
    combined: Combined
    currency_set: frozenset[str]
    is_first_set: bool
    wanted: str
    spared: bool | None
    """Whether a helper can be left out of these payments with the same result; None if that does not matter."""


def payments(game: Game, seat: int, offer: Offer, *, brief: bool = False) -> Iterator[Payment]:
    """Yield every legal payment: exact ones, then overpaid ones, undominated first. `brief` stops before dominated
    ones."""
    return (found.payment for found in iterate_payments(game, seat, offer, brief=brief) if found.payment is not None)


def iterate_payments(
    game: Game, seat: int, offer: Offer, *, brief: bool = False, after: PaymentPosition | None = None
) -> Iterator[PaymentStep]:
    """Yield the steps through the list of payments. A step takes little time at any position, so a long list can be
    read in pages. Raise ValueError if there is no such position."""
    return _List(offer, tenders(game, seat, offer)).walk(brief=brief, after=after)


def listed_for_each(offers: int) -> int:
    """Return the number of payments listed for each offer in a list of moves with this many offers."""
    return min(LISTED, max(FEWEST, LISTED_IN_ALL // max(1, offers)))


def listed_payments(
    game: Game, seat: int, offer: Offer, shown: set[str] | None = None, most: int = LISTED
) -> list[Payment]:
    """Return representative undominated payments, in the order of the whole list: up to `most`, and one more for each
    helper that can be used alone and is not among them. At least one is returned if any payment is legal. Helpers in
    `shown` need not be shown again; `shown` is updated."""
    if not game.ruleset.tenders and offer.currency in CURRENCIES:
        return game.ruleset.table(CardPayments).undominated(game.state.seats[seat].hand, offer)[:most]
    held = tenders(game, seat, offer)
    if not any(not tender.value for tender in held):
        steps = _List(offer, held).walk(brief=True)
        return list(islice((found.payment for found in steps if found.payment is not None), most))
    found = _List(offer, held).selection(set() if shown is None else shown, most)
    if not found:
        payment = first_payment(offer, held)
        return [] if payment is None else [payment]
    return [payment for payment in (step.payment for step in found) if payment is not None]


class CardPayments:
    """Undominated payments with money cards of one currency, the only ones without modules that pay otherwise. They are
    cached by those cards and the price: a hand changes in one currency at a time, and prices are few."""

    __slots__ = ("_found", "_hand", "_known", "_tenders")

    def __init__(self, ruleset: Ruleset) -> None:
        self._known = ruleset.cards
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
        known = self._known
        worth: dict[str, int] = {}
        found: dict[str, list[str]] = {}
        for card in sorted(hand):
            card_kind = known[card]
            if card_kind.value:
                currency = card_kind.currency
                worth[currency] = worth.get(currency, 0) + card_kind.value
                found.setdefault(currency, []).append(card)
        return {currency: (worth[currency], tuple(cards)) for currency, cards in found.items()}

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


class _List:
    """The list of all payments of one seat for one offer."""

    def __init__(self, offer: Offer, held: list[Tender]) -> None:
        self.offer = offer
        self.money = [tender for tender in held if tender.value]
        self.currencies = {tender.currency for tender in self.money}
        self.combinations = Combinations(held)
        self._usable: dict[tuple[frozenset[str], Helpers], tuple[tuple[Tender, ...], frozenset[str], bool]] = {}
        """By currency set and the helpers that decide which money is allowed: that money, what must be used so that
        these helpers have an effect, and whether some of it requires a helper."""
        self._combined: dict[int, Combined] = {}
        """The first combinations by number; each is used for several kinds of payments."""

    def walk(
        self, *, brief: bool, after: PaymentPosition | None = None, first: int = 0, last: int | None = None
    ) -> Iterator[PaymentStep]:
        """Yield the steps after a position, with combinations from number `first` up to, but not including, `last`."""
        begin, begun = (after[0], after[1:]) if after is not None else (0, None)
        if begin < 0:
            raise ValueError("no such position in the list of payments")
        for segment in self._segments(begin, first, last, brief=brief):
            if segment.number != begin:
                begun = None
            yield from self._steps(segment, begun)

    def selection(self, shown: set[str], most: int) -> list[PaymentStep]:
        """Return the steps to representative payments, and add their helpers to `shown`."""
        found: dict[Payment, PaymentStep] = {}
        work = STEPS_IN_ALL * most // LISTED_IN_ALL
        if len(self.combinations) > LISTED_COMBINATIONS:
            most = max(FEWEST, most // SHARE_OF_MANY)
        for step in islice(self.walk(brief=True, last=LISTED_COMBINATIONS), min(work, STEPS_FOR_EACH * most)):
            if step.payment is not None:
                found[step.payment] = step
            if len(found) == most:
                break
        in_order = len(found)
        shown.update(item for payment in found for item in (*payment.cards, *payment.items))
        for number, helpers in self.combinations.numbered(1):
            if len(helpers) > 1:
                break
            if helpers[0].id not in shown:
                steps = islice(self.walk(brief=True, first=number, last=number + 1), SHOWN_STEPS)
                for step in steps:
                    if step.payment is not None:
                        found[step.payment] = step
                        shown.add(helpers[0].id)
                        break
        return list(found.values()) if len(found) == in_order else sorted(found.values(), key=_in_order)

    def _segments(self, begin: int, first: int, last: int | None, *, brief: bool) -> Iterator[_Segment]:
        """Yield the segments from a number on. Dominated payments, by money or by a helper, come last."""
        every = len(self.combinations)
        size = MAX_CURRENCY_SETS * every
        """Segment numbers per kind of payment."""
        for sort, wanted in enumerate(BRIEF):
            from_number = max(first, (begin - sort * size) // MAX_CURRENCY_SETS)
            for number, helpers in self.combinations.numbered(from_number, last):
                combined = self._combination(number, helpers)
                yield from _currency_sets(
                    sort * size + number * MAX_CURRENCY_SETS, begin, combined, wanted, spared=False
                )
        if brief:
            return
        each = MAX_CURRENCY_SETS * len(EVERY)
        dominated = len(BRIEF) * size
        for number, helpers in self.combinations.numbered(max(first, (begin - dominated) // each), last):
            for sort, wanted in enumerate(EVERY):
                if helpers or wanted == "rest":
                    at = dominated + number * each + sort * MAX_CURRENCY_SETS
                    spared = None if wanted == "rest" else True
                    yield from _currency_sets(at, begin, self._combination(number, helpers), wanted, spared=spared)

    def _combination(self, number: int, helpers: Helpers) -> Combined:
        found = self._combined.get(number)
        if found is None:
            found = Combined(self.offer, helpers, self.currencies)
            if number < LISTED_COMBINATIONS:
                self._combined[number] = found
        return found

    def _steps(self, segment: _Segment, begun: tuple[int, ...] | None) -> Iterator[PaymentStep]:
        """Yield the steps of a segment; one if it is empty, so that empty segments count as work."""
        number, combined, _, is_first_set, wanted, spared = segment
        helpers = combined.helpers
        usable, leading, needs = self._usable_money(segment)
        if begun is not None and (len(begun) != len(usable) or any(map(_too_many, begun, usable))):
            raise ValueError("no such position in the list of payments")
        empty = bool(helpers) and begun is None
        for chosen in self._money(combined, usable, wanted, begun):
            if leading and not (chosen and is_leading(chosen[0], leading)):
                break  # money that gives a helper its effect comes first: no later payment has any
            empty = False
            payment = None
            if not chosen and not is_first_set:
                pass  # the empty payment belongs to every currency set, but counts once
            elif not helpers:
                payment = payment_with((), chosen)
            elif not combined.has_idle_helper(chosen) and (
                spared is None or spared is combined.could_spare_a_helper(chosen, needs=needs)
            ):
                payment = payment_with(helpers, chosen)
            yield new_tuple(PaymentStep, (payment, number, usable, chosen))
        if empty:
            yield new_tuple(PaymentStep, (None, number, usable, ()))

    def _usable_money(self, segment: _Segment) -> tuple[tuple[Tender, ...], frozenset[str], bool]:
        deciding = segment.combined.deciding
        found = self._usable.get((segment.currency_set, deciding))
        if found is None:
            usable, leading = usable_money(self.offer, deciding, segment.currency_set, self.money)
            found = (usable, leading, any(tender.needs for tender in usable))
            self._usable[segment.currency_set, deciding] = found
        return found

    def _money(
        self, combined: Combined, usable: tuple[Tender, ...], wanted: str, after: tuple[int, ...] | None
    ) -> Iterable[tuple[Tender, ...]]:
        """Return the money of a segment, whether legal with its helpers or not."""
        offer = self.offer
        return money_combinations(
            usable,
            combined.due,
            wanted,
            exact_only=offer.exact,
            fills=combined.fills,
            never_exact=offer.never_exact,
            kept=not combined.helpers,
            after=after,
        )


def _currency_sets(
    number: int, begin: int, combined: Combined, wanted: str, *, spared: bool | None
) -> Iterator[_Segment]:
    """Yield the segments of a combination, one for each currency set, from number `begin` on."""
    for place, currency_set in enumerate(combined.currency_sets):
        if number + place >= begin:
            yield new_tuple(_Segment, (number + place, combined, currency_set, not place, wanted, spared))


def _in_order(found: PaymentStep) -> tuple[int, ...]:
    """Return the sort key of a step: within a segment, higher counts of the first tender come first."""
    return (found.segment, *(-count for count in found.position[1:]))


def _too_many(count: int, tender: Tender) -> bool:
    return not 0 <= count <= tender.copies
