"""22 Watchtowers: half tiles that come with a building, stand on its colour and lengthen the outer wall."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import TYPES, Board, Game, Move
from alhambra.components import BASE_TILES, Cell
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.military_camps import CAMPS
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.watchtowers import TURNS, WATCHTOWERS, Watchtowers
from alhambra.outline import wall_runs
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
    table,
)

GARDEN = {(1, 0): "garden-10"}
"""An open garden beside the fountain."""


def watched(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["watchtowers", *others], **options)


def stand(game: Game, seat: int, name: str, cell: Cell, side: str) -> str:
    """A watchtower of the supply stands in an Alhambra, by the rules of construction."""
    kept = game.slice(Watchtowers)
    found = next(tower for tower in kept.supply if WATCHTOWERS[tower].type == name)
    kept.supply = tuple(tower for tower in kept.supply if tower != found)
    board = game.state.seats[seat].board
    board.place(WATCHTOWERS[found], *cell, TURNS[side])
    return found


def bought(game: Game, seat: int, *names: str) -> None:
    """Watchtowers that a seat has still to place."""
    kept = game.slice(Watchtowers)
    for name in names:
        found = next(tower for tower in kept.supply if WATCHTOWERS[tower].type == name)
        kept.supply = tuple(tower for tower in kept.supply if tower != found)
        kept.pending = (*kept.pending[:seat], (*kept.pending[seat], found), *kept.pending[seat + 1 :])


def placing(tiles: dict[Cell, str], *names: str, others: tuple[str, ...] = (), seats: int = 3) -> Game:
    """Seat 0 has built these tiles, has taken money and is about to place watchtowers."""
    game = watched(seats, *others)
    alhambra(game, 0, tiles)
    bought(game, 0, *names)
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def supply(game: Game) -> dict[str, int]:
    found: dict[str, int] = game.view(None)["slices"]["watchtowers"]["supply"]
    return found


# -- Buying ------------------------------------------------------------------------------------------------------------


def test_there_are_three_of_each_type() -> None:
    game = watched(dealt=True)
    assert supply(game) == dict.fromkeys(TYPES, 3)
    assert len(WATCHTOWERS) == 18


# worked example
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


def test_the_view_shows_supply_surcharge_and_what_is_still_to_be_placed() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-8 denar-7")
    play(game, "buy market-denar denar-7 denar-8", choice="watchtower")
    shown = game.view(1)["slices"]["watchtowers"]
    assert shown["supply"] == {**dict.fromkeys(TYPES, 3), "garden": 2}
    assert shown["pending"] == [["garden"], [], []]
    assert shown["surcharge"] == 6


def test_the_price_of_the_building_alone_does_not_buy_the_watchtower() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 dukat-6")
    assert fact(refused(game, "buy market-denar denar-9", choice="watchtower"), "UNDERPAID") == {"due": 15, "paid": 9}
    assert codes(refused(game, "buy market-denar denar-9 dukat-6", choice="watchtower")) == ["WRONG_CURRENCY"]
    assert legal(game, "buy market-denar denar-9")


def test_overpaying_both_together_grants_no_further_action() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-7")
    events = play(game, "buy market-denar denar-7 denar-9", choice="watchtower")
    assert not events_of(events, "bonus_action")
    assert asked(game) == ("place_tiles", 0)


def test_with_none_of_its_colour_left_a_building_is_sold_alone() -> None:
    game = watched()
    bought(game, 1, "garden", "garden", "garden")
    market(game, denar="garden-9-e", dukat="tower-9-es")
    hand(game, 0, "denar-9 denar-6 dukat-9 dukat-6")
    faults = refused(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    assert fact(faults, "NOT_THERE") == {"id": "watchtower", "place": "market-denar"}
    assert legal(game, "buy market-dukat dukat-6 dukat-9", choice="watchtower")


# -- Where it may stand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cell", "sides"), [((2, 0), {"NW", "SW"}), ((1, -1), {"SE", "SW"}), ((1, 1), {"NE", "NW"})])
def test_it_is_turned_freely_as_long_as_a_leg_touches_its_colour(cell: Cell, sides: set[str]) -> None:
    game = placing(GARDEN, "garden")
    listed = {move.side for move in game.moves() if move.cell == cell}
    assert listed == sides
    for side in sides:
        assert legal(game, "place_watchtower", cell=cell, type="garden", side=side)


def test_touching_another_colour_alone_is_not_enough() -> None:
    game = placing({**GARDEN, (-1, 0): "tower-11"}, "garden")
    faults = refused(game, "place_watchtower @-2,0", type="garden", side="NE")
    assert codes(faults) == ["CONTACT_REQUIRED"]
    assert fact(faults, "CONTACT_REQUIRED")["tile"] == "watchtower_garden_1"


def test_the_other_leg_may_touch_another_colour() -> None:
    game = placing({**GARDEN, (0, 1): "tower-11"}, "garden")
    assert legal(game, "place_watchtower @1,1", type="garden", side="NW")


def test_a_building_that_is_not_finished_still_shows_its_colour() -> None:
    game = placing(GARDEN, "garden")
    game.state.types = {"garden-10": ""}
    assert legal(game, "place_watchtower @2,0", type="garden", side="SW")


def test_where_the_type_of_a_tile_was_changed_the_new_one_counts() -> None:
    game = placing({**GARDEN, (0, 1): "tower-11"}, "garden")
    game.state.types = {"tower-11": "garden"}
    assert legal(game, "place_watchtower @0,2", type="garden", side="NW")


def test_a_leg_may_not_touch_a_wall() -> None:
    game = placing({(1, 0): "garden-9-e", (-1, 0): "garden-10"}, "garden")
    faults = refused(game, "place_watchtower @2,0", type="garden", side="NW")
    assert codes(faults) == ["NOT_REACHABLE", "CONTACT_FORBIDDEN", "CONTACT_REQUIRED"]


def test_the_side_of_a_cell_names_no_corner_for_the_legs() -> None:
    game = placing(GARDEN, "garden")
    faults = refused(game, "place_watchtower @2,0", type="garden", side="W")
    assert codes(faults) == ["NOUN_MALFORMED"]


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


def test_its_cell_is_taken_whole() -> None:
    game = placing(GARDEN, "garden", "garden")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert codes(refused(game, "place_watchtower @2,0", type="garden", side="NW")) == ["PLACE_TAKEN"]


def test_nothing_is_attached_to_the_long_side() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11")
    assert codes(refused(game, "add tower-11 @3,0")) == ["NO_CONTACT"]


def test_a_tile_across_a_void_edge_is_legal_if_others_carry_it() -> None:
    game = watched()
    alhambra(game, 0, {**GARDEN, (1, -1): "garden-11"})
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11 tower-11-s")
    assert legal(game, "add tower-11 @2,-1")
    assert legal(game, "add tower-11-s @2,-1")


def test_the_way_on_foot_may_lead_across_a_watchtower() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "tower-11")
    play(game, "add tower-11 @2,1")
    assert "tower-11" in game.board(0).placed


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


def test_it_stands_on_the_building_just_bought_once_that_is_placed() -> None:
    game = watched()
    buy_both(game)
    assert not [move for move in game.moves() if move.verb == "place_watchtower"]
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @1,1", type="garden", side="NE")
    assert asked(game) == ("action", 1)


def test_while_it_has_a_legal_position_it_must_be_placed() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    buy_both(game)
    play(game, "reserve garden-9-e")
    assert asked(game) == ("place_tiles", 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert {move.verb for move in game.moves()} == {"place_watchtower"}


def test_without_a_legal_position_it_returns_to_the_supply_unasked() -> None:
    game = watched()
    buy_both(game)
    events = play(game, "reserve garden-9-e")
    lost = {"seat": 0, "tile": "watchtower_garden_1", "type": "garden"}
    assert events_of(events, "watchtower_lost") == [lost]
    assert asked(game) == ("action", 1)
    assert supply(game) == dict.fromkeys(TYPES, 3)


def test_a_watchtower_is_never_put_into_the_reserve() -> None:
    game = placing(GARDEN, "garden")
    assert codes(refused(game, "reserve watchtower_garden_1")) == ["NOT_THERE"]
    assert codes(refused(game, Move("place", "watchtower_garden_1", cell=(2, 0)))) == ["NOT_THERE"]


def test_two_of_a_colour_are_placed_one_after_the_other() -> None:
    game = placing(GARDEN, "garden", "garden")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @1,1", type="garden", side="NE")
    assert asked(game) == ("action", 1)
    assert {"watchtower_garden_1", "watchtower_garden_2"} <= set(game.board(0).placed)


def test_a_building_given_to_dirk_leaves_the_watchtower_with_its_buyer() -> None:
    game = watched(2)
    alhambra(game, 0, GARDEN)
    buy_both(game)
    play(game, "give_to_dirk garden-9-e")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert "watchtower_garden_1" in game.board(0).placed
    assert not any(tile in WATCHTOWERS for tile in game.state.dirk)


def test_a_building_given_to_dirk_may_leave_it_no_place_to_stand() -> None:
    game = watched(2)
    buy_both(game)
    assert events_of(play(game, "give_to_dirk garden-9-e"), "watchtower_lost")


def test_for_a_seat_that_resigns_it_is_placed_or_lost() -> None:
    for tiles, lost in ((GARDEN, 0), ({}, 1)):
        game = watched()
        alhambra(game, 0, tiles)
        buy_both(game)
        assert len(events_of(game.resign(0), "watchtower_lost")) == lost
        assert asked(game) == ("action", 1)
        assert game.slice(Watchtowers).pending == ((), (), ())


# -- Redesign ----------------------------------------------------------------------------------------------------------


def test_a_watchtower_is_never_redesigned() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    tower = stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "garden-11")
    assert fact(refused(game, f"remove {tower}"), "LOCKED") == {"tile": tower, "by": "watchtower"}
    assert fact(refused(game, "swap garden-11 @2,0"), "LOCKED") == {"tile": tower, "by": "watchtower"}


def test_a_building_may_not_leave_a_watchtower_without_its_colour() -> None:
    game = watched()
    alhambra(game, 0, {**GARDEN, (0, 1): "tower-11", (1, 1): "chambers-11", (2, 1): "tower-12"})
    stand(game, 0, "garden", (2, 0), "SW")
    reserve(game, 0, "arcades-9 garden-11")
    assert codes(refused(game, "remove garden-10")) == ["CONTACT_REQUIRED"]
    assert codes(refused(game, "swap arcades-9 @1,0")) == ["CONTACT_REQUIRED"]
    assert legal(game, "swap garden-11 @1,0")


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
def test_watchtowers_outside_the_longest_wall_of_four_bring_nothing() -> None:
    tiles = {(0, -1): "garden-10-w", (1, 0): "garden-10", (0, 1): "garden-11", (-1, 0): "garden-7-nsw"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 4, "wall_watchtowers": 0}


# worked example
def test_a_longest_wall_of_seven_with_two_watchtowers_brings_eleven() -> None:
    tiles = {(0, -1): "garden-8-nw", (1, 0): "garden-9-e", (0, 1): "garden-8-sw"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 7, "wall_watchtowers": 4}


# worked example
def test_a_longest_wall_of_eight_with_two_watchtowers_brings_twelve() -> None:
    tiles = {(0, -1): "garden-8-nw", (1, 0): "garden-9-e", (0, 1): "garden-8-sw", (-1, 0): "garden-12-s"}
    assert scored(tiles, *IN_THE_EAST) == {"wall": 8, "wall_watchtowers": 4}


def test_of_equally_long_walls_the_one_with_more_watchtowers_is_scored() -> None:
    tiles = {(0, -1): "garden-10-n", (1, 0): "garden-9-e", (-1, 0): "garden-7-nsw"}
    assert scored(tiles, IN_THE_EAST[0]) == {"wall": 3, "wall_watchtowers": 2}


def test_a_lone_watchtower_is_a_wall_of_one() -> None:
    assert scored(GARDEN, ((2, 0), "SW")) == {"wall": 1, "wall_watchtowers": 2}


def test_a_run_does_not_jump_across_the_point_where_a_tile_touches_a_long_side() -> None:
    board = Board()
    for cell, tile in {(1, 0): "garden-10", (1, -1): "garden-11", (2, -1): "garden-8-ne"}.items():
        board.place(BASE_TILES[tile], *cell)
    board.place(WATCHTOWERS["watchtower_garden_1"], 2, 0, TURNS["SW"])
    assert sorted(run.length for run in wall_runs(board)) == [1, 2]


def test_watchtowers_are_no_buildings() -> None:
    game = watched()
    alhambra(game, 0, GARDEN)
    alhambra(game, 1, {(1, 0): "garden-11", (0, 1): "garden-9-e"})
    stand(game, 0, "garden", (2, 0), "SW")
    stand(game, 0, "garden", (1, 1), "NE")
    assert points(hold_scoring(game, 1), "majority") == {1: 5}


# -- With other modules ------------------------------------------------------------------------------------------------


def in_window(seats: int = 3, *others: str) -> Game:
    """Seat 1 may buy with the vizier a garden for 9, and holds 9 and 6."""
    game = watched(seats, "viziers_favour", *others)
    market(game, denar="garden-9-e", dukat="tower-12", gulden="tower-11", dirham="garden-11")
    hand(game, 1, "denar-9 denar-6 denar-7")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    assert asked(game) == ("window", 1)
    return game


def test_a_vizier_pays_both_together_exactly_and_places_both_at_once() -> None:
    game = in_window()
    alhambra(game, 1, GARDEN)
    assert codes(refused(game, "buy market-denar denar-7 denar-9", choice="watchtower")) == ["NOT_EXACT"]
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    assert asked(game) == ("place_now", 1)
    play(game, "reserve garden-9-e")
    assert asked(game) == ("place_now", 1)
    events = play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert "market_filled" in kinds(events)
    assert "watchtower_garden_1" in game.board(1).placed


def test_a_viziers_watchtower_that_fits_nowhere_is_lost_unasked() -> None:
    game = in_window()
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    events = play(game, "reserve garden-9-e")
    assert len(events_of(events, "watchtower_lost")) == 1
    assert supply(game)["garden"] == 3
    assert asked(game)[0] == "window"


def test_a_viziers_watchtower_is_lost_even_if_the_game_ends_with_the_purchase() -> None:
    game = in_window()
    game.state.box = (*game.state.box, *game.state.tower)
    game.state.tower = ()
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    assert events_of(play(game, "reserve garden-9-e"), "watchtower_lost")


def test_no_watchtower_comes_with_a_camp() -> None:
    game = watched(3, "military_camps")
    market(game, denar="camp_E")
    hand(game, 0, "denar-9 denar-2")
    assert codes(refused(game, "buy market-denar denar-2 denar-9", choice="watchtower")) == ["NOT_THERE"]


def test_a_camp_may_not_touch_a_leg_but_may_lie_across_a_void_edge() -> None:
    game = watched(3, "military_camps")
    tiles = {(1, 0): "garden-9-e", (0, -1): "garden-10", (1, -1): "garden-11"}
    alhambra(game, 0, tiles)
    reserve(game, 0, "camp_W camp_SW")
    stand(game, 0, "garden", (2, -1), "SW")
    assert codes(refused(game, "add camp_W @2,0")) == ["CONTACT_FORBIDDEN"]
    game = watched(3, "military_camps")
    alhambra(game, 0, tiles)
    reserve(game, 0, "camp_W")
    stand(game, 0, "garden", (2, -1), "NW")
    assert legal(game, "add camp_W @2,0")


def test_a_watchtower_ends_the_line_of_a_camp() -> None:
    game = watched(3, "military_camps")
    board = alhambra(game, 0, {(-1, 0): "chambers-9-w", (1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "SW")
    board.place(CAMPS["camp_E"], -2, 0)
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


def test_no_watchtower_comes_with_a_square_and_a_square_does_not_hold_one() -> None:
    game = watched(3, "squares")
    stacks = game.slice(Stacks)
    stacks.stacks = {**stacks.stacks, "garden": tuple(sorted(stacks.stacks["garden"], reverse=True))}
    assert codes(refused(game, Move("take_square", slot="square-garden", choice="watchtower"))) == ["NOUN_UNEXPECTED"]
    bought(game, 0, "garden")
    play(game, "take_square", slot="square-garden")
    events = play(game, "place square_garden_1 @1,0")
    assert len(events_of(events, "watchtower_lost")) == 1


def test_half_a_project_of_its_colour_holds_it() -> None:
    game = watched(3, "major_construction_projects")
    projects = game.slice(Projects)
    project = "project_garden_tower"
    projects.hidden = tuple(tile for tile in (*projects.hidden, projects.project) if tile != project)
    projects.project = ""
    board = alhambra(game, 0, {})
    board.place(game.ruleset.tiles[project], 0, 1)
    bought(game, 0, "garden")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    assert legal(game, "place_watchtower @1,1", type="garden", side="SW")
    assert codes(refused(game, "place_watchtower @1,2", type="garden", side="SW")) == ["CONTACT_REQUIRED"]


def test_the_miser_counts_the_surcharge() -> None:
    for choice, miser in ((None, False), ("watchtower", True)):
        game = watched(3, "characters")
        game.slice(Characters).owners = {"miser": 0}
        market(game, denar="garden-8-sw")
        display(game, "dukat-1")
        hand(game, 0, "denar-8 denar-7")
        play(game, "buy market-denar denar-7 denar-8", choice=choice)
        assert (asked(game)[0] == "miser") is miser


def test_the_patron_pays_for_building_and_watchtower() -> None:
    game = watched(3, "characters")
    game.slice(Characters).owners = {"rich_patron": 0}
    market(game, denar="garden-9-e")
    events = play(game, "buy market-denar", choice="watchtower", items=("rich_patron",))
    assert events_of(events, "bonus_action")
    assert game.slice(Watchtowers).pending[0] == ("watchtower_garden_1",)


def test_change_is_given_for_what_exceeds_the_price_of_both() -> None:
    game = watched(3, "change")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9", choice="watchtower")
    assert len(game.slice(Coins).held[0]) == 1


def test_a_scout_is_won_by_paying_both_together_exactly() -> None:
    for cards, won in (("denar-7 denar-8", 1), ("denar-8 denar-9", 0)):
        game = watched(3, "invaders")
        garden = next(scout for scout, name in SCOUTS.items() if name == "garden")
        invaders = game.slice(Invaders)
        invaders.scouts = tuple(scout for scout in (*invaders.scouts, *invaders.open) if scout != garden)
        invaders.open = (garden,)
        market(game, denar="garden-9-e")
        hand(game, 0, "denar-9 denar-8 denar-7")
        events = play(game, f"buy market-denar {cards}", choice="watchtower")
        assert len(events_of(events, "scout_won")) == won


def attacked_from_the_east(tiles: dict[Cell, str], *towers: tuple[Cell, str]) -> int:
    """How many points seat 0 loses in the first attack."""
    game = watched(3, "invaders")
    invaders = game.slice(Invaders)
    invaders.attacks = ("invasion_E", *(card for card in invaders.attacks if card != "invasion_E"))
    alhambra(game, 0, tiles)
    for cell, side in towers:
        stand(game, 0, "garden", cell, side)
    game.state.seats[0].score = 5
    return -points(hold_scoring(game, 1), "attack").get(0, 0)


def test_legs_are_not_attacked_and_protect_what_they_touch() -> None:
    assert attacked_from_the_east(GARDEN) == 1
    assert attacked_from_the_east(GARDEN, ((2, 0), "SW"), ((1, 1), "NE")) == 0


def test_a_building_that_faces_a_void_half_is_attacked() -> None:
    tiles = {**GARDEN, (1, -1): "garden-11", (2, -1): "garden-9-e"}
    assert attacked_from_the_east(tiles, ((2, 0), "NE")) == 1


def test_no_wooden_wall_stands_on_a_watchtower_or_at_its_leg() -> None:
    game = watched(3, "city_walls", turn_of=2)
    display(game, "gulden-1")
    deck(game, "wallcard_E")
    play(game, "take_money gulden-1")
    alhambra(game, 0, GARDEN)
    tower = stand(game, 0, "garden", (2, 0), "SW")
    assert codes(refused(game, Move("build_wall", tower, "wallcard_E"))) == ["NOT_ELIGIBLE"]
    assert codes(refused(game, Move("build_wall", "garden-10", "wallcard_E"))) == ["WALL_REFUSED"]


def test_a_wooden_wall_may_face_a_void_edge() -> None:
    game = watched(3, "city_walls", turn_of=2)
    display(game, "gulden-1")
    deck(game, "wallcard_S")
    play(game, "take_money gulden-1")
    alhambra(game, 0, {**GARDEN, (1, -1): "garden-11", (2, -1): "tower-11"})
    stand(game, 0, "garden", (2, 0), "SW")
    play(game, "build_wall tower-11", piece="wallcard_S")


def test_a_watchtower_on_the_cell_of_the_trader_sets_him_aside() -> None:
    game = watched(3, "street_trader")
    alhambra(game, 0, GARDEN)
    residents = game.slice(Residents)
    residents.discs = ((2, 0), *residents.discs[1:])
    bought(game, 0, "garden")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert asked(game) == ("resident", 0)
    assert not legal(game, "move_in")


def test_at_a_personal_market_one_may_be_added_and_all_cards_go_to_the_seller() -> None:
    game = watched(3, "personal_building_market")
    reserve(game, 1, "garden-9-e")
    game.state.seats[1].reserve = ()
    game.slice(Markets).lying = (("",) * 4, ("garden-9-e", "", "", ""), ("",) * 4)
    cards = f"{PLACES[0]}-7 {PLACES[0]}-8"
    hand(game, 0, cards)
    play(game, f"buy {cards}", slot=f"personal-1-{PLACES[0]}", choice="watchtower")
    assert game.state.seats[1].hand == tuple(cards.split())
    assert game.slice(Watchtowers).pending[0] == ("watchtower_garden_1",)


def test_a_gate_is_never_set_on_a_watchtower() -> None:
    game = placing(GARDEN, "garden", others=("city_gates",))
    faults = refused(game, "place_watchtower @2,0", type="garden", side="SW", choice="gate")
    assert codes(faults) == ["NOUN_UNEXPECTED"]
