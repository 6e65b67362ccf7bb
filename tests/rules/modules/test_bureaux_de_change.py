"""02 The bureaux de change: one payment in two currencies."""

from __future__ import annotations

import pytest

from alhambra import Game, Options
from alhambra.base.payment.offers import ANY_ONE, MIXED, Offer
from alhambra.base.payment.rules import tenders
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from tests.rules.modules.change_table import auction
from tests.rules.situations import (
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
    take_turn,
)

BUREAU = "exchange_gulden_denar"


def bureaux(seats: int = 3, *modules: str) -> Game:
    """The worked example: a garden and a pavilion, two denar cards, a gulden card and the bureau for both."""
    game = table(seats, modules=["bureaux_de_change", *modules])
    hand(game, 0, f"denar-7 denar-2 gulden-9 {BUREAU}")
    market(game, denar="garden-10", gulden="pavilion-7-e")
    return game


@pytest.mark.rule("02.2", "02.11")
@pytest.mark.parametrize("seats", [2, 4])
def test_two_bureaux_lie_in_each_of_the_piles_two_to_four(seats: int) -> None:
    state = Game.new(Options(seats, "piles", modules=["bureaux_de_change"])).state
    found, bottom = [], 0
    for size in state.piles:
        found.append(sum(card.startswith("exchange_") for card in state.deck[bottom : bottom + size]))
        bottom += size
    assert found == [0, 2, 2, 2, 0]
    assert len({card for card in state.deck if card.startswith("exchange_")}) == 6


@pytest.mark.rule("02.3")
def test_chance_decides_which_bureaux_lie_in_which_pile() -> None:
    in_second_pile = set()
    for number in range(10):
        state = Game.new(Options(3, f"piles {number}", modules=["bureaux_de_change"])).state
        start = sum(state.piles[:3])
        pile = state.deck[start : start + state.piles[3]]
        in_second_pile.add(frozenset(card for card in pile if card.startswith("exchange_")))
    assert {len(pair) for pair in in_second_pile} == {2}
    assert len(in_second_pile) > 1


# -- Taking ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("02.4", "02.5", "02.29")
def test_a_bureau_that_is_turned_up_lies_in_the_display_and_is_taken_alone() -> None:
    game = bureaux()
    display(game, "gulden-1 gulden-2")
    deck(game, "exchange_denar_dukat gulden-3 gulden-4")
    play(game, "take_money gulden-1")
    assert "exchange_denar_dukat" in game.state.display
    assert len(game.state.display) == 4
    assert codes(refused(game, "take_money exchange_denar_dukat gulden-2")) == ["TAKEN_ALONE"]
    play(game, "take_money exchange_denar_dukat")
    assert game.state.seats[1].hand == ("exchange_denar_dukat",)


@pytest.mark.rule("02.31")
def test_a_display_of_bureaux_only_can_still_be_taken_from() -> None:
    game = bureaux()
    hand(game, 0)
    display(game, "exchange_denar_dukat exchange_gulden_dukat")
    assert legal(game, "take_money exchange_denar_dukat")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("02.6")
def test_any_number_of_bureaux_may_be_held() -> None:
    game = bureaux()
    held = ("exchange_denar_dukat", "exchange_dirham_denar", "exchange_dirham_dukat", BUREAU, "exchange_gulden_dirham")
    hand(game, 0, *held)
    display(game, "exchange_gulden_dukat")
    play(game, "take_money exchange_gulden_dukat")
    assert game.state.seats[0].hand == (*held, "exchange_gulden_dukat")


# -- Using -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("02.7", "02.10", "02.23")
def test_both_currencies_of_a_bureau_are_paid_together() -> None:
    """Worked example."""
    game = bureaux()
    events = play(game, f"buy market-denar gulden-9 denar-2 {BUREAU}")
    assert (events_of(events, "paid")[0]["paid"], events_of(events, "paid")[0]["exact"]) == (11, False)
    assert BUREAU in game.state.discard


@pytest.mark.rule("02.9", "02.24", "02.27")
def test_all_of_it_may_be_paid_in_the_other_currency_and_exactly() -> None:
    """Worked example."""
    game = bureaux()
    events = play(game, f"buy market-gulden denar-7 {BUREAU}")
    assert events_of(events, "paid")[0]["exact"]
    assert "bonus_action" in kinds(events)
    assert BUREAU in game.state.discard


