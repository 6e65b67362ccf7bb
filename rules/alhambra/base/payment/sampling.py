"""Payments without a list: whether a seat can pay, how much, and a random payment.

Combinations of helpers are not enumerated. Only helpers that mix currencies or open something decide which money is
allowed. With these fixed, all other helpers just change the sum of money needed, so sums are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ...components import CURRENCIES
from ...fast_tuple import new_tuple
from ...module import RandBelow
from .combinations import reachable_sums
from .helper_items import (
    CURRENCY_SETS,
    Combinations,
    Helpers,
    currency_sets_with,
    group_of,
    may_be_combined,
    outcome,
    price_with,
    usable_money,
    without_effect_on_money,
)
from .offers import ANY_ONE, Offer, Payment, Tender
from .rules import payment_with, tenders

if TYPE_CHECKING:
    from ...game import Game
    from ...ruleset import Ruleset

USED_ONE_IN = 3
"""A random payment uses a helper of each group with a probability of one in this number."""
DRAWS = 6
"""Random choices of helpers before a payable one is searched for."""

Money = tuple[Tender, ...]


def _first(_bound: int) -> int:
    """Return 0: always the first element, for a deterministic choice."""
    return 0


# -- Whether it can be paid ----------------------------------------------------------------------------------------


def worth_of(ruleset: Ruleset, hand: tuple[str, ...]) -> Mapping[str, int]:
    """Return the value of a hand's cards, by currency."""
    known = ruleset.cards
    found: dict[str, int] = {}
    for card in hand:
        card_kind = known[card]
        currency = card_kind.currency
        found[currency] = found.get(currency, 0) + card_kind.value
    return found


def affordable(game: Game, seat: int, offer: Offer) -> bool:
    """Return whether any payment is legal."""
    if offer.currency in CURRENCIES and not offer.exact:
        ruleset = game.ruleset
        if worth_of(ruleset, game.state.seats[seat].hand).get(offer.currency, 0) >= offer.price:
            return True
        if not ruleset.tenders:
            return False
    held = tenders(game, seat, offer)
    if offer.exact or any(tender.free for tender in held):
        return first_payment(offer, held) is not None
    return any(budget.worth + _most_saved(budget) >= offer.price for budget in _budgets(offer, held))


def most_payable(game: Game, seat: int, offer: Offer) -> int:
    """Return the highest sum that the seat can pay for an offer, whatever its price."""
    most = 0
    for budget in _budgets(offer, tenders(game, seat, offer)):
        every = tuple(tender for tender in budget.usable for _ in range(tender.copies))
        if not without_effect_on_money(offer, budget.helpers, every):
            most = max(most, budget.worth)
    return most


class _Budget(NamedTuple):
    """The money allowed by a currency set, the helpers that allow it, and the other helpers by group."""

    helpers: Helpers
    usable: Money
    groups: list[list[Tender]]
    """Helpers that change the price or fill a shortage, and can still be used."""

    @property
    def worth(self) -> int:
        """The value of all the money."""
        return sum([tender.value * tender.copies for tender in self.usable])


def _budgets(offer: Offer, held: list[Tender]) -> Iterator[_Budget]:
    """Yield a budget for every currency set with the fewest helpers it needs, starting without helpers."""
    money = [tender for tender in held if tender.value]
    currencies = {tender.currency for tender in money}
    others = [tender for tender in held if tender.delta or tender.fills]
    for helpers in Combinations(tender for tender in held if tender.mixes or tender.opens):
        if not may_be_combined(helpers):
            continue
        taken = {group_of(helper) for helper in helpers}
        groups = Combinations(tender for tender in others if group_of(tender) not in taken).groups
        for currency_set in currency_sets_with(offer, helpers, currencies):
            yield new_tuple(_Budget, (helpers, usable_money(offer, helpers, currency_set, money)[0], groups))


def _saves(helper: Tender) -> int:
    """Return the maximum amount of money that a helper saves."""
    return max(helper.fills, -helper.delta, 0)


def _most_saved(budget: _Budget) -> int:
    return sum([max(map(_saves, group)) for group in budget.groups])


# -- A payment, if there is any ------------------------------------------------------------------------------------


