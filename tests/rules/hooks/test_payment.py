"""Modules may help in a payment in every way, and modify a majority."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from alhambra import Game, Module, register
from alhambra.base.payment.listing import iterate_payments, payments
from alhambra.base.payment.offers import Offer, Payment
from alhambra.base.payment.rules import judge
from alhambra.base.payment.sampling import sample_payment
from alhambra.components import Card
from tests.rules.example_modules.bargains import HELPERS, give_bargains
from tests.rules.hooks.asking import asked
from tests.rules.situations import (
    codes,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    play,
    points,
    refused,
    table,
)

# -- Price and majority ----------------------------------------------------------------------------------------------


def bargain(cards: str, *items: str, price_tile: str = "garden-10") -> Game:
    game = table(modules=["example_bargains"])
    hand(game, 0, cards)
    give_bargains(game, 0, *items)
    market(game, denar=price_tile)
    return game


@pytest.mark.rule("99.49", "99.52")
def test_a_helper_lowers_the_price_and_decides_what_is_exact() -> None:
    game = bargain("denar-8 denar-9", "coupon-2")
    events = play(game, "buy market-denar denar-8", items=("coupon-2",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (8, 8, True)
    assert asked(game) == ("action", 0)


@pytest.mark.rule("99.49", "99.52")
def test_a_helper_can_raise_the_price_to_make_it_exact() -> None:
    game = bargain("denar-5 denar-6", "duty")
    events = play(game, "buy market-denar denar-5 denar-6", items=("duty",))
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("99.48")
def test_a_used_item_is_laid_down_and_then_spent() -> None:
    game = bargain("denar-8", "coupon-2")
    events = play(game, "buy market-denar denar-8", items=("coupon-2",))
    assert [event["stage"] for event in events_of(events, "bargain")] == ["laid_down", "spent"]
    assert fact(refused_again(game), "NOT_THERE") == {"id": "coupon-2", "place": "held"}


def refused_again(game: Game) -> tuple[Any, ...]:
    market(game, denar="garden-11")
    return refused(game, "buy market-denar", items=("coupon-2",))


@pytest.mark.rule("99.51")
def test_a_price_of_0_is_paid_exactly_with_nothing_but_the_helper() -> None:
    game = bargain("denar-1", "coupon-2", price_tile="pavilion-2-new")
    events = play(game, "buy market-denar", items=("coupon-2",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (0, 0, True)
    assert asked(game) == ("action", 0)


@pytest.mark.rule("99.53")
def test_a_filler_makes_up_for_a_shortage_and_counts_as_exact() -> None:
    game = bargain("denar-7 denar-9", "filler-3")
    assert legal(game, "buy market-denar denar-7", items=("filler-3",))
    events = play(game, "buy market-denar denar-9", items=("filler-3",))
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("99.48", "99.53")
def test_a_filler_is_refused_where_nothing_is_short_or_too_much() -> None:
    game = bargain("denar-6 denar-7 denar-9", "filler-3")
    assert fact(refused(game, "buy market-denar denar-6 denar-9", items=("filler-3",)), "NO_EFFECT") == {
        "id": "filler-3"
    }
    faults = refused(game, "buy market-denar denar-6", items=("filler-3",))
    assert fact(faults, "UNDERPAID") == {"due": 10, "paid": 9}


@pytest.mark.rule("99.46", "99.48")
def test_a_mixing_helper_needs_a_foreign_card_to_have_an_effect() -> None:
    game = bargain("denar-6 denar-9 gulden-4 dukat-9", "bridge")
    assert codes(refused(game, "buy market-denar denar-6 gulden-4")) == ["WRONG_CURRENCY"]
    assert legal(game, "buy market-denar denar-6 gulden-4", items=("bridge",))
    assert codes(refused(game, "buy market-denar denar-6 denar-9", items=("bridge",))) == ["NO_EFFECT"]
    assert codes(refused(game, "buy market-denar denar-6 dukat-9", items=("bridge",))) == ["WRONG_CURRENCY"]


@pytest.mark.rule("99.54")
def test_a_patron_pays_everything_alone_and_exactly() -> None:
    game = bargain("denar-9", "patron", "coupon-1")
    faults = refused(game, "buy market-denar denar-9", items=("patron",))
    assert fact(faults, "COMBINATION_FORBIDDEN") == {"a": "patron", "b": "denar-9"}
    assert codes(refused(game, "buy market-denar", items=("coupon-1", "patron"))) == ["COMBINATION_FORBIDDEN"]
    events = play(game, "buy market-denar", items=("patron",))
    assert events_of(events, "paid")[0]["exact"]
    assert game.state.seats[0].hand == ("denar-9",)


def test_of_the_helpers_of_one_group_only_one_may_be_used() -> None:
    game = bargain("denar-7 denar-8 denar-9", "coupon-1", "coupon-2")
    faults = refused(game, "buy market-denar denar-7", items=("coupon-1", "coupon-2"))
    assert fact(faults, "COMBINATION_FORBIDDEN") == {"a": "coupon-1", "b": "coupon-2"}
    assert legal(game, "buy market-denar denar-8", items=("coupon-2",))
    assert legal(game, "buy market-denar denar-9", items=("coupon-1",))


@pytest.mark.rule("99.44")
def test_items_can_be_money() -> None:
    game = bargain("denar-9", "coin-denar")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("99.44")
def test_a_tender_can_be_refused_for_other_purposes() -> None:
    game = bargain("denar-9", "coin-denar")
    bid = Offer("project", 10, "denar", purpose="bid")
    faults = judge(game, 0, bid, Payment(("denar-9",), (), ("coin-denar",))).violations
    assert codes(faults) == ["NOT_ACCEPTED", "UNDERPAID"]
    assert faults[0].metadata == {"id": "coin-denar", "purchase": "bid"}


def test_an_item_that_the_seat_does_not_have_is_not_there_whatever_is_paid_for() -> None:
    game = bargain("denar-9")
    bid = Offer("project", 10, "denar", purpose="bid")
    assert judge(game, 0, bid, Payment(("denar-9",), (), ("coin-denar",))).violations[0].code == "NOT_THERE"


@pytest.mark.rule("00.16", "00.17")
def test_cards_that_are_no_money_are_not_accepted_and_taken_alone() -> None:
    deed = Module(number=910, key="example_deed", cards=(Card("deed", "deed"),))
    register(deed)
    game = table(modules=["example_deed"])
    game.state.seats[0].hand = ("deed", "denar-9")
    game.state.display = ("deed", "denar-1")
    market(game, denar="pavilion-8")
    faults = refused(game, "buy market-denar deed denar-9")
    assert fact(faults, "NOT_ACCEPTED") == {"id": "deed", "purchase": "buy"}
    assert fact(refused(game, "take_money deed denar-1"), "TAKEN_ALONE") == {"id": "deed"}
    assert legal(game, "take_money deed")


def outcomes(game: Game, offer: Offer, payment: Payment) -> bool | None:
    """Whether a payment is exact; None if it is not legal."""
    verdict = judge(game, 0, offer, payment)
    return None if verdict.violations else verdict.exact


def smaller(payment: Payment) -> Iterator[Payment]:
    """The payment with one entry left out; a mixing helper may go together with the money it was needed for."""
    cards, _, items = payment
    for kept in {items, tuple(item for item in items if item != "bridge")}:
        yield from (Payment(cards[:n] + cards[n + 1 :], (), kept) for n in range(len(cards)))
        yield from (Payment(cards, (), kept[:n] + kept[n + 1 :]) for n in range(len(kept)))


def parts(things: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {chosen for size in range(len(things) + 1) for chosen in combinations(things, size)}


HELD = [chosen for size in range(4) for chosen in combinations(HELPERS, size)]


@pytest.mark.rule("00.17", "99.48")
@pytest.mark.parametrize("cards", ["denar-1 denar-2 denar-4 gulden-3", "denar-5 denar-5 gulden-5 dukat-1", "gulden-9"])
def test_with_up_to_three_helpers_judging_and_listing_agree(cards: str) -> None:
    game = bargain(cards)
    held = game.state.seats[0].hand
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        for price, currency, exact in ((6, "denar", False), (6, "denar", True), (2, "", False), (9, "*", False)):
            offer = Offer("market-denar", price, currency, exact=exact)
            listed = list(payments(game, 0, offer))
            assert len(listed) == len(set(listed)), (helpers, offer)
            found = set(listed)
            for items in parts(tuple(sorted(helpers))):
                for chosen in parts(held):
                    payment = Payment(chosen, (), items)
                    assert (payment in found) == (outcomes(game, offer, payment) is not None), (payment, offer)


@pytest.mark.rule("00.100")
@pytest.mark.parametrize("cards", ["denar-1 denar-2 denar-4 gulden-3", "denar-5 denar-5 gulden-5 dukat-1"])
def test_with_helpers_too_exact_payments_come_first_and_the_brief_list_has_no_dominated_one(cards: str) -> None:
    game = bargain(cards)
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        for price, currency in ((6, "denar"), (3, ""), (2, "denar")):
            offer = Offer("market-denar", price, currency)
            whole = list(payments(game, 0, offer))
            dominated = {
                payment: outcomes(game, offer, payment) in [outcomes(game, offer, less) for less in smaller(payment)]
                for payment in whole
            }
            order = [2 if dominated[payment] else 0 if outcomes(game, offer, payment) else 1 for payment in whole]
            assert order == sorted(order), (helpers, offer)
            brief = list(payments(game, 0, offer, brief=True))
            assert brief == [payment for payment in whole if not dominated[payment]], (helpers, offer)


@pytest.mark.rule("00.100")
@pytest.mark.parametrize("cards", ["denar-1 denar-2 denar-4 gulden-3", "denar-5 denar-5 gulden-5 dukat-1"])
def test_with_helpers_too_the_list_can_be_continued_behind_each_step(cards: str) -> None:
    game = bargain(cards)
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        for price, currency in ((6, "denar"), (3, ""), (0, "*")):
            offer = Offer("market-denar", price, currency)
            whole = list(iterate_payments(game, 0, offer))
            for number, found in enumerate(whole):
                assert list(iterate_payments(game, 0, offer, after=found.position)) == whole[number + 1 :], (
                    helpers,
                    offer,
                )


@pytest.mark.rule("00.17", "99.48")
def test_a_payment_drawn_at_random_with_helpers_is_legal() -> None:
    game = bargain("denar-1 denar-2 denar-4 gulden-3")
    rng = Random(3)
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        offer = Offer("market-denar", 6, "denar")
        found = sample_payment(game, 0, offer, rng.randrange)
        assert (found is not None) == any(True for _ in payments(game, 0, offer))
        if found is not None:
            assert outcomes(game, offer, found) is not None


def test_a_majority_is_modified_in_half_buildings() -> None:
    game = table(modules=["example_bargains"])
    own(game, 0, garden=1)
    own(game, 1, garden=1)
    give_bargains(game, 1, "patron")
    assert points(hold_scoring(game, 2), "majority", type="garden") == {1: 12, 0: 5}


@pytest.mark.rule("00.45")
def test_nothing_is_added_to_a_type_that_a_seat_does_not_have() -> None:
    game = table(modules=["example_bargains"])
    own(game, 0, tower=1)
    give_bargains(game, 1, "patron")
    assert points(hold_scoring(game, 2), "majority", type="garden") == {}
