"""Payments: what is judged legal is what is listed; exact before overpaid, undominated before the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations, islice, pairwise, product
from random import Random

import pytest

from alhambra import CURRENCIES, Game, Move
from alhambra.base.payment.counting import counted_payments
from alhambra.base.payment.listing import iterate_payments, payments
from alhambra.base.payment.offers import ANY_ONE, MIXED, Offer, Payment
from alhambra.base.payment.rules import judge
from alhambra.base.payment.sampling import affordable, sample_payment
from alhambra.components import MONEY_CARDS
from tests.counted_work import calls_made
from tests.rules.situations import hand, market, move, table

HANDS = (
    "",
    "denar-1",
    "denar-1 denar-1 denar-1",
    "denar-1 denar-2 denar-3 denar-4 denar-5",
    "denar-2 denar-2 denar-2 denar-4 denar-4 denar-9",
    "denar-9 denar-9 denar-9 denar-8 denar-8 denar-1",
    "denar-3 denar-4 denar-5 gulden-1 gulden-9 dukat-5",
    "denar-5 denar-5 gulden-5 gulden-5 dirham-5 dukat-5",
    "gulden-9 gulden-9 dukat-9",
)
PRICES = (2, 5, 8, 9, 10, 13)


def multisets(cards: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {chosen for size in range(len(cards) + 1) for chosen in combinations(sorted(cards), size)}


def total(cards: tuple[str, ...]) -> int:
    return sum(MONEY_CARDS[card].value for card in cards)


def holding(cards: str) -> Game:
    game = table()
    hand(game, 0, cards)
    return game


def offer(price: int, currency: str = "denar", *, exact: bool = False, never_exact: bool = False) -> Offer:
    return Offer("market-denar", price, currency, exact=exact, never_exact=never_exact)


def legal_by_the_rules(cards: tuple[str, ...], wanted: Offer) -> bool:
    """The rule in one line each, independent of the engine."""
    currencies = {MONEY_CARDS[card].currency for card in cards}
    if wanted.currency == MIXED:
        fits = True
    elif wanted.currency == ANY_ONE:
        fits = len(currencies) <= 1
    else:
        fits = currencies <= {wanted.currency}
    return fits and (total(cards) == wanted.price if wanted.exact else total(cards) >= wanted.price)


@pytest.mark.rule("00.17", "00.19", "00.100")
@pytest.mark.parametrize("cards", HANDS)
@pytest.mark.parametrize("currency", [*CURRENCIES, ANY_ONE, MIXED])
def test_a_payment_is_judged_legal_if_and_only_if_it_is_listed(cards: str, currency: str) -> None:
    game = holding(cards)
    for price, exact in product(PRICES, (False, True)):
        wanted = offer(price, currency, exact=exact)
        listed = list(payments(game, 0, wanted))
        assert len(listed) == len(set(listed)), "listed twice"
        assert all(payment.display == payment.items == () for payment in listed)
        found = {payment.cards for payment in listed}
        for chosen in multisets(game.state.seats[0].hand):
            verdict = judge(game, 0, wanted, Payment(chosen))
            assert (not verdict.violations) == (chosen in found) == legal_by_the_rules(chosen, wanted)
            assert verdict.paid == total(chosen)
            assert verdict.exact == (total(chosen) == price)


def dominated(payment: Payment, price: int) -> bool:
    """Leaving out one card is still legal with the same result, exact or not."""
    rest = [payment.cards[:n] + payment.cards[n + 1 :] for n in range(len(payment.cards))]
    exact = total(payment.cards) == price
    return any(total(cards) >= price and (total(cards) == price) == exact for cards in rest)


@pytest.mark.rule("00.100")
@pytest.mark.parametrize("cards", HANDS)
def test_exact_payments_come_first_then_undominated_ones_then_the_rest(cards: str) -> None:
    game = holding(cards)
    for price in PRICES:
        listed = list(payments(game, 0, offer(price)))
        order = [0 if total(p.cards) == price else 1 + dominated(p, price) for p in listed]
        assert order == sorted(order)


@pytest.mark.parametrize("cards", HANDS)
def test_the_brief_list_has_every_undominated_payment_and_no_dominated_one(cards: str) -> None:
    game = holding(cards)
    for price in PRICES:
        whole = list(payments(game, 0, offer(price)))
        assert list(payments(game, 0, offer(price), brief=True)) == [p for p in whole if not dominated(p, price)]


@pytest.mark.rule("23.4")
@pytest.mark.parametrize("cards", HANDS)
def test_where_no_payment_is_exact_none_that_can_spare_a_card_is_in_the_brief_list(cards: str) -> None:
    game = holding(cards)
    for price in PRICES:
        wanted = offer(price, never_exact=True)
        whole = list(payments(game, 0, wanted))
        assert not any(judge(game, 0, wanted, payment).exact for payment in whole)
        needed = [p for p in whole if total(p.cards) - min(total((card,)) for card in p.cards) < price]
        assert list(payments(game, 0, wanted, brief=True)) == needed


@pytest.mark.rule("00.17", "00.100", "99.51", "23.4")
@pytest.mark.parametrize("cards", HANDS)
@pytest.mark.parametrize("currency", [*CURRENCIES, ANY_ONE, MIXED])
def test_payments_are_counted_as_they_are_listed(cards: str, currency: str) -> None:
    game = holding(cards)
    for price, (exact, never_exact) in product((0, *PRICES), ((False, False), (True, False), (False, True))):
        wanted = offer(price, currency, exact=exact, never_exact=never_exact)
        counted = counted_payments(game, 0, wanted)
        assert counted is not None
        assert [counted.at(number) for number in range(len(counted))] == list(payments(game, 0, wanted))
        assert counted.at(len(counted)) is None


@pytest.mark.parametrize("cards", HANDS)
def test_an_offer_for_the_exact_price_takes_nothing_else(cards: str) -> None:
    game = holding(cards)
    for price in PRICES:
        wanted = offer(price, exact=True)
        assert all(total(payment.cards) == price for payment in payments(game, 0, wanted))
        over = Payment(tuple(card for card in game.state.seats[0].hand if card.startswith("denar")))
        if total(over.cards) > price:
            faults = judge(game, 0, wanted, over).violations
            assert [fault.code for fault in faults] == ["NOT_EXACT"]
            assert faults[0].metadata == {"due": price, "paid": total(over.cards)}


@pytest.mark.rule("00.17")
@pytest.mark.parametrize("cards", HANDS)
def test_affordable_says_whether_any_payment_is_legal(cards: str) -> None:
    game = holding(cards)
    for price, exact, currency in product((1, *PRICES), (False, True), ("denar", ANY_ONE, MIXED)):
        wanted = offer(price, currency, exact=exact)
        assert affordable(game, 0, wanted) == any(True for _ in payments(game, 0, wanted))


@pytest.mark.rule("99.51")
def test_a_price_of_0_is_paid_exactly_with_nothing() -> None:
    game = holding("denar-3")
    verdict = judge(game, 0, offer(0), Payment())
    assert (verdict.violations, verdict.exact) == ([], True)
    assert next(payments(game, 0, offer(0))) == Payment()
    assert list(payments(game, 0, offer(0, ANY_ONE))).count(Payment()) == 1
    more = judge(game, 0, offer(0), Payment(("denar-3",)))
    assert (more.violations, more.paid, more.exact) == ([], 3, False)


@pytest.mark.rule("00.17")
def test_two_currencies_where_one_is_asked_for_are_a_forbidden_mix() -> None:
    game = holding("denar-5 gulden-5")
    faults = judge(game, 0, offer(8, ANY_ONE), Payment(("denar-5", "gulden-5"))).violations
    assert [fault.code for fault in faults] == ["MIX_FORBIDDEN"]
    assert faults[0].metadata == {"ids": ["denar-5", "gulden-5"]}


def test_a_rich_hand_lists_its_first_payments_at_once() -> None:
    game = holding(" ".join(f"denar-{value}" for value in range(1, 10) for _ in range(3)))
    first = next(payments(game, 0, offer(13)))
    assert total(first.cards) == 13
    brief = list(payments(game, 0, offer(13), brief=True))
    assert len(brief) == len(set(brief))
    assert not any(dominated(payment, 13) for payment in brief)


@pytest.mark.rule("00.100")
@pytest.mark.parametrize("cards", HANDS)
@pytest.mark.parametrize("currency", ["denar", ANY_ONE, MIXED])
def test_the_list_of_payments_can_be_continued_behind_each_of_them(cards: str, currency: str) -> None:
    game = holding(cards)
    for price, brief in product((0, *PRICES), (False, True)):
        whole = list(iterate_payments(game, 0, offer(price, currency), brief=brief))
        for number, found in enumerate(whole):
            assert (
                list(iterate_payments(game, 0, offer(price, currency), brief=brief, after=found.position))
                == whole[number + 1 :]
            )


RICH = " ".join(f"denar-{value}" for value in range(1, 10) for _ in range(3))
"""Every denar there is: a quarter of a million payments."""


def calls(work: Iterator[object]) -> int:
    """How many function calls it takes to go through all of it."""
    return calls_made(lambda: deque(work, maxlen=0))


def test_a_rich_hand_is_continued_anywhere_with_a_few_steps_for_each_payment() -> None:
    game, rng = holding(RICH), Random(4)
    rest = max(found.segment for found in islice(iterate_payments(game, 0, offer(13)), 5_000))
    for _ in range(200):
        place = (rest, *(rng.randrange(4) for _ in range(9)))
        following = list(islice(iterate_payments(game, 0, offer(13), after=place), 3))
        for before, found in pairwise(following):
            assert next(iterate_payments(game, 0, offer(13), after=before.position)) == found
        assert calls(islice(iterate_payments(game, 0, offer(13), after=place), 50)) < 50 * 40


def test_no_time_is_spent_where_no_payment_is() -> None:
    game = holding(RICH.replace("denar-1 ", "").replace("denar-3", "dukat-3").replace("denar-5", "dukat-5"))
    hand(game, 0, " ".join(card for card in game.state.seats[0].hand if card[-1] in "2468"))
    odd = offer(41, exact=True)
    assert calls(iterate_payments(game, 0, odd)) < 200
    assert not list(iterate_payments(game, 0, odd))


def test_a_place_that_no_list_has_is_refused() -> None:
    game = holding("denar-3 denar-4")
    for place in ((0, 1), (0, 1, 2, 3), (0, 2, 0), (0, -1, 0)):
        with pytest.raises(ValueError, match="no such position"):
            list(iterate_payments(game, 0, offer(3), after=place))


def hands_of(size: int, games: int) -> Iterator[str]:
    rng = Random(20)
    stock = [card for card in MONEY_CARDS for _ in range(3)]
    for _ in range(games):
        yield " ".join(rng.sample(stock, size))


@pytest.mark.rule("00.17")
@pytest.mark.parametrize("cards", [*hands_of(9, 25)])
def test_above_six_cards_samples_of_listed_and_of_random_payments_agree(cards: str) -> None:
    game = holding(cards)
    rng = Random(cards)
    held = game.state.seats[0].hand
    for price in (2, 7, 13):
        found = {payment.cards for payment in payments(game, 0, offer(price, MIXED))}
        for _ in range(40):
            chosen = tuple(sorted(rng.sample(held, rng.randrange(len(held) + 1))))
            assert (chosen in found) == (not judge(game, 0, offer(price, MIXED), Payment(chosen)).violations)


@pytest.mark.rule("00.17")
@pytest.mark.parametrize("cards", HANDS)
@pytest.mark.parametrize("currency", ["denar", ANY_ONE, MIXED])
def test_a_payment_drawn_at_random_is_legal_and_there_is_one_if_any_is(cards: str, currency: str) -> None:
    game = holding(cards)
    rng = Random(7)
    for price, exact in product((1, *PRICES), (False, True)):
        wanted = offer(price, currency, exact=exact)
        found = sample_payment(game, 0, wanted, rng.randrange)
        assert (found is not None) == affordable(game, 0, wanted)
        if found is not None:
            assert not judge(game, 0, wanted, found).violations


@pytest.mark.rule("00.100")
def test_legal_moves_lists_the_brief_payments_and_moves_all_of_them() -> None:
    game = holding("denar-2 denar-3 denar-4 denar-5")
    market(game, denar="pavilion-5-nw")
    buys = [found.cards for found in game.legal_moves() if found.verb == "buy"]
    assert buys == [("denar-5",), ("denar-2", "denar-3"), *(cards for cards in buys[2:] if total(cards) > 5)]
    every = [found for found in game.moves() if found.verb == "buy"]
    assert len(every) > len(buys)
    assert move(game, "buy market-denar denar-2 denar-3 denar-4 denar-5") in every
    assert (
        Move("buy", slot="market-denar", cards=("denar-2", "denar-3", "denar-4", "denar-5")) not in game.legal_moves()
    )


def test_one_spelling_per_payment_unsorted_cards_are_malformed() -> None:
    game = holding("denar-2 denar-3")
    market(game, denar="pavilion-5-nw")
    faults = game.verify(Move("buy", slot="market-denar", cards=("denar-3", "denar-2")))
    assert [(fault.code, fault.noun) for fault in faults] == [("NOUN_MALFORMED", "cards")]
    read = Move.read({"verb": "buy", "slot": "market-denar", "cards": ["denar-3", "denar-2"]})
    assert game.verify(read) == ()
