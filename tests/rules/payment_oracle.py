"""Payments by brute force: every way to lay down what a seat holds, judged by the rules as the pages tell them.

The oracle shares no code with the engine. It knows things by what they are in the game (a card of a currency, a jewel
that fills a shortage, a plane that makes a building cheaper), tries every subset of them, and says of each whether it
is legal, what the price is, and whether it counts as exact. The engine must judge, list and draw accordingly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from alhambra import Game, Options, registry
from alhambra.base.payment.listing import listed_payments, payments
from alhambra.base.payment.offers import Offer, Payment
from alhambra.base.payment.rules import judge
from alhambra.base.payment.sampling import affordable, sample_payment
from tests.rules.example_modules import register_examples
from tests.rules.example_modules.bargains import give_bargains
from tests.rules.example_modules.coffers import fill_coffer
from tests.rules.example_modules.exchanges import give_licences
from tests.rules.example_modules.workshops import give_tools

FOUR = ("gulden", "dirham", "denar", "dukat")
MODULES = ["example_bargains", "example_coffers", "example_exchanges", "example_workshops"]
DRAWS = 6
"""Payments that are drawn at random for each hand."""


class Thing(NamedTuple):
    """Something that can be laid down once."""

    noun: str
    id: str
    kind: str
    """money, mixer, filler, change, mint or patron."""
    currency: str = ""
    value: int = 0
    """Of money what it is worth, of a filler what it fills, of a change what it adds to the price."""
    open: bool = False
    """A card of the display, which only a mint lets a seat pay with."""
    pair: tuple[str, ...] = ()


class Deal(NamedTuple):
    """What is to be paid: a price in one of the four currencies, in one of choice ("") or in any mixture ("*")."""

    price: int
    currency: str
    exact: bool
    never_exact: bool


class Verdict(NamedTuple):
    """What a legal payment comes to."""

    due: int
    paid: int
    exact: bool


Rules: TypeAlias = Callable[[tuple[Thing, ...]], Verdict | None]
"""What a payment for one offer comes to; None if the rules do not allow it."""


# -- The rules -------------------------------------------------------------------------------------------------------


def judged(deal: Deal, laid: tuple[Thing, ...]) -> Verdict | None:
    """What a payment comes to; None if the rules do not allow it."""
    by_kind: dict[str, list[Thing]] = {}
    for thing in laid:
        by_kind.setdefault(thing.kind, []).append(thing)
    money, mixers, fillers = (by_kind.get(kind, []) for kind in ("money", "mixer", "filler"))
    changes, mints = by_kind.get("change", []), by_kind.get("mint", [])
    due = cheapened(deal, changes)
    if "patron" in by_kind:
        return Verdict(due, 0, not deal.never_exact) if len(laid) == 1 else None
    if not compatible(changes, mints, mixers, fillers):
        return None
    # A helper without effect is refused: a change of price that changes nothing, a mint without an open card.
    if any(cheapened(deal, [other for other in changes if other is not change]) == due for change in changes):
        return None
    if bool(mints) != any(piece.open for piece in money):
        return None
    if not currencies_allowed(deal, {piece.currency for piece in money}, mixers):
        return None
    paid = sum(piece.value for piece in money)
    if fillers:
        return Verdict(due, paid, True) if paid < due <= paid + fillers[0].value else None
    if paid < due or (deal.exact and paid > due):
        return None
    return Verdict(due, paid, paid == due and not deal.never_exact)


def cheapened(deal: Deal, changes: list[Thing]) -> int:
    """The price after all changes; no building costs less than nothing."""
    total = deal.price
    for change in changes:
        total += change.value
    return total if total > 0 else 0


def compatible(changes: list[Thing], mints: list[Thing], mixers: list[Thing], fillers: list[Thing]) -> bool:
    """One craftsman (plane or mint), one die, one order to the hired hands, one mixer and one filler."""
    families = Counter(change.pair[0] for change in changes)
    families["craft"] += len(mints)
    return all(count <= 1 for count in families.values()) and len(mixers) <= 1 and len(fillers) <= 1


def currencies_allowed(deal: Deal, used: set[str], mixers: list[Thing]) -> bool:
    """One currency, or the two of a mixer, which must be needed; diamonds lie with no other money."""
    if mixers:
        pair = set(mixers[0].pair)
        if not used <= pair:
            return False
        if deal.currency == "":
            return used == pair
        return deal.currency in pair and used not in (set(), {deal.currency})
    if used <= {"diamond"}:
        return True
    if deal.currency == "*":
        return "diamond" not in used
    return len(used) == 1 and (deal.currency == "" or used == {deal.currency})


def can_be_spared(rules: Rules, laid: tuple[Thing, ...]) -> bool:
    """Whether a helper, or a piece of money with the helpers that only it was good for, can be left out with the same
    result."""
    verdict = rules(laid)
    assert verdict is not None
    opening = [thing for thing in laid if thing.kind in ("mixer", "mint")]
    for thing in laid:
        rest = tuple(other for other in laid if other is not thing)
        idle = opening if thing.kind == "money" else []
        for size in range(len(idle) + 1):
            for left_out in combinations(idle, size):
                less = rules(tuple(other for other in rest if other not in left_out))
                if less is not None and less.exact == verdict.exact:
                    return True
    return False


# -- Random hands ----------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A hand with everything that can lie beside it, and what is to be paid."""

    deal: Deal
    things: tuple[Thing, ...]


