"""11 The change: coins for those who overpay."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import CURRENCIES, Game, Move, Options
from alhambra.base.payment.offers import Offer, Payment, Purchase, Verdict
from alhambra.invariants import census
from alhambra.modules.change import Coins, draw_change
from tests.rules.hooks.asking import asked
from tests.rules.modules.change_table import bag, change, coins, drawn
from tests.rules.situations import (
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    market,
    pieces,
    play,
    refused,
    table,
)

# -- The bag -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1", "11.2")
def test_all_coins_start_in_the_bag_six_of_each_currency() -> None:
    game = Game.new(Options(seats=4, seed="coins", modules=["change"]))
    for viewer in (None, 0, 3):
        assert pieces(game, "change", viewer) == [
            {"kind": "coin", "seat": None, "currency": currency, "amount": 6} for currency in CURRENCIES
        ]


@pytest.mark.rule("11.2")
def test_the_coins_change_nothing_of_what_is_dealt() -> None:
    with_coins = Game.new(Options(seats=3, seed="same", modules=["change"])).state
    without = Game.new(Options(seats=3, seed="same")).state
    assert (with_coins.deck, with_coins.tower) == (without.deck, without.tower)


# -- Overpaying --------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("11.29")
@pytest.mark.parametrize("tile", ["garden-10", "tower-10-w"])
def test_seventeen_for_a_price_of_ten_gives_three_coins(tile: str) -> None:
    game = change(tile=tile)
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert drawn(events) == 3
    assert len(game.module_state(Coins).held[0]) == 3
    assert len(game.module_state(Coins).bag) == 21


# worked example
@pytest.mark.rule("11.30")
def test_one_too_much_gives_nothing() -> None:
    game = change()
    hand(game, 0, "denar-2 denar-9")
    events = play(game, "buy market-denar denar-2 denar-9")
    assert drawn(events) == 0
    assert "coins_drawn" not in kinds(events)


# worked example
@pytest.mark.rule("11.8", "11.31")
def test_no_more_coins_are_drawn_than_the_bag_holds() -> None:
    game = change()
    bag(game, "dukat", "dukat")
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert events_of(events, "coins_drawn") == [{"seat": 0, "items": ("coin-dukat", "coin-dukat")}]
    assert game.module_state(Coins).bag == ()


@pytest.mark.rule("11.8")
def test_an_empty_bag_gives_nothing() -> None:
    game = change()
    bag(game)
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert "coins_drawn" not in kinds(events)
    assert game.module_state(Coins).held[0] == ()


@pytest.mark.rule("11.3")
@pytest.mark.parametrize(("paid", "count"), [("denar-3 denar-9", 1), ("denar-4 denar-9", 1), ("denar-5 denar-9", 2)])
def test_every_two_too_much_give_a_coin(paid: str, count: int) -> None:
    game = change()
    hand(game, 0, paid)
    assert drawn(play(game, f"buy market-denar {paid}")) == count


@pytest.mark.rule("11.9")
def test_an_overpaid_purchase_stays_inexact() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert not events_of(events, "paid")[0]["exact"]
    assert "bonus_action" not in kinds(events)
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("11.7", "11.36")
def test_superfluous_cards_may_be_added_to_get_more_coins() -> None:
    game = change()
    hand(game, 0, "denar-9 denar-9 denar-8")
    assert drawn(play(game, "buy market-denar denar-8 denar-9 denar-9")) == 8


@pytest.mark.rule("11.4", "11.33")
def test_coins_are_drawn_without_a_question_and_lie_open() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    events = play(game, "buy market-denar denar-8 denar-9")
    items = list(events_of(events, "coins_drawn")[0]["items"])
    for viewer in (None, 0, 1, 2):
        lying = [(piece["seat"], piece["currency"], piece.get("amount", 1)) for piece in pieces(game, "change", viewer)]
        assert sorted(f"coin-{currency}" for seat, currency, count in lying if seat == 0 for _ in range(count)) == items
        assert sum(count for seat, _, count in lying if seat is None) == 21


@pytest.mark.rule("11.35")
def test_what_is_drawn_depends_on_the_seed() -> None:
    found = set()
    for number in range(12):
        game = table(3, seed=f"bag {number}", modules=["change"])
        market(game, denar="garden-10")
        hand(game, 0, "denar-8 denar-9")
        play(game, "buy market-denar denar-8 denar-9")
        found.add(game.module_state(Coins).held[0])
    assert len(found) > 3


@pytest.mark.rule("11.35")
def test_drawing_coins_cannot_be_taken_back_paying_without_it_can() -> None:
    for cards, refused_because in (("denar-8 denar-9", "revealed"), ("denar-2 denar-9", None)):
        game = change()
        hand(game, 0, cards)
        play(game, f"buy market-denar {cards}")
        refusal = game.can_undo(0)
        assert (refusal.metadata["because"] if refusal else None) == refused_because


@pytest.mark.rule("11.35")
def test_coins_that_come_from_the_bag_are_as_unknown_as_its_order() -> None:
    game = change()
    hand(game, 0, "denar-8 denar-9")
    for number in range(3):
        sample = game.determinize(1, Random(number))
        assert sample.view(1) == game.view(1)


# -- Paying with coins -------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.5")
def test_a_coin_pays_one_of_its_currency() -> None:
    game = change()
    coins(game, 0, "denar", "denar")
    hand(game, 0, "denar-8")
    events = play(game, "buy market-denar denar-8", items=("coin-denar", "coin-denar"))
    assert events_of(events, "paid")[0]["paid"] == 10
    assert game.module_state(Coins).held[0] == ()
    assert len(game.module_state(Coins).bag) == 24


@pytest.mark.rule("11.10")
def test_an_exact_payment_with_coins_grants_a_further_action() -> None:
    game = change()
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]


@pytest.mark.rule("11.37")
def test_coins_alone_can_pay() -> None:
    game = change(tile="pavilion-2-new")
    coins(game, 0, "denar", "denar", "dukat")
    events = play(game, "buy market-denar", items=("coin-denar", "coin-denar"))
    assert events_of(events, "paid")[0]["exact"]
    assert game.module_state(Coins).held[0] == ("coin-dukat",)


@pytest.mark.rule("11.5")
def test_coins_of_another_currency_do_not_pay() -> None:
    game = change()
    coins(game, 0, "dukat")
    hand(game, 0, "denar-9")
    violations = refused(game, "buy market-denar denar-9", items=("coin-dukat",))
    assert fact(violations, "WRONG_CURRENCY") == {"id": "coin-dukat", "allowed": ["denar"]}


@pytest.mark.rule("11.5")
def test_nobody_pays_with_coins_of_others_or_with_more_than_there_are() -> None:
    game = change()
    coins(game, 0, "denar")
    coins(game, 1, "dukat")
    hand(game, 0, "denar-9")
    both = refused(game, "buy market-denar denar-9", items=("coin-denar", "coin-denar"))
    assert fact(both, "NOT_THERE") == {"id": "coin-denar", "place": "held"}
    assert codes(refused(game, "buy market-denar denar-9", items=("coin-dukat",)))[0] == "NOT_THERE"


@pytest.mark.rule("11.6", "11.34")
def test_paid_coins_are_back_in_the_bag_before_change_is_drawn() -> None:
    game = change()
    bag(game)
    coins(game, 0)
    kept = game.module_state(Coins)
    kept.held = (("coin-denar",), (), tuple(coin for coin in kept.held[2] if coin != "coin-denar"))
    hand(game, 0, "denar-5 denar-6")
    events = play(game, "buy market-denar denar-5 denar-6", items=("coin-denar",))
    assert events_of(events, "coins_drawn") == [{"seat": 0, "items": ("coin-denar",)}]


def test_coins_are_listed_among_the_payments() -> None:
    game = change()
    coins(game, 0, "denar")
    hand(game, 0, "denar-9")
    assert game.legal_moves()[0] == Move("buy", slot="market-denar", cards=("denar-9",), items=("coin-denar",))


@pytest.mark.rule("11.38")
def test_coins_are_no_cards_of_the_hand() -> None:
    game = change()
    coins(game, 0, "denar", "dukat")
    hand(game, 0, "denar-9")
    assert game.view(1)["seats"][0]["hand_count"] == 1
    violations = refused(game, Move("buy", slot="market-denar", cards=("coin-denar", "denar-9")))
    assert codes(violations) == ["ID_UNKNOWN", "UNDERPAID"]


@pytest.mark.rule("11.11")
def test_with_two_players_change_is_given_all_the_same() -> None:
    game = change(2)
    hand(game, 0, "denar-8 denar-9")
    assert drawn(play(game, "buy market-denar denar-8 denar-9")) == 3
    play(game, "give_to_dirk garden-10")
    assert len(game.module_state(Coins).held) == 2


# -- The end of the game, leaving --------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("11.12", "11.32")
def test_coins_count_when_leftover_tiles_are_given_out() -> None:
    game = change()
    market(game, dukat="tower-12")
    hand(game, 0, "dukat-6")
    hand(game, 1, "dukat-5")
    coins(game, 1, "dukat", "dukat", "denar")
    display(game, "gulden-1")
    events = end_game(game)
    awarded = events_of(events, "leftover_awarded")[0]
    assert awarded["seat"] == 1
    assert dict(awarded["totals"]) == {0: 6, 1: 7, 2: 0}
    assert asked(game) == ("leftover_tiles", 1)


@pytest.mark.rule("11.12")
def test_coins_alone_can_win_a_leftover_tile_and_equal_money_wins_none() -> None:
    game = change()
    market(game, dukat="tower-12", denar="garden-10")
    coins(game, 1, "dukat")
    coins(game, 2, "denar")
    hand(game, 0, "denar-1")
    display(game, "gulden-1")
    events = end_game(game)
    assert [event["seat"] for event in events_of(events, "leftover_awarded")] == [None, 1]


@pytest.mark.rule("11.39")
def test_a_player_without_coins_who_resigns_returns_none() -> None:
    assert events_of(change().resign(1), "coins_returned") == []


@pytest.mark.rule("11.39")
def test_who_leaves_puts_the_coins_back_into_the_bag() -> None:
    game = change()
    coins(game, 1, "denar", "dukat")
    events = game.resign(1)
    assert events_of(events, "coins_returned") == [{"seat": 1, "items": ("coin-denar", "coin-dukat")}]
    assert game.module_state(Coins).held == ((), (), ())
    assert len(game.module_state(Coins).bag) == 24


# -- All coins ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1", "11.6")
def test_there_are_six_coins_of_each_currency_whether_in_the_bag_held_or_paid() -> None:
    six = dict.fromkeys([f"coin-{currency}" for currency in CURRENCIES], 6)
    game = change()
    coins(game, 0, "denar", "dukat")
    coins(game, 1, "gulden")
    hand(game, 0, "denar-9 denar-8")
    assert {thing: count for thing, count in census(game).items() if thing.startswith("coin-")} == six
    play(game, "buy market-denar denar-8 denar-9", items=("coin-denar",))
    assert {thing: count for thing, count in census(game).items() if thing.startswith("coin-")} == six


@pytest.mark.rule("11.18")
@pytest.mark.parametrize(("effects", "count"), [(("bonus", "certificate"), 0), (("bonus", "coins"), 3)])
def test_a_purchase_that_allows_no_change_gives_none(effects: tuple[str, ...], count: int) -> None:
    game = change()
    payment = Payment(("denar-8", "denar-9"))
    verdict = Verdict([], 10, 17, False, ("denar",))
    offer = Offer("market-denar", 10, "denar", effects)
    game.events = []
    draw_change(game, Purchase.of(0, offer, verdict, "action", payment))
    assert drawn(game.events) == count
