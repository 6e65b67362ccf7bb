"""Every legal way to pay for an offer, lazily: exact before overpaid, those from which nothing can be left out first.

A rich hand has a hundred thousand, and helpers multiply them: only `payments` and `walk` go through all of them, one by
one. `listed_payments` finds a few that stand for all with a bounded amount of work. `any_payment.py` answers whether
there is one, and draws one, without a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...fast_tuple import new_tuple
from .combinations import sums
from .helper_items import MOST_PURSES, Combinations, Combined, Helpers, is_leading, usable_money
from .offers import Offer, Payment, Tender
from .rules import payment_with, tenders
from .sampling import first_payment

if TYPE_CHECKING:
    from ...game import Game

LISTED = 100
"""Payments of one offer in a list of legal moves. Those that show a helper for the first time come on top."""
SHARE_OF_MANY = 5
"""A seat with more than LISTED_COMBINATIONS combinations of helpers sees one in so many of them."""
FEWEST = 4
"""Payments of an offer that are listed in any case, if there are so many."""
LISTED_IN_ALL = 400
"""Payments of all offers of one list of moves; offers beyond the fourth make those of each fewer."""
LISTED_COMBINATIONS = 50
"""Combinations of helpers, those with the fewest first, whose payments are looked at for such a list."""
STEPS_FOR_EACH = 4
"""Steps along the list of all payments that are taken for each that is to be listed."""
STEPS_IN_ALL = 480
"""Steps for all offers of one list of moves: with helpers many of them lead to no payment."""
SHOWN_STEPS = 4
"""Steps that are taken to find a payment with one helper alone."""

BRIEF = ("exact", "over")
"""The sorts of money in payments from which nothing can be left out."""
EVERY = ("exact", "over", "rest")

Place = tuple[int, ...]
"""A place in the list of all payments: the number of its segment, then how many copies of each tender are used."""


class Found(NamedTuple):
    """One step along the list of payments."""

    payment: Payment | None
    """None where the step led to no payment: it counts as work, and the list can be continued behind it."""
    segment: int
    usable: tuple[Tender, ...]
    money: tuple[Tender, ...]

    @property
    def place(self) -> Place:
        """Where it stands: `walk(…, after=place)` begins behind it."""
        return (self.segment, *(self.money.count(tender) for tender in self.usable))


class _Stretch(NamedTuple):
    """A part of the list: payments of one sort, with the same helpers, from one purse."""

    number: int
    combined: Combined
    purse: frozenset[str]
    first_purse: bool
    wanted: str
    spared: bool | None
    """Whether a helper can be left out of these payments with the same result; None if that does not matter."""


def payments(game: Game, seat: int, offer: Offer, *, brief: bool = False) -> Iterator[Payment]:
    """Every legal payment, exact ones first, then overpaid ones, undominated first; `brief` stops before dominated."""
    return (found.payment for found in walk(game, seat, offer, brief=brief) if found.payment is not None)


def walk(game: Game, seat: int, offer: Offer, *, brief: bool = False, after: Place | None = None) -> Iterator[Found]:
    """Goes along the list of payments step by step. Each step takes little time, those after a place no more than those
    at the beginning: the list of a rich hand can be read in parts. Raises ValueError if there is no such place."""
    return _List(offer, tenders(game, seat, offer)).walk(brief=brief, after=after)


def listed_for_each(offers: int) -> int:
    """How many payments of each offer stand in a list of moves with so many offers."""
    return min(LISTED, max(FEWEST, LISTED_IN_ALL // max(1, offers)))


def listed_payments(
    game: Game, seat: int, offer: Offer, shown: set[str] | None = None, most: int = LISTED
) -> list[Payment]:
    """Undominated payments that stand for all, in the order of the whole list: up to `most` of them, and one more for
    each helper that can be used by itself and is in none of these. There is always one if any payment is legal. Helpers
    in `shown` need not be shown again; those that are found are added to it."""
    held = tenders(game, seat, offer)
    if not any(not tender.value for tender in held):
        steps = _List(offer, held).walk(brief=True)
        return list(islice((found.payment for found in steps if found.payment is not None), most))
    found = _List(offer, held).selection(set() if shown is None else shown, most)
    if not found:
        payment = first_payment(offer, held)
        return [] if payment is None else [payment]
    return [payment for payment in (step.payment for step in found) if payment is not None]


class _List:
    """The list of all payments of one seat for one offer."""

    def __init__(self, offer: Offer, held: list[Tender]) -> None:
        self.offer = offer
        self.money = [tender for tender in held if tender.value]
        self.currencies = {tender.currency for tender in self.money}
        self.combinations = Combinations(held)
        self._usable: dict[tuple[frozenset[str], Helpers], tuple[tuple[Tender, ...], frozenset[str], bool]] = {}
        """By purse and the helpers that decide which money of it may be used: that money, what must be there to give
        these helpers an effect, and whether some of it needs a helper."""
        self._combined: dict[int, Combined] = {}
        """The first combinations, by number: each is looked at once for every sort of payments."""

    def walk(
        self, *, brief: bool, after: Place | None = None, first: int = 0, last: int | None = None
    ) -> Iterator[Found]:
        """Every step behind a place, with the combinations from the first to the one before the last number."""
        begin, begun = (after[0], after[1:]) if after is not None else (0, None)
        if begin < 0:
            raise ValueError("no such place in the list of payments")
        for segment in self._stretches(begin, first, last, brief=brief):
            if segment.number != begin:
                begun = None
            yield from self._steps(segment, begun)

    def selection(self, shown: set[str], most: int) -> list[Found]:
        """Steps to the payments that stand for all. Notes the helpers that are in one of them."""
        found: dict[Payment, Found] = {}
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

    def _stretches(self, begin: int, first: int, last: int | None, *, brief: bool) -> Iterator[_Stretch]:
        """The segments from a number on. What is dominated, by money or by a helper, comes last."""
        every = len(self.combinations)
        size = MOST_PURSES * every
        """Numbers that one sort of payments takes."""
        for sort, wanted in enumerate(BRIEF):
            from_number = max(first, (begin - sort * size) // MOST_PURSES)
            for number, helpers in self.combinations.numbered(from_number, last):
                combined = self._combination(number, helpers)
                yield from _purses(sort * size + number * MOST_PURSES, begin, combined, wanted, spared=False)
        if brief:
            return
        each = MOST_PURSES * len(EVERY)
        dominated = len(BRIEF) * size
        for number, helpers in self.combinations.numbered(max(first, (begin - dominated) // each), last):
            for sort, wanted in enumerate(EVERY):
                if helpers or wanted == "rest":
                    at = dominated + number * each + sort * MOST_PURSES
                    spared = None if wanted == "rest" else True
                    yield from _purses(at, begin, self._combination(number, helpers), wanted, spared=spared)

    def _combination(self, number: int, helpers: Helpers) -> Combined:
        found = self._combined.get(number)
        if found is None:
            found = Combined(self.offer, helpers, self.currencies)
            if number < LISTED_COMBINATIONS:
                self._combined[number] = found
        return found

    def _steps(self, segment: _Stretch, begun: tuple[int, ...] | None) -> Iterator[Found]:
        """The steps of a segment; one if it leads to nothing, so that going through empty ones counts as work."""
        number, combined, _, first_purse, wanted, spared = segment
        helpers = combined.helpers
        usable, leading, needs = self._usable_money(segment)
        if begun is not None and (len(begun) != len(usable) or any(map(_too_many, begun, usable))):
            raise ValueError("no such place in the list of payments")
        empty = bool(helpers) and begun is None
        for chosen in self._money(combined, usable, wanted, begun):
            if leading and not (chosen and is_leading(chosen[0], leading)):
                break  # money that gives a helper its effect comes first: from here on no payment has any
            empty = False
            payment = None
            if not chosen and not first_purse:
                pass  # paying nothing lies in every purse, but is one payment
            elif not helpers:
                payment = payment_with((), chosen)
            elif not combined.has_idle_helper(chosen) and (
                spared is None or spared is combined.could_spare_a_helper(chosen, needs=needs)
            ):
                payment = payment_with(helpers, chosen)
            yield new_tuple(Found, (payment, number, usable, chosen))
        if empty:
            yield new_tuple(Found, (None, number, usable, ()))

    def _usable_money(self, segment: _Stretch) -> tuple[tuple[Tender, ...], frozenset[str], bool]:
        deciding = segment.combined.deciding
        found = self._usable.get((segment.purse, deciding))
        if found is None:
            usable, leading = usable_money(self.offer, deciding, segment.purse, self.money)
            found = (usable, leading, any(tender.needs for tender in usable))
            self._usable[segment.purse, deciding] = found
        return found

    def _money(
        self, combined: Combined, usable: tuple[Tender, ...], wanted: str, after: tuple[int, ...] | None
    ) -> Iterable[tuple[Tender, ...]]:
        """The money of a segment, legal or not with its helpers."""
        offer = self.offer
        return sums(
            *(usable, combined.due, wanted),
            exact_only=offer.exact,
            fills=combined.fills,
            never_exact=offer.never_exact,
            kept=not combined.helpers,
            after=after,
        )


def _purses(number: int, begin: int, combined: Combined, wanted: str, *, spared: bool | None) -> Iterator[_Stretch]:
    """The segments of a combination, one for each purse, from the number `begin` on."""
    for place, purse in enumerate(combined.purses):
        if number + place >= begin:
            yield new_tuple(_Stretch, (number + place, combined, purse, not place, wanted, spared))


def _in_order(found: Found) -> tuple[int, ...]:
    """Puts steps into the order of the list: within a segment the highest count of the first tender comes first."""
    return (found.segment, *(-count for count in found.place[1:]))


def _too_many(count: int, tender: Tender) -> bool:
    return not 0 <= count <= tender.copies