@pytest.mark.rule("02.25", "02.30")
def test_a_bureau_is_refused_if_nothing_is_paid_in_its_other_currency() -> None:
    """Worked example."""
    game = bureaux()
    market(game, denar="pavilion-7-e")
    assert fact(refused(game, f"buy market-denar denar-7 {BUREAU}"), "NO_EFFECT") == {"id": BUREAU}
    assert events_of(play(game, "buy market-denar denar-7"), "paid")[0]["exact"]


@pytest.mark.rule("02.8", "02.26")
def test_a_bureau_serves_one_purchase() -> None:
    """Worked example."""
    game = bureaux()
    play(game, f"buy market-gulden denar-7 {BUREAU}")
    violations = refused(game, f"buy market-denar gulden-9 denar-2 {BUREAU}")
    assert fact(violations, "NOT_THERE") == {"id": BUREAU, "place": "hand"}


@pytest.mark.rule("02.7")
def test_a_bureau_does_not_serve_for_a_currency_that_it_does_not_show() -> None:
    game = bureaux()
    market(game, dukat="pavilion-7-e")
    violations = refused(game, f"buy market-dukat denar-7 {BUREAU}")
    assert fact(violations, "NOT_ACCEPTED") == {"id": BUREAU, "purchase": "buy"}


@pytest.mark.rule("02.28")
def test_only_one_bureau_lies_in_a_payment() -> None:
    game = bureaux()
    hand(game, 0, f"denar-2 gulden-9 dukat-1 {BUREAU} exchange_denar_dukat")
    violations = refused(game, f"buy market-denar denar-2 gulden-9 dukat-1 {BUREAU} exchange_denar_dukat")
    assert "MIX_FORBIDDEN" in codes(violations)


@pytest.mark.rule("02.12")
def test_a_bureau_is_worth_nothing_when_leftover_tiles_are_given_out() -> None:
    game = bureaux()
    hand(game, 0, BUREAU)
    display(game, "dukat-1")
    awarded = {event["slot"]: event for event in events_of(end_game(game), "leftover_awarded")}
    assert dict(awarded["market-denar"]["totals"]) == {0: 0, 1: 0, 2: 0}
    assert awarded["market-denar"]["seat"] is None


@pytest.mark.rule("02.33")
def test_a_hand_with_a_bureau_is_counted_but_not_shown() -> None:
    game = bureaux()
    assert game.view(1)["seats"][0]["hand_count"] == 4
    assert BUREAU in game.view(0)["seats"][0]["hand"]
    assert "hand" not in game.view(1)["seats"][0]


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("02.19")
def test_a_bureau_serves_where_a_currency_is_asked_for_and_in_an_auction() -> None:
    game = bureaux()

    def serves(offer: Offer) -> bool:
        return any(tender.mixes for tender in tenders(game, 0, offer))

    assert serves(Offer("market-denar", 7, "denar"))
    assert serves(Offer("site", 7, "gulden", purpose="site"))
    assert serves(Offer("auction", 7, ANY_ONE, purpose="bid"))
    assert not serves(Offer("caravanserai", 4, ANY_ONE))
    assert not serves(Offer("project", 15, ANY_ONE, deposited=True, purpose="project"))
    assert not serves(Offer("room-1", 8, MIXED, purpose="chests"))


@pytest.mark.rule("02.13")
def test_a_vizier_uses_a_bureau() -> None:
    game = bureaux(3, "viziers_favour")
    hand(game, 0)
    hand(game, 1, f"denar-4 gulden-3 {BUREAU}")
    market(game, denar="garden-10", gulden="pavilion-7-e", dirham="tower-11", dukat="garden-11")
    display(game, "dukat-1")
    take_turn(game)
    assert "vizier_slept" in kinds(play(game, f"buy market-gulden denar-4 gulden-3 {BUREAU}"))


@pytest.mark.rule("02.16", "02.30", "07.27")
def test_a_bureau_pays_an_auction_bid_if_both_its_currencies_occur() -> None:
    game = bureaux(3, "characters")
    hand(game, 0)
    hand(game, 1, f"denar-7 gulden-6 {BUREAU}")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 13
    play(game, "bid", amount=7)
    while game.decision is not None and game.decision.kind == "auction":
        play(game, "pass")
    assert codes(refused(game, f"pay denar-7 {BUREAU}")) == ["NO_EFFECT"]
    play(game, f"pay denar-7 gulden-6 {BUREAU}")
    assert game.module_state(Characters).owners == {"trader": 1}
    assert BUREAU in game.state.discard


