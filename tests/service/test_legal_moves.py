"""Lists of legal moves: read in pages, each of which takes little time, however many payments there are."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options, known_modules
from alhambra.components import MONEY_CARDS
from alhambra.payments import OfferPayments
from alhambra_api.v1 import moves_pb2
from alhambra_service import current_call, limits
from alhambra_service.games.legal_moves import ALL, BRIEF, NONE, Cursor, MoveFilter, Page, page, verdict
from alhambra_service.messages.refusals import Refusal
from alhambra_service.messages.translate import move_from
from tests.counted_work import calls_made

from .playing import Host, play

ANYTHING = MoveFilter()
STOCK = [card for card in MONEY_CARDS for _ in range(3)]


def at_an_action(cards: int, seed: str, modules: list[str]) -> Game:
    """A game whose asked seat holds so many cards and may act."""
    game, rng = Game.new(Options(3, seed, modules=modules)), Random(seed)
    for _ in range(40):
        game.apply(game.random_move(rng))
    while game.decision is None or game.decision.kind != "action" or game.state.actions < 1:
        game.apply(game.random_move(rng))
    game.state.seats[game.decision.seat].hand = tuple(sorted(rng.sample(STOCK, cards)))
    return game


def all_pages(game: Game, mode: int, size: int, wanted: MoveFilter = ANYTHING) -> list[Page]:
    pages = [page(game, wanted, mode, size)]
    while pages[-1].next is not None:
        cursor = Cursor.read(str(pages[-1].next))
        pages.append(page(game, wanted, mode, size, cursor))
    return pages


def moves_of(pages: list[Page]) -> list[Move]:
    return [move_from(one.move) for found in pages for one in found.moves]


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages end by their size alone."""
    monkeypatch.setattr(limits, "LISTING_SECONDS", 3600.0)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page ends as soon as the clock is looked at."""
    monkeypatch.setattr(limits, "LISTING_SECONDS", 0.0)


@pytest.mark.parametrize("seed", ["1", "5", "8"])
def test_all_pages_together_hold_every_legal_move_once_and_in_order(seed: str, unhurried: None) -> None:
    game = at_an_action(7, seed, list(known_modules()))
    whole = list(game.moves())
    assert len(whole) == len(set(whole)) > 5
    for size in (1, 2, 7, 1_000):
        pages = all_pages(game, ALL, size)
        assert moves_of(pages) == whole
        assert all(len(found.moves) == size for found in pages[:-1])


@pytest.mark.parametrize("seed", ["1", "5"])
def test_pages_that_are_cut_short_hold_the_same_moves(seed: str, hurried: None) -> None:
    game = at_an_action(8, seed, list(known_modules()))
    pages = all_pages(game, ALL, 1_000)
    assert moves_of(pages) == list(game.moves())
    assert len(pages) > 3
    assert max(len(found.moves) for found in pages) <= limits.CPU_BUDGET_STEPS


def test_a_brief_list_says_how_many_moves_all_of_its_pages_hold(unhurried: None) -> None:
    game = at_an_action(12, "brief", ["major_construction_projects", "change"])
    for mode in (NONE, BRIEF):
        pages = all_pages(game, mode, 3)
        assert {found.total for found in pages} == {len(moves_of(pages))}
        assert not any(found.offers for found in pages[1:])
    assert all(found.total is None for found in all_pages(game, ALL, 1_000))


def test_a_brief_list_that_takes_too_long_is_not_counted(hurried: None) -> None:
    game = at_an_action(12, "brief", ["major_construction_projects", "change"])
    pages = all_pages(game, BRIEF, 1_000)
    assert pages[0].total is None
    assert pages[-1].total == len(moves_of(pages)) > limits.CPU_BUDGET_STEPS


def test_a_deep_page_of_a_rich_hand_costs_no_more_than_the_first(unhurried: None) -> None:
    game = at_an_action(27, "rich", list(known_modules()))
    assert game.decision is not None
    game.state.seats[game.decision.seat].hand = tuple(card for card in STOCK if card.startswith("denar"))
    wanted = MoveFilter("bid_project")
    found = page(game, wanted, ALL, 1_000)
    first = calls_made(lambda: page(game, wanted, ALL, 100))  # with the offers
    shown = len(found.moves)
    for number in range(60):
        assert found.next is not None, "the hand is not rich"
        deep = found.next
        assert number % 6 or calls_made(lambda: page(game, wanted, ALL, 100, deep)) < 2 * first  # noqa: B023 - called at once
        found = page(game, wanted, ALL, 1_000, deep)
        shown += len(found.moves)
    assert shown > 50_000


def test_a_list_ends_when_its_caller_has_gone(hurried: None) -> None:
    class Gone:
        def is_active(self) -> bool:
            return False

    game = at_an_action(27, "rich", list(known_modules()))
    call: Any = Gone()
    current_call.THREAD.call = call
    try:
        with pytest.raises(current_call.CallerGone):
            page(game, ANYTHING, ALL, 1_000)
    finally:
        current_call.THREAD.call = None


def test_a_cursor_of_another_list_is_refused() -> None:
    game = at_an_action(5, "1", [])
    assert game.decision is not None
    game.state.seats[game.decision.seat].hand = ("denar-8", "denar-9", "dirham-9", "dukat-9", "gulden-9")
    for cursor in (Cursor(1, 0, (0, 1, 1, 1, 1)), Cursor(1, 0, (0, 9)), Cursor(1, 0, (0,))):
        with pytest.raises(Refusal) as refused:
            page(game, MoveFilter("buy"), ALL, 10, cursor)
        assert refused.value.reason == "PAGE_TOKEN_INVALID"


def test_an_offer_of_every_verb_that_pays_has_its_price_before_anything_is_paid() -> None:
    game = at_an_action(12, "brief", ["major_construction_projects", "change"])
    found = page(game, MoveFilter("bid_project"), NONE, 10)
    (offer,) = found.offers
    assert (offer.move.verb, offer.price, offer.affordable, offer.more_payments) == ("bid_project", 15, True, True)
    assert not found.moves
    least = verdict(game, Move("bid_project"))
    assert least is not None and (least.due, least.paid) == (15, 0)
    for one in page(game, MoveFilter("bid_project"), BRIEF, 10).moves:
        told = verdict(game, move_from(one.move))
        assert told is not None and (told.due, told.paid, told.exact) == (one.price, one.paid, one.exact)


def test_a_page_that_was_cut_short_is_continued_over_the_wire(host: Host, hurried: None) -> None:
    game = host.create(2, modules=["change"], seed="pages")
    view = play(game, Random(2), moves=30)
    seat = game.seats[view.decision.seat]
    answers = [seat.moves(payments=moves_pb2.PAYMENTS_ALL)]
    while answers[-1].next_page_token:
        token = answers[-1].next_page_token
        answers.append(seat.moves(payments=moves_pb2.PAYMENTS_ALL, page_token=token))
    told = [one.move.SerializeToString(deterministic=True) for answer in answers for one in answer.moves]
    assert len(told) == len(set(told)) > 0
    assert len(answers) > len(told) / limits.CPU_BUDGET_STEPS - 1


def test_an_offer_says_whether_the_list_leaves_out_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Payments are searched only until one more than those of the list was found."""
    game, walked = at_an_action(10, "more", ["change"]), 0
    steps = OfferPayments.steps

    def counting(*given: Any, **more: Any) -> Any:
        nonlocal walked
        for step in steps(*given, **more):
            walked += 1
            yield step

    every = {offer.move.slot: 0 for offer in page(game, MoveFilter("buy"), NONE, 10).offers}
    for move in moves_of(all_pages(game, ALL, 1_000, MoveFilter("buy"))):
        every[move.slot or ""] += 1
    monkeypatch.setattr(OfferPayments, "steps", counting)
    found = page(game, MoveFilter("buy"), BRIEF, 1_000)
    shown = {slot: sum(one.move.slot == slot for one in found.moves) for slot in every}
    assert {offer.move.slot: offer.more_payments for offer in found.offers} == {
        slot: 0 < shown[slot] < count for slot, count in every.items()
    }
    assert any(shown[slot] < count for slot, count in every.items())
    assert walked < sum(every.values())
