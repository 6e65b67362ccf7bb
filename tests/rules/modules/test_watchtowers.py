"""22 Watchtowers: half tiles that come with a building, stand on its colour and lengthen the outer wall."""

from __future__ import annotations

import pytest

from alhambra import TYPES, Board, Game, Move
from alhambra.components import BASE_TILES, Cell
from alhambra.modules.watchtowers import TURNS, WATCHTOWERS, Watchtowers
from alhambra.placement.outline import wall_runs
from tests.rules.modules.watchtowers_table import GARDEN, asked, bought, placing, stand, supply, watched
from tests.rules.situations import (
    alhambra,
    codes,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
)

# -- Buying ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.1", "22.3")
def test_there_are_three_of_each_type() -> None:
    game = watched(dealt=True)
    assert supply(game) == dict.fromkeys(TYPES, 3)
    assert len(WATCHTOWERS) == 18


# worked example
@pytest.mark.rule("22.4", "22.6", "22.7", "22.27")
@pytest.mark.parametrize(("scorings", "price"), [(0, 17), (1, 15), (2, 13)])
def test_a_watchtower_adds_6_then_4_then_2_to_the_price(scorings: int, price: int) -> None:
    game = watched(turn_of=(3 - scorings) % 3)
    for number in range(1, scorings + 1):
        hold_scoring(game, number)
    market(game, denar="tower-11")
    hand(game, 0, "denar-9 denar-8 denar-6 denar-4")
    exact = {17: "denar-9 denar-8", 15: "denar-9 denar-6", 13: "denar-9 denar-4"}[price]
    events = play(game, f"buy market-denar {exact}", choice="watchtower")
    assert events_of(events, "paid")[0]["due"] == price
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert game.view(None)["slices"]["watchtowers"]["surcharge"] == price - 11


@pytest.mark.rule("22.3")
def test_the_view_shows_supply_surcharge_and_what_is_still_to_be_placed() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-8 denar-7")
    play(game, "buy market-denar denar-7 denar-8", choice="watchtower")
    assert supply(game) == {**dict.fromkeys(TYPES, 3), "garden": 2}
    assert game.view(1)["seats"][0]["pending"] == ["garden-9-e", "watchtower_garden_1"]
    assert game.view(1)["slices"]["watchtowers"] == {"surcharge": 6}


@pytest.mark.rule("22.5")
def test_the_price_of_the_building_alone_does_not_buy_the_watchtower() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 dukat-6")
    assert fact(refused(game, "buy market-denar denar-9", choice="watchtower"), "UNDERPAID") == {"due": 15, "paid": 9}
    assert codes(refused(game, "buy market-denar denar-9 dukat-6", choice="watchtower")) == ["WRONG_CURRENCY"]
    assert legal(game, "buy market-denar denar-9")


@pytest.mark.rule("22.7")
def test_overpaying_both_together_grants_no_further_action() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-7")
    events = play(game, "buy market-denar denar-7 denar-9", choice="watchtower")
    assert not events_of(events, "bonus_action")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("22.8")
