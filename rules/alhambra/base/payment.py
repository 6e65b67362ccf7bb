"""Offers and payments: what may be bought, with what, and every legal way to pay.

An offer is a thing with a price in a currency. A payment is a multiset of cards and items. What a seat may put into it
are its tenders: money of a currency and value, or helpers that change the price, fill a shortage or let two currencies
be mixed. `judge` decides about one payment; `payments` lists all legal ones lazily, exact before overpaid, and those
from which nothing can be left out before the rest. A rich hand has a hundred thousand: nobody should need the whole
list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ..codec import record
from ..components import CURRENCIES
from ..records import made
from ..violations import Violation
from .sums import sums
from .supply import discard, gain, lose, missing, without

if TYPE_CHECKING:
    from ..game import Game
    from ..moves import Move
    from ..ruleset import Ruleset

ANY_ONE = ""
"""As an offer's currency: one currency of the buyer's choice."""
MIXED = "*"
"""As an offer's currency: any combination of currencies."""
DIAMOND = "diamond"


class Offer(NamedTuple):
    """Something that a seat may buy."""

    slot: str
    price: int
    currency: str
    effects: tuple[str, ...] = ()
    """The columns of the purchase table that apply."""
    tile: str = ""
    piece: str = ""
    choice: str = ""
    """What the buyer adds or does otherwise: a watchtower, a site."""
    named: bool = False
    """Whether the move must name the tile or piece, because the slot holds several."""
    exact: bool = False
    """Whether only an exact payment is accepted."""
    payee: int | None = None
    """The seat that receives the money cards, instead of the discard."""
    purpose: str = "buy"
    """The kind of payment: buy, bid, chests … Tenders look at it."""
    taken: Callable[[Game, Offer, Payment], None] | None = None
    """How the thing leaves its slot, once it is paid and before the buyer has it."""


class Tender(NamedTuple):
    """Something that a seat may put into a payment for an offer: money, or a helper."""

    noun: str
    id: str
    copies: int = 1
    currency: str = ""
    value: int = 0
    delta: int = 0
    """A helper that changes the price by this much."""
    fills: int = 0
    """A helper that fills a shortage of up to this much; the payment then counts as exact."""
    free: bool = False
    """A helper that pays everything, exactly."""
    mixes: tuple[str, ...] = ()
    """A helper that lets these two currencies be mixed."""
    group: str = ""
    """Of the helpers of one group only one may be used."""


class Payment(NamedTuple):
    """What is put down, each part sorted."""

    cards: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@record
class Purchase(NamedTuple):
    """A purchase that was paid: the frame `purchase` gets it."""

    seat: int
    slot: str
    tile: str
    piece: str
    choice: str
    due: int
    paid: int
    exact: bool
    effects: tuple[str, ...]
    price: int
    currency: str
    at: str
    """The decision that was answered."""

    @classmethod
    def of(cls, seat: int, offer: Offer, verdict: Verdict, at: str) -> Purchase:
        """What becomes of an offer once it is paid."""
        slot, price, currency, effects, tile, piece, choice, *_ = offer
        _, due, paid, exact = verdict
        return made(cls, (seat, slot, tile, piece, choice, due, paid, exact, effects, price, currency, at))

    @property
    def over(self) -> int:
        """How much was paid beyond the price."""
        return 0 if self.exact else max(0, self.paid - self.due)


class Verdict(NamedTuple):
    """What a payment comes to."""

    violations: list[Violation]
    due: int
    paid: int
    exact: bool


def worth_of(ruleset: Ruleset, hand: tuple[str, ...]) -> Mapping[str, int]:
    """What the cards of a hand are worth, by currency."""
    known = ruleset.cards
    found: dict[str, int] = {}
    for card in hand:
        record = known[card]
        currency = record.currency
        found[currency] = found.get(currency, 0) + record.value
    return found


# -- What may be paid with -----------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, offer: Offer) -> list[Tender]:
    """Everything that the seat may put into a payment for the offer."""
    hand = game.state.seats[seat].hand
    known = game.ruleset.cards
    found = []
    for card in dict.fromkeys(hand):
        record = known[card]
        if record.value and record.currency != DIAMOND:
            found.append(Tender("cards", card, hand.count(card), record.currency, record.value))
    for contribute in game.ruleset.tenders:
        found.extend(contribute(game, seat, offer))
    return found


