"""Which money makes up a price: every multiset of the money at hand that pays it.

Three lists, each by itself: those that pay exactly, those that overpay but from which nothing can be left out, and all
the rest. A rich hand has very many of the rest, so they are found one by one, and a list can be continued behind any of
its entries without finding the earlier ones again. The first two lists of a small hand are kept for the next caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .offers import Tender

FEW = 10
"""Kinds of money in a hand up to which the first two lists of a price are kept."""


def sums(
    usable: tuple[Tender, ...],
    due: int,
    wanted: str,
    *,
    exact_only: bool,
    fills: int,
    never_exact: bool = False,
    kept: bool = True,
    after: tuple[int, ...] | None = None,
) -> Iterable[tuple[Tender, ...]]:
    """Multisets of money for a price: exact ones, undominated overpaid ones, or all the rest. With `never_exact` it is
    no gain to meet the price, so what could be left out to meet it makes a payment dominated. `kept`: the list is
    found as a whole and kept, if it is one of the first two and not long. `after` is an earlier entry of the list, as
    the number of copies of each tender; the list then begins behind it."""
    if fills and not due:
        return ()  # there is no shortage
    least = max(0, due - fills)
    if sum([tender.value * tender.copies for tender in usable]) < least:
        return ()
    if kept and wanted != "rest" and after is None and len(usable) <= FEW:
        return _few_sums(usable, due, least, wanted, exact_only, never_exact)
    if after is None:
        return _begun(usable, due, least, wanted, exact_only, never_exact)
    return _search(usable, due, least, wanted, exact_only, never_exact, after)


@lru_cache(maxsize=512)
def _few_sums(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, never_exact: bool
) -> tuple[tuple[Tender, ...], ...]:
    """The same list is asked for again and again: before a move, after it, by each seat that imagines the hand."""
    return tuple(_begun(usable, due, least, wanted, exact_only, never_exact))


def _begun(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, never_exact: bool
) -> Iterator[tuple[Tender, ...]]:
    """The list from its beginning: the first two, which are asked for most, are found in a quicker way."""
    if least == due and wanted == "exact":
        return _exact(usable, due)
    if least == due and wanted == "over" and not exact_only:
        return _overpaid(usable, due, due if never_exact else due + 1)
    return _search(usable, due, least, wanted, exact_only, never_exact)


def _exact(usable: tuple[Tender, ...], due: int) -> Iterator[tuple[Tender, ...]]:
    """What pays a price exactly, in the order of `_search`."""
    reachable = reachable_sums(usable, due)
    begun: list[tuple[int, int, tuple[Tender, ...]]] = [(0, due, ())] if reachable[0] >> due & 1 else []
    while begun:
        n, left, chosen = begun.pop()
        if not left:
            yield chosen
            continue
        tender = usable[n]
        while tender.value > left:
            n += 1
            tender = usable[n]  # there is one, because `left` can be reached from here
        n += 1
        value, further = tender.value, reachable[n]
        for count in range(min(tender.copies, left // value) + 1):
            if further >> left - count * value & 1:
                begun.append((n, left - count * value, chosen + (tender,) * count))


def _overpaid(usable: tuple[Tender, ...], due: int, enough: int) -> Iterator[tuple[Tender, ...]]:
    """What overpays, and is worth less than `enough` without any of its pieces, in the order of `_search`."""
    worth = [tender.value * tender.copies for tender in usable]
    rest = [*accumulate(reversed(worth), initial=0)][::-1]
    """For each n what the tenders from n on are worth."""
    begun: list[tuple[int, int, int, tuple[Tender, ...]]] = [(0, 0, 0, ())] if rest[0] > due else []
    while begun:
        n, total, smallest, chosen = begun.pop()
        if total > due:
            if total - smallest < enough:
                yield chosen
            continue
        tender = usable[n]
        n += 1
        value = tender.value
        short = due - total
        """With the others more than this must still come together."""
        if rest[n] > short:
            begun.append((n, total, smallest, chosen))
        low = value if not smallest or value < smallest else smallest
        for count in range(1, min(tender.copies, short // value + 1) + 1):
            if count * value + rest[n] > short:
                begun.append((n, total + count * value, low, chosen + (tender,) * count))


def _search(
    usable: tuple[Tender, ...],
    due: int,
    least: int,
    wanted: str,
    exact_only: bool,
    never_exact: bool,
    after: tuple[int, ...] | None = None,
) -> Iterator[tuple[Tender, ...]]:
    """Goes through the multisets depth first, in the order of the money, and enters no branch that holds none: finding
    the next one takes a few steps, however many there are. `least` is lower than the price where a helper fills the
    shortage."""
    kinds = len(usable)
    enough = due if never_exact else due + 1
    """What is worth this much without its least valuable piece of money is dominated."""
    promises = _promises(usable, due, least, wanted, exact_only, enough)

    def fits(total: int, smallest: int) -> bool:
        if least < due:
            # With a shortage filled every payment counts as exact; leaving a card out may still be legal.
            dominated = bool(smallest) and total - smallest >= least
            return least <= total < due and wanted == ("rest" if dominated else "exact")
        if total == due:
            return wanted == "exact"
        if total < due or exact_only:
            return False
        return wanted == ("over" if total - smallest < enough else "rest")

    # Beginnings of entries that are still to be continued, the next one last: the number of kinds chosen from, the sum,
    # the least valuable piece, what is chosen, and whether the entry `after` begins like that, so that only later ones
    # count.
    begun: list[tuple[int, int, int, tuple[Tender, ...], bool]] = []
    if promises(0, 0):
        begun.append((0, 0, 0, (), after is not None))
    while begun:
        n, total, smallest, chosen, resumed = begun.pop()
        if n == kinds or (wanted == "over" and total > due):
            if not resumed and fits(total, smallest):
                yield chosen
            continue
        tender = usable[n]
        value = tender.value
        if resumed and after is not None:
            most = after[n]
        elif wanted == "rest":
            most = tender.copies
        else:
            # With more copies the sum is too high to be exact, or one of them could be left out.
            most = min(tender.copies, (due - total) // value + (wanted == "over"))
        for count in range(most + 1):
            if promises(n + 1, total + value * count):
                low = min(smallest or value, value) if count else smallest
                further = (n + 1, total + value * count, low, (*chosen, *(tender,) * count), resumed and count == most)
                begun.append(further)


def reachable_sums(usable: tuple[Tender, ...], most: int) -> list[int]:
    """For each n a set of bits: the sums up to `most` that the tenders from n on can come to."""
    found = [1] * (len(usable) + 1)
    within = (1 << most + 1) - 1
    for n in range(len(usable) - 1, -1, -1):
        tender, sums_from = usable[n], found[n + 1]
        for _ in range(min(tender.copies, most // tender.value)):
            sums_from |= sums_from << tender.value & within
        found[n] = sums_from
    return found


def _promises(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, enough: int
) -> Callable[[int, int], bool]:
    """A function that says whether `total`, chosen from the first `n` tenders, can become an entry with the others."""
    if wanted == "exact" or least < due:
        most = due - (least < due)
        reachable = reachable_sums(usable, most)

        def reaches(n: int, total: int) -> bool:
            lowest = max(least, total)
            return total <= most and bool(reachable[n] >> lowest - total & (1 << most - lowest + 1) - 1)

        return reaches if wanted != "over" else lambda _n, _total: False
    rest = [0] * (len(usable) + 1)
    for n in range(len(usable) - 1, -1, -1):
        rest[n] = rest[n + 1] + usable[n].value * usable[n].copies
    least_needed = due + 1
    if wanted == "rest":
        least_needed = enough + min((tender.value for tender in usable), default=0)
    return lambda n, total: not exact_only and total + rest[n] >= least_needed