def test_with_none_of_its_colour_left_a_building_is_sold_alone() -> None:
    game = watched()
    bought(game, 1, "garden", "garden", "garden")
    market(game, denar="garden-9-e", dukat="tower-9-es")
    hand(game, 0, "denar-9 denar-6 dukat-9 dukat-6")
    faults = refused(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    assert fact(faults, "NOT_THERE") == {"id": "watchtower", "place": "slot"}
    assert legal(game, "buy market-dukat dukat-6 dukat-9", choice="watchtower")


# -- Where it may stand ------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.2", "22.11")
@pytest.mark.parametrize(("cell", "sides"), [((2, 0), {"NW", "SW"}), ((1, -1), {"SE", "SW"}), ((1, 1), {"NE", "NW"})])
def test_it_is_turned_freely_as_long_as_a_leg_touches_its_colour(cell: Cell, sides: set[str]) -> None:
    game = placing(GARDEN, "garden")
    listed = {move.side for move in game.moves() if move.cell == cell}
    assert listed == sides
    for side in sides:
        assert legal(game, "place_watchtower", cell=cell, type="garden", side=side)


@pytest.mark.rule("22.10")
def test_touching_another_colour_alone_is_not_enough() -> None:
    game = placing({**GARDEN, (-1, 0): "tower-11"}, "garden")
    faults = refused(game, "place_watchtower @-2,0", type="garden", side="NE")
    assert codes(faults) == ["CONTACT_REQUIRED"]
    assert fact(faults, "CONTACT_REQUIRED")["tile"] == "watchtower_garden_1"


@pytest.mark.rule("22.11")
def test_the_other_leg_may_touch_another_colour() -> None:
    game = placing({**GARDEN, (0, 1): "tower-11"}, "garden")
    assert legal(game, "place_watchtower @1,1", type="garden", side="NW")


@pytest.mark.rule("22.33")
def test_a_building_that_is_not_finished_still_shows_its_colour() -> None:
    game = placing(GARDEN, "garden")
    game.state.covered = ("garden-10",)
    assert legal(game, "place_watchtower @2,0", type="garden", side="SW")


@pytest.mark.rule("22.33")
def test_where_the_type_of_a_tile_was_changed_the_new_one_counts() -> None:
    game = placing({**GARDEN, (0, 1): "tower-11"}, "garden")
    game.state.types = {"tower-11": "garden"}
    assert legal(game, "place_watchtower @0,2", type="garden", side="NW")


@pytest.mark.rule("22.13")
def test_a_leg_may_not_touch_a_wall() -> None:
    game = placing({(1, 0): "garden-9-e", (-1, 0): "garden-10"}, "garden")
    faults = refused(game, "place_watchtower @2,0", type="garden", side="NW")
    assert codes(faults) == ["NOT_REACHABLE", "CONTACT_FORBIDDEN", "CONTACT_REQUIRED"]


@pytest.mark.rule("22.28")
def test_the_side_of_a_cell_names_no_corner_for_the_legs() -> None:
    game = placing(GARDEN, "garden")
    faults = refused(game, "place_watchtower @2,0", type="garden", side="W")
    assert codes(faults) == ["NOUN_MALFORMED"]


@pytest.mark.rule("22.9")
def test_only_what_was_bought_can_be_placed() -> None:
    game = placing(GARDEN, "garden")
    faults = refused(game, "place_watchtower @2,0", type="tower", side="SW")
    assert codes(faults) == ["NOT_THERE"]
    assert fact(faults, "NOT_THERE") == {"id": "tower", "place": "pending"}


def test_placing_is_told_with_type_and_corner() -> None:
    game = placing(GARDEN, "garden")
    told = events_of(play(game, "place_watchtower @2,0", type="garden", side="SW"), "watchtower_placed")
    facts = {"seat": 0, "cell": (2, 0), "rotation": 180, "type": "garden", "side": "SW"}
    assert told == [{"tile": "watchtower_garden_1", **facts}]


@pytest.mark.rule("22.28")
def test_its_cell_is_taken_whole() -> None:
    game = placing(GARDEN, "garden", "garden")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert codes(refused(game, "place_watchtower @2,0", type="garden", side="NW")) == ["PLACE_TAKEN"]


@pytest.mark.rule("22.12")
def test_nothing_is_attached_to_the_long_side() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11")
    assert codes(refused(game, "add tower-11 @3,0")) == ["NO_CONTACT"]


@pytest.mark.rule("22.29")
def test_a_tile_across_a_void_edge_is_legal_if_others_carry_it() -> None:
    game = watched()
    alhambra(game, 0, {**GARDEN, (1, -1): "garden-11"})
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11 tower-11-s")
    assert legal(game, "add tower-11 @2,-1")
    assert legal(game, "add tower-11-s @2,-1")


@pytest.mark.rule("22.14")
def test_the_way_on_foot_may_lead_across_a_watchtower() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11")
    play(game, "add tower-11 @2,1")
    assert "tower-11" in game.board(0).placed


@pytest.mark.rule("22.15")
def test_its_empty_half_may_not_be_enclosed() -> None:
    game = watched()
    tiles = {**GARDEN, (1, -1): "garden-11", (2, -1): "tower-11", (3, -1): "tower-12"}
    alhambra(game, 0, tiles)
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "arcades-9")
    faults = refused(game, "add arcades-9 @3,0")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[2, 0]]}


# -- When it is placed -------------------------------------------------------------------------------------------------


