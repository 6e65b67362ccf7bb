"""Every legal way to pay for an offer, lazily: exact before overpaid, those from which nothing can be left out first.

A rich hand has a hundred thousand: nobody should need the whole list. Where one way is enough, or the question is only
whether there is any, nothing is listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING

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


def payments(game: Game, seat: int, offer: Offer, *, brief: bool = False) -> Iterator[Payment]:
    """Every legal payment, exact ones first, then overpaid ones, undominated first; `brief` stops before dominated."""
    held = tenders(game, seat, offer)
    money = [tender for tender in held if tender.value]
    groups: dict[str, list[Tender | None]] = {}
    for helper in held:
        if not helper.value:
            groups.setdefault(helper.group or f"{helper.noun}/{helper.id}", [None]).append(helper)
    used = [tuple(helper for helper in chosen if helper) for chosen in product(*groups.values())]
    for wanted in ("exact", "over"):
        for helpers in used:
            for chosen in _with_helpers(offer, helpers, money, wanted):
                if not _helper_spared(offer, helpers, chosen):
                    yield _payment(helpers, chosen)
    for helpers in used if not brief else ():
        for wanted in ("exact", "over", "rest"):
            for chosen in _with_helpers(offer, helpers, money, wanted):
                if wanted == "rest" or _helper_spared(offer, helpers, chosen):
                    yield _payment(helpers, chosen)


def _helper_spared(offer: Offer, helpers: tuple[Tender, ...], money: tuple[Tender, ...]) -> bool:
    """Whether a helper could be left out of a legal payment with the same result."""
    if not helpers:
        return False
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


def _with_helpers(
    offer: Offer, helpers: tuple[Tender, ...], money: list[Tender], wanted: str
) -> Iterator[tuple[Tender, ...]]:
    due = max(0, offer.price + sum(helper.delta for helper in helpers))
    if any(helper.free for helper in helpers):
        if len(helpers) == 1 and wanted == "exact":
            yield ()
        return
    fills = sum(helper.fills for helper in helpers)
    seen_empty = False
    for purse in purses_with(offer, helpers, {tender.currency for tender in money}):
        usable = [t for t in money if t.currency in purse]
        if sum(t.value * t.copies for t in usable) + fills < due:
            continue
        usable.sort(key=lambda t: (-t.value, t.noun, t.id))
        for chosen in sums(usable, due, wanted, exact_only=offer.exact, fills=fills):
            if not mix_needed(offer, helpers, {tender.currency for tender in chosen}):
                continue
            if not chosen:  # paying nothing lies in every purse, but is one payment
                if seen_empty:
                    continue
                seen_empty = True
            yield chosen


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
