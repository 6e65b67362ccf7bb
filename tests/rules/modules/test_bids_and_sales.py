"""28 and 41: bids of those who stay, bids drawn at random, and what is told of a sale; coins and camps beside them."""

from __future__ import annotations

from random import Random

import pytest

from alhambra.modules.change import Coins
from alhambra.modules.major_construction_projects import Projects
from tests.rules.modules.major_construction_projects_table import site
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.test_military_camps import TWO_EAST_WALLS, camps
from tests.rules.modules.test_personal_building_market import FULL, asked, overpay, stalls
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    pieces,
    play,
    refused,
    table,
)

# -- 28 Major construction projects ------------------------------------------------------------------------------------


def test_the_bid_of_another_seat_stays_when_somebody_leaves() -> None:
    game = site(4)
    hand(game, 0, "denar-9 denar-8")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-8 denar-9")
    before = pieces(game, "major_construction_projects", kind="bid")
    assert [bid["seat"] for bid in before] == [0]
    events = game.resign(2)
    assert "bid_returned" not in kinds(events)
    assert pieces(game, "major_construction_projects", kind="bid") == before


def test_no_bid_is_drawn_for_the_seat_whose_bid_lies_there() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-8 gulden-9 gulden-8")
    assert None not in {game.sample_move("bid_project", Random(number).randrange) for number in range(20)}
    game.module_state(Projects).bidder = 0
    assert {game.sample_move("bid_project", Random(number).randrange) for number in range(20)} == {None}
    assert codes(refused(game, "bid_project gulden-8 gulden-9")) == ["PLACE_TAKEN"]


def test_bids_drawn_at_random_are_legal_and_some_of_them_lay_down_coins() -> None:
    game = site(3, "change")
    hand(game, 0, "denar-9 denar-5 denar-4")
    coins = game.module_state(Coins)
    coins.held = (("coin-denar", "coin-denar"), (), ())
    drawn = [game.sample_move("bid_project", Random(number).randrange) for number in range(60)]
    assert all(move is not None and game.verify(move) == () for move in drawn)
    assert {len(move.items) for move in drawn if move is not None} == {0, 1, 2}


def test_without_an_open_project_a_bid_says_that_nothing_lies_there() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-8")
    game.module_state(Projects).project = ""
    assert fact(refused(game, "bid_project denar-8 denar-9"), "NOT_THERE") == {"id": "project", "place": "slot"}


# -- 41 The personal building market -----------------------------------------------------------------------------------


@pytest.mark.rule("41.5", "41.33")
def test_a_sale_is_told_with_the_cards_that_the_seller_gets() -> None:
    game = stalls()
    stall(game, 1, gulden="garden-10")
    hand(game, 0, "gulden-9 gulden-1")
    events = play(game, "buy gulden-1 gulden-9", slot="personal-1-gulden")
    assert events_of(events, "sold") == [
        {"tile": "garden-10", "slot": "personal-1-gulden", "seller": 1, "cards": ("gulden-1", "gulden-9")}
    ]
    assert game.state.seats[1].hand == ("gulden-1", "gulden-9")


@pytest.mark.rule("41.34")
def test_a_sale_of_a_seat_that_left_is_told_without_cards_and_the_money_is_discarded() -> None:
    game = stalls()
    stall(game, 1, gulden="garden-10")
    hand(game, 0, "gulden-9 gulden-1")
    game.resign(1)
    events = play(game, "buy gulden-1 gulden-9", slot="personal-1-gulden")
    assert events_of(events, "sold") == [{"tile": "garden-10", "slot": "personal-1-gulden", "seller": 1, "cards": ()}]
    assert sorted(game.state.discard) == ["gulden-1", "gulden-9"]
    assert game.state.seats[1].hand == ()


@pytest.mark.rule("41.27")
def test_nothing_is_boxed_where_a_tile_goes_to_a_free_place() -> None:
    game = stalls()
    overpay(game, "garden-11")
    events = play(game, "reserve garden-11", slot="personal-0-denar")
    assert "boxed" not in kinds(events)
    assert "" not in game.state.box


@pytest.mark.rule("41.27")
def test_boxing_says_which_tile_is_not_at_hand_and_how_many_places_are_free() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    overpay(game, "garden-11")
    assert fact(refused(game, "box tower-12"), "NOT_THERE") == {"id": "tower-12", "place": "pending"}
    assert fact(refused(game, "box", tile="tower-99"), "ID_UNKNOWN") == {"id": "tower-99"}
    stall(game, 0, gulden="garden-10")
    assert asked(game) == ("place_tiles", 0)
    assert fact(refused(game, "box garden-11"), "CONDITION_UNMET") == {"what": "free_places", "need": 0, "have": 3}


# -- 11 Change, 08 Military camps --------------------------------------------------------------------------------------


def test_who_leaves_without_coins_returns_none() -> None:
    game = table(3, modules=["change"])
    game.module_state(Coins).held = ((), ("coin-denar",), ())
    assert "coins_returned" not in kinds(game.resign(2))


def test_who_leaves_with_coins_returns_them() -> None:
    game = table(3, modules=["change"])
    game.module_state(Coins).held = ((), ("coin-denar",), ())
    assert events_of(game.resign(1), "coins_returned") == [{"seat": 1, "items": ("coin-denar",)}]


def test_an_arrow_that_points_at_nothing_scores_no_line() -> None:
    game = camps()
    alhambra(game, 0, {**TWO_EAST_WALLS, (2, 0): "camp_SW"})
    lines = [line for line in events_of(hold_scoring(game, 2), "scored") if line["reason"] == "camp"]
    assert [(line["side"], line["count"], line["scoring"]) for line in lines] == [("W", 2, 2)]
