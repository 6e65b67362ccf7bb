"""07 The characters: the auction when one is turned up, and what comes of it at once."""

from __future__ import annotations

import pytest

from alhambra import CURRENCIES, Move, load_module
from alhambra.modules.characters import Characters
from tests.rules.modules.characters_table import (
    asked,
    auction,
    begging,
    characters,
    give,
    owner_of,
    turned_up_next,
    won_juggler,
)
from tests.rules.situations import (
    codes,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    tower,
)

# -- The auction -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.4")
def test_the_definition_says_that_characters_are_auctioned() -> None:
    """A table offers standing orders for auctions where a module in play says so."""
    assert load_module("characters").answers == {"auction": ("bid",)}


@pytest.mark.rule("07.4", "07.9")
def test_a_character_is_auctioned_in_the_middle_of_the_refill() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    events = auction(game, "trader", "gulden-9")
    assert asked(game) == ("auction", 1)
    assert game.view(None)["table"]["display"] == []
    assert events_of(events, "card_revealed") == [{"card": "trader", "to": "auction"}]
    assert events_of(events, "auction_began") == [{"piece": "trader", "auctioneer": 1}]
    hand(game, 0)
    play(game, "bid", amount=5)
    play(game, "pay denar-5")
    assert owner_of(game, "trader") == 1
    assert len(game.state.display) == 4
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.5", "07.7")
def test_bids_go_round_clockwise_and_a_pass_is_final() -> None:
    game = characters(4)
    for seat in range(4):
        hand(game, seat, f"denar-{seat + 5}")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=2)
    assert asked(game) == ("auction", 2)
    play(game, "pass")
    play(game, "bid", amount=3)
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=4)
    play(game, "bid", amount=6)
    assert asked(game) == ("auction", 3)
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    events = play(game, "pass")
    assert events_of(events, "auction_won") == [{"seat": 1, "piece": "trader", "amount": 6}]
    assert asked(game) == ("pay_bid", 1)
    assert game.view(None)["table"]["auction"] == {
        "piece": "trader",
        "bids": [[1, 2], [3, 3], [0, 4], [1, 6]],
        "out": [2, 3, 0],
    }


# worked example
@pytest.mark.rule("07.6", "07.46")
def test_a_bid_must_be_payable_in_one_currency() -> None:
    game = characters()
    hand(game, 1, "dukat-4 dukat-3 denar-9")
    auction(game, "trader")
    assert fact(refused(game, "bid", amount=10), "BID_NOT_COVERED") == {"amount": 10}
    assert legal(game, "bid", amount=9)
    assert legal(game, "bid", amount=8)
    assert [move.amount for move in game.moves() if move.verb == "bid"] == list(range(1, 10))


@pytest.mark.rule("07.52")
def test_the_lowest_bid_is_1_and_every_further_one_is_higher() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    auction(game, "trader")
    assert fact(refused(game, "bid", amount=0), "BID_TOO_LOW") == {"minimum": 1}
    play(game, "bid", amount=4)
    assert fact(refused(game, "bid", amount=4), "BID_TOO_LOW") == {"minimum": 5}
    assert legal(game, "bid", amount=5)


@pytest.mark.rule("07.52")
def test_too_low_and_not_covered_are_both_reported() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-2")
    auction(game, "trader")
    play(game, "bid", amount=9)
    assert codes(refused(game, "bid", amount=8)) == ["BID_TOO_LOW", "BID_NOT_COVERED"]
    assert asked(game) == ("auction", 2)  # whoever holds cards is asked, able to raise or not


@pytest.mark.rule("07.8")
def test_without_a_bid_the_character_leaves_the_game() -> None:
    game = characters()
    for seat in range(3):
        hand(game, seat, "denar-9")
    auction(game, "trader")
    play(game, "pass")
    play(game, "pass")
    events = play(game, "pass")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert events_of(events, "card_left_game") == [{"card": "trader"}]
    assert "trader" in game.state.box
    assert owner_of(game, "trader") is None
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.5")
def test_if_all_others_pass_the_last_may_still_bid() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-8")
    auction(game, "trader")  # the first player took a card, so there are three bidders
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("auction", 0)
    play(game, "bid", amount=1)
    assert asked(game) == ("pay_bid", 0)