def first_payment(offer: Offer, held: list[Tender], randbelow: RandBelow = _first) -> Payment | None:
    """Return a legal payment; None if there is none. With a random `randbelow`, the choice among those tried is
    random."""
    for helper in held:
        if helper.free and outcome(offer, (helper,), ()) is not None:
            return payment_with((helper,), ())
    find = _exactly if offer.exact else _at_least
    return next((payment for budget in _budgets(offer, held) if (payment := find(offer, budget, randbelow))), None)


def _at_least(offer: Offer, budget: _Budget, randbelow: RandBelow) -> Payment | None:
    """Return a payment that may be too high, with as few helpers as possible."""
    short = offer.price - budget.worth
    helpers = [max(group, key=_saves) for group in budget.groups]
    spare = sum(map(_saves, helpers)) - short
    if spare < 0:
        return None
    for helper in sorted(helpers, key=_saves):
        if _saves(helper) <= spare:
            spare -= _saves(helper)
            helpers.remove(helper)
    return _paid(offer, (*budget.helpers, *helpers), budget.usable, randbelow)


def _exactly(offer: Offer, budget: _Budget, randbelow: RandBelow) -> Payment | None:
    """Return a payment of exactly the price, or one whose shortage is filled."""
    if not budget.helpers:
        nothing = _at_least(offer, budget._replace(usable=(), groups=_only_lowering(budget.groups)), randbelow)
        if nothing is not None:
            return nothing
    changes: dict[tuple[int, int], Helpers] = {(0, 0): ()}
    """By (change of price, filled shortage): the fewest helpers found for it."""
    for group in budget.groups:
        for (delta, fills), helpers in list(changes.items()):
            for helper in group:
                changes.setdefault((delta + helper.delta, fills + helper.fills), (*helpers, helper))
    for (delta, _), helpers in changes.items():
        if offer.price + delta > 0:
            payment = _paid(offer, (*budget.helpers, *helpers), budget.usable, randbelow)
            if payment is not None:
                return payment
    return None


def _only_lowering(groups: list[list[Tender]]) -> list[list[Tender]]:
    return [lowering for group in groups if (lowering := [helper for helper in group if helper.delta < 0])]


def _paid(offer: Offer, helpers: Helpers, usable: Money, randbelow: RandBelow) -> Payment | None:
    """Return a payment with all of these helpers; None if there is none."""
    least, most = _bounds(offer, helpers)
    money = _draw_money(offer, helpers, usable, least, most, randbelow)
    return None if money is None else payment_with(helpers, money)


def _bounds(offer: Offer, helpers: Helpers) -> tuple[int, int | None]:
    """Return the lowest and highest legal sums of money with these helpers; None for no maximum."""
    due = price_with(offer, helpers)
    fills = sum([helper.fills for helper in helpers])
    if fills:
        return max(0, due - fills), due - 1
    return due, due if offer.exact else None


# -- Drawing money -------------------------------------------------------------------------------------------------


def _draw_money(
    offer: Offer, helpers: Helpers, usable: Money, least: int, most: int | None, randbelow: RandBelow
) -> Money | None:
    """Return random money with a sum within these bounds that gives every helper its effect; None if there is none."""
    if most is not None and most < least:
        return None
    for given in _given(offer, helpers, usable, randbelow):
        left = tuple([_fewer(tender, given.count(tender)) for tender in usable]) if given else usable
        begun = sum([tender.value for tender in given])
        more = (
            _until(left, least - begun, randbelow)
            if most is None
            else _between(left, least - begun, most - begun, randbelow)
        )
        if more is not None:
            return (*given, *more)
    return None


def _given(offer: Offer, helpers: Helpers, usable: Money, randbelow: RandBelow) -> Iterator[Money]:
    """Yield the money needed to give every helper its effect: all possibilities, in random order."""
    wanted = []
    for helper in helpers:
        if helper.mixes and offer.currency == ANY_ONE:
            wanted += [[tender for tender in usable if tender.currency == currency] for currency in helper.mixes]
        elif helper.mixes:
            wanted.append([tender for tender in usable if tender.currency != offer.currency])
        elif helper.opens:
            wanted.append([tender for tender in usable if helper.id in tender.needs])
    for given in product(*(_shuffled(pieces, randbelow) for pieces in wanted)):
        yield tuple(dict.fromkeys(given))  # one piece of money can give two helpers their effect