def buy_both(game: Game, tile: str = "garden-9-e") -> None:
    """Seat 0 buys a tile with a watchtower and has to place both."""
    market(game, denar=tile)
    hand(game, 0, "denar-9 denar-8 denar-7")
    play(game, "buy market-denar denar-7 denar-8 denar-9", choice="watchtower")


@pytest.mark.rule("22.9")
def test_tile_and_watchtower_are_placed_in_any_order() -> None:
    for order in ("tile first", "watchtower first"):
        game = watched()
        alhambra(game, 0, GARDEN)
        buy_both(game)
        if order == "tile first":
            play(game, "place garden-9-e @0,1")
        play(game, "place_watchtower @2,0", type="garden", side="SW")
        if order == "watchtower first":
            play(game, "place garden-9-e @0,1")
        assert asked(game) == ("action", 1)


@pytest.mark.rule("22.10", "22.34")
def test_it_stands_on_the_building_just_bought_once_that_is_placed() -> None:
    game = watched()
    buy_both(game)
    assert not [move for move in game.moves() if move.verb == "place_watchtower"]
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @1,1", type="garden", side="NE")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("22.34")
def test_while_it_has_a_legal_position_it_must_be_placed() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    buy_both(game)
    play(game, "reserve garden-9-e")
    assert asked(game) == ("place_tiles", 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert {move.verb for move in game.moves()} == {"place_watchtower"}


@pytest.mark.rule("22.34")
def test_without_a_legal_position_it_returns_to_the_supply_unasked() -> None:
    game = watched()
    buy_both(game)
    events = play(game, "reserve garden-9-e")
    lost = {"seat": 0, "tile": "watchtower_garden_1", "type": "garden"}
    assert events_of(events, "watchtower_lost") == [lost]
    assert asked(game) == ("action", 1)
    assert supply(game) == dict.fromkeys(TYPES, 3)


@pytest.mark.rule("22.16")
def test_a_watchtower_is_never_put_into_the_reserve() -> None:
    game = placing(GARDEN, "garden")
    assert fact(refused(game, "reserve watchtower_garden_1"), "NOT_ELIGIBLE")["for"] == "placing"
    assert codes(refused(game, Move("place", "watchtower_garden_1", cell=(2, 0)))) == ["NOT_ELIGIBLE"]


def test_two_of_a_colour_are_placed_one_after_the_other() -> None:
    game = placing(GARDEN, "garden", "garden")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @1,1", type="garden", side="NE")
    assert asked(game) == ("action", 1)
    assert {"watchtower_garden_1", "watchtower_garden_2"} <= set(game.board(0).placed)


@pytest.mark.rule("22.39")
def test_a_building_given_to_dirk_leaves_the_watchtower_with_its_buyer() -> None:
    game = watched(2)
    alhambra(game, 0, GARDEN)
    buy_both(game)
    play(game, "give_to_dirk garden-9-e")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert "watchtower_garden_1" in game.board(0).placed
    assert not any(tile in WATCHTOWERS for tile in game.state.dirk)


@pytest.mark.rule("22.39")
def test_a_building_given_to_dirk_may_leave_it_no_place_to_stand() -> None:
    game = watched(2)
    buy_both(game)
    assert events_of(play(game, "give_to_dirk garden-9-e"), "watchtower_lost")


@pytest.mark.rule("22.47")
@pytest.mark.parametrize("tiles", [GARDEN, {}], ids=["fits", "fits nowhere"])
def test_a_watchtower_of_a_seat_that_resigns_leaves_the_game(tiles: dict[tuple[int, int], str]) -> None:
    game = watched()
    alhambra(game, 0, tiles)
    buy_both(game)
    supply = game.module_state(Watchtowers).supply
    boxed = [event["tile"] for event in events_of(game.resign(0), "boxed")]
    assert len(boxed) == 2
    assert set(boxed) <= set(game.state.box)
    assert asked(game) == ("action", 1)
    assert not any(seat.pending for seat in game.state.seats)
    assert game.module_state(Watchtowers).supply == supply


# -- Redesign ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.16")
def test_a_watchtower_is_never_redesigned() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    tower = stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "garden-11")
    assert fact(refused(game, f"remove {tower}"), "LOCKED") == {"tile": tower, "by": "watchtower"}
    assert fact(refused(game, "swap garden-11 @2,0"), "LOCKED") == {"tile": tower, "by": "watchtower"}