@pytest.mark.rule("07.53")
def test_a_player_without_any_money_is_not_asked() -> None:
    game = characters()
    hand(game, 2, "denar-8")
    events = auction(game, "trader")
    assert {"seat": 1, "decision": "auction", "forced": True} in events_of(events, "passed")
    assert asked(game) == ("auction", 2)
    play(game, "bid", amount=1)
    assert asked(game) == ("auction", 0)


@pytest.mark.rule("07.53")
def test_if_nobody_has_money_the_auction_is_over_at_once() -> None:
    game = characters()
    hand(game, 0, "denar-9")
    turned_up_next(game, "trader")
    market(game, denar="arcades-9")
    play(game, "buy market-denar denar-9")
    display(game)
    tower(game, "garden-11 tower-12 chambers-11 garden-10")
    events = play(game, "pass") + play(game, "reserve arcades-9")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.7", "07.52")
def test_the_winner_pays_at_least_the_bid_in_one_currency() -> None:
    game = characters()
    hand(game, 1, "denar-3 denar-4 dukat-6 dukat-2")
    auction(game, "trader")
    play(game, "bid", amount=6)
    play(game, "pass")
    assert fact(refused(game, "pay denar-4"), "UNDERPAID") == {"due": 6, "paid": 4}
    assert codes(refused(game, "pay denar-4 dukat-2")) == ["MIX_FORBIDDEN"]
    assert codes(refused(game, "pay")) == ["UNDERPAID"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert fact(refused(game, "pay gulden-9"), "NOT_THERE") == {"id": "gulden-9", "place": "hand"}
    assert legal(game, "pay dukat-6")
    events = play(game, "pay denar-3 denar-4")
    assert events_of(events, "paid")[0]["paid"] == 7
    assert events_of(events, "character_gained") == [{"seat": 1, "piece": "trader"}]
    assert game.state.discard == ("denar-3", "denar-4")


def test_with_imagined_cards_that_do_not_cover_the_bid_the_character_leaves_the_game() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=9)
    play(game, "pass")
    hand(game, 1, "denar-8")  # as in a twin of the game, where a card drawn unseen is another one
    assert list(game.moves()) == [Move("pass")]
    events = play(game, "pass")
    assert events_of(events, "auction_void") == [{"piece": "trader"}]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.11")
def test_paying_a_bid_exactly_grants_no_action() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=5)
    play(game, "pass")
    events = play(game, "pay denar-5")
    assert events_of(events, "paid")[0]["exact"]
    assert "bonus_action" not in kinds(events)
    assert game.state.actions == 1


@pytest.mark.rule("07.54")
def test_the_auction_comes_before_a_scoring_of_the_same_refill() -> None:
    game = characters()
    own(game, 0, tower=1)
    hand(game, 1, "denar-5")
    events = auction(game, "scoring-1", "trader")
    assert "scoring_began" not in kinds(events)
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=1)
    play(game, "pass")
    events = play(game, "pay denar-5")
    assert kinds(events).index("display_filled") < kinds(events).index("scoring_began")


@pytest.mark.rule("07.54")
def test_two_characters_in_one_refill_are_auctioned_one_after_the_other() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    auction(game, "trader", "dancer")
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("auction", 1)
    assert game.state.auction is not None
    assert game.state.auction.piece == "dancer"
    assert game.state.auction.out == ()


@pytest.mark.rule("07.10")
def test_nobody_is_limited_in_the_number_of_characters() -> None:
    game = characters()
    give(game, 1, "beggar", "miser", "city_watch")
    hand(game, 1, "denar-5")
    auction(game, "trader")
    assert legal(game, "bid", amount=5)


@pytest.mark.rule("07.69")
def test_what_one_could_bid_is_known_to_nobody_else() -> None:
    game = characters()
    hand(game, 1, "denar-5 denar-6")
    hand(game, 2, "dukat-9")
    auction(game, "trader")
    assert game.view(1)["table"]["auction"]["most_payable"] == 11
    assert game.view(2)["table"]["auction"]["most_payable"] == 9
    assert "most_payable" not in game.view(None)["table"]["auction"]


@pytest.mark.rule("07.25")
def test_with_two_players_dirk_does_not_bid() -> None:
    game = characters(2)
    hand(game, 0, "denar-5")
    hand(game, 1, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=1)
    assert asked(game) == ("auction", 0)
    play(game, "pass")
    assert asked(game) == ("pay_bid", 1)


