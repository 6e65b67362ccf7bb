"""01 The vizier's favour: one tile out of turn, for exactly its price."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move, Options
from alhambra.modules.viziers_favour import Viziers
from tests.rules.modules.viziers_favour_table import MARKET, NEXT_TILE, all_pass, asked, awake, index, viziers, window
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    refused,
    reserve,
    take_turn,
    tower,
)

# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("01.2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_starts_with_a_vizier_that_is_awake_for_all_to_see(seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="stones", modules=["viziers_favour"]))
    for viewer in (None, *range(seats)):
        assert pieces(game, "viziers_favour", viewer) == [
            {"kind": "vizier", "seat": seat, "choice": "awake"} for seat in range(seats)
        ]


@pytest.mark.rule("01.38")
def test_no_vizier_is_used_before_the_first_turn() -> None:
    game = Game.new(Options(seats=4, seed="begin", modules=["viziers_favour"]))
    assert asked(game) == ("action", game.state.first)


@pytest.mark.rule("01.3")
def test_the_viziers_change_nothing_of_what_is_dealt() -> None:
    with_viziers = Game.new(Options(seats=3, seed="same", modules=["viziers_favour"])).state
    without = Game.new(Options(seats=3, seed="same")).state
    assert (with_viziers.deck, with_viziers.tower) == (without.deck, without.tower)
    assert [seat.hand for seat in with_viziers.seats] == [seat.hand for seat in without.seats]


# -- Buying out of turn ------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("01.8", "01.33")
def test_an_awake_vizier_buys_for_exactly_the_price_and_falls_asleep() -> None:
    game = window(cards="denar-4 denar-5")
    events = play(game, "buy market-denar denar-4 denar-5")
    assert events_of(events, "paid")[0]["exact"]
    assert events_of(events, "vizier_slept") == [{"seat": 1}]
    assert not events_of(events, "bonus_action")
    assert [piece["seat"] for piece in pieces(game, "viziers_favour", choice="asleep")] == [1]
    assert sorted(game.state.discard) == ["denar-4", "denar-5"]


# worked example
@pytest.mark.rule("01.5", "01.34")
def test_a_vizier_never_overpays() -> None:
    game = window(cards="denar-4 denar-6")
    assert fact(refused(game, "buy market-denar denar-4 denar-6"), "NOT_EXACT") == {"due": 9, "paid": 10}
    assert game.legal_moves() == [Move("pass")]


# worked example
@pytest.mark.rule("01.10", "01.35")
def test_the_player_due_next_decides_first_and_the_one_who_just_finished_last() -> None:
    game = viziers(4, turn_of=1)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [2, 3, 0, 1]


@pytest.mark.rule("01.5")
def test_a_vizier_pays_in_the_currency_of_the_space_like_everybody() -> None:
    game = window(cards="denar-4 gulden-5")
    assert codes(refused(game, "buy market-denar denar-4 gulden-5")) == ["WRONG_CURRENCY"]
    assert codes(refused(game, "buy market-denar denar-4")) == ["UNDERPAID"]


@pytest.mark.rule("01.7")
def test_the_tile_is_placed_at_once_and_then_the_market_refilled() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    assert asked(game) == ("place_now", 1)
    assert game.state.market[2] == ""
    events = play(game, "place garden-9-e @1,0")
    assert index(events, "placed") < index(events, "market_filled") < index(events, "decision_opened")
    assert game.state.market[2] == NEXT_TILE
    assert "garden-9-e" in game.board(1).placed


@pytest.mark.rule("01.15")
def test_the_tile_may_go_to_the_reserve() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    assert game.state.seats[1].reserve == ("garden-9-e",)


@pytest.mark.rule("01.16")
def test_with_two_players_the_tile_may_be_given_to_dirk_who_has_no_vizier() -> None:
    game = window(2)
    assert game.module_state(Viziers).awake == (True, True)
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "give_to_dirk garden-9-e")
    assert game.state.dirk == ("garden-9-e",)
    assert asked(game) == ("window", 0)


@pytest.mark.rule("01.9")
def test_the_player_due_gets_the_whole_turn_afterwards() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    all_pass(game)
    assert asked(game) == ("action", 1)
    assert game.state.actions == 1
    assert game.state.taken == ()


@pytest.mark.rule("01.6")
def test_only_one_tile_is_bought_with_a_vizier() -> None:
    game = window(cards="denar-4 denar-5 gulden-2 gulden-9")
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("window", 2)


@pytest.mark.rule("01.6")
@pytest.mark.parametrize("text", ["take_money dukat-6", "add seraglio-9 @1,0", "wake_vizier"])
def test_nothing_but_buying_is_done_with_a_vizier(text: str) -> None:
    game = window()
    assert codes(refused(game, text)) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("01.15")
def test_nothing_is_redesigned_while_the_tile_is_placed() -> None:
    game = window()
    alhambra(game, 1, {(1, 0): "arcades-9"})
    reserve(game, 1, "arcades-10")
    play(game, "buy market-denar denar-4 denar-5")
    for text in ("add arcades-10 @0,1", "swap arcades-10 @1,0", "remove arcades-9"):
        assert codes(refused(game, text)) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "place arcades-10 @0,1")) == ["NOT_THERE"]


@pytest.mark.rule("01.15")
def test_the_construction_rules_hold_for_the_tile() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    assert codes(refused(game, "place garden-9-e @-1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


@pytest.mark.rule("01.40")
def test_a_purchase_out_of_turn_turns_no_card_up() -> None:
    game = window()
    before = game.state.display
    events = play(game, "buy market-denar denar-4 denar-5") + play(game, "reserve garden-9-e")
    assert game.state.display == before
    assert "card_revealed" not in kinds(events)


# -- When the window is open -------------------------------------------------------------------------------------------


@pytest.mark.rule("01.36")
def test_viziers_wait_until_money_scoring_and_market_are_done() -> None:
    game = viziers(turn_of=2)
    market(game, **{**MARKET, "denar": ""})
    tower(game, NEXT_TILE)
    events = hold_scoring(game, 1)
    opened = index(events, "decision_opened", decision="window")
    assert index(events, "display_filled") < index(events, "scoring_ended") < index(events, "market_filled") < opened


@pytest.mark.rule("01.36")
def test_a_tile_laid_out_by_the_refill_can_be_bought_at_once() -> None:
    game = viziers()
    market(game, **{**MARKET, "denar": ""})
    tower(game, "garden-9-e")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    assert legal(game, "buy market-denar denar-9")


@pytest.mark.rule("01.11", "01.37")
def test_after_a_purchase_all_decide_afresh() -> None:
    game = viziers(4)
    hand(game, 2, "denar-9")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert all_pass(game) == [1, 3, 0]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("01.11")
def test_who_passed_may_buy_what_the_purchase_of_another_brought() -> None:
    game = viziers(3)
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "pass")
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-9")
    assert game.decision is not None
    assert game.decision.context["tiles"] == (NEXT_TILE,)


@pytest.mark.rule("01.42")
def test_who_just_finished_may_buy_last() -> None:
    game = viziers()
    hand(game, 0, "denar-9")
    awake(game, 0)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 0)
    play(game, "buy market-denar denar-9")
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("action", 1)


def test_a_sleeping_vizier_is_not_asked() -> None:
    game = viziers(4)
    awake(game, 0, 2)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [2, 0]


@pytest.mark.rule("01.4")
def test_without_an_awake_vizier_the_next_turn_begins_at_once() -> None:
    game = viziers()
    awake(game)
    play(game, "take_money dukat-1")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("01.4")
def test_every_turn_ends_with_a_window_as_long_as_a_vizier_is_awake() -> None:
    game = viziers()
    awake(game, 0)
    for seat in (0, 1, 2):
        assert asked(game) == ("action", seat)
        take_turn(game)
        assert asked(game) == ("window", 0)
        play(game, "pass")


@pytest.mark.rule("01.41")
def test_whether_a_seat_is_asked_does_not_depend_on_its_money() -> None:
    for cards in ("", "denar-9", "gulden-1 dukat-2"):
        game = viziers()
        hand(game, 1, cards)
        play(game, "take_money dukat-1")
        assert all_pass(game) == [1, 2, 0]


@pytest.mark.rule("01.41")
def test_what_the_others_see_of_a_window_does_not_depend_on_the_hand() -> None:
    views = []
    for cards in ("denar-9", "denar-8"):
        game = viziers()
        hand(game, 1, cards)
        play(game, "take_money dukat-1")
        views.append((game.view(2), game.view(None), game.verify(Move("pass"), 2)))
    assert views[0] == views[1]
    assert [violation.code for violation in views[0][2]] == ["NOT_YOUR_DECISION"]


def test_the_others_cannot_tell_the_tower_from_another() -> None:
    game = window()
    for number in range(5):
        sample = game.determinize(1, Random(number))
        assert sample.view(1) == game.view(1)
        assert sample.legal_moves() == game.legal_moves()


# -- Waking him --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("01.12")
def test_waking_the_vizier_is_an_action_that_costs_nothing() -> None:
    game = viziers()
    awake(game, 1, 2)
    hand(game, 0, "denar-9")
    events = play(game, "wake_vizier")
    assert events_of(events, "vizier_woke") == [{"seat": 0}]
    assert not events_of(events, "bonus_action")
    assert game.module_state(Viziers).awake == (True, True, True)
    assert game.state.seats[0].hand == ("denar-9",)
    assert asked(game) == ("window", 1)


@pytest.mark.rule("01.12")
def test_only_a_sleeping_vizier_can_be_woken() -> None:
    game = viziers()
    violations = refused(game, "wake_vizier")
    assert fact(violations, "CONDITION_UNMET") == {"what": "vizier", "need": "asleep", "have": "awake"}


@pytest.mark.rule("01.14", "01.42")
def test_a_vizier_woken_in_this_turn_can_be_used_right_after_it() -> None:
    game = viziers()
    awake(game)
    hand(game, 0, "denar-9")
    play(game, "wake_vizier")
    assert asked(game) == ("window", 0)
    assert legal(game, "buy market-denar denar-9")


@pytest.mark.rule("01.13")
def test_the_vizier_may_be_woken_with_the_further_action_of_an_exact_payment() -> None:
    game = viziers()
    awake(game)
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    play(game, "wake_vizier")
    assert game.state.taken == ("buy", "wake_vizier")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("01.43")
def test_who_has_a_sleeping_vizier_cannot_pass() -> None:
    game = viziers()
    display(game, "")
    assert legal(game, "pass")
    awake(game)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


# -- The end of the game -----------------------------------------------------------------------------------------------


@pytest.mark.rule("01.39")
def test_a_vizier_can_end_the_game_and_the_player_due_gets_no_turn() -> None:
    game = window()
    tower(game, only=True)
    play(game, "buy market-denar denar-4 denar-5")
    turn = game.state.turn
    events = play(game, "place garden-9-e @1,0")
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert asked(game) == ("leftover_tiles", 0)
    play(game, "leave tower-12")
    assert game.over
    assert game.state.turn == turn
    assert "garden-9-e" in game.board(1).placed


@pytest.mark.rule("01.17", "01.38")
def test_no_vizier_is_used_once_the_end_has_begun() -> None:
    game = viziers()
    hand(game, 0, "denar-9 gulden-2 gulden-9")
    events = end_game(game)
    assert "window" not in [event["decision"] for event in events_of(events, "decision_opened")]
    assert asked(game) == ("leftover_tiles", 0)
    assert codes(refused(game, "buy market-denar denar-9")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("01.38")
def test_a_market_that_is_still_full_does_not_end_the_game() -> None:
    game = viziers()
    tower(game, only=True)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)


# -- Leaving the table -------------------------------------------------------------------------------------------------


@pytest.mark.rule("01.44")
def test_a_seat_that_resigned_is_not_asked() -> None:
    game = viziers(4)
    game.resign(2)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [1, 3, 0]


@pytest.mark.rule("01.44")
def test_who_resigns_while_being_asked_has_passed() -> None:
    game = window(4)
    game.resign(1)
    assert all_pass(game) == [2, 3, 0]
    assert asked(game) == ("action", 2)


@pytest.mark.rule("01.7")
def test_the_vizier_falls_asleep_before_the_price_is_paid_and_the_tile_taken() -> None:
    game = window()
    events = play(game, "buy market-denar denar-4 denar-5")
    assert kinds(events)[:3] == ["vizier_slept", "paid", "acquired"]
    assert events_of(events, "acquired") == [{"seat": 1, "tile": "garden-9-e", "how": "vizier"}]
    events = play(game, "place garden-9-e @0,1")
    assert kinds(events)[:3] == ["placed", "tile_drawn", "market_filled"]


@pytest.mark.rule("01.44")
def test_the_tile_of_a_seat_that_resigns_while_placing_leaves_the_game() -> None:
    game = window(4)
    play(game, "buy market-denar denar-4 denar-5")
    game.resign(1)
    assert game.state.seats[1].reserve == game.state.seats[1].pending == ()
    assert "garden-9-e" in game.state.box
    assert game.state.market[2] == NEXT_TILE
    assert all_pass(game) == [2, 3, 0]
    assert asked(game) == ("action", 2)
