"""One payment instead of a list: whether a seat can pay at all, how much it could pay, and a payment drawn at random.

Nothing here goes through the combinations of helpers. Few of them decide which money may be used: those that mix
currencies and those that open something. With these chosen, each of the others only lowers or raises what the money
must come to, so sums of money and sums of changes are compared.
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
    PURSES,
    Combinations,
    Helpers,
    group_of,
    may_be_combined,
    outcome,
    price_with,
    purses_with,
    usable_money,
    without_effect_on_money,
)
from .offers import ANY_ONE, Offer, Payment, Tender
from .rules import payment_with, tenders

if TYPE_CHECKING:
    from ...game import Game
    from ...ruleset import Ruleset

USED_ONE_IN = 3
"""A drawn payment uses a helper of each group once in this many draws."""
DRAWS = 6
"""Draws of helpers until one that can be paid is searched for."""

Money = tuple[Tender, ...]


def _first(_bound: int) -> int:
    """Draws nothing: always the first."""
    return 0


# -- Whether it can be paid ----------------------------------------------------------------------------------------


def worth_of(ruleset: Ruleset, hand: tuple[str, ...]) -> Mapping[str, int]:
    """What the cards of a hand are worth, by currency."""
    known = ruleset.cards
    found: dict[str, int] = {}
    for card in hand:
        card_kind = known[card]
        currency = card_kind.currency
        found[currency] = found.get(currency, 0) + card_kind.value
    return found


def affordable(game: Game, seat: int, offer: Offer) -> bool:
    """Whether any payment is legal."""
    if offer.currency in CURRENCIES and not offer.exact:
        ruleset = game.ruleset
        if worth_of(ruleset, game.state.seats[seat].hand).get(offer.currency, 0) >= offer.price:
            return True
        if not ruleset.tenders:
            return False
    held = tenders(game, seat, offer)
    if offer.exact or any(tender.free for tender in held):
        return first_payment(offer, held) is not None
    return any(opening.worth + _most_saved(opening) >= offer.price for opening in _openings(offer, held))


def most_payable(game: Game, seat: int, offer: Offer) -> int:
    """The highest sum that the seat can lay down for an offer, whatever its price."""
    most = 0
    for opening in _openings(offer, tenders(game, seat, offer)):
        every = tuple(tender for tender in opening.usable for _ in range(tender.copies))
        if not without_effect_on_money(offer, opening.helpers, every):
            most = max(most, opening.worth)
    return most


class _Opening(NamedTuple):
    """Which money may be used: a purse, with the helpers that let it be used. The other helpers follow by group."""

    helpers: Helpers
    usable: Money
    groups: list[list[Tender]]
    """Those that change the price or fill a shortage, and can still be used."""

    @property
    def worth(self) -> int:
        """What all of the money comes to."""
        return sum([tender.value * tender.copies for tender in self.usable])


def _openings(offer: Offer, held: list[Tender]) -> Iterator[_Opening]:
    """Every purse with the fewest helpers that it takes, without any helper first."""
    money = [tender for tender in held if tender.value]
    currencies = {tender.currency for tender in money}
    others = [tender for tender in held if tender.delta or tender.fills]
    for helpers in Combinations(tender for tender in held if tender.mixes or tender.opens):
        if not may_be_combined(helpers):
            continue
        taken = {group_of(helper) for helper in helpers}
        groups = Combinations(tender for tender in others if group_of(tender) not in taken).groups
        for purse in purses_with(offer, helpers, currencies):
            yield new_tuple(_Opening, (helpers, usable_money(offer, helpers, purse, money)[0], groups))


def _saves(helper: Tender) -> int:
    """How much less money is needed with a helper, at most."""
    return max(helper.fills, -helper.delta, 0)


def _most_saved(opening: _Opening) -> int:
    return sum([max(map(_saves, group)) for group in opening.groups])


# -- A payment, if there is any ------------------------------------------------------------------------------------


def first_payment(offer: Offer, held: list[Tender], randbelow: RandBelow = _first) -> Payment | None:
    """A legal payment; None if there is none. `below` makes it a random one of those that are tried."""
    for helper in held:
        if helper.free and outcome(offer, (helper,), ()) is not None:
            return payment_with((helper,), ())
    find = _exactly if offer.exact else _at_least
    return next((payment for opening in _openings(offer, held) if (payment := find(offer, opening, randbelow))), None)


def _at_least(offer: Offer, opening: _Opening, randbelow: RandBelow) -> Payment | None:
    """A payment that may be too high, with no more helpers than are needed to afford it."""
    short = offer.price - opening.worth
    helpers = [max(group, key=_saves) for group in opening.groups]
    spare = sum(map(_saves, helpers)) - short
    if spare < 0:
        return None
    for helper in sorted(helpers, key=_saves):
        if _saves(helper) <= spare:
            spare -= _saves(helper)
            helpers.remove(helper)
    return _paid(offer, (*opening.helpers, *helpers), opening.usable, randbelow)


def _exactly(offer: Offer, opening: _Opening, randbelow: RandBelow) -> Payment | None:
    """A payment that meets the price, or fills what is short of it."""
    if not opening.helpers:
        nothing = _at_least(offer, opening._replace(usable=(), groups=_only_lowering(opening.groups)), randbelow)
        if nothing is not None:
            return nothing
    changes: dict[tuple[int, int], Helpers] = {(0, 0): ()}
    """By what they add to the price and how much they fill: the fewest helpers found for it."""
    for group in opening.groups:
        for (delta, fills), helpers in list(changes.items()):
            for helper in group:
                changes.setdefault((delta + helper.delta, fills + helper.fills), (*helpers, helper))
    for (delta, _), helpers in changes.items():
        if offer.price + delta > 0:
            payment = _paid(offer, (*opening.helpers, *helpers), opening.usable, randbelow)
            if payment is not None:
                return payment
    return None


def _only_lowering(groups: list[list[Tender]]) -> list[list[Tender]]:
    return [lowering for group in groups if (lowering := [helper for helper in group if helper.delta < 0])]


def _paid(offer: Offer, helpers: Helpers, usable: Money, randbelow: RandBelow) -> Payment | None:
    """A payment with all of these helpers; None if there is none."""
    least, most = _bounds(offer, helpers)
    money = _draw_money(offer, helpers, usable, least, most, randbelow)
    return None if money is None else payment_with(helpers, money)


def _bounds(offer: Offer, helpers: Helpers) -> tuple[int, int | None]:
    """The lowest and the highest sum of money that is legal with these helpers; None: there is no highest."""
    due = price_with(offer, helpers)
    fills = sum([helper.fills for helper in helpers])
    if fills:
        return max(0, due - fills), due - 1
    return due, due if offer.exact else None


# -- Drawing money -------------------------------------------------------------------------------------------------


def _draw_money(
    offer: Offer, helpers: Helpers, usable: Money, least: int, most: int | None, randbelow: RandBelow
) -> Money | None:
    """Random money with a sum between these bounds that gives every helper its effect; None if there is none."""
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
    """The money that must be there for each helper to have an effect, in every way, in random order."""
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
    """Money in random order until the sum is reached; None if all of it is not enough."""
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
    """Random money with a sum between two bounds; None if there is none."""
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
    """Whether one of the sums lies between the bounds."""
    least = max(least, 0)
    return bool(reachable >> least & (1 << most - least + 1) - 1) if most >= least else False


# -- Drawing a payment ---------------------------------------------------------------------------------------------


def sample_payment(game: Game, seat: int, offer: Offer, randbelow: RandBelow) -> Payment | None:
    """A random payment; None if there is none. Without helpers: cards of a random purse in random order until the price
    is met. With helpers: those of each group now and then, then money, half of the time such that it is exact."""
    if offer.exact or game.ruleset.tenders:
        return _sample(offer, tenders(game, seat, offer), randbelow)
    known = game.ruleset.cards
    hand = game.state.seats[seat].hand
    accepted = PURSES[offer.currency]
    purse = accepted[randbelow(len(accepted))]
    usable = [card for card in hand if known[card].currency in purse]
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
        purses = purses_with(offer, helpers, currencies)
        if not purses or not may_be_combined(helpers):
            continue
        usable, _ = usable_money(offer, helpers, purses[randbelow(len(purses))], money)
        found = _draw_legal(offer, helpers, usable, randbelow)
        if found is not None:
            return payment_with(helpers, found)
    return first_payment(offer, held, randbelow)


def _draw_legal(offer: Offer, helpers: Helpers, usable: Money, randbelow: RandBelow) -> Money | None:
    """Random money that is legal with these helpers; None if there is none."""
    least, most = _bounds(offer, helpers)
    money = None
    if most is None and randbelow(2):
        money = _draw_money(offer, helpers, usable, least, least, randbelow)
    if money is None:
        money = _draw_money(offer, helpers, usable, least, most, randbelow)
    return money if money is not None and outcome(offer, helpers, money) is not None else None