@pytest.mark.rule("07.69")
def test_a_bid_can_be_undone_by_nobody_once_another_was_asked() -> None:
    game = characters()
    hand(game, 1, "denar-5")
    hand(game, 2, "denar-5")
    auction(game, "trader")
    play(game, "bid", amount=1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"


# -- Leaving during an auction ---------------------------------------------------------------------------------------


@pytest.mark.rule("07.71")
def test_the_bid_of_a_player_who_leaves_does_not_count() -> None:
    game = characters(4)
    for seat, currency in enumerate(CURRENCIES):
        hand(game, seat, f"{currency}-9")
    auction(game, "trader")
    play(game, "bid", amount=3)
    play(game, "bid", amount=7)
    game.resign(2)
    assert asked(game) == ("auction", 3)
    assert game.decision is not None
    assert game.decision.context["minimum"] == 4
    play(game, "pass")
    play(game, "pass")
    assert asked(game) == ("pay_bid", 1)


@pytest.mark.rule("07.71")
def test_if_the_bidder_asked_leaves_the_next_one_is_asked() -> None:
    game = characters(4)
    for seat, currency in enumerate(CURRENCIES):
        hand(game, seat, f"{currency}-9")
    auction(game, "trader")
    game.resign(1)
    assert asked(game) == ("auction", 2)


@pytest.mark.rule("07.71")
def test_if_the_winner_leaves_the_character_leaves_the_game() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pass")
    game.resign(1)
    assert "trader" in game.state.box
    assert asked(game) == ("action", 2)


@pytest.mark.rule("07.72")
def test_the_characters_of_a_player_who_leaves_leave_the_game() -> None:
    game = characters()
    give(game, 1, "trader", "wise_man")
    game.resign(1)
    assert {"trader", "wise_man"} <= set(game.state.box)
    assert game.module_state(Characters).owners == {}


@pytest.mark.rule("07.72")
def test_a_player_who_leaves_before_deciding_about_the_juggler_scores_nothing() -> None:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=1)
    play(game, "pass")
    play(game, "pay denar-9")
    assert asked(game) == ("juggler", 1)
    events = game.resign(1)
    assert points(events, "juggler") == {}
    assert game.state.box.count("juggler") == 1


# -- The juggler -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.13", "07.60")
def test_the_juggler_kept_is_worth_8_points_at_once_and_leaves_the_game() -> None:
    game = won_juggler()
    assert asked(game) == ("juggler", 1)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "choose", choice="keep")
    assert points(events, "juggler", scoring=0) == {1: 8}
    assert game.state.seats[1].score == 8
    assert "juggler" in game.state.box
    assert owner_of(game, "juggler") is None


@pytest.mark.rule("07.13", "07.60")
def test_the_juggler_is_exchanged_for_the_uppermost_character_set_aside() -> None:
    game = won_juggler()
    top, *rest = game.module_state(Characters).aside
    events = play(game, "choose", choice="exchange")
    assert points(events, "juggler") == {}
    assert owner_of(game, top) == 1
    assert game.module_state(Characters).aside == tuple(rest)
    assert events_of(events, "character_gained") == [{"seat": 1, "piece": top}]
    assert "juggler" in game.state.box


@pytest.mark.rule("07.13", "07.70")
def test_an_exchanged_juggler_cannot_be_taken_back_though_no_other_card_is_drawn() -> None:
    game = begging("juggler", held="denar-9")
    play(game, "draw_card")
    play(game, "bid", amount=9)
    while asked(game)[0] == "auction":
        play(game, "pass")
    play(game, "pay denar-9")
    assert asked(game) == ("juggler", 1)
    deck = game.state.deck
    play(game, "choose", choice="exchange")
    assert game.state.deck == deck
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("07.14")
def test_a_dancer_from_the_exchange_can_be_used_in_the_turn_that_follows() -> None:
    game = won_juggler()
    kept = game.module_state(Characters)
    if "dancer" not in kept.aside:
        game.state.deck = tuple(kept.aside[0] if card == "dancer" else card for card in game.state.deck)
        kept.aside = ("dancer", *kept.aside[1:])
    else:
        kept.aside = ("dancer", *(piece for piece in kept.aside if piece != "dancer"))
    play(game, "choose", choice="exchange")
    assert asked(game) == ("start", 1)
    assert legal(game, "dance market-denar")
