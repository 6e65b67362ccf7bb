"""Rules of payments: what can be used in one, whether it is legal, and where the money goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ...fast_tuple import new_tuple
from ...violations import Violation
from ..supply import discard, gain, lose, missing, without
from .helper_items import (
    currency_sets_with,
    has_what_it_needs,
    price_with,
    without_effect_on_money,
    without_effect_on_price,
)
from .offers import DIAMOND, Offer, Payment, Tender, Verdict

if TYPE_CHECKING:
    from ...game import Game
    from ...moves import Move
    from ...ruleset import Ruleset

Held: TypeAlias = Mapping[tuple[str, str], Tender]
"""What a seat may use in a payment, by noun and id."""

# -- What may be paid with -----------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, offer: Offer) -> list[Tender]:
    """Return everything that the seat may use in a payment for the offer."""
    found = list(_money_cards(game.ruleset, game.state.seats[seat].hand))
    for contribute in game.ruleset.tenders:
        found.extend(contribute(game, seat, offer))
    return found


@lru_cache(maxsize=64)
def _money_cards(ruleset: Ruleset, hand: tuple[str, ...]) -> tuple[Tender, ...]:
    """Return the money cards of a hand as tenders. Cached, because they are needed for every offer."""
    found = []
    for card, copies in Counter(hand).items():
        card_kind = ruleset.cards[card]
        if card_kind.value and card_kind.currency != DIAMOND:
            found.append(Tender("cards", card, copies, card_kind.currency, card_kind.value))
    return tuple(found)


def held_by(found: Iterable[Tender]) -> Held:
    """Return what a seat may use in a payment, by noun and id."""
    return {(tender.noun, tender.id): tender for tender in found}


def payment_with(helpers: Iterable[Tender], money: Iterable[Tender]) -> Payment:
    """Return the payment with these helpers and this money, one entry for each copy."""
    cards: list[str] = []
    others: dict[str, list[str]] = {}
    for tender in (*helpers, *money):
        if tender.noun == "cards":
            cards.append(tender.id)
        else:
            others.setdefault(tender.noun, []).append(tender.id)
    cards.sort()
    if not others:
        return new_tuple(Payment, (tuple(cards), (), ()))
    return new_tuple(
        Payment, (tuple(cards), tuple(sorted(others.get("display", ()))), tuple(sorted(others.get("items", ()))))
    )


# -- Judging one payment -------------------------------------------------------------------------------------------


def judge(game: Game, seat: int, offer: Offer, payment: Payment, held: Held | None = None) -> Verdict:
    """Return the violations of a payment, the price due, the amount paid, and whether it counts as exact. `held` is
    what `held_by` returns, if the caller knows it."""
    return _judge_plain_cards(game, seat, offer, payment) or _judge_each(game, seat, offer, payment, held)


def _judge_plain_cards(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict | None:
    """Return the verdict on sufficient money cards of the right currency from the hand; None if a closer look is
    needed."""
    cards, display, items = payment
    if items or display:
        return None
    known, hand = game.ruleset.cards, game.state.seats[seat].hand
    price, currency = offer.price, offer.currency
    paid = 0
    for card in cards:
        if cards.count(card) > hand.count(card) or known[card].currency != currency:
            return None
        paid += known[card].value
    if paid < price or (offer.exact and paid != price):
        return None
    return new_tuple(Verdict, ([], price, paid, paid == price and not offer.never_exact, (currency,) if cards else ()))


def _judge_each(game: Game, seat: int, offer: Offer, payment: Payment, held: Held | None) -> Verdict:
    if held is None:
        held = held_by(tenders(game, seat, offer))
    faults: list[Violation] = []
    money: list[Tender] = []
    helpers: list[Tender] = []
    for noun, ids in zip(Payment._fields, payment, strict=True):
        for entry in dict.fromkeys(ids):
            tender = held.get((noun, entry))
            if tender is None:
                faults.append(_tender_fault(game, seat, offer, noun, entry))
            elif ids.count(entry) > tender.copies:
                faults.append(Violation("NOT_THERE", noun, id=entry, place="hand" if noun == "cards" else "held"))
            elif tender.value:
                money.extend([tender] * ids.count(entry))
            else:
                helpers.extend([tender] * ids.count(entry))
    faults += _combination_faults(offer, helpers, money)
    faults += _currency_faults(offer, helpers, money)
    verdict = verdict_without_faults(offer, helpers, money)
    if any(helper.free for helper in helpers):
        return verdict._replace(violations=faults)
    due, paid = verdict.due, verdict.paid
    faults += [Violation("NO_EFFECT", idle.noun, id=idle.id) for idle in without_effect_on_price(offer, helpers)]
    fills = sum(helper.fills for helper in helpers)
    if fills:
        if paid >= due:
            filler = next(helper for helper in helpers if helper.fills)
            faults.append(Violation("NO_EFFECT", filler.noun, id=filler.id))
        elif paid + fills < due:
            faults.append(Violation("UNDERPAID", due=due, paid=paid + fills))
    elif paid < due:
        faults.append(Violation("UNDERPAID", due=due, paid=paid))
    elif offer.exact and paid != due:
        faults.append(Violation("NOT_EXACT", due=due, paid=paid))
    return verdict._replace(violations=faults)


def verdict_without_faults(offer: Offer, helpers: Iterable[Tender], money: Iterable[Tender]) -> Verdict:
    """Return what a payment comes to, without judging whether it is legal. A filled shortage always counts as exact."""
    due = price_with(offer, helpers)
    paid = sum([tender.value for tender in money])
    used = tuple(sorted({tender.currency for tender in money}))
    free = filled = False
    for helper in helpers:
        free = free or helper.free
        filled = filled or helper.fills > 0
    if free:
        return new_tuple(Verdict, ([], due, 0, not offer.never_exact, used))
    return new_tuple(Verdict, ([], due, paid, filled or (paid == due and not offer.never_exact), used))


def _tender_fault(game: Game, seat: int, offer: Offer, noun: str, entry: str) -> Violation:
    """Return why an entry is no tender: unknown, not held or not accepted. The answer does not reveal where else it
    is."""
    if noun == "cards":
        if entry not in game.ruleset.cards:
            return Violation("ID_UNKNOWN", noun, id=entry)
        if entry in game.state.seats[seat].hand:
            return Violation("NOT_ACCEPTED", noun, id=entry, purchase=offer.purpose)
        return Violation("NOT_THERE", noun, id=entry, place="hand")
    if noun == "items" and _serves_elsewhere(game, seat, offer, entry):
        return Violation("NOT_ACCEPTED", noun, id=entry, purchase=offer.purpose)
    return Violation("NOT_THERE", noun, id=entry, place="held" if noun == "items" else "display")


def _serves_elsewhere(game: Game, seat: int, offer: Offer, item: str) -> bool:
    """Return whether the seat has an item that it could use to pay for an ordinary building."""
    building = Offer(offer.slot, offer.price, offer.currency, game.ruleset.effects)
    return any(tender.id == item for tender in tenders(game, seat, building))


def _combination_faults(offer: Offer, helpers: list[Tender], money: list[Tender]) -> Iterator[Violation]:
    for n, first in enumerate(helpers):
        for second in helpers[n + 1 :]:
            if first.mixes and second.mixes:
                yield Violation("MIX_FORBIDDEN", second.noun, ids=sorted((first.id, second.id)))
            elif first.free or second.free or first.id == second.id or (first.group and first.group == second.group):
                yield Violation("COMBINATION_FORBIDDEN", second.noun, a=first.id, b=second.id)
        if first.free and money:
            yield Violation("COMBINATION_FORBIDDEN", first.noun, a=first.id, b=money[0].id)
    for tender in dict.fromkeys((*helpers, *money)):
        if not has_what_it_needs(tender, helpers):
            yield Violation("NOT_ACCEPTED", tender.noun, id=tender.id, purchase=offer.purpose)


def _currency_faults(offer: Offer, helpers: list[Tender], money: list[Tender]) -> Iterator[Violation]:
    used = {tender.currency for tender in money}
    currency_sets = currency_sets_with(offer, helpers, used)
    if used and not any(used <= currency_set for currency_set in currency_sets):
        allowed = set[str]().union(*currency_sets)
        foreign = [tender for tender in money if tender.currency not in allowed]
        if foreign:
            for entry in dict.fromkeys((tender.noun, tender.id) for tender in foreign):
                yield Violation("WRONG_CURRENCY", entry[0], id=entry[1], allowed=sorted(allowed - {DIAMOND}))
        else:
            yield Violation("MIX_FORBIDDEN", "cards", ids=sorted({tender.id for tender in money}))
        return
    for idle in without_effect_on_money(offer, helpers, money):
        yield Violation("NO_EFFECT", idle.noun, id=idle.id)


# -- Paying --------------------------------------------------------------------------------------------------------


def payment_of(move: Move) -> Payment:
    """Return the payment of a move."""
    return new_tuple(Payment, (move.cards, move.display, move.items))


def pay(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict:
    """Make a legal payment: cards go to the payee or the discard, items where they belong. Emits the event `paid`."""
    verdict = judge(game, seat, offer, payment)
    game.emit(
        "paid",
        seat=seat,
        cards=payment.cards,
        display=payment.display,
        items=payment.items,
        due=verdict.due,
        paid=verdict.paid,
        exact=verdict.exact,
        payee=offer.payee,
    )
    set_payment_aside(game, seat, payment)
    spend_payment(game, seat, payment, offer.payee)
    return verdict


def set_payment_aside(game: Game, seat: int, payment: Payment) -> None:
    """Take the payment from its owner. Call `spend_payment` next, or keep it and call `return_payment` later."""
    lose(game, seat, payment.cards)
    if payment.display:
        game.state.display = without(game.state.display, payment.display)
    if payment.items:
        _notify_items(game, seat, payment, "laid_down")


def spend_payment(game: Game, seat: int, payment: Payment, payee: int | None = None) -> None:
    """Spend a payment that was set aside: money cards go to the payee or the discard."""
    spent: Iterable[str] = payment.cards + payment.display
    if payee is not None:
        received = received_cards(game, payment)
        gain(game, payee, received)
        spent = missing(received, tuple(spent))
    discard(game, spent)
    if payment.items:
        _notify_items(game, seat, payment, "spent", payee)


def received_cards(game: Game, payment: Payment) -> tuple[str, ...]:
    """Return the cards that a paid seat receives: money, unless it leaves the game when spent."""
    known = game.ruleset.cards
    cards = (*payment.cards, *payment.display)
    return tuple(card for card in cards if known[card].value and not known[card].leaves)


def return_payment(game: Game, seat: int, payment: Payment) -> None:
    """Return a payment that was set aside to its owner, in public."""
    gain(game, seat, payment.cards)
    _notify_items(game, seat, payment, "given_back")


def _notify_items(game: Game, seat: int, payment: Payment, stage: str, payee: int | None = None) -> None:
    for item in payment.items:
        game.ruleset.items[item_word(item)](game, seat, item, stage, payee)


def item_word(item: str) -> str:
    """Return the kind of an item: the part before its argument or value."""
    return item.partition(":")[0].partition("-")[0]
