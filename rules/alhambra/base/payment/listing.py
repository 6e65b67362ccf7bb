"""Lists of legal payments for an offer: exact before overpaid, undominated ones first.

A large hand has 100,000 of them, and helpers multiply that. Only `payments` and `iterate_payments` go through all, one
by one. `listed_payments` finds a representative few with a bounded amount of work. `sampling.py` finds out whether
there is a payment, and samples one, without a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...components import CURRENCIES
from ...fast_tuple import new_tuple
from .card_payments import BRIEF, LISTED, CardPayments
from .combinations import money_combinations
from .helper_items import (
    MAX_CURRENCY_SETS,
    Combinations,
    Combined,
    Helpers,
    is_leading,
    usable_money,
)
from .offers import Offer, Payment, Tender, Verdict
from .rules import Held, held_by, judge, payment_with, tenders, verdict_without_faults
from .sampling import first_payment

if TYPE_CHECKING:
    from ...game import Game

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
SHOWN_STEPS = 4
"""Steps to find a payment with one helper alone."""

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
    helpers: Helpers

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
    return OfferPayments(game, seat, offer).steps(brief=brief, after=after)


def listed_for_each(offers: int) -> int:
    """Return the number of payments listed for each offer in a list of moves with this many offers."""
    return min(LISTED, max(FEWEST, LISTED_IN_ALL // max(1, offers)))


def listed_payments(
    game: Game, seat: int, offer: Offer, shown: set[str] | None = None, most: int = LISTED
) -> list[Payment]:
    """Return representative undominated payments, in the order of the whole list: up to `most`, and one more for each
    helper that can be used alone and is not among them. At least one is returned if any payment is legal. Helpers in
    `shown` need not be shown again; `shown` is updated."""
    return OfferPayments(game, seat, offer).listed(shown, most)


class SharedLists(dict[tuple[object, ...], "_List"]):
    """Lists of payments by what they depend on: price, currency, exactness, and what the seat may pay with."""


class OfferPayments:
    """The payments of one seat for one offer. Whoever asks more than one question about them makes this once, because
    what the seat may pay with, and what combinations of helpers come to, is found out only once. Whoever asks about
    several offers passes the same `shared`: those that cost the same and accept the same have one list."""

    def __init__(self, game: Game, seat: int, offer: Offer, shared: SharedLists | None = None) -> None:
        self._game, self._seat, self._offer = game, seat, offer
        self._shared = SharedLists() if shared is None else shared

    @cached_property
    def _held(self) -> list[Tender]:
        return tenders(self._game, self._seat, self._offer)

    @cached_property
    def _by_id(self) -> Held:
        return held_by(self._held)

    @cached_property
    def _list(self) -> _List:
        offer, held = self._offer, self._held
        key = (offer.price, offer.currency, offer.exact, offer.never_exact, *held)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = _List(offer, held)
        return found

    def steps(self, *, brief: bool = False, after: PaymentPosition | None = None) -> Iterator[PaymentStep]:
        """Yield the steps through the list, as `iterate_payments` does."""
        return self._list.walk(brief=brief, after=after)

    def listed(self, shown: set[str] | None = None, most: int = LISTED) -> list[Payment]:
        """Return representative undominated payments, as `listed_payments` does."""
        game, offer = self._game, self._offer
        if not game.ruleset.tenders and offer.currency in CURRENCIES:
            return game.ruleset.table(CardPayments).undominated(game.state.seats[self._seat].hand, offer)[:most]
        found = self._list.selection(set() if shown is None else shown, most)
        if not found and len(self._list.combinations) > 1:
            payment = first_payment(offer, self._held)
            return [] if payment is None else [payment]
        return found

    def more_than(self, count: int, steps: int) -> bool:
        """Return whether there are more payments than `count`. Return True, too, if this number of steps through the
        list is not enough to know. Steps that `listed` has made are not made again."""
        return self._list.more_than(count, steps)

    def judge(self, payment: Payment) -> Verdict:
        """Return the verdict on a payment, as `judge` does. A listed payment is known to be legal."""
        if not self._game.ruleset.tenders:
            return judge(self._game, self._seat, self._offer, payment)
        step = self._list.listed.get(payment)
        if step is not None:
            return verdict_without_faults(self._offer, step.helpers, step.money)
        return judge(self._game, self._seat, self._offer, payment, self._by_id)


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
        self.walked: tuple[int, int, PaymentStep | None] = (0, 0, None)
        """How many of the first steps of the whole list were made for a selection, how many payments they led to, and
        the last one."""
        self._further: Iterator[PaymentStep] | None = None
        """The walk through the whole list behind those steps, if a selection began it."""
        self._more: dict[tuple[int, int], bool] = {}
        """The answers of `more_than`."""
        self.listed: dict[Payment, PaymentStep] = {}
        """The steps to all payments of selections."""
        self._first: dict[int, dict[Payment, PaymentStep]] = {}
        """By the length of a selection: its payments, without those that are added to show a helper."""
        self._alone: dict[int, PaymentStep | None] = {}
        """By the number of a combination of one helper: the step to a payment with it, to show it."""

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

    def selection(self, shown: set[str], most: int) -> list[Payment]:
        """Return representative payments in order, and add their helpers to `shown`."""
        known = self._first.get(most)
        if known is None:
            known = self._first[most] = self._find_first(most)
            self.listed.update(known)
        if len(self.combinations) == 1:
            return list(known)
        found = dict(known)
        for payment in known:
            shown.update(payment.cards, payment.items)
        for number, helpers in self.combinations.numbered(1):
            if len(helpers) > 1:
                break
            if helpers[0].id not in shown:
                step = self._with_helper_alone(number)
                if step is not None and step.payment is not None:
                    found[step.payment] = self.listed[step.payment] = step
                    shown.add(helpers[0].id)
        return list(found) if len(found) == len(known) else sorted(found, key=lambda one: _in_order(found[one]))

    def more_than(self, count: int, steps: int) -> bool:
        """Return whether there are more payments, as `OfferPayments.more_than` does."""
        found = self._more.get((count, steps))
        if found is None:
            found = self._more[count, steps] = self._has_more_than(count, steps)
        return found

    def _has_more_than(self, count: int, steps: int) -> bool:
        made, seen, last = self.walked
        if seen > count:
            return True
        further, self._further = self._further, None
        for step in islice(further or self.walk(brief=False, after=last and last.position), max(0, steps - made)):
            made += 1
            seen += step.payment is not None
            if seen > count:
                return True
        return made >= steps

    def _find_first(self, most: int) -> dict[Payment, PaymentStep]:
        """Return the first payments with a bounded number of steps; without helpers, each step is a payment."""
        found: dict[Payment, PaymentStep] = {}
        every, work = len(self.combinations), STEPS_IN_ALL * most // LISTED_IN_ALL
        undominated = in_whole_list = len(BRIEF) * MAX_CURRENCY_SETS * every
        steps: Iterator[PaymentStep]
        if every <= LISTED_COMBINATIONS:
            steps = self._further = self.walk(brief=False)
        else:
            steps, self._further = self.walk(brief=True, last=LISTED_COMBINATIONS), None
            most = max(FEWEST, most // SHARE_OF_MANY)
            in_whole_list = MAX_CURRENCY_SETS * LISTED_COMBINATIONS  # later combinations are left out here
        if every > 1:
            steps = islice(steps, min(work, STEPS_FOR_EACH * most))
        for made, step in enumerate(steps, 1):
            if step.segment >= undominated:
                self._further = None  # this step is behind those that `walked` counts
                break
            if step.payment is not None:
                found[step.payment] = step
            if step.segment < in_whole_list:
                self.walked = made, len(found), step
            if len(found) == most:
                break
        return found

    def _with_helper_alone(self, number: int) -> PaymentStep | None:
        """Return the first step to a payment with this combination of one helper."""
        if number not in self._alone:
            steps = islice(self.walk(brief=True, first=number, last=number + 1), SHOWN_STEPS)
            self._alone[number] = next((step for step in steps if step.payment is not None), None)
        return self._alone[number]

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
            yield new_tuple(PaymentStep, (payment, number, usable, chosen, helpers))
        if empty:
            yield new_tuple(PaymentStep, (None, number, usable, (), helpers))

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