@cache
def _purses(currency: str, diamonds: bool) -> tuple[frozenset[str], ...]:
    """The sets of currencies that may lie together in a payment without a helper, for an offer in this currency."""
    if currency == MIXED:
        found = [frozenset(CURRENCIES)]
    elif currency == ANY_ONE:
        found = [frozenset({currency}) for currency in CURRENCIES]
    else:
        found = [frozenset({currency})]
    return (*found, frozenset({DIAMOND})) if diamonds else tuple(found)


def _purses_with(offer: Offer, helpers: tuple[Tender, ...], currencies: set[str]) -> tuple[frozenset[str], ...]:
    for helper in helpers:
        if helper.mixes:
            serves = offer.currency == ANY_ONE or offer.currency in helper.mixes
            return (frozenset(helper.mixes),) if serves else ()
    return _purses(offer.currency, DIAMOND in currencies)


def _mix_needed(offer: Offer, helpers: tuple[Tender, ...], used: set[str]) -> bool:
    """Whether a mixing helper has an effect: a currency lies there that would not be accepted without it."""
    if not any(helper.mixes for helper in helpers):
        return True
    return len(used) > 1 if offer.currency == ANY_ONE else bool(used - {offer.currency})


# -- Judging one payment -------------------------------------------------------------------------------------------