HELPERS = (
    *(Thing("items", f"licence-{a}-{b}", "mixer", pair=(a, b)) for a, b in combinations(FOUR, 2)),
    *(Thing("items", f"jewel-{value}", "filler", value=value) for value in range(1, 6)),
    *(
        Thing("items", f"{one}:{less}", "change", value=-less, pair=("craft",))
        for one in ("plane", "plane_2")
        for less in (1, 2)
    ),
    *(Thing("items", f"die:{number}", "change", value=-1, pair=("die",)) for number in range(3)),
    *(Thing("items", f"hands:{change:+}", "change", value=change, pair=("hands",)) for change in (-1, 1)),
    *(Thing("items", mint, "mint") for mint in ("mint", "mint_2")),
    Thing("items", "patron", "patron"),
)


def random_case(rng: Random) -> Case:
    """A few cards, mostly of one currency, now and then an amount or diamonds; up to four helpers."""
    favoured = rng.choice(FOUR)
    money = []
    for _ in range(rng.randint(0, 4)):
        currency = rng.choice((favoured, favoured, *FOUR, "diamond"))
        value = rng.randint(3, 9) if currency == "diamond" else rng.randint(1, 9)
        money.append(Thing("cards", f"{currency}-{value}", "money", currency, value))
    for item in ("camel-1", "certificate"):
        if rng.random() < 0.25:
            money.append(Thing("items", item, "money", rng.choice((favoured, *FOUR)), rng.randint(1, 6)))
    helpers = rng.sample(HELPERS, rng.randint(0, 4))
    hands = {thing.id: thing for thing in HELPERS if thing.pair == ("hands",)}
    if any(thing.id in hands for thing in helpers):  # hired hands can be told to do either
        helpers = [thing for thing in helpers if thing.id not in hands] + list(hands.values())
    for _ in range(rng.randint(1, 2) if any(thing.kind == "mint" for thing in helpers) else 0):
        currency, value = rng.choice((favoured, *FOUR)), rng.randint(1, 9)
        money.append(Thing("display", f"{currency}-{value}", "money", currency, value, open=True))
    never = rng.random() < 0.15
    if never:  # neither patron nor jewels are for what cannot be exact
        helpers = [thing for thing in helpers if thing.kind not in ("filler", "patron")]
    deal = Deal(
        rng.randint(0, 13), rng.choice((favoured, favoured, *FOUR, "", "*")), not never and rng.random() < 0.3, never
    )
    return Case(deal, (*money, *helpers))


def subsets(things: tuple[Thing, ...]) -> Iterator[tuple[Thing, ...]]:
    """Everything that can be laid down."""
    for size in range(len(things) + 1):
        yield from combinations(things, size)


# -- The engine ------------------------------------------------------------------------------------------------------


@cache
def _table() -> Game:
    """A game with the example modules; what other tests have registered stays as it is."""
    before = dict(registry._registered)
    try:
        register_examples()
        return Game.new(Options(3, "payments", modules=MODULES))
    finally:
        registry._registered.clear()
        registry._registered.update(before)


