"""Which money makes up a price: every multiset of the money at hand that pays it.

Three lists, each by itself: those that pay exactly, those that overpay but from which nothing can be left out, and all
the rest. A rich hand has very many of the rest, so that they are found one by one; the few that most callers want are
kept for the next who asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .offers import Tender

FEW = 10
"""Kinds of money in a hand up to which the first two lists of a price are kept."""


def sums(usable: list[Tender], due: int, wanted: str, *, exact_only: bool, fills: int) -> Iterable[tuple[Tender, ...]]:
    """Multisets of money for a price: exact ones, undominated overpaid ones, or all the rest."""
    if fills and not due:
        return ()  # there is no shortage
    least = max(0, due - fills)
    if sum([tender.value * tender.copies for tender in usable]) < least:
        return ()
    if wanted != "rest" and len(usable) <= FEW:
        return _few_sums(tuple(usable), due, least, wanted, exact_only)
    return _search(tuple(usable), due, least, wanted, exact_only)


@lru_cache(maxsize=512)
def _few_sums(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool
) -> tuple[tuple[Tender, ...], ...]:
    """The same list is asked for again and again: before a move, after it, by each seat that imagines the hand."""
    return tuple(_search(usable, due, least, wanted, exact_only))


def _search(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool
) -> Iterator[tuple[Tender, ...]]:
    """Goes through the multisets depth first, most valuable money first. `least` is lower than the price where a
    helper fills the shortage."""
    rest = [0] * (len(usable) + 1)
    for n in range(len(usable) - 1, -1, -1):
        rest[n] = rest[n + 1] + usable[n].value * usable[n].copies

    def fits(total: int, smallest: int) -> bool:
        if least < due:
            # With a shortage filled every payment counts as exact; leaving a card out may still be legal.
            dominated = bool(smallest) and total - smallest >= least
            return least <= total < due and wanted == ("rest" if dominated else "exact")
        if total == due:
            return wanted == "exact"
        if total < due or exact_only:
            return False
        return wanted == ("over" if total - smallest <= due else "rest")

    def choose(n: int, total: int, smallest: int, chosen: tuple[Tender, ...]) -> Iterator[tuple[Tender, ...]]:
        if total + rest[n] < least or (total > due and (wanted != "rest" or exact_only)):
            if total > due and wanted == "over" and fits(total, smallest):
                yield chosen
            return
        if n == len(usable):
            if fits(total, smallest):
                yield chosen
            return
        tender = usable[n]
        for count in range(tender.copies, -1, -1):
            value = tender.value * count
            low = tender.value if count else smallest
            yield from choose(n + 1, total + value, low, (*chosen, *(tender,) * count))

    return choose(0, 0, 0, ())