def judge(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict:
    """Every violation of a payment, the price due, what was paid, and whether it counts as exact."""
    return _plainly_good(game, seat, offer, payment) or _judge_each(game, seat, offer, payment)


def _plainly_good(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict | None:
    """The verdict on money cards in hand that are enough and of the currency asked for; None: look closer."""
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
    return made(Verdict, ([], price, paid, paid == price))


def _judge_each(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict:
    held = {(tender.noun, tender.id): tender for tender in tenders(game, seat, offer)}
    faults: list[Violation] = []
    money: list[Tender] = []
    helpers: list[Tender] = []
    for noun, ids in zip(Payment._fields, payment, strict=True):
        for entry in dict.fromkeys(ids):
            tender = held.get((noun, entry))
            if tender is None:
                faults.append(_refused(game, seat, offer, noun, entry))
            elif ids.count(entry) > tender.copies:
                faults.append(Violation("NOT_THERE", noun, id=entry, place="hand" if noun == "cards" else "held"))
            elif tender.value:
                money.extend([tender] * ids.count(entry))
            else:
                helpers.append(tender)
    faults += _combined(helpers, money)
    faults += _currencies(offer, tuple(helpers), money)
    due = max(0, offer.price + sum(helper.delta for helper in helpers))
    paid = sum(tender.value for tender in money)
    if any(helper.free for helper in helpers):
        return Verdict(faults, due, due, True)
    fills = sum(helper.fills for helper in helpers)
    if fills:
        if paid >= due:
            filler = next(helper for helper in helpers if helper.fills)
            faults.append(Violation("NO_EFFECT", filler.noun, id=filler.id))
        elif paid + fills < due:
            faults.append(Violation("UNDERPAID", due=due, paid=paid + fills))
        return Verdict(faults, due, paid, True)
    if paid < due:
        faults.append(Violation("UNDERPAID", due=due, paid=paid))
    elif offer.exact and paid != due:
        faults.append(Violation("NOT_EXACT", due=due, paid=paid))
    return Verdict(faults, due, paid, paid == due)


def _refused(game: Game, seat: int, offer: Offer, noun: str, entry: str) -> Violation:
    """Why something is no tender: unknown, not held, or not accepted here. Blind to where else it may be."""
    if noun == "cards":
        if entry not in game.ruleset.cards:
            return Violation("ID_UNKNOWN", noun, id=entry)
        if entry in game.state.seats[seat].hand:
            return Violation("NOT_ACCEPTED", noun, id=entry, purchase=offer.purpose)
        return Violation("NOT_THERE", noun, id=entry, place="hand")
    return Violation("NOT_THERE", noun, id=entry, place="held" if noun == "items" else "display")


def _combined(helpers: list[Tender], money: list[Tender]) -> Iterator[Violation]:
    for n, first in enumerate(helpers):
        for second in helpers[n + 1 :]:
            if first.free or second.free or (first.group and first.group == second.group):
                yield Violation("COMBINATION_FORBIDDEN", second.noun, a=first.id, b=second.id)
        if first.free and money:
            yield Violation("COMBINATION_FORBIDDEN", first.noun, a=first.id, b=money[0].id)


def _currencies(offer: Offer, helpers: tuple[Tender, ...], money: list[Tender]) -> Iterator[Violation]:
    used = {tender.currency for tender in money}
    purses = _purses_with(offer, helpers, used)
    if used and not any(used <= purse for purse in purses):
        allowed = set[str]().union(*purses)
        foreign = [tender for tender in money if tender.currency not in allowed]
        if foreign:
            for entry in dict.fromkeys((tender.noun, tender.id) for tender in foreign):
                yield Violation("WRONG_CURRENCY", entry[0], id=entry[1], allowed=sorted(allowed - {DIAMOND}))
        else:
            yield Violation("MIX_FORBIDDEN", "cards", ids=sorted({tender.id for tender in money}))
    elif not _mix_needed(offer, helpers, used):
        mixer = next(helper for helper in helpers if helper.mixes)
        yield Violation("NO_EFFECT", mixer.noun, id=mixer.id)


# -- Listing payments ----------------------------------------------------------------------------------------------


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
    if used and not any(used <= purse for purse in _purses_with(offer, helpers, used)):
        return None
    if not _mix_needed(offer, helpers, used):
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
    for purse in _purses_with(offer, helpers, {tender.currency for tender in money}):
        usable = [t for t in money if t.currency in purse]
        if sum(t.value * t.copies for t in usable) + fills < due:
            continue
        usable.sort(key=lambda t: (-t.value, t.noun, t.id))
        for chosen in sums(usable, due, wanted, exact_only=offer.exact, fills=fills):
            if not _mix_needed(offer, helpers, {tender.currency for tender in chosen}):
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
        for purse in _purses_with(offer, helpers, {tender.currency for tender in money}):
            chosen = [tender for tender in money if tender.currency in purse]
            if _mix_needed(offer, helpers, {tender.currency for tender in chosen}):
                most = max(most, sum(tender.value * tender.copies for tender in chosen))
    return most


def sample_payment(game: Game, seat: int, offer: Offer, below: Callable[[int], int]) -> Payment | None:
    """A random payment: cards of a random purse in random order until the price is met."""
    if offer.exact or game.ruleset.tenders:
        found = list(_first(payments(game, seat, offer, brief=True), 200))
        return found[below(len(found))] if found else None
    known = game.ruleset.cards
    hand = game.state.seats[seat].hand
    purses = _purses(offer.currency, False)
    purse = purses[below(len(purses))]
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


def _first(found: Iterator[Payment], count: int) -> Iterator[Payment]:
    for _, payment in zip(range(count), found, strict=False):
        yield payment


# -- Paying --------------------------------------------------------------------------------------------------------


def payment_of(move: Move) -> Payment:
    """The payment that a move names."""
    return made(Payment, (move.cards, move.display, move.items))


def pay(game: Game, seat: int, offer: Offer, payment: Payment) -> Verdict:
    """Hands a legal payment over: cards to payee or discard, items where they belong; tells it."""
    verdict = judge(game, seat, offer, payment)
    game.tell(
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
    lay_down(game, seat, payment)
    settle(game, seat, payment, offer.payee)
    return verdict


def lay_down(game: Game, seat: int, payment: Payment) -> None:
    """The payment leaves its owner. Follow with `settle`, or keep it aside and `give_back`."""
    lose(game, seat, payment.cards)
    if payment.display:
        game.state.display = without(game.state.display, payment.display)
    if payment.items:
        _see_to_items(game, seat, payment, "laid_down")


def settle(game: Game, seat: int, payment: Payment, payee: int | None = None) -> None:
    """What was laid down is spent: money cards go to the payee or the discard."""
    spent: Iterable[str] = (*payment.cards, *payment.display)
    if payee is not None:
        received = received_cards(game, payment)
        gain(game, payee, received)
        spent = missing(received, tuple(spent))
    discard(game, spent)
    if payment.items:
        _see_to_items(game, seat, payment, "spent", payee)


def received_cards(game: Game, payment: Payment) -> tuple[str, ...]:
    """What a seat that is paid gets into its hand: money, unless it leaves the game once spent."""
    known = game.ruleset.cards
    cards = (*payment.cards, *payment.display)
    return tuple(card for card in cards if known[card].value and not known[card].leaves)


def give_back(game: Game, seat: int, payment: Payment) -> None:
    """What was laid down returns to its owner, seen by all."""
    gain(game, seat, payment.cards)
    _see_to_items(game, seat, payment, "given_back")


def _see_to_items(game: Game, seat: int, payment: Payment, stage: str, payee: int | None = None) -> None:
    for item in payment.items:
        game.ruleset.items[item_word(item)](game, seat, item, stage, payee)


def item_word(item: str) -> str:
    """What kind of item it is: the part before its argument or value."""
    return item.partition(":")[0].partition("-")[0]
