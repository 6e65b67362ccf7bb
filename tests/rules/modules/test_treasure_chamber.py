"""13 The treasure chamber: chests bought by the room, put into buildings of their colours, and scored."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from alhambra import TYPES, Decision, Event, Game, IllegalMove, Move, Options
from alhambra.modules.change import Coins
from alhambra.modules.treasure_chamber import Chamber
from alhambra.modules.treasure_chamber.chamber import chests_of
from tests.rules.modules.characters_table import asked
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
)

CHESTS = {"pavilion": 5, "seraglio": 5, "arcades": 7, "chambers": 7, "garden": 9, "tower": 9}
FULL = {"gulden": "seraglio-8-s", "dirham": "seraglio-7-w", "denar": "pavilion-7-e", "dukat": "pavilion-6-n"}
RICH = "dukat-3 denar-3 dirham-4"


def chamber(game: Game) -> Chamber:
    return game.module_state(Chamber)


def treasury(seats: int = 3, *rooms: str, modules: tuple[str, ...] = (), **options: Any) -> Game:
    """A table with these chests in the rooms, one text for each; seat 0 can pay 10."""
    game = table(seats, modules=["treasure_chamber", *modules], **options)
    market(game, **FULL)
    display(game, "gulden-1 gulden-2 gulden-4 gulden-5")
    hand(game, 0, RICH)
    fill(game, *rooms)
    return game


def fill(game: Game, *rooms: str) -> None:
    """Exactly these chests lie in the rooms; the other rooms are as they were drawn."""
    kept = chamber(game)
    bag = [*kept.bag, *(name for chests in kept.rooms.values() for name in chests)]
    lying = {f"room-{number}": tuple(chests.split()) for number, chests in enumerate(rooms, start=1)}
    for name in (name for chests in lying.values() for name in chests):
        bag.remove(name)
    for slot in kept.rooms:
        if slot not in lying:
            lying[slot] = tuple(bag.pop() for _ in range(4))
    kept.rooms, kept.bag = lying, tuple(bag)


def put(game: Game, *tiles: str) -> None:
    """Chests from the bag stand in these buildings."""
    for tile in tiles:
        name = game.ruleset.tiles[tile].type
        bag = list(chamber(game).bag)
        bag.remove(name)
        chamber(game).bag = tuple(bag)
        chamber(game).put = {**chamber(game).put, tile: (name,)}


def buy(game: Game, slot: str = "room-1", cards: str = RICH) -> list[Event]:
    return play(game, f"buy_chests {cards}", slot=slot)


def putting(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(event["seat"], event["type"], event["tile"]) for event in events_of(events, "chest_put")]


# -- Setting up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.1", "13.2")
def test_three_rooms_hold_four_chests_each_and_the_rest_is_in_the_bag() -> None:
    game = Game.new(Options(seats=3, seed="chests", modules=["treasure_chamber"]))
    kept = chamber(game)
    assert [len(chests) for chests in kept.rooms.values()] == [4, 4, 4]
    assert Counter([*kept.bag, *(name for chests in kept.rooms.values() for name in chests)]) == CHESTS
    assert [event["slot"] for event in events_of(game.events, "room_filled")] == ["room-1", "room-2", "room-3"]


def test_everybody_sees_rooms_and_bag_by_colour() -> None:
    game = treasury(3, "garden garden seraglio seraglio")
    room = pieces(game, "treasure_chamber", 1, slot="room-1")
    assert room == [
        {"kind": "chest", "slot": "room-1", "type": "seraglio", "amount": 2},
        {"kind": "chest", "slot": "room-1", "type": "garden", "amount": 2},
    ]
    assert sum(piece.get("amount", 1) for piece in pieces(game, "treasure_chamber", None, choice="bag")) == 30
    assert game.view(None)["slices"]["treasure_chamber"] == {"stopped": False}


# -- Buying -----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("13.3", "13.4", "13.22", "13.27")
def test_three_currencies_pay_10_for_four_chests_without_change_or_bonus() -> None:
    """Worked example: dukat 3, denar 3 and dirham 4."""
    game = treasury(3, "tower tower tower tower", modules=("change",))
    own(game, 0, tower=1)
    events = buy(game)
    assert events_of(events, "chests_bought") == [{"seat": 0, "slot": "room-1", "types": ("tower",) * 4}]
    assert not events_of(events, "bonus_action")
    assert game.module_state(Coins).held[0] == ()
    assert asked(game) == ("action", 1)
    assert sorted(game.state.discard) == sorted(RICH.split())


# worked example
@pytest.mark.rule("13.4", "13.27", "13.41")
def test_paying_exactly_8_gives_no_further_action() -> None:
    """Worked example: exactly 8."""
    game = treasury()
    hand(game, 0, "denar-5 gulden-3")
    events = buy(game, cards="denar-5 gulden-3")
    assert not events_of(events, "paid")[0]["exact"]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("13.3", "13.11")
def test_less_than_8_and_an_empty_room_are_refused() -> None:
    game = treasury()
    assert fact(refused(game, "buy_chests dukat-3 dirham-4", slot="room-1"), "UNDERPAID") == {"due": 8, "paid": 7}
    chamber(game).bag = (*chamber(game).bag, *chamber(game).rooms["room-2"])
    chamber(game).rooms = {**chamber(game).rooms, "room-2": ()}
    for slot in ("room-2", "room-4"):
        assert fact(refused(game, f"buy_chests {RICH}", slot=slot), "NOT_THERE") == {"id": slot, "place": "slot"}
    assert {move.slot for move in game.moves() if move.verb == "buy_chests"} == {"room-1", "room-3"}


@pytest.mark.rule("13.4")
def test_it_may_be_a_further_action_after_an_exact_payment() -> None:
    game = treasury()
    hand(game, 0, f"{RICH} denar-7")
    play(game, "buy market-denar denar-7")
    buy(game)
    assert game.state.taken == ("buy", "buy_chests")


@pytest.mark.rule("13.21", "11.24")
def test_coins_pay_for_chests() -> None:
    game = treasury(3, modules=("change",))
    coins = game.module_state(Coins)
    coins.bag, coins.held = coins.bag[1:], ((coins.bag[0],), (), ())
    hand(game, 0, "denar-7")
    assert legal(game, "buy_chests denar-7", slot="room-1", items=(coins.held[0][0],))


@pytest.mark.rule("13.23")
def test_builder_cards_pay_3_each_and_leave_the_game() -> None:
    game = treasury(3, modules=("master_builders",))
    game.state.deck = (*game.state.deck, "builder-denar")
    game.state.piles = (*game.state.piles[:-1], game.state.piles[-1] + 1)
    hand(game, 0, "builder-denar gulden-5")
    buy(game, cards="builder-denar gulden-5")
    assert "builder-denar" in game.state.box


@pytest.mark.rule("13.20")
def test_chests_cannot_be_bought_between_turns() -> None:
    game = treasury(3, modules=("viziers_favour",))
    hand(game, 1, "denar-9")
    play(game, "take_money gulden-5")
    assert asked(game) == ("window", 1)
    assert codes(refused(game, "buy_chests denar-9", slot="room-1")) == ["VERB_NOT_OFFERED"]


# -- Putting chests into buildings ------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("13.5", "13.8", "13.28")
def test_the_buyer_puts_what_fits_and_passes_the_rest_to_the_left() -> None:
    """Worked example: two green and two red chests; the buyer has one free garden and no seraglio."""
    game = treasury(3, "garden garden seraglio seraglio")
    alhambra(game, 0, {(1, 0): "garden-10"})
    alhambra(game, 1, {(1, 0): "garden-11", (2, 0): "seraglio-9"})
    events = buy(game)
    assert putting(events) == [(0, "garden", "garden-10")]
    assert events_of(events, "chest_put")[0]["forced"]
    assert game.decision == Decision("put_chests", 1, {"types": ("garden", "seraglio", "seraglio")})


@pytest.mark.rule("13.5", "13.33")
def test_the_buyer_chooses_only_where_there_are_fewer_chests_than_buildings() -> None:
    game = treasury(3, "garden tower seraglio seraglio")
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "garden-11", (3, 0): "tower-11"})
    events = buy(game)
    assert putting(events) == [(0, "tower", "tower-11")]
    assert asked(game) == ("put_chests", 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert set(game.moves()) == {Move("put_chest", tile, type="garden") for tile in ("garden-10", "garden-11")}
    play(game, "put_chest garden-11", type="garden")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("13.6", "13.7", "13.18", "04.25")
def test_only_a_free_building_of_the_own_alhambra_and_of_the_colour_takes_a_chest() -> None:
    game = treasury(3, "garden garden seraglio seraglio", modules=("squares", "military_camps"))
    game.state.tower = (*game.state.tower, "square_garden_3")
    tiles = {(1, 0): "garden-10", (2, 0): "garden-11", (3, 0): "garden-12-s", (-1, 0): "tower-11"}
    alhambra(game, 0, {**tiles, (1, 1): "square_garden_3", (0, -1): "garden-10-n"})
    reserve(game, 0, "garden-10-w")
    put(game, "garden-10")
    buy(game)
    faults = {
        "garden-10": "PLACE_TAKEN",
        "tower-11": "TYPE_MISMATCH",
        "square_garden_3": "NOT_ELIGIBLE",
        "garden-10-w": "NOT_THERE",
        "camp_N": "NOT_THERE",
    }
    for tile, code in faults.items():
        assert codes(refused(game, f"put_chest {tile}", type="garden")) == [code], tile
    assert codes(refused(game, Move("put_chest", "castle", type="garden"))) == ["ID_UNKNOWN"]
    assert fact(refused(game, "put_chest garden-11", type="tower"), "NOT_THERE") == {"id": "tower", "place": "pending"}
    play(game, "put_chest garden-11", type="garden")
    assert codes(refused(game, "put_chest garden-11", type="garden")) == ["PLACE_TAKEN"]


@pytest.mark.rule("13.18")
def test_camps_and_bazaars_hold_no_chest() -> None:
    game = treasury(3, "seraglio arcades tower tower", modules=("military_camps", "bazaars"))
    alhambra(game, 0, {(1, 0): "garden-9-e", (2, 0): "camp_W", (0, 1): "bazaar_2"})
    assert putting(buy(game)) == []


@pytest.mark.rule("13.42")
def test_each_half_of_a_project_takes_a_chest_of_its_type() -> None:
    game = treasury(3, "garden garden tower tower", modules=("major_construction_projects",))
    game.state.seats[0].board.put(game.ruleset.tiles["project_garden_tower"], 1, 0)
    events = buy(game)
    assert putting(events) == [(0, "garden", "project_garden_tower"), (0, "tower", "project_garden_tower")]
    assert chests_of(game, 0) == 2


@pytest.mark.rule("13.39")
def test_chests_between_purchase_and_placement_belong_to_nobody() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 0, {(1, 0): "garden-10"})
    game.state.actions = 2
    buy(game)
    assert asked(game) == ("action", 0)
    assert [chests_of(game, seat) for seat in range(3)] == [0, 0, 0]
    lying = pieces(game, "treasure_chamber", None, choice="bought")
    assert lying == [{"kind": "chest", "choice": "bought", "type": "garden", "amount": 4}]


@pytest.mark.rule("13.19")
def test_an_unfinished_building_holds_no_chest() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 0, {(1, 0): "garden-10"})
    game.state.covered = ("garden-10",)
    assert putting(buy(game)) == []


@pytest.mark.rule("13.7", "13.32")
def test_a_building_bought_in_the_same_turn_takes_a_chest_once_it_is_built() -> None:
    for built in (True, False):
        game = treasury(3, "garden garden garden garden")
        market(game, **{**FULL, "denar": "garden-10"})
        hand(game, 0, f"{RICH} denar-9 denar-1")
        play(game, "buy market-denar denar-1 denar-9")
        buy(game)
        events = play(game, "place garden-10 @1,0" if built else "reserve garden-10")
        assert putting(events) == ([(0, "garden", "garden-10")] if built else [])


@pytest.mark.rule("13.9", "13.10", "13.37")
def test_buying_is_legal_even_if_no_chest_fits_anywhere() -> None:
    game = treasury(3, "garden garden seraglio seraglio")
    events = buy(game)
    assert events_of(events, "chests_returned") == [{"types": ("garden", "garden", "seraglio", "seraglio")}]
    assert len(events_of(events, "room_filled")) == 1


# worked example
@pytest.mark.rule("13.8", "13.9", "13.29", "13.34", "13.36")
def test_a_neighbour_may_decline_and_the_chest_goes_on() -> None:
    """Worked example: the left neighbour could place a passed chest but declines."""
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10", (2, 0): "garden-11"})
    alhambra(game, 2, {(1, 0): "garden-12-s"})
    buy(game)
    assert asked(game) == ("put_chests", 1)
    play(game, "put_chest garden-11", type="garden")
    assert asked(game) == ("put_chests", 1), "another one fits"
    play(game, "pass")
    assert asked(game) == ("put_chests", 2)
    events = play(game, "put_chest garden-12-s", type="garden")
    assert events_of(events, "chests_returned") == [{"types": ("garden", "garden")}]
    assert [chests_of(game, seat) for seat in range(3)] == [0, 1, 1]


@pytest.mark.rule("13.34")
def test_a_neighbour_without_a_fitting_building_is_not_asked() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 2, {(1, 0): "garden-12-s"})
    buy(game)
    assert asked(game) == ("put_chests", 2)


@pytest.mark.rule("13.36")
def test_chests_never_come_back_to_the_buyer() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 0, {(1, 0): "garden-10"})
    events = buy(game)
    assert len(putting(events)) == 1
    assert asked(game) == ("action", 1)


@pytest.mark.rule("13.16", "13.35")
def test_of_two_players_dirk_gets_what_fits_first() -> None:
    game = treasury(2, "garden garden tower tower")
    dirk(game, "garden-11", "garden-10", "tower-12")
    alhambra(game, 1, {(1, 0): "tower-11"})
    events = buy(game)
    assert putting(events) == [(2, "garden", "garden-10"), (2, "garden", "garden-11"), (2, "tower", "tower-12")]
    assert asked(game) == ("put_chests", 1)
    play(game, "pass")
    assert chests_of(game, 2) == 3


@pytest.mark.rule("13.40")
def test_two_rooms_bought_in_one_turn_are_distributed_together() -> None:
    game = treasury(3, "garden garden garden garden", "tower tower tower tower", modules=("personal_building_market",))
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "tower-11"})
    game.state.actions = 2
    hand(game, 0, f"{RICH} gulden-9")
    buy(game, cards="gulden-9")
    events = buy(game, "room-2")
    assert {entry[1] for entry in putting(events)} == {"garden", "tower"}
    assert [event["slot"] for event in events_of(events, "room_filled")] == ["room-1", "room-2"]


@pytest.mark.rule("13.34")
def test_a_standing_order_puts_everything_that_fits() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10", (2, 0): "garden-11"})
    buy(game)
    order = next(order for order in game.question().kind.orders if order.answer == "place_all")
    while asked(game) == ("put_chests", 1):
        assert game.decision is not None
        game.apply(next(move for move in order.moves(game, game.decision) if not game.verify(move)))
    assert chests_of(game, 1) == 2


def test_taking_back_stops_where_a_room_was_filled() -> None:
    game = table(3, dealt=True, modules=["treasure_chamber"])
    seat = game.state.active
    game.apply(next(move for move in game.moves() if move.verb == "buy_chests"))
    with pytest.raises(IllegalMove) as error:
        game.undo(seat)
    assert fact(error.value, "UNDO_REFUSED") == {"because": "revealed"}


# -- The bag ----------------------------------------------------------------------------------------------------------


def leave_in_bag(game: Game, count: int) -> None:
    """So many chests stay in the bag; the others stand in buildings that are in no Alhambra."""
    kept = chamber(game)
    kept.put = {**kept.put, "nowhere": kept.bag[count:]}
    kept.bag = kept.bag[:count]


# worked example
@pytest.mark.rule("13.11", "13.31")
def test_with_three_chests_in_the_bag_refilling_stops_for_good() -> None:
    """Worked example: the bag holds 3 after the returns."""
    game = treasury(3, "tower tower tower tower")
    own(game, 0, tower=4)
    leave_in_bag(game, 3)
    events = buy(game)
    assert len(putting(events)) == 4
    assert len(events_of(events, "refilling_stopped")) == 1
    assert chamber(game).rooms["room-1"] == ()
    kept = chamber(game)
    kept.bag, kept.put = (*kept.bag, *kept.put["nowhere"]), {}
    hand(game, 1, RICH)
    events = buy(game, "room-2")
    assert not events_of(events, "room_filled")
    assert game.view(None)["slices"]["treasure_chamber"] == {"stopped": True}


@pytest.mark.rule("13.10")
def test_chests_that_nobody_puts_are_in_the_bag_before_the_room_is_filled() -> None:
    game = treasury(3, "tower tower tower tower")
    leave_in_bag(game, 0)
    events = buy(game)
    assert events_of(events, "room_filled") == [{"slot": "room-1", "types": ("tower",) * 4}]


@pytest.mark.rule("13.12")
@pytest.mark.parametrize("how", ["remove", "swap"])
def test_the_chest_of_a_building_that_is_taken_out_returns_to_the_bag(how: str) -> None:
    game = treasury()
    alhambra(game, 0, {(1, 0): "garden-10"})
    reserve(game, 0, "tower-11")
    put(game, "garden-10")
    before = len(chamber(game).bag)
    events = play(game, "remove garden-10" if how == "remove" else "swap tower-11 @1,0")
    assert events_of(events, "chests_returned") == [{"types": ("garden",), "tile": "garden-10"}]
    assert len(chamber(game).bag) == before + 1
    assert chamber(game).put == {}


@pytest.mark.rule("13.43", "13.44")
def test_a_buyer_who_resigns_gives_the_chests_back_and_the_room_is_filled() -> None:
    game = treasury(3, "garden tower tower tower")
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "garden-11"})
    put(game, "garden-11")
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "garden-11", (3, 0): "garden-12-s"})
    buy(game)
    assert asked(game) == ("put_chests", 0)
    events = game.resign(0)
    assert len(events_of(events, "chests_returned")) == 1
    assert len(events_of(events, "room_filled")) == 1
    assert chests_of(game, 0) == 1, "chests in buildings stay"
    assert asked(game) == ("action", 1)


@pytest.mark.rule("13.43")
def test_a_buyer_who_resigns_while_a_neighbour_is_asked_takes_the_question_back() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10"})
    alhambra(game, 2, {(1, 0): "garden-11"})
    buy(game)
    assert asked(game) == ("put_chests", 1)
    events = game.resign(0)
    assert events_of(events, "chests_returned") == [{"types": ("garden",) * 4}]
    assert len(events_of(events, "room_filled")) == 1
    assert asked(game) == ("action", 1)
    assert chests_of(game, 1) == chests_of(game, 2) == 0


@pytest.mark.rule("13.44")
def test_a_neighbour_is_asked_on_if_another_one_resigns() -> None:
    game = treasury(4, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10"})
    buy(game)
    game.resign(3)
    assert asked(game) == ("put_chests", 1)
    assert legal(game, "put_chest garden-10", type="garden")


@pytest.mark.rule("13.44")
def test_a_neighbour_who_resigns_passes_the_chests_on() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10"})
    alhambra(game, 2, {(1, 0): "garden-11"})
    buy(game)
    game.resign(1)
    assert asked(game) == ("put_chests", 2)


# -- Scoring ----------------------------------------------------------------------------------------------------------


def with_chests(game: Game, *counts: int) -> None:
    """Every seat has so many chests, Dirk last."""
    tiles = iter([tile for tile in game.state.tower if game.ruleset.tiles[tile].kind == "standard"])
    gone = []
    for seat, count in enumerate(counts):
        chosen: list[str] = []
        while len(chosen) < count:
            tile = next(tiles)
            if game.ruleset.tiles[tile].type in chamber(game).bag:
                put(game, tile)
                chosen.append(tile)
        gone += chosen
        if seat == len(game.state.seats):
            game.state.dirk = (*game.state.dirk, *chosen)
        else:
            for number, tile in enumerate(chosen):
                game.state.seats[seat].board.put(game.ruleset.tiles[tile], 3 * number + 3, 3)
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in gone)


# worked example
@pytest.mark.rule("13.14", "13.30")
def test_two_tied_for_most_chests_share_the_first_two_places() -> None:
    """Worked example: scoring 2, two are tied for most chests."""
    game = treasury()
    with_chests(game, 2, 2, 1)
    assert points(hold_scoring(game, 2), "chest_majority") == {0: 10, 1: 10}


@pytest.mark.rule("13.38")
def test_dirk_competes_with_his_chests() -> None:
    game = treasury(2)
    with_chests(game, 1, 0, 2)
    assert points(hold_scoring(game, 2), "chest_majority") == {2: 14, 0: 7}


@pytest.mark.rule("13.17")
def test_chests_in_rooms_count_for_nobody() -> None:
    game = treasury()
    market(game)
    events = hold_scoring(game, 3)
    assert events_of(events, "scoring_ended")
    assert points(events, "chest_majority") == {}


@pytest.mark.rule("13.15")
def test_chests_are_scored_between_majorities_and_gains() -> None:
    game = treasury()
    with_chests(game, 1)
    lines = events_of(hold_scoring(game, 1), "scored")
    assert {line["frame"] for line in lines if line["reason"] == "chest_majority"} == {"S3"}


def expected_points(counts: tuple[int, ...], scoring: int) -> dict[int, int]:
    """From the page alone: 7; 14 and 7; 22, 14 and 7. Every order of the players that fits the counts gives each the
    value of one place; tied players get the mean of all orders, rounded down. Without a chest nobody scores."""
    places = [*{1: (7,), 2: (14, 7), 3: (22, 14, 7)}[scoring], *(0 for _ in counts)]
    seats = [seat for seat, count in enumerate(counts) if count]
    orders = [
        ranked
        for ranked in permutations(seats)
        if all(counts[before] >= counts[after] for before, after in pairwise(ranked))
    ]
    found = {seat: sum(places[ranked.index(seat)] for ranked in orders) // len(orders) for seat in seats}
    return {seat: gained for seat, gained in found.items() if gained}


@pytest.mark.rule("13.13", "13.14")
@pytest.mark.parametrize("seed", range(15))
def test_chests_score_as_the_page_says_for_random_numbers_of_them(seed: int) -> None:
    rng = Random(seed)
    seats = rng.choice((2, 3, 4, 5, 6))
    counts = tuple(rng.randrange(4) for _ in range(seats + (seats == 2)))
    game = treasury(seats)
    market(game)
    with_chests(game, *counts)
    for scoring in (1, 2, 3):
        assert points(hold_scoring(game.clone(), scoring), "chest_majority") == expected_points(counts, scoring)


def test_the_chests_are_as_many_of_each_colour_as_printed() -> None:
    assert set(CHESTS) == set(TYPES)
    assert sum(CHESTS.values()) == 42