@pytest.mark.rule("22.17")
def test_a_building_may_not_leave_a_watchtower_without_its_colour() -> None:
    game = watched()
    alhambra(game, 0, {**GARDEN, (0, 1): "tower-11", (1, 1): "chambers-11", (2, 1): "tower-12"})
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "arcades-9 garden-11")
    assert codes(refused(game, "remove garden-10")) == ["CONTACT_REQUIRED"]
    assert codes(refused(game, "swap arcades-9 @1,0")) == ["CONTACT_REQUIRED"]
    assert legal(game, "swap garden-11 @1,0")


@pytest.mark.rule("22.17")
def test_a_building_may_leave_if_another_of_the_colour_holds_the_watchtower() -> None:
    game = watched()
    alhambra(game, 0, {**GARDEN, (0, 1): "tower-11", (1, 1): "chambers-11", (2, 1): "garden-12-s"})
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "arcades-9")
    assert legal(game, "remove garden-10")
    assert legal(game, "swap arcades-9 @1,0")


# -- Scoring -----------------------------------------------------------------------------------------------------------


def scored(tiles: dict[Cell, str], *towers: tuple[Cell, str], others: tuple[str, ...] = ()) -> dict[str, int]:
    """What an Alhambra with garden watchtowers brings for its wall."""
    game = watched(3, *others)
    alhambra(game, 0, tiles)
    for cell, side in towers:
        stand(game, 0, "garden", cell, side)
    events = hold_scoring(game, 1)
    return {reason: points(events, reason).get(0, 0) for reason in ("wall", "wall_watchtowers")}


IN_THE_EAST = (((1, -1), "SW"), ((1, 1), "NW"))


# worked example
@pytest.mark.rule("22.19", "22.25")
def test_watchtowers_outside_the_longest_wall_of_four_bring_nothing() -> None:
    tiles = {(0, -1): "garden-10-w", (1, 0): "garden-10", (0, 1): "garden-11", (-1, 0): "garden-7-nsw"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 4, "wall_watchtowers": 0}


# worked example
@pytest.mark.rule("22.18", "22.19", "22.26")
def test_a_longest_wall_of_seven_with_two_watchtowers_brings_eleven() -> None:
    tiles = {(0, -1): "garden-8-nw", (1, 0): "garden-9-e", (0, 1): "garden-8-sw"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 7, "wall_watchtowers": 4}


# worked example
@pytest.mark.rule("22.26")
def test_a_longest_wall_of_eight_with_two_watchtowers_brings_twelve() -> None:
    tiles = {(0, -1): "garden-8-nw", (1, 0): "garden-9-e", (0, 1): "garden-8-sw", (-1, 0): "garden-12-s"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 8, "wall_watchtowers": 4}


@pytest.mark.rule("22.31")
def test_of_equally_long_walls_the_one_with_more_watchtowers_is_scored() -> None:
    tiles = {(0, -1): "garden-10-n", (1, 0): "garden-9-e", (-1, 0): "garden-7-nsw"}
    assert scored(tiles, IN_THE_EAST[0]) == {"wall": 3, "wall_watchtowers": 2}


@pytest.mark.rule("22.18")
def test_a_lone_watchtower_is_a_wall_of_one() -> None:
    assert scored(GARDEN, ((2, 0), "SW")) == {"wall": 1, "wall_watchtowers": 2}


@pytest.mark.rule("22.30")
def test_a_run_does_not_jump_across_the_point_where_a_tile_touches_a_long_side() -> None:
    board = Board()
    for cell, tile in {(1, 0): "garden-10", (1, -1): "garden-11", (2, -1): "garden-8-ne"}.items():
        board.place(BASE_TILES[tile], *cell)
    board.place(WATCHTOWERS["watchtower_garden_1"], 2, 0, TURNS["SW"])
    assert sorted(run.length for run in wall_runs(board)) == [1, 2]


@pytest.mark.rule("22.20")
def test_watchtowers_are_no_buildings() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    alhambra(game, 1, {(1, 0): "garden-11", (0, 1): "garden-9-e"})
    stand(game, 0, "garden", (2, 0), "SW")
    stand(game, 0, "garden", (1, 1), "NE")
    assert points(hold_scoring(game, 1), "majority") == {1: 5}
