"""Payments counted and found by number, without a list.

A seat without helpers pays with money alone, so its payments are multisets of money with a minimum sum. The number of
them follows from sums of counts (dynamic programming), and so does the payment at any position. With a helper, whether
a payment is legal depends on both; such payments have to be listed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from .helper_items import currency_sets_with, usable_money
from .listing import EVERY
from .offers import Offer, Payment, Tender
from .rules import payment_with, tenders

if TYPE_CHECKING:
    from ...game import Game

Money = tuple[Tender, ...]


class MoneyCounts:
    """The combinations of one list (`money_combinations`) without helpers, by number."""

    __slots__ = ("_counts", "_due", "_enough", "_usable", "_wanted")

    def __init__(self, usable: Money, due: int, wanted: str, never_exact: bool) -> None:
        self._usable = usable
        self._due = due
        self._wanted = wanted
        self._enough = due if never_exact else due + 1
        """A combination worth this much without its least valuable piece is dominated."""
        self._counts: dict[tuple[int, int, int], int] = {}

    def __len__(self) -> int:
        return self._count(0, 0, 0)

    def at(self, number: int) -> Money:
        """Return the combination with this number, which must exist."""
        chosen: list[Tender] = []
        total = smallest = 0
        for n, tender in enumerate(self._usable):
            for count in range(self._most(tender, total), -1, -1):
                low = self._smallest(tender, count, smallest)
                below = self._count(n + 1, total + count * tender.value, low)
                if number < below:
                    chosen += [tender] * count
                    total, smallest = total + count * tender.value, low
                    break
                number -= below
        return tuple(chosen)

    def _count(self, n: int, total: int, smallest: int) -> int:
        """Return how many combinations there are, given the sum of what was chosen from the first `n` tenders and the
        value of the least valuable piece of it."""
        if n == len(self._usable):
            return self._fits(total, smallest)
        found = self._counts.get((n, total, smallest))
        if found is None:
            tender = self._usable[n]
            found = sum(
                self._count(n + 1, total + count * tender.value, self._smallest(tender, count, smallest))
                for count in range(self._most(tender, total) + 1)
            )
            self._counts[n, total, smallest] = found
        return found

    def _most(self, tender: Tender, total: int) -> int:
        if self._wanted == "rest":
            return tender.copies
        if total > self._due:
            return 0  # complete: with another piece, one could be left out
        return min(tender.copies, (self._due - total) // tender.value + (self._wanted == "over"))

    @staticmethod
    def _smallest(tender: Tender, count: int, smallest: int) -> int:
        return min(smallest or tender.value, tender.value) if count else smallest

    def _fits(self, total: int, smallest: int) -> bool:
        if total <= self._due:
            return total == self._due and self._wanted == "exact"
        return self._wanted == ("over" if total - smallest < self._enough else "rest")


@lru_cache(maxsize=256)
def _counted(usable: Money, due: int, wanted: str, never_exact: bool) -> MoneyCounts:
    """Return the counts of a list, cached: most hands and prices are the same a move later."""
    return MoneyCounts(usable, due, wanted, never_exact)


class CountedPayments:
    """Every legal payment of a seat that has no helpers for an offer, in the order of `payments`."""

    __slots__ = ("_ends", "_parts")

    def __init__(self, offer: Offer, held: list[Tender]) -> None:
        self._parts = list(_parts(offer, held))
        self._ends = [*accumulate(len(part) for part in self._parts)]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, number: int) -> Payment | None:
        """Return the payment with this number; None if there are fewer."""
        if number >= len(self):
            return None
        part = bisect_right(self._ends, number)
        before = self._ends[part - 1] if part else 0
        return payment_with((), self._parts[part].at(number - before))


def counted_payments(game: Game, seat: int, offer: Offer) -> CountedPayments | None:
    """Return every legal payment for the offer, by number; None if the seat has a helper for it."""
    held = tenders(game, seat, offer)
    return CountedPayments(offer, held) if all(tender.value for tender in held) else None


def _parts(offer: Offer, held: list[Tender]) -> Iterator[MoneyCounts]:
    """Yield the lists that make up all payments, in order: one for each kind of list and currency set."""
    currency_sets = currency_sets_with(offer, (), {tender.currency for tender in held})
    for wanted in EVERY:
        for place, currency_set in enumerate(currency_sets):
            if place and wanted == "exact" and not offer.price:
                continue  # the empty payment belongs to every currency set, but counts once
            usable, _ = usable_money(offer, (), currency_set, held)
            if wanted == "exact" or not offer.exact:
                yield _counted(usable, max(0, offer.price), wanted, offer.never_exact)
