"""Combinations of money that pay a price: every multiset of a seat's money.

There are three lists: exact payments, overpayments from which nothing can be left out, and the rest. A large hand has a
huge rest, so combinations are found one by one, and a list can be continued after any entry without repeating the
earlier ones. The first two lists of a small hand are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .offers import Tender

FEW = 10
"""Maximum number of kinds of money in a hand for which the first two lists are cached."""


def money_combinations(
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
    """Return the combinations of one list: `exact`, `over` (overpaid, undominated) or `rest`. With `never_exact`,
    paying exactly has no advantage, so a payment is dominated if leaving something out still pays the price. With
    `kept`, one of the first two lists of a small hand is computed completely and cached. `after` is an entry of the
    list, as the number of copies of each tender; the result starts after it."""
    if fills and (not due or wanted == "over"):
        return ()  # there is no shortage to fill; a filled shortage is never overpaid
    least = max(0, due - fills)
    if sum([tender.value * tender.copies for tender in usable]) < least:
        return ()
    if kept and wanted != "rest" and after is None and len(usable) <= FEW:
        return _cached_combinations(usable, due, least, wanted, exact_only, never_exact)
    if after is None:
        return _from_start(usable, due, least, wanted, exact_only, never_exact)
    return _search(usable, due, least, wanted, exact_only, never_exact, after)


@lru_cache(maxsize=512)
def _cached_combinations(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, never_exact: bool
) -> tuple[tuple[Tender, ...], ...]:
    """Return the list, cached: the same one is needed before a move, after it, and in each determinization."""
    return tuple(_from_start(usable, due, least, wanted, exact_only, never_exact))


def _from_start(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, never_exact: bool
) -> Iterator[tuple[Tender, ...]]:
    """Return the list from its start. Faster algorithms are used for the first two, which are needed most."""
    if least == due and wanted == "exact":
        return _exact(usable, due)
    if least == due and wanted == "over" and not exact_only:
        return _overpaid(usable, due, due if never_exact else due + 1)
    return _search(usable, due, least, wanted, exact_only, never_exact)


def _exact(usable: tuple[Tender, ...], due: int) -> Iterator[tuple[Tender, ...]]:
    """Yield the combinations that pay exactly, in the order of `_search`."""
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
            tender = usable[n]  # exists, because `left` is reachable from here
        n += 1
        value, further = tender.value, reachable[n]
        for count in range(min(tender.copies, left // value) + 1):
            if further >> left - count * value & 1:
                begun.append((n, left - count * value, chosen + (tender,) * count))


def _overpaid(usable: tuple[Tender, ...], due: int, enough: int) -> Iterator[tuple[Tender, ...]]:
    """Yield the overpaid combinations that are worth less than `enough` without any one piece, in the order of
    `_search`."""
    worth = [tender.value * tender.copies for tender in usable]
    rest = [*accumulate(reversed(worth), initial=0)][::-1]
    """By n: the value of all tenders from n on."""
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
        """The remaining tenders must add more than this."""
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
    """Yield combinations depth first, in the order of the money, without entering branches that contain none: each step
    is short, however many combinations there are. `least` is lower than the price if a helper fills a shortage."""
    kinds = len(usable)
    enough = due if never_exact else due + 1
    """A combination worth this much without its least valuable piece is dominated."""
    completable = _completable(usable, due, least, wanted, exact_only, enough)
    filling = least < due and wanted == "exact"
    """Whether any more money could be left out again, as soon as the shortage can be filled."""

    def fits(total: int, smallest: int) -> bool:
        if least < due:
            # With a filled shortage every payment counts as exact, even if a card could be left out.
            dominated = bool(smallest) and total - smallest >= least
            return least <= total < due and wanted == ("rest" if dominated else "exact")
        if total == due:
            return wanted == "exact"
        if total < due or exact_only:
            return False
        return wanted == ("over" if total - smallest < enough else "rest")

    # Partial entries to be continued, next one last: number of kinds considered, sum, least valuable piece, chosen
    # tenders, and whether `after` starts like this, so that only later entries count.
    begun: list[tuple[int, int, int, tuple[Tender, ...], bool]] = []
    if completable(0, 0):
        begun.append((0, 0, 0, (), after is not None))
    while begun:
        n, total, smallest, chosen, resumed = begun.pop()
        complete = total > due if wanted == "over" else filling and total >= least and not resumed
        if n == kinds or complete:
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
            # More copies would exceed an exact sum, or one of them could be left out.
            most = min(tender.copies, (due - total) // value + (wanted == "over"))
        for count in range(most + 1):
            if completable(n + 1, total + value * count):
                low = min(smallest or value, value) if count else smallest
                further = (n + 1, total + value * count, low, (*chosen, *(tender,) * count), resumed and count == most)
                begun.append(further)


def reachable_sums(usable: tuple[Tender, ...], most: int) -> list[int]:
    """Return by n, as a bit set, the sums up to `most` that the tenders from n on can reach."""
    found = [1] * (len(usable) + 1)
    within = (1 << most + 1) - 1
    for n in range(len(usable) - 1, -1, -1):
        tender, sums_from = usable[n], found[n + 1]
        for _ in range(min(tender.copies, most // tender.value)):
            sums_from |= sums_from << tender.value & within
        found[n] = sums_from
    return found


def _completable(
    usable: tuple[Tender, ...], due: int, least: int, wanted: str, exact_only: bool, enough: int
) -> Callable[[int, int], bool]:
    """Return a function: whether `total`, chosen from the first `n` tenders, can be completed to an entry."""
    if wanted == "exact" or least < due:
        most = due - (least < due)
        reachable = reachable_sums(usable, most)

        def reaches(n: int, total: int) -> bool:
            lowest = max(least, total)
            return total <= most and bool(reachable[n] >> lowest - total & (1 << most - lowest + 1) - 1)

        return reaches
    rest = [0] * (len(usable) + 1)
    for n in range(len(usable) - 1, -1, -1):
        rest[n] = rest[n + 1] + usable[n].value * usable[n].copies
    least_needed = due + 1
    if wanted == "rest":
        least_needed = enough + min((tender.value for tender in usable), default=0)
    return lambda n, total: not exact_only and total + rest[n] >= least_needed
