"""Helpers in a payment: which can be combined, the resulting price, and which have no effect.

Used for judging one payment, listing all, and sampling one. A seat can have 10,000 combinations of helpers;
`Combinations` yields them one by one, those with the fewest helpers first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, islice, product
from math import prod

from ...components import CURRENCIES
from .offers import ANY_ONE, DIAMOND, MIXED, Offer, Tender

Helpers = tuple[Tender, ...]


class Combinations:
    """All combinations of a seat's helpers with at most one of each group, fewest helpers first. The order is fixed, so
    a combination can be found by its number."""

    __slots__ = ("groups",)

    def __init__(self, held: Iterable[Tender]) -> None:
        found: dict[str, list[Tender]] = {}
        for tender in held:
            if not tender.value:
                found.setdefault(group_of(tender), []).append(tender)
        self.groups = list(found.values())

    def __len__(self) -> int:
        return prod(len(group) + 1 for group in self.groups)

    def __iter__(self) -> Iterator[Helpers]:
        sizes = range(len(self.groups) + 1)
        chosen = chain.from_iterable(combinations(self.groups, size) for size in sizes)
        return chain.from_iterable(product(*groups) for groups in chosen)

    def numbered(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Helpers]]:
        """Yield (number, combination), from number `first` up to, but not including, `last`."""
        return enumerate(islice(self, first, last), first)


def group_of(helper: Tender) -> str:
    """Return the group of a helper. A helper without a group is its own group; all that mix currencies form one
    group."""
    return helper.group or ("mixes" if helper.mixes else f"{helper.noun}/{helper.id}")


# -- What they do to the price -------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def may_be_combined(helpers: Helpers) -> bool:
    """Return whether the helpers can be combined in one payment: one that pays everything must be alone, at most one
    mixes currencies, at most one of each group is used, and required items are included. Cached, because all offers of
    a list ask about the same helpers."""
    if len(helpers) < 2:
        return not (helpers and helpers[0].needs)
    if len({group_of(helper) for helper in helpers}) < len(helpers):
        return False
    if any(helper.free for helper in helpers) or sum(1 for helper in helpers if helper.mixes) > 1:
        return False
    return all(has_what_it_needs(helper, helpers) for helper in helpers)


def has_what_it_needs(tender: Tender, helpers: Iterable[Tender]) -> bool:
    """Return whether one of the items that the tender requires is included."""
    return not tender.needs or any(helper.id in tender.needs for helper in helpers)


def price_with(offer: Offer, helpers: Iterable[Tender]) -> int:
    """Return the price with these helpers, at least 0."""
    return max(0, offer.price + sum([helper.delta for helper in helpers]))


def without_effect_on_price(offer: Offer, helpers: Iterable[Tender]) -> list[Tender]:
    """Return the helpers that should change the price but do not, because it is 0 without them."""
    total = offer.price + sum([helper.delta for helper in helpers])
    if total > 0:
        return []
    return [helper for helper in helpers if helper.delta and total - helper.delta <= 0]


# -- What they do to the money -------------------------------------------------------------------------------------


def _currency_sets(currency: str) -> tuple[frozenset[str], ...]:
    if currency == MIXED:
        return (frozenset(CURRENCIES),)
    return tuple(frozenset({one}) for one in (CURRENCIES if currency == ANY_ONE else (currency,)))


CURRENCY_SETS = {currency: _currency_sets(currency) for currency in (*CURRENCIES, ANY_ONE, MIXED)}
"""By currency of an offer: the sets of currencies that can be combined in a payment without helpers."""
MAX_CURRENCY_SETS = len(CURRENCIES) + 1
"""Maximum number of currency sets of an offer, including diamonds."""


def currency_sets_with(offer: Offer, helpers: Iterable[Tender], currencies: set[str]) -> tuple[frozenset[str], ...]:
    """Return the sets of currencies that can be combined in a payment with these helpers. `currencies` are those of the
    seat."""
    for helper in helpers:
        if helper.mixes:
            serves = offer.currency == ANY_ONE or offer.currency in helper.mixes
            return (frozenset(helper.mixes),) if serves else ()
    accepted = CURRENCY_SETS[offer.currency]
    return (*accepted, frozenset({DIAMOND})) if DIAMOND in currencies else accepted


def usable_money(
    offer: Offer, helpers: Helpers, currency_set: frozenset[str], money: Iterable[Tender]
) -> tuple[tuple[Tender, ...], frozenset[str]]:
    """Return the money of a currency set that can be paid with these helpers, and the currencies and items of which
    some must be used, so that each helper has an effect. Money that gives a helper its effect is first, then the most
    valuable: so payments in which no helper needs it come last."""
    if not helpers:
        found = [tender for tender in money if tender.currency in currency_set and not tender.needs]
        found.sort(key=most_valuable_first)
        return tuple(found), frozenset()
    leading = {helper.id for helper in helpers if helper.opens}
    for helper in helpers:
        if helper.mixes:
            leading.add(helper.mixes[0] if helper.mixes[0] != offer.currency else helper.mixes[1])
    found = [tender for tender in money if tender.currency in currency_set and has_what_it_needs(tender, helpers)]
    found.sort(key=lambda tender: (not is_leading(tender, leading), *most_valuable_first(tender)))
    return tuple(found), frozenset(leading)


def is_leading(tender: Tender, leading: Iterable[str]) -> bool:
    """Return whether the money gives one of the helpers its effect."""
    return tender.currency in leading or any(item in leading for item in tender.needs)


def most_valuable_first(tender: Tender) -> tuple[int, str, str]:
    """Return the sort key of money in a list of payments."""
    return (-tender.value, tender.noun, tender.id)


def without_effect_on_money(offer: Offer, helpers: Iterable[Tender], money: Iterable[Tender]) -> list[Tender]:
    """Return the helpers that allow money which is not in the payment: those that mix currencies, and those that open
    something."""
    return [helper for helper in helpers if (helper.mixes or helper.opens) and not _is_used(offer, helper, money)]


def _is_used(offer: Offer, helper: Tender, money: Iterable[Tender]) -> bool:
    if helper.opens:
        return any(helper.id in tender.needs for tender in money)
    used = {tender.currency for tender in money}
    return len(used) > 1 if offer.currency == ANY_ONE else bool(used - {offer.currency})


# -- What a payment comes to ---------------------------------------------------------------------------------------


def outcome(offer: Offer, helpers: Helpers, money: tuple[Tender, ...]) -> bool | None:
    """Return whether a payment with these helpers and this money is exact; None if it is illegal."""
    if helpers and (not may_be_combined(helpers) or without_effect_on_price(offer, helpers)):
        return None
    if any(helper.free for helper in helpers):
        return None if money else not offer.never_exact
    used = {tender.currency for tender in money}
    if used and not any(used <= currency_set for currency_set in currency_sets_with(offer, helpers, used)):
        return None
    if not all(has_what_it_needs(tender, helpers) for tender in money):
        return None
    if without_effect_on_money(offer, helpers, money):
        return None
    due = price_with(offer, helpers)
    paid = sum([tender.value for tender in money])
    fills = sum([helper.fills for helper in helpers])
    if fills:
        return True if paid < due <= paid + fills else None
    if paid < due or (offer.exact and paid != due):
        return None
    return paid == due and not offer.never_exact


class Combined:
    """A combination of helpers in payments for one offer: everything that does not depend on the money."""

    __slots__ = ("_fewer", "currency_sets", "deciding", "due", "fills", "helpers", "offer")

    def __init__(self, offer: Offer, helpers: Helpers, currencies: set[str]) -> None:
        self.offer = offer
        self.helpers = helpers
        self.currency_sets: tuple[frozenset[str], ...] = ()
        """The sets of currencies that can be combined; empty if the helpers cannot be."""
        self.deciding = tuple([helper for helper in helpers if helper.mixes or helper.opens])
        """The helpers that decide which money is allowed."""
        self._fewer: list[tuple[int, int]] | None = None
        free = any(helper.free for helper in helpers)
        self.due = 0 if free else price_with(offer, helpers)
        self.fills = sum([helper.fills for helper in helpers])
        if not helpers or (may_be_combined(helpers) and not without_effect_on_price(offer, helpers)):
            self.currency_sets = (frozenset(),) if free else currency_sets_with(offer, helpers, currencies)

    def has_idle_helper(self, money: tuple[Tender, ...]) -> bool:
        """Return whether one of the helpers allows money which is not in the payment."""
        return bool(self.deciding and without_effect_on_money(self.offer, self.deciding, money))

    def could_spare_a_helper(self, money: tuple[Tender, ...], *, needs: bool) -> bool:
        """Return whether a helper can be left out of a legal payment with the same result. `needs`: some of the money
        may require a helper."""
        offer, helpers = self.offer, self.helpers
        if needs:
            result = outcome(offer, helpers, money)
            return any(outcome(offer, helpers[:n] + helpers[n + 1 :], money) is result for n in range(len(helpers)))
        paid = sum([tender.value for tender in money])
        meeting = not offer.never_exact
        """Whether a payment of exactly the price counts as exact."""
        exact = bool(self.fills) or (meeting and paid == self.due)
        for due, fills in self._with_one_fewer():
            if fills:
                same = paid < due <= paid + fills and exact
            elif paid == due:
                same = exact is meeting
            else:
                same = paid > due and not offer.exact and not exact
            if same:
                return True
        return False

    def _with_one_fewer(self) -> list[tuple[int, int]]:
        """Return (price, filled shortage) without one helper, for each helper that can be left out of some legal
        payment whose money requires no helper. One that mixes currencies cannot be left out, because it would have no
        effect."""
        if self._fewer is None:
            self._fewer = []
            for n, helper in enumerate(self.helpers):
                left = self.helpers[:n] + self.helpers[n + 1 :]
                if helper.mixes or (left and (not may_be_combined(left) or without_effect_on_price(self.offer, left))):
                    continue
                self._fewer.append((price_with(self.offer, left), sum([other.fills for other in left])))
        return self._fewer