def set_up(case: Case) -> Game:
    """A game in which seat 0 holds exactly these things."""
    game = _table()
    things = case.things
    game.state.seats[0].hand = tuple(sorted(thing.id for thing in things if thing.noun == "cards"))
    game.state.display = tuple(sorted(thing.id for thing in things if thing.noun == "display"))
    items = [thing for thing in things if thing.noun == "items"]
    give_licences(game, 0, *(thing.id for thing in items if thing.kind == "mixer"))
    tools = [thing.id for thing in items if thing.kind == "mint" or thing.pair in (("craft",), ("die",))]
    give_tools(game, 0, *tools, hands=int(any(thing.pair == ("hands",) for thing in items)))
    amounts = tuple((thing.id, thing.currency, thing.value) for thing in items if thing.kind == "money")
    fill_coffer(game, 0, *(thing.id for thing in items if thing.kind == "filler"), amounts=amounts)
    give_bargains(game, 0, *(thing.id for thing in items if thing.kind == "patron"))
    return game


def written(laid: tuple[Thing, ...]) -> Payment:
    """The payment as the engine spells it."""
    return Payment(*(tuple(sorted(t.id for t in laid if t.noun == noun)) for noun in ("cards", "display", "items")))


def disagreements(case: Case, rng: Random) -> Iterator[str]:
    """Where the engine judges, lists or draws otherwise than the oracle."""
    game, deal = set_up(case), case.deal
    offer = Offer("market-denar", deal.price, deal.currency, exact=deal.exact, never_exact=deal.never_exact)
    yield from differences(game, offer, case.things, partial(judged, deal), rng)


def differences(game: Game, offer: Offer, things: tuple[Thing, ...], rules: Rules, rng: Random) -> Iterator[str]:
    """Where the engine judges, lists or draws payments of seat 0 for an offer otherwise than the rules."""
    legal: dict[Payment, Verdict] = {}
    plain: set[Payment] = set()
    for laid in subsets(things):
        payment, expected = written(laid), rules(laid)
        found = judge(game, 0, offer, payment)
        told = None if found.violations else Verdict(found.due, found.paid, found.exact)
        if told != expected:
            yield f"{payment}: judged {found}, expected {expected}"
        if expected is not None:
            legal[payment] = expected
            if not can_be_spared(rules, laid):
                plain.add(payment)
    every, brief = list(payments(game, 0, offer)), list(payments(game, 0, offer, brief=True))
    if Counter(every) != Counter(list(legal)):
        yield f"listed {set(every) ^ set(legal)} otherwise, or one twice"
    if Counter(brief) != Counter(plain):
        yield f"listed briefly {set(brief) ^ plain} otherwise, or one twice"
    if [legal[one].exact for one in brief if one in legal] != sorted(
        (legal[one].exact for one in brief if one in legal), reverse=True
    ):
        yield "an exact payment is listed behind one that is not"
    yield from _in_short(game, offer, things, legal, plain, rng)


def _in_short(
    game: Game,
    offer: Offer,
    things: tuple[Thing, ...],
    legal: dict[Payment, Verdict],
    plain: set[Payment],
    rng: Random,
) -> Iterator[str]:
    """What is answered without a complete list."""
    if affordable(game, 0, offer) != bool(legal):
        yield f"affordable is not {bool(legal)}"
    few = listed_payments(game, 0, offer)
    if len(set(few)) != len(few) or not set(few) <= (plain or set(legal)) or bool(few) != bool(legal):
        yield f"a few: {few}"
    helpers = {thing.id for thing in things if thing.kind != "money"}
    used = [helpers & {*one.cards, *one.items} for one in plain]
    alone = set[str]().union(*(one for one in used if len(one) == 1))
    if missing := alone - {thing for one in few for thing in (*one.cards, *one.items)}:
        yield f"{missing} in none of the few"
    for _ in range(DRAWS):
        drawn = sample_payment(game, 0, offer, rng.randrange)
        if drawn not in legal if legal else drawn is not None:
            yield f"drawn: {drawn}"


def compare(count: int, seed: str = "payments") -> list[str]:
    """Compares `count` random hands with the engine; lists disagreements."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        case = random_case(rng)
        found += [f"{case}: {problem}" for problem in disagreements(case, rng)]
    return found