@pytest.mark.rule("02.28")
def test_only_one_bureau_lies_in_a_bid() -> None:
    game = bureaux(3, "characters")
    hand(game, 0)
    hand(game, 1, f"denar-7 gulden-6 dukat-5 {BUREAU} exchange_denar_dukat")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 13, "and not 18"
    play(game, "bid", amount=7)
    while game.decision is not None and game.decision.kind == "auction":
        play(game, "pass")
    assert "MIX_FORBIDDEN" in codes(refused(game, f"pay denar-7 gulden-6 dukat-5 {BUREAU} exchange_denar_dukat"))


@pytest.mark.rule("02.17", "02.32", "07.27")
def test_the_beggar_keeps_a_bureau_that_he_draws_and_does_not_count_it() -> None:
    game = bureaux(3, "characters")
    game.module_state(Characters).owners = {"beggar": 1}
    hand(game, 0)
    hand(game, 1, f"denar-9 denar-8 {BUREAU}")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    deck(game, "gulden-1 exchange_dirham_dukat")
    play(game, "take_money gulden-1")
    events = play(game, "draw_card")
    assert "exchange_dirham_dukat" in game.state.seats[1].hand
    assert events_of(events, "card_drawn") == [{"seat": 1, "count": 1}]
    assert game.decision is not None
    assert game.decision.kind == "action", "a bureau is no card that lets him draw again"


@pytest.mark.rule("02.32", "10.14")
def test_bureaux_are_no_money_for_the_money_changer_and_for_thieves() -> None:
    game = bureaux(3, "characters", "thieves")
    game.module_state(Characters).owners = {"money_changer": 1}
    hand(game, 1, "denar-9 exchange_denar_dukat")
    display(game, "gulden-1 exchange_dirham_dukat")
    deck(game, "gulden-5 gulden-6")
    play(game, "take_money gulden-1")
    while game.decision is not None and game.decision.kind == "window":
        assert not any(move.display == ("exchange_dirham_dukat",) for move in game.moves())
        play(game, "pass")
    for own, taken in (("exchange_denar_dukat", "gulden-5"), ("denar-9", "exchange_dirham_dukat")):
        assert "NOT_ELIGIBLE" in codes(refused(game, "change_money", cards=(own,), display=(taken,)))


@pytest.mark.rule("02.21", "11.20")
def test_coins_of_both_currencies_are_part_of_the_mix_and_change_is_given_on_all_of_it() -> None:
    game = bureaux(3, "change")
    coins = game.module_state(Coins)
    coins.held, coins.bag = (("coin-gulden",), (), ()), tuple(sorted(coins.bag))[:-1]
    hand(game, 0, f"denar-7 {BUREAU} denar-6")
    events = play(game, f"buy market-denar denar-6 denar-7 {BUREAU}", items=("coin-gulden",))
    assert events_of(events, "paid")[0]["paid"] == 14
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 2


@pytest.mark.rule("18.17", "02.18")
def test_a_sultan_card_is_paid_with_a_bureau() -> None:
    game = bureaux(3, "power_of_the_sultan")
    deck(game, "sultan_denar_1")
    game.state.deck = game.state.deck[:-1]
    game.state.piles = (*game.state.piles[:-1], game.state.piles[-1] - 1)
    game.module_state(Sultan).marks = {"sultan_denar_1": "garden"}
    assert legal(game, f"buy gulden-9 {BUREAU}", slot="sultan", piece="sultan_denar_1")


@pytest.mark.rule("41.13", "02.22")
def test_a_seller_gets_the_money_but_not_the_bureau() -> None:
    game = bureaux(3, "personal_building_market")
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    play(game, f"buy gulden-9 {BUREAU}", slot="personal-1-denar")
    assert game.state.seats[1].hand == ("gulden-9",)
    assert game.state.discard == (BUREAU,)


def test_no_bureau_lies_in_a_bid_for_a_project() -> None:
    game = bureaux(3, "major_construction_projects")
    violations = refused(game, f"bid_project gulden-9 denar-7 {BUREAU}")
    assert fact(violations, "NOT_ACCEPTED") == {"id": BUREAU, "purchase": "project"}
