"""Every legal way to pay for an offer, lazily: exact before overpaid, those from which nothing can be left out first.

A rich hand has a hundred thousand: nobody should need the whole list. Where one way is enough, or the question is only
whether there is any, nothing is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from ..components import CURRENCIES
from ..module import Below
from ..records import made
from .offers import Offer, Payment, Tender
from .payment import PURSES, mix_needed, purses_with, tenders
from .sums import sums

if TYPE_CHECKING:
    from ..game import Game
    from ..ruleset import Ruleset

SAMPLED_FROM = 200
"""Where payments must be listed to draw one, as many are looked at: the exact ones come first."""


Place = tuple[int, ...]
"""A place in the list of all payments: the number of its stretch, then how many copies of each tender are used."""


class Found(NamedTuple):
    """One step along the list of payments."""

    payment: Payment | None
    """None where the step led to no payment: it counts as work, and the list can be continued behind it."""
    stretch: int
    usable: tuple[Tender, ...]
    money: tuple[Tender, ...]

    @property
    def place(self) -> Place:
        """Where it stands: `walk(…, after=place)` begins behind it."""
        return (self.stretch, *(self.money.count(tender) for tender in self.usable))


class _Stretch(NamedTuple):
    """A part of the list: payments of one sort, with the same helpers, from one purse."""

    helpers: tuple[Tender, ...]
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
    held = tenders(game, seat, offer)
    money = [tender for tender in held if tender.value]
    currencies = {tender.currency for tender in money}
    first, begun = (after[0], after[1:]) if after is not None else (0, None)
    for number, stretch in enumerate(_stretches(offer, _combinations(held), currencies, brief=brief)):
        if number < first:
            continue
        usable = tuple(sorted([t for t in money if t.currency in stretch.purse], key=_most_valuable_first))
        if begun is not None and (len(begun) != len(usable) or any(map(_too_many, begun, usable))):
            raise ValueError("no such place in the list of payments")
        for chosen in _money(offer, stretch, usable, begun):
            payment = _payment(stretch.helpers, chosen) if _belongs(offer, stretch, chosen) else None
            yield made(Found, (payment, number, usable, chosen))
        begun = None


def _most_valuable_first(tender: Tender) -> tuple[int, str, str]:
    return (-tender.value, tender.noun, tender.id)


def _too_many(count: int, tender: Tender) -> bool:
    return not 0 <= count <= tender.copies


def _combinations(held: list[Tender]) -> list[tuple[Tender, ...]]:
    """The helpers that may be used together, none at all first."""
    groups: dict[str, list[Tender | None]] = {}
    for helper in held:
        if not helper.value:
            groups.setdefault(helper.group or f"{helper.noun}/{helper.id}", [None]).append(helper)
    return [tuple(helper for helper in chosen if helper) for chosen in product(*groups.values())]


def _stretches(
    offer: Offer, used: list[tuple[Tender, ...]], currencies: set[str], *, brief: bool
) -> Iterator[_Stretch]:
    """The list of payments in its order. What is dominated, by money or by a helper, comes last."""
    sorts = [(wanted, helpers, False) for wanted in ("exact", "over") for helpers in used]
    if not brief:
        sorts += [(wanted, helpers, True) for helpers in used for wanted in ("exact", "over", "rest")]
    for wanted, helpers, spared in sorts:
        if spared and wanted != "rest" and not helpers:
            continue
        for number, purse in enumerate(_purses(offer, helpers, currencies)):
            yield _Stretch(helpers, purse, not number, wanted, None if wanted == "rest" else spared)


def _purses(offer: Offer, helpers: tuple[Tender, ...], currencies: set[str]) -> tuple[frozenset[str], ...]:
    """The sets of currencies that may lie together in a payment with these helpers."""
    if any(helper.free for helper in helpers):
        return (frozenset(),) if len(helpers) == 1 else ()
    return purses_with(offer, helpers, currencies)


def _money(
    offer: Offer, stretch: _Stretch, usable: tuple[Tender, ...], after: tuple[int, ...] | None
) -> Iterable[tuple[Tender, ...]]:
    """The money of a stretch, legal or not with its helpers."""
    helpers = stretch.helpers
    free = any(helper.free for helper in helpers)
    due = 0 if free else max(0, offer.price + sum(helper.delta for helper in helpers))
    fills = sum(helper.fills for helper in helpers)
    return sums(usable, due, stretch.wanted, exact_only=offer.exact, fills=fills, after=after)


def _belongs(offer: Offer, stretch: _Stretch, money: tuple[Tender, ...]) -> bool:
    """Whether a payment with this money is legal and is listed in this stretch."""
    helpers = stretch.helpers
    if not money and not stretch.first_purse:
        return False  # paying nothing lies in every purse, but is one payment
    if not helpers:
        return True
    if not mix_needed(offer, helpers, {tender.currency for tender in money}):
        return False
    return stretch.spared in (None, _helper_spared(offer, helpers, money))


def _helper_spared(offer: Offer, helpers: tuple[Tender, ...], money: tuple[Tender, ...]) -> bool:
    """Whether a helper could be left out of a legal payment with the same result."""
    result = _outcome(offer, helpers, money)
    return any(_outcome(offer, helpers[:n] + helpers[n + 1 :], money) is result for n in range(len(helpers)))


def _outcome(offer: Offer, helpers: tuple[Tender, ...], money: tuple[Tender, ...]) -> bool | None:
    """Whether a payment is exact; None if it is not legal."""
    if any(helper.free for helper in helpers):
        return None if money or len(helpers) > 1 else True
    used = {tender.currency for tender in money}
    if used and not any(used <= purse for purse in purses_with(offer, helpers, used)):
        return None
    if not mix_needed(offer, helpers, used):
        return None
    due = max(0, offer.price + sum(helper.delta for helper in helpers))
    paid = sum(tender.value for tender in money)
    fills = sum(helper.fills for helper in helpers)
    if fills:
        return True if paid < due <= paid + fills else None
    return None if paid < due or (offer.exact and paid != due) else paid == due


def _payment(helpers: tuple[Tender, ...], money: tuple[Tender, ...]) -> Payment:
    parts: dict[str, list[str]] = {"cards": [], "display": [], "items": []}
    for tender in (*helpers, *money):
        parts[tender.noun].append(tender.id)
    return Payment(*(tuple(sorted(ids)) for ids in parts.values()))


# -- Without listing them ------------------------------------------------------------------------------------------


def worth_of(ruleset: Ruleset, hand: tuple[str, ...]) -> Mapping[str, int]:
    """What the cards of a hand are worth, by currency."""
    known = ruleset.cards
    found: dict[str, int] = {}
    for card in hand:
        record = known[card]
        currency = record.currency
        found[currency] = found.get(currency, 0) + record.value
    return found


def affordable(game: Game, seat: int, offer: Offer) -> bool:
    """Whether any payment is legal."""
    if offer.currency in CURRENCIES and not offer.exact:
        ruleset = game.ruleset
        if worth_of(ruleset, game.state.seats[seat].hand).get(offer.currency, 0) >= offer.price:
            return True
        if not ruleset.tenders:
            return False
    return next(payments(game, seat, offer, brief=True), None) is not None


def most_payable(game: Game, seat: int, offer: Offer) -> int:
    """The highest sum that the seat can lay down for an offer, whatever its price."""
    held = tenders(game, seat, offer)
    money = [tender for tender in held if tender.value]
    most = 0
    for helpers in [(), *((helper,) for helper in held if helper.mixes)]:
        for purse in purses_with(offer, helpers, {tender.currency for tender in money}):
            chosen = [tender for tender in money if tender.currency in purse]
            if mix_needed(offer, helpers, {tender.currency for tender in chosen}):
                most = max(most, sum(tender.value * tender.copies for tender in chosen))
    return most


def sample_payment(game: Game, seat: int, offer: Offer, below: Below) -> Payment | None:
    """A random payment: cards of a random purse in random order until the price is met."""
    if offer.exact or game.ruleset.tenders:
        found = list(islice(payments(game, seat, offer, brief=True), SAMPLED_FROM))
        return found[below(len(found))] if found else None
    known = game.ruleset.cards
    hand = game.state.seats[seat].hand
    accepted = PURSES[offer.currency]
    purse = accepted[below(len(accepted))]
    usable = [card for card in hand if known[card].currency in purse]
    paid: list[str] = []
    missing_still = offer.price
    while missing_still > 0:
        if not usable:
            return None
        card = usable.pop(below(len(usable)))
        paid.append(card)
        missing_still -= known[card].value
    return made(Payment, (tuple(sorted(paid)), (), ()))
