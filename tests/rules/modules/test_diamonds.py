"""06 The diamonds: a fifth currency that is never mixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from alhambra import Game, Options
from alhambra.base.payment.offers import ANY_ONE, Offer, Payment
from alhambra.base.payment.rules import judge
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

TEN = ["diamond-3", "diamond-4", *["diamond-5", "diamond-6", "diamond-7"] * 2, "diamond-8", "diamond-9"]


def diamonds(seats: int = 3, *modules: str) -> Game:
    """The worked example: diamonds 5 and 4 in hand, and a seraglio for 9 on the market."""
    game = table(seats, modules=["diamonds", *modules])
    hand(game, 0, "diamond-5 diamond-4")
    market(game, denar="seraglio-9", gulden="arcades-8-n", dirham="pavilion-7-e", dukat="tower-11")
    return game


@pytest.mark.rule("06.8")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_all_ten_diamonds_are_in_the_game_however_many_play(seats: int) -> None:
    state = Game.new(Options(seats, "ten", modules=["diamonds"])).state
    everywhere = Counter([*state.deck, *state.display, *(card for seat in state.seats for card in seat.hand)])
    assert {card: everywhere[card] for card in set(TEN)} == Counter(TEN)
    if seats == 2:
        assert sum(everywhere.values()) == 72 + 10 + 2


@pytest.mark.rule("06.2", "06.30")
def test_diamonds_are_dealt_as_starting_money_and_count_there_with_their_value() -> None:
    dealt = 0
    for number in range(20):
        game = Game.new(Options(4, f"dealt {number}", modules=["diamonds"]))
        for event in events_of(game.events, "hand_dealt"):
            values = [int(card.rpartition("-")[2]) for card in event["cards"]]
            assert sum(values) >= 20 > sum(values[:-1])
            dealt += any(card.startswith("diamond") for card in event["cards"])
    assert dealt


@pytest.mark.rule("06.30")
def test_diamonds_count_as_cards_and_with_their_value_when_the_first_player_is_found() -> None:
    decided = 0
    for number in range(60):
        game = Game.new(Options(4, f"first {number}", modules=["diamonds"]))
        dealt = {event["seat"]: event["cards"] for event in events_of(game.events, "hand_dealt")}
        by_all = {seat: _cards_and_total(cards) for seat, cards in dealt.items()}
        assert by_all[game.state.first] == min(by_all.values())
        others = {seat: [card for card in cards if not card.startswith("diamond")] for seat, cards in dealt.items()}
        without = {seat: _cards_and_total(cards) for seat, cards in others.items()}
        decided += without[game.state.first] != min(without.values())
    assert decided, "in no game did a diamond decide"


def _cards_and_total(cards: Iterable[str]) -> tuple[int, int]:
    values = [int(card.rpartition("-")[2]) for card in cards]
    return len(values), sum(values)


@pytest.mark.rule("06.5", "06.7", "06.25")
def test_paying_exactly_with_diamonds_grants_a_further_action() -> None:
    """Worked example."""
    game = diamonds()
    events = play(game, "buy market-denar diamond-4 diamond-5")
    assert events_of(events, "paid")[0]["exact"]
    assert "bonus_action" in kinds(events)
    assert sorted(game.state.discard) == ["diamond-4", "diamond-5"]


@pytest.mark.rule("06.4", "06.26")
@pytest.mark.parametrize("slot", ["market-gulden", "market-dirham"])
def test_diamonds_pay_in_any_currency_and_overpaying_gives_no_further_action(slot: str) -> None:
    """Worked example."""
    game = diamonds()
    events = play(game, f"buy {slot} diamond-4 diamond-5")
    assert not events_of(events, "paid")[0]["exact"]
    assert "bonus_action" not in kinds(events)


@pytest.mark.rule("06.6", "06.27", "06.32")
def test_diamonds_and_money_of_the_market_space_are_not_paid_together() -> None:
    """Worked example."""
    game = diamonds()
    hand(game, 0, "diamond-5 diamond-4 dukat-2")
    assert codes(refused(game, "buy market-dukat diamond-4 diamond-5 dukat-2")) == ["MIX_FORBIDDEN"]


@pytest.mark.rule("06.4")
def test_diamonds_that_are_worth_too_little_do_not_pay() -> None:
    game = diamonds()
    assert fact(refused(game, "buy market-dukat diamond-4 diamond-5"), "UNDERPAID") == {"due": 11, "paid": 9}


@pytest.mark.rule("06.3", "06.31")
def test_open_diamonds_are_taken_alone_or_within_a_sum_of_five() -> None:
    game = diamonds()
    display(game, "diamond-9 diamond-3 gulden-2 denar-3")
    assert legal(game, "take_money diamond-9")
    assert legal(game, "take_money diamond-3 gulden-2")
    assert codes(refused(game, "take_money diamond-3 denar-3")) == ["SUM_TOO_HIGH"]


@pytest.mark.rule("06.9")
def test_diamonds_do_not_count_when_leftover_tiles_are_given_out() -> None:
    game = diamonds()
    hand(game, 0, "diamond-9 diamond-8")
    hand(game, 1, "gulden-1")
    display(game, "denar-1")
    awarded = {event["slot"]: event for event in events_of(end_game(game), "leftover_awarded")}
    assert dict(awarded["market-gulden"]["totals"]) == {0: 0, 1: 1, 2: 0}
    assert awarded["market-gulden"]["seat"] == 1


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("02.15", "06.10")
def test_a_bureau_does_not_let_diamonds_be_mixed_and_is_without_effect_beside_them() -> None:
    game = diamonds(3, "bureaux_de_change")
    hand(game, 0, "diamond-5 diamond-4 gulden-9 exchange_gulden_denar")
    bureau = "exchange_gulden_denar"
    assert codes(refused(game, f"buy market-denar diamond-5 gulden-9 {bureau}")) == ["WRONG_CURRENCY"]
    assert set(codes(refused(game, f"buy market-denar diamond-4 diamond-5 {bureau}"))) == {"WRONG_CURRENCY"}


@pytest.mark.rule("06.16")
def test_a_vizier_pays_exactly_with_diamonds() -> None:
    game = diamonds(3, "viziers_favour")
    hand(game, 0)
    hand(game, 1, "diamond-5 diamond-4 diamond-6")
    display(game, "gulden-1")
    take_turn(game)
    assert codes(refused(game, "buy market-denar diamond-4 diamond-6")) == ["NOT_EXACT"]
    assert "vizier_slept" in kinds(play(game, "buy market-denar diamond-4 diamond-5"))


@pytest.mark.rule("06.11", "07.28")
def test_a_bid_for_a_character_is_covered_and_paid_with_diamonds_alone() -> None:
    game = diamonds(3, "characters")
    hand(game, 0)
    hand(game, 1, "diamond-5 diamond-4 denar-3")
    auction(game)
    assert max(move.amount or 0 for move in game.moves()) == 9
    play(game, "bid", amount=9)
    while game.decision is not None and game.decision.kind == "auction":
        play(game, "pass")
    assert codes(refused(game, "pay diamond-5 diamond-4 denar-3")) == ["MIX_FORBIDDEN"]
    play(game, "pay diamond-4 diamond-5")
    assert game.module_state(Characters).owners == {"trader": 1}


@pytest.mark.rule("06.12", "11.13")
def test_overpaying_with_diamonds_gives_change_but_no_coin_joins_them() -> None:
    game = diamonds(3, "change")
    events = play(game, "buy market-dirham diamond-4 diamond-5")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 1
    offer = Offer("market-denar", 10, "denar")
    own = game.state.seats[0].hand = ("diamond-9",)
    coin = next(iter(events_of(events, "coins_drawn")[0]["items"]))
    assert codes(judge(game, 0, offer._replace(currency=ANY_ONE), Payment(own, (), (coin,))).violations) == [
        "MIX_FORBIDDEN"
    ]


@pytest.mark.rule("06.17", "08.19")
def test_a_camp_is_paid_with_diamonds() -> None:
    game = diamonds(3, "military_camps")
    camp = next(tile for tile in game.state.tower if tile.startswith("camp_"))
    market(game, denar=camp)
    hand(game, 0, "diamond-9 diamond-8")
    assert legal(game, "buy market-denar diamond-8 diamond-9")


@pytest.mark.rule("06.18", "10.14")
def test_no_thief_takes_a_diamond() -> None:
    game = diamonds(3, "thieves")
    display(game, "diamond-9 gulden-1 diamond-8 diamond-7")
    deck(game, "diamond-3")
    play(game, "take_money gulden-1")
    assert not any(move.verb == "play_thief" for move in game.moves())
    assert game.decision is not None
    assert game.decision.kind != "window", "only diamonds lie open: there is nothing to steal"


@pytest.mark.rule("06.20", "07.58")
def test_the_money_changer_gives_and_takes_diamonds_and_the_beggar_counts_them() -> None:
    game = diamonds(3, "characters")
    game.module_state(Characters).owners = {"money_changer": 1, "beggar": 1}
    hand(game, 0)
    hand(game, 1, "diamond-5 denar-9 denar-8")
    display(game, "gulden-1 diamond-4 diamond-9")
    play(game, "take_money gulden-1")
    assert legal(game, "change_money", cards=("diamond-5",), display=("diamond-4",))
    assert legal(game, "change_money", cards=("denar-9",), display=("diamond-9",))
    assert fact(refused(game, "draw_card"), "CONDITION_UNMET")["have"] == 3


@pytest.mark.rule("18.17", "06.13")
def test_a_sultan_card_is_paid_with_diamonds() -> None:
    game = diamonds(3, "power_of_the_sultan")
    hand(game, 0, "diamond-4 diamond-3")
    deck(game, "sultan_denar_1")
    game.state.deck = game.state.deck[:-1]
    game.state.piles = (*game.state.piles[:-1], game.state.piles[-1] - 1)
    game.module_state(Sultan).marks = {"sultan_denar_1": "garden"}
    events = play(game, "buy diamond-3 diamond-4", slot="sultan", piece="sultan_denar_1")
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("06.22")
def test_a_project_is_bid_for_with_diamonds_alone() -> None:
    game = diamonds(3, "major_construction_projects")
    hand(game, 0, "diamond-9 diamond-6 denar-9")
    assert codes(refused(game, "bid_project diamond-9 denar-9")) == ["MIX_FORBIDDEN"]
    play(game, "bid_project diamond-6 diamond-9")


@pytest.mark.rule("41.13", "06.24")
def test_a_player_who_sells_a_tile_gets_the_diamonds() -> None:
    game = diamonds(3, "personal_building_market")
    reserve(game, 1, "arcades-9")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("", "", "arcades-9", ""), ("",) * 4)
    play(game, "buy diamond-4 diamond-5", slot="personal-1-denar")
    assert game.state.seats[1].hand == ("diamond-4", "diamond-5")
