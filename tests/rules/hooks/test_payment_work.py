"""However rich a seat is: listing and drawing payments take a bounded amount of work, and no helper is overlooked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from alhambra import CURRENCIES, Decision, Game, Module, Move, Violation, known_modules, register
from alhambra.base.payment.card_payments import LISTED
from alhambra.base.payment.helper_items import Combinations
from alhambra.base.payment.listing import (
    SHARE_OF_MANY,
    OfferPayments,
    PaymentStep,
    SharedLists,
    iterate_payments,
    listed_payments,
    payments,
)
from alhambra.base.payment.offers import ANY_ONE, Offer, Payment
from alhambra.base.payment.rules import judge, tenders
from alhambra.base.payment.sampling import affordable, sample_payment
from alhambra.components import MONEY_CARDS
from tests.counted_work import calls_made
from tests.rules.example_modules.coffers import JEWELS, fill_coffer
from tests.rules.example_modules.exchanges import DIAMONDS, LICENCES, give_licences
from tests.rules.example_modules.workshops import TOOLS, give_tools
from tests.rules.situations import hand, market, table

EXAMPLES = ["example_coffers", "example_exchanges", "example_workshops"]
HANDS = 8
ORDERS = [f"hands:{change:+}" for count in range(1, HANDS + 1) for change in (-count, count)]
CALLS_FOR_A_DRAW = 5_000
CALLS_FOR_A_LIST = 15_000


DOUBLED = ("diamonds", "bureaux_de_change", "treasures", "exchange_certificates")
"""Modules whose cards and items the examples bring as well."""


def wealthy(copies: int = 40, *, modules: tuple[str, ...] = (), helpers: bool = True) -> Game:
    """Seat 0 has so many cards of each currency and every helper there is; four tiles are for sale."""
    game = table(modules=[*EXAMPLES, *modules])
    market(game, gulden="tower-11", dirham="garden-10-w", denar="garden-10", dukat="tower-11-s")
    cards = [card for card in MONEY_CARDS for _ in range(copies // 9)]
    game.state.seats[0].hand = tuple(sorted((*cards, *(card.id for card in DIAMONDS))))
    game.state.display = ("denar-1", "dirham-2", "dukat-3", "gulden-4")
    if helpers:
        give_licences(game, 0, *LICENCES)
        give_tools(game, 0, *TOOLS, hands=HANDS)
        fill_coffer(game, 0, *JEWELS, amounts=(("camel-1", "denar", 5), ("certificate", "gulden", 6)))
    return game


def garden(price: int = 10, currency: str = "denar", *, exact: bool = False) -> Offer:
    return Offer("market-denar", price, currency, exact=exact)


def test_a_seat_can_have_ten_thousand_combinations_of_helpers() -> None:
    assert len(Combinations(tenders(wealthy(), 0, garden()))) > 10_000


def test_combinations_come_with_the_fewest_helpers_first_and_each_once() -> None:
    held = tenders(wealthy(), 0, garden())
    found = list(Combinations(held))
    assert len(found) == len(set(found)) == len(Combinations(held))
    assert [len(helpers) for helpers in found] == sorted(len(helpers) for helpers in found)


@pytest.mark.parametrize("currency", [*CURRENCIES, "", "*"])
@pytest.mark.parametrize("exact", [False, True])
def test_the_list_of_an_offer_is_short_and_quickly_made(currency: str, exact: bool) -> None:
    game, offer = wealthy(), garden(currency=currency, exact=exact)
    found = listed_payments(game, 0, offer)
    helpers = {tender.id for tender in tenders(game, 0, offer) if not tender.value}
    assert 0 < len(found) <= LISTED // SHARE_OF_MANY + len(helpers)
    assert calls_made(lambda: listed_payments(game, 0, offer)) < CALLS_FOR_A_LIST


def test_the_list_of_a_poor_seat_with_every_helper_is_quickly_made() -> None:
    for copies in (0, 9):
        for price in (0, 1, 10, 60):
            game, offer = wealthy(copies), garden(price)
            assert bool(listed_payments(game, 0, offer)) == affordable(game, 0, offer)
            assert calls_made(lambda: listed_payments(game, 0, offer)) < CALLS_FOR_A_LIST  # noqa: B023 - called at once


def test_without_helpers_as_many_as_a_list_holds_are_listed() -> None:
    game = wealthy(helpers=False)
    offer = garden(13)
    assert listed_payments(game, 0, offer) == list(islice(payments(game, 0, offer, brief=True), LISTED))


@pytest.mark.rule("99.48")
def test_every_helper_that_can_be_used_is_in_the_list_of_legal_moves() -> None:
    found = {item for move in wealthy().legal_moves() if move.verb == "buy" for item in move.items}
    assert found >= {*JEWELS, *TOOLS, *LICENCES, *ORDERS}


@pytest.mark.rule("00.17", "00.100")
def test_listed_payments_are_legal_exact_ones_first() -> None:
    game = wealthy()
    verdicts = [judge(game, 0, garden(), payment) for payment in listed_payments(game, 0, garden())]
    assert not any(verdict.violations for verdict in verdicts)
    assert [verdict.exact for verdict in verdicts] == sorted((verdict.exact for verdict in verdicts), reverse=True)


@pytest.mark.rule("00.100")
@pytest.mark.parametrize("helpers", [False, True])
@pytest.mark.parametrize("copies", [0, 9, 40])
@pytest.mark.parametrize("most", [4, 20, LISTED])
def test_a_list_knows_whether_it_leaves_out_payments_as_if_it_counted_them(
    most: int, copies: int, helpers: bool
) -> None:
    game, steps = wealthy(copies, helpers=helpers), 200
    for offer in (garden(), garden(1), garden(30), garden(exact=True), garden(currency=ANY_ONE)):
        possible = OfferPayments(game, 0, offer)
        shown = len(possible.listed(most=most))
        for count in (0, shown - 1, shown, shown + 1, 2 * shown):
            walked = list(islice(iterate_payments(game, 0, offer), steps))
            many = sum(step.payment is not None for step in walked) > count or len(walked) == steps
            assert possible.more_than(count, steps) == many


OFFERS = [
    *(garden(price, currency) for price in (0, 7, 7, 10, 60) for currency in ("denar", "denar", ANY_ONE)),
    *(garden(7)._replace(exact=exact, never_exact=never) for exact in (False, True) for never in (False, True)),
]


@pytest.mark.rule("00.17", "99.52")
@pytest.mark.parametrize("copies", [0, 9, 40])
def test_a_listed_payment_has_the_verdict_of_a_judge(copies: int) -> None:
    game, exact = wealthy(copies), set()
    for offer in OFFERS:
        possible = OfferPayments(game, 0, offer)
        for payment in possible.listed():
            assert possible.judge(payment) == judge(game, 0, offer, payment)
            exact.add(possible.judge(payment).exact)
    assert exact == {False, True}


@pytest.mark.rule("00.17", "99.48", "99.52")
@pytest.mark.parametrize("modules", [[], EXAMPLES])
def test_a_payment_that_is_not_listed_has_the_verdict_of_a_judge_too(modules: list[str]) -> None:
    game = table(modules=modules)
    hand(game, 0, "denar-2 denar-3 denar-9 gulden-5")
    offer = garden(5)
    possible = OfferPayments(game, 0, offer)
    listed = possible.listed()
    for cards in (("denar-2",), ("denar-9",), ("denar-2", "denar-3"), ("gulden-5",), ("denar-2", "denar-3", "denar-9")):
        assert possible.judge(Payment(cards)) == judge(game, 0, offer, Payment(cards))
    nothing_held = Payment(("denar-2", "denar-3"), (), ("jewel-3",))
    assert nothing_held not in listed
    assert [fault.code for fault in possible.judge(nothing_held).violations] == ["NOT_THERE"]
    assert possible.judge(Payment(("denar-2", "denar-3"))).exact
    assert Payment(("denar-2", "denar-3", "denar-9")) not in listed


@pytest.mark.rule("00.17")
@pytest.mark.parametrize("helpers", [False, True])
@pytest.mark.parametrize("most", [4, LISTED])
def test_offers_that_share_a_list_have_the_payments_that_they_have_alone(most: int, helpers: bool) -> None:
    game, shared = wealthy(9, helpers=helpers), SharedLists()
    together, alone = set[str](), set[str]()
    for offer in OFFERS:
        found = OfferPayments(game, 0, offer, shared).listed(together, most)
        assert found == OfferPayments(game, 0, offer).listed(alone, most)
        assert together == alone
    assert len(shared) < len(OFFERS)


def test_a_second_offer_of_the_same_price_takes_less_than_half_of_the_work() -> None:
    game, shared = wealthy(), SharedLists()
    first = calls_made(lambda: OfferPayments(game, 0, garden(), shared).listed())
    assert calls_made(lambda: OfferPayments(game, 0, garden(), shared).listed()) * 2 < first


@pytest.mark.rule("00.17", "99.48")
@pytest.mark.parametrize("exact", [False, True])
def test_a_drawn_payment_takes_little_work_and_every_helper_is_drawn(exact: bool) -> None:
    game, offer, rng = wealthy(), garden(exact=exact), Random(1)
    drawn: set[str] = set()
    for _ in range(1_500):
        payment = sample_payment(game, 0, offer, rng.randrange)
        assert payment is not None
        assert not judge(game, 0, offer, payment).violations
        drawn.update(payment.items)
    serving = {licence for licence, pair in LICENCES.items() if "denar" in pair}
    assert drawn >= {*JEWELS, *TOOLS, *serving, *ORDERS}
    assert calls_made(lambda: sample_payment(game, 0, offer, rng.randrange)) < CALLS_FOR_A_DRAW


@pytest.mark.rule("99.48", "99.49")
def test_what_can_only_be_paid_with_many_helpers_is_found() -> None:
    game = wealthy(0)
    game.state.seats[0].hand = ()
    game.state.display = ()
    most = 5 + 6 + 2 + 1 + HANDS + 5  # camel, certificate by a licence, plane, die, hands, jewel
    for price in (most, most + 1):
        offer = garden(price)
        assert affordable(game, 0, offer) == (price <= most)
        assert bool(listed_payments(game, 0, offer)) == (price <= most)
        assert (sample_payment(game, 0, offer, Random(1).randrange) is not None) == (price <= most)


@pytest.mark.rule("99.48", "99.51")
def test_without_money_no_more_helpers_are_drawn_than_have_an_effect() -> None:
    game, rng = wealthy(0), Random(6)
    game.state.seats[0].hand = game.state.display = ()
    fill_coffer(game, 0)
    for price in range(1, HANDS + 4):
        offer = garden(price)
        for payment in (sample_payment(game, 0, offer, rng.randrange), *listed_payments(game, 0, offer)):
            assert payment is not None
            assert not judge(game, 0, offer, payment).violations, (price, payment)


def test_a_list_with_helpers_is_continued_anywhere_with_little_work() -> None:
    game, offer = wealthy(), garden()
    places = [found.position for found in islice(iterate_payments(game, 0, offer), 0, 3_000, 500)]
    for place in places:
        following: list[PaymentStep] = list(islice(iterate_payments(game, 0, offer, after=place), 3))
        assert list(islice(iterate_payments(game, 0, offer, after=following[0].position), 2)) == following[1:]
    last = list(islice(iterate_payments(wealthy(0), 0, garden(60)), 5_000))
    assert len(last) > 1_000, "a stretch without a payment is a step, so that a page can end there"


def test_with_all_modules_a_random_move_of_a_rich_seat_is_legal_and_takes_little_work() -> None:
    real = tuple(key for key in known_modules() if not key.startswith("example") and key not in DOUBLED)
    game = wealthy(modules=real)
    rng = Random(2)
    for _ in range(60):
        move = game.random_move(rng)
        assert not game.verify(move)
        assert calls_made(lambda: game.random_move(rng)) < 3 * CALLS_FOR_A_DRAW


# -- Vetoes ---------------------------------------------------------------------------------------------------------


def forbid(allowed: Callable[[Move], bool]) -> str:
    """The key of a module that vetoes every purchase but some."""

    def veto(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
        if not allowed(move):
            yield Violation("USED_UP", "verb", what="actions", limit=1, per="turn")

    register(Module(998, "example_veto", vetoes={"buy": veto}))
    return "example_veto"


def test_a_purchase_that_may_be_vetoed_is_drawn_without_a_list() -> None:
    game = wealthy(modules=(forbid(lambda move: move.slot != "market-denar"),))
    rng = Random(3)
    for _ in range(60):
        move = game.sample_move("buy", rng.randrange)
        assert move is not None
        assert move.slot != "market-denar"
    assert calls_made(lambda: game.sample_move("buy", rng.randrange)) < 8 * CALLS_FOR_A_DRAW


def test_if_nearly_all_purchases_are_vetoed_one_of_the_listed_ones_is_drawn() -> None:
    only = next(move for move in wealthy().legal_moves() if move.items == ("jewel-5",))
    game = wealthy(modules=(forbid(lambda move: move == only),))
    assert game.sample_move("buy", Random(4).randrange) == only


def test_if_every_purchase_is_vetoed_none_is_drawn() -> None:
    game = wealthy(modules=(forbid(lambda _move: False),))
    assert game.sample_move("buy", Random(5).randrange) is None
    hand(game, 0, "denar-9")
    assert "buy" not in {move.verb for move in game.legal_moves()}