def _shuffled(things: list[Tender], randbelow: RandBelow) -> list[Tender]:
    left = list(things)
    return [left.pop(randbelow(len(left))) for _ in things]


def _fewer(tender: Tender, count: int) -> Tender:
    return tender._replace(copies=tender.copies - count) if count else tender


def _until(usable: Money, least: int, randbelow: RandBelow) -> Money | None:
    """Return money in random order until the sum is reached; None if there is not enough."""
    left = [tender for tender in usable for _ in range(tender.copies)]
    found = []
    while least > 0:
        if not left:
            return None
        tender = left.pop(randbelow(len(left)))
        found.append(tender)
        least -= tender.value
    return tuple(found)


def _between(usable: Money, least: int, most: int, randbelow: RandBelow) -> Money | None:
    """Return random money with a sum within two bounds; None if there is none."""
    if most < 0:
        return None
    order = tuple(_shuffled([tender for tender in usable if tender.copies], randbelow))
    reachable = reachable_sums(order, most)
    found: list[Tender] = []
    for n, tender in enumerate(order):
        counts = [
            count
            for count in range(min(tender.copies, most // tender.value) + 1)
            if _reaches(reachable[n + 1], least - count * tender.value, most - count * tender.value)
        ]
        if not counts:
            return None
        count = counts[randbelow(len(counts))]
        found += [tender] * count
        least, most = least - count * tender.value, most - count * tender.value
    return tuple(found) if least <= 0 else None


def _reaches(reachable: int, least: int, most: int) -> bool:
    """Return whether one of the sums is within the bounds."""
    least = max(least, 0)
    return bool(reachable >> least & (1 << most - least + 1) - 1) if most >= least else False


# -- Drawing a payment ---------------------------------------------------------------------------------------------


def sample_payment(game: Game, seat: int, offer: Offer, randbelow: RandBelow) -> Payment | None:
    """Return a random payment; None if there is none. Without helpers: cards of a random currency set in random order
    until the price is met. With helpers: random helpers of each group, then money, half of the time for an exact
    payment."""
    if offer.exact or game.ruleset.tenders:
        return _sample(offer, tenders(game, seat, offer), randbelow)
    known = game.ruleset.cards
    hand = game.state.seats[seat].hand
    accepted = CURRENCY_SETS[offer.currency]
    currency_set = accepted[randbelow(len(accepted))]
    usable = [card for card in hand if known[card].currency in currency_set]
    paid: list[str] = []
    missing_still = offer.price
    while missing_still > 0:
        if not usable:
            return None if len(accepted) == 1 else first_payment(offer, tenders(game, seat, offer), randbelow)
        card = usable.pop(randbelow(len(usable)))
        paid.append(card)
        missing_still -= known[card].value
    return new_tuple(Payment, (tuple(sorted(paid)), (), ()))


def _sample(offer: Offer, held: list[Tender], randbelow: RandBelow) -> Payment | None:
    money = [tender for tender in held if tender.value]
    currencies = {tender.currency for tender in money}
    groups = Combinations(held).groups
    for _ in range(DRAWS if groups else 1):
        helpers = tuple([group[randbelow(len(group))] for group in groups if not randbelow(USED_ONE_IN)])
        if any(helper.free for helper in helpers):
            helpers = tuple([helper for helper in helpers if helper.free][:1])
            if outcome(offer, helpers, ()) is not None:
                return payment_with(helpers, ())
        currency_sets = currency_sets_with(offer, helpers, currencies)
        if not currency_sets or not may_be_combined(helpers):
            continue
        usable, _ = usable_money(offer, helpers, currency_sets[randbelow(len(currency_sets))], money)
        found = _draw_legal(offer, helpers, usable, randbelow)
        if found is not None:
            return payment_with(helpers, found)
    return first_payment(offer, held, randbelow)


def _draw_legal(offer: Offer, helpers: Helpers, usable: Money, randbelow: RandBelow) -> Money | None:
    """Return random money that is legal with these helpers; None if there is none."""
    least, most = _bounds(offer, helpers)
    money = None
    if most is None and randbelow(2):
        money = _draw_money(offer, helpers, usable, least, least, randbelow)
    if money is None:
        money = _draw_money(offer, helpers, usable, least, most, randbelow)
    return money if money is not None and outcome(offer, helpers, money) is not None else None
