"""Payments chosen card by card, without a list of all payments.

A payment is a multiset of tenders: money, and helpers that change what is due. Tenders are asked for in the order of
their actions. After each one, an action is legal if and only if some legal payment begins like that.

Helpers are few, so their combinations are listed: each is a `_Plan` with the money that it allows and the sums of money
that are legal with it. Money is not listed: a plan can be completed if the money that is still to be decided reaches
one of its sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ..base.payment.helper_items import Combinations, Combined
from ..base.payment.offers import ANY_ONE, Offer, Payment, Tender
from ..base.payment.rules import payment_with, tenders
from .actions import END, LISTS, ActionSpace

if TYPE_CHECKING:
    from ..game import Game


class _Plan(NamedTuple):
    """A combination of helpers with one of the currency sets that it allows. Tenders are bits of a mask."""

    helpers: int
    money: int
    least: int
    most: int | None
    """The lowest and the highest legal sum of money; None for no maximum."""
    wanted: tuple[int, ...]
    """Masks of money of which at least one must be used each, so that every helper has an effect."""


class PaymentChoice:
    """A payment that is being chosen for one offer."""

    def __init__(self, game: Game, seat: int, offer: Offer, space: ActionSpace, nouns: Iterable[str]) -> None:
        self._nouns = [noun for noun in nouns if noun in LISTS]
        rank = {noun: number for number, noun in enumerate(self._nouns)}
        held = [tender for tender in tenders(game, seat, offer) if tender.noun in rank]
        self._held = sorted(held, key=lambda tender: (rank[tender.noun], tender.id))
        self._actions = [space.action(tender.noun, tender.id) for tender in self._held]
        self._plans = list(_plans(offer, self._held))
        self._stage = 0
        """The number of the noun that is asked for."""
        self._place = 0
        """The first tender that is still undecided."""
        self._counts = [0] * len(self._held)
        self.complete = not self._nouns

    def payment(self) -> Payment:
        """Return the payment as it was chosen."""
        money = [tender for tender, count in zip(self._held, self._counts, strict=True) for _ in range(count)]
        return payment_with((), money)

    def options(self) -> list[int]:
        """Return the legal next actions."""
        chosen, paid = self._chosen()
        self._plans = plans = [plan for plan in self._plans if self._agrees(plan, chosen, self._place)]
        found = []
        noun = self._nouns[self._stage]
        place = self._place
        while place < len(self._held) and self._held[place].noun == noun:
            tender = self._held[place]
            if self._counts[place] < tender.copies and self._payable(
                plans, chosen | 1 << place, paid + tender.value, place, self._counts[place] + 1
            ):
                found.append(self._actions[place])
            place += 1
        if self._payable(plans, chosen, paid, place, 0):
            found.append(END)
        return found

    def choose(self, action: int) -> None:
        """Continue with one of the options."""
        noun = self._nouns[self._stage]
        if action == END:
            while self._place < len(self._held) and self._held[self._place].noun == noun:
                self._place += 1
            self._stage += 1
            self.complete = self._stage == len(self._nouns)
            return
        first = self._place
        place = next(n for n in range(first, len(self._held)) if self._actions[n] == action and self._free(n, noun))
        self._place = place
        self._counts[place] += 1

    def _free(self, place: int, noun: str) -> bool:
        return self._held[place].noun == noun and self._counts[place] < self._held[place].copies

    def _chosen(self) -> tuple[int, int]:
        """Return what was chosen so far, as a mask, and its value."""
        chosen = paid = 0
        for place, count in enumerate(self._counts):
            if count:
                chosen |= 1 << place
                paid += count * self._held[place].value
        return chosen, paid

    @staticmethod
    def _agrees(plan: _Plan, chosen: int, place: int) -> bool:
        """Return whether a plan uses what was chosen, and none of the helpers that were left out."""
        decided = (1 << place) - 1
        return not chosen & ~(plan.helpers | plan.money) and not plan.helpers & decided & ~chosen

    def _payable(self, plans: list[_Plan], chosen: int, paid: int, place: int, used: int) -> bool:
        """Return whether one of the plans can be completed. `used` copies of the tender at `place` were chosen; its
        other copies and all later tenders are undecided."""
        start = place + 1 if used else place
        for plan in plans:
            if not self._agrees(plan, chosen, start):
                continue
            left = [
                (number, self._held[number].value, self._held[number].copies)
                for number in range(start, len(self._held))
                if plan.money >> number & 1
            ]
            if used and plan.money >> place & 1 and self._held[place].copies > used:
                left.append((place, self._held[place].value, self._held[place].copies - used))
            if _reaches(plan, chosen, paid, left):
                return True
        return False


def _reaches(plan: _Plan, chosen: int, paid: int, left: list[tuple[int, int, int]]) -> bool:
    """Return whether money that is left completes a payment of the plan."""
    missing = [wanted for wanted in plan.wanted if not wanted & chosen]
    if plan.most is None:
        if missing and not all(any(wanted >> number & 1 for number, _, _ in left) for wanted in missing):
            return False
        return paid + sum([value * copies for _, value, copies in left]) >= plan.least
    if paid > plan.most:
        return False
    if not missing:
        return _within(plan.least - paid, plan.most - paid, [(value, copies) for _, value, copies in left])
    choices = [[number for number, _, _ in left if wanted >> number & 1] for wanted in missing]
    for forced in product(*choices):
        given = set(forced)
        more = sum(value for number, value, _ in left if number in given)
        rest = [(value, copies - (number in given)) for number, value, copies in left]
        if _within(plan.least - paid - more, plan.most - paid - more, rest):
            return True
    return False


def _within(least: int, most: int, money: list[tuple[int, int]]) -> bool:
    """Return whether some of the money has a sum between the bounds."""
    if most < 0:
        return False
    within = (1 << most + 1) - 1
    sums = 1
    for value, copies in money:
        for _ in range(copies):
            sums |= sums << value & within
    return bool(sums >> max(least, 0))


def _plans(offer: Offer, held: list[Tender]) -> Iterator[_Plan]:
    """Yield the plans of an offer."""
    places = {(tender.noun, tender.id): place for place, tender in enumerate(held)}
    money = [tender for tender in held if tender.value]
    currencies = {tender.currency for tender in money}

    def mask(some: Iterable[Tender]) -> int:
        return sum(1 << places[tender.noun, tender.id] for tender in some)

    for helpers in Combinations(held):
        combined = Combined(offer, helpers, currencies)
        fills = combined.fills
        if fills and not combined.due:
            continue  # there is no shortage to fill
        ids = {helper.id for helper in helpers}
        for currency_set in combined.currency_sets:
            usable = [
                tender
                for tender in money
                if tender.currency in currency_set and (not tender.needs or not ids.isdisjoint(tender.needs))
            ]
            least = max(0, combined.due - fills)
            most = combined.due - 1 if fills else combined.due if offer.exact else None
            if not usable and (least > 0 or combined.deciding):
                continue
            wanted = [mask(some) for some in _wanted(offer, combined.deciding, usable)]
            yield _Plan(mask(helpers), mask(usable), least, most, tuple(wanted))


def _wanted(offer: Offer, deciding: Iterable[Tender], usable: list[Tender]) -> Iterator[list[Tender]]:
    """Yield for each helper that allows money which it gives no value itself: the money that gives it its effect."""
    for helper in deciding:
        if helper.opens:
            yield [tender for tender in usable if helper.id in tender.needs]
        elif offer.currency == ANY_ONE:
            yield from ([tender for tender in usable if tender.currency == currency] for currency in helper.mixes)
        else:
            yield [tender for tender in usable if tender.currency != offer.currency]
