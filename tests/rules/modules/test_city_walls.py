"""09 The city walls: wooden walls on own tiles."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move, Options
from alhambra.components import module_data
from alhambra.modules.city_walls import SHOWN, Walls
from tests.rules.hooks.asking import asked
from tests.rules.modules.city_walls_table import build, edges, lie_open, refusal, turn_back, walls
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
)

# -- The cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("09.3")
def test_two_wall_cards_lie_in_each_of_the_piles_from_the_second_on() -> None:
    game = Game.new(Options(seats=4, seed="walls", modules=["city_walls"]))
    counts, at = [], 0
    for size in game.state.piles:
        counts.append(sum(card in SHOWN for card in game.state.deck[at : at + size]))
        at += size
    assert counts[::-1] == [0, 2, 2, 2, 2]


@pytest.mark.rule("09.2")
def test_there_are_walls_enough_for_all_cards() -> None:
    game = Game.new(Options(seats=2, seed="walls", modules=["city_walls"]))
    assert pieces(game, "city_walls") == [{"kind": "wall", "amount": 12}]
    assert sum(len(sides) for sides in SHOWN.values()) == module_data("city_walls")["sticks"]


@pytest.mark.rule("09.5")
def test_wall_cards_that_come_up_lie_beside_the_board_any_number_of_them() -> None:
    game = walls("N")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "wallcard_ES wallcard_W denar-9")
    events = play(game, "take_money dukat-1")
    assert events_of(events, "card_revealed")[:2] == [
        {"card": "wallcard_ES", "to": "aside"},
        {"card": "wallcard_W", "to": "aside"},
    ]
    assert game.state.display == ("dukat-2", "dukat-3", "dukat-4", "denar-9")
    cards = [piece["piece"] for piece in pieces(game, "city_walls", 2, kind="wallcard")]
    assert cards == ["wallcard_N", "wallcard_ES", "wallcard_W"]


@pytest.mark.rule("09.4")
def test_which_wall_card_lies_in_which_pile_nobody_knows() -> None:
    game = walls("N")
    orders = set()
    for number in range(10):
        sample = game.determinize(0, Random(number))
        assert sample.view(0) == game.view(0)
        orders.add(tuple(card for card in sample.state.deck if card in SHOWN))
    assert len(orders) > 1


# -- Building a wall ---------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("09.6", "09.29")
def test_a_wall_to_the_open_country_is_one_more_segment_of_the_outer_wall() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    build(game, "N", "arcades-9")
    assert edges(game, 1, 0) == "wooo"
    assert game.board(0).longest_wall() == 1
    turn_back(game)
    assert points(hold_scoring(game, 1), "wall") == {0: 1}


# worked example
@pytest.mark.rule("09.13", "09.30", "09.36")
def test_no_wall_is_built_towards_another_tile() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9", (1, -1): "arcades-10"})
    assert refusal(game, "N", "arcades-9") == [("N", "faces_tile")]
    assert legal(game, "build_wall arcades-10", piece="wallcard_N")


# worked example
@pytest.mark.rule("09.11", "09.31")
def test_wooden_walls_do_not_cover_printed_ones() -> None:
    game = walls("NE")
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    assert refusal(game, "NE", "arcades-8-e") == [("E", "covered")]


# worked example
@pytest.mark.rule("09.8", "09.32")
def test_the_start_tile_takes_a_wall_as_well() -> None:
    game = walls("W")
    build(game, "W", "start-0")
    assert edges(game, 0, 0) == "ooow"
    assert edges(game, 0, 0, seat=1) == "oooo"


@pytest.mark.rule("09.34")
def test_a_wooden_wall_does_not_cover_a_wooden_wall() -> None:
    game = walls("N", "NW")
    build(game, "N", "start-0")
    turn_back(game)
    assert refusal(game, "NW", "start-0") == [("N", "covered")]


@pytest.mark.rule("09.7", "09.33")
def test_both_walls_of_a_card_go_on_one_tile_on_the_sides_shown() -> None:
    game = walls("ES")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    assert refusal(game, "ES", "start-0") == [("E", "faces_tile")]
    build(game, "ES", "arcades-9")
    assert edges(game, 1, 0) == "owwo"


@pytest.mark.rule("09.11")
def test_tiles_with_printed_walls_take_further_ones() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    build(game, "N", "arcades-8-e")
    assert edges(game, 1, 0) == "wwoo"


@pytest.mark.rule("09.9")
def test_building_a_wall_is_an_action_that_costs_nothing_and_grants_nothing() -> None:
    game = walls("N")
    hand(game, 0, "denar-9")
    play(game, "build_wall start-0", piece="wallcard_N")
    assert game.state.seats[0].hand == ("denar-9",)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("09.10")
def test_it_may_be_done_with_the_further_action_of_an_exact_payment() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    build(game, "N", "start-0")
    assert game.state.taken == ("buy", "build_wall")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("09.35")
def test_the_card_leaves_the_game_and_the_walls_the_supply() -> None:
    game = walls("NE", "W")
    events = play(game, "build_wall start-0", piece="wallcard_NE")
    assert events_of(events, "wall_built") == [
        {"seat": 0, "piece": "wallcard_NE", "tile": "start-0", "sides": ("N", "E")}
    ]
    assert "wallcard_NE" in game.state.box
    assert pieces(game, "city_walls") == [{"kind": "wallcard", "piece": "wallcard_W"}, {"kind": "wall", "amount": 10}]
    assert game.view(None)["seats"][0]["alhambra"][0]["wooden_walls"] == [
        {"cell": {"x": 0, "y": 0}, "side": "N"},
        {"cell": {"x": 0, "y": 0}, "side": "E"},
    ]


@pytest.mark.rule("09.8")
def test_a_wall_may_be_built_on_a_tile_in_the_reserve_and_comes_along_when_it_is_built() -> None:
    game = walls("N")
    reserve(game, 0, "arcades-9")
    build(game, "N", "arcades-9")
    assert game.state.seats[0].reserve == ("arcades-9",)
    turn_back(game)
    assert codes(refused(game, "add arcades-9 @0,1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    play(game, "add arcades-9 @0,-1")
    assert edges(game, 0, -1) == "wooo"


@pytest.mark.rule("09.8", "09.37")
def test_a_wall_may_be_built_on_a_tile_bought_before_in_this_turn() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["NOT_THERE"]
    play(game, "buy market-denar denar-9")
    build(game, "N", "garden-9-e")
    play(game, "place garden-9-e @1,0")
    assert edges(game, 1, 0) == "wwoo"


@pytest.mark.rule("09.37")
def test_after_an_overpaid_purchase_it_is_too_late() -> None:
    game = walls("N")
    market(game, denar="pavilion-8")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert codes(refused(game, "build_wall pavilion-8", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("09.12")
def test_wooden_walls_stay_on_their_tile_when_it_is_taken_out_and_built_again() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    build(game, "N", "arcades-9")
    turn_back(game)
    play(game, "remove arcades-9")
    assert game.state.wooden_walls == {"arcades-9": (1,)}
    turn_back(game)
    play(game, "add arcades-9 @0,-1")
    assert edges(game, 0, -1) == "wooo"


@pytest.mark.rule("09.12")
def test_wooden_walls_count_when_tiles_are_swapped() -> None:
    game = walls("N")
    alhambra(game, 0, {(0, 1): "arcades-9"})
    reserve(game, 0, "arcades-10")
    build(game, "N", "arcades-10")
    turn_back(game)
    assert codes(refused(game, "swap arcades-10 @0,1"))[0] == "EDGE_MISMATCH"


@pytest.mark.rule("09.15")
def test_a_given_tile_takes_its_walls_along_to_dirk() -> None:
    game = walls("N", seats=2)
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    build(game, "N", "garden-9-e")
    play(game, "give_to_dirk garden-9-e")
    assert game.state.dirk == ("garden-9-e",)
    assert game.board(0).longest_wall() == 0


@pytest.mark.rule("09.27")
@pytest.mark.parametrize(("sides", "rotation"), [("N", 90), ("E", 180), ("S", 270), ("ES", 90)])
def test_on_a_turned_tile_the_sides_are_those_that_one_sees(sides: str, rotation: int) -> None:
    game = walls(sides)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "arcades-9")
    game.state.seats[0].board.put(game.ruleset.tiles["arcades-9"], 1, 0, rotation)
    build(game, sides, "arcades-9")
    assert edges(game, 1, 0) == "".join("w" if side in sides else "o" for side in "NESW")


@pytest.mark.rule("09.27")
def test_a_printed_wall_of_a_turned_tile_is_where_one_sees_it() -> None:
    game = walls("S", "E")
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "garden-9-e")
    game.state.seats[0].board.put(game.ruleset.tiles["garden-9-e"], 1, 0, 90)
    assert refusal(game, "S", "garden-9-e") == [("S", "covered")]
    build(game, "E", "garden-9-e")
    assert edges(game, 1, 0) == "owwo"
    assert game.state.wooden_walls["garden-9-e"] == (1,)


# -- Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("09.6")
def test_only_cards_that_lie_open_are_used() -> None:
    game = walls("N")
    violations = refused(game, "build_wall start-0", piece="wallcard_S")
    assert fact(violations, "NOT_THERE") == {"id": "wallcard_S", "place": "supply"}
    assert codes(refused(game, "build_wall start-0", piece="wallcard_X")) == ["ID_UNKNOWN"]


@pytest.mark.rule("09.8")
def test_walls_are_built_on_own_tiles_only() -> None:
    game = walls("N")
    alhambra(game, 1, {(1, 0): "arcades-9"})
    assert codes(refused(game, "build_wall arcades-9", piece="wallcard_N")) == ["NOT_THERE"]
    assert codes(refused(game, "build_wall start-1", piece="wallcard_N")) == ["NOT_THERE"]
    assert codes(refused(game, Move("build_wall", "castle", "wallcard_N"))) == ["ID_UNKNOWN"]


@pytest.mark.rule("09.26")
def test_a_half_is_named_for_double_tiles_only() -> None:
    game = walls("N")
    assert codes(refused(game, "build_wall start-0", piece="wallcard_N", type="tower")) == ["NOUN_UNEXPECTED"]


@pytest.mark.rule("09.35")
def test_a_card_that_fits_nowhere_cannot_be_taken() -> None:
    game = walls("NE")
    alhambra(game, 0, {(1, 0): "arcades-8-e", (0, -1): "tower-13-e"})
    assert not [move for move in game.moves() if move.verb == "build_wall"]
    assert legal(game, "remove arcades-8-e")


@pytest.mark.rule("09.40")
def test_who_can_build_a_wall_cannot_pass() -> None:
    game = walls()
    assert legal(game, "pass")
    lie_open(game, "N")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("09.39")
def test_without_walls_enough_in_the_supply_the_action_is_not_possible() -> None:
    game = walls("N", "NE")
    game.module_state(Walls).left = 1
    violations = refused(game, "build_wall start-0", piece="wallcard_NE")
    assert fact(violations, "LIMIT_REACHED") == {"what": "wooden_walls", "limit": 1}
    assert legal(game, "build_wall start-0", piece="wallcard_N")


@pytest.mark.rule("09.35")
def test_a_wall_card_is_not_taken_like_money() -> None:
    game = walls("N")
    display(game, "dukat-1")
    assert codes(refused(game, Move("take_money", display=("wallcard_N",)))) == ["NOT_THERE"]


# -- Four walls --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("09.38")
def test_a_tile_may_end_up_with_four_walls_and_is_unbuildable_then() -> None:
    game = walls("W")
    reserve(game, 0, "arcades-4-nes")
    build(game, "W", "arcades-4-nes")
    turn_back(game)
    assert not [move for move in game.moves() if move.verb == "add"]
    assert codes(refused(game, "add arcades-4-nes @0,1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


@pytest.mark.rule("09.38")
def test_a_tile_with_four_walls_is_built_with_a_gate_on_a_printed_side() -> None:
    game = walls("W", modules=("city_gates",))
    alhambra(game, 0, {(1, 0): "arcades-8-e", (-1, 0): "chambers-9-w"})
    reserve(game, 0, "arcades-4-nes")
    build(game, "W", "arcades-4-nes")
    turn_back(game)
    hand(game, 0, "gate")
    printed = fact(refused(game, "add arcades-4-nes @2,0", choice="gate"), "GATE_REFUSED")
    assert printed["because"] == "no_printed_double_wall"
    events = play(game, "add arcades-4-nes @-2,0", choice="gate")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (-2, 0), "side": "E", "forced": True}]


# -- The end, leaving --------------------------------------------------------------------------------------------------


@pytest.mark.rule("09.14")
def test_wooden_walls_score_like_printed_ones_in_every_scoring() -> None:
    game = walls("NE")
    alhambra(game, 0, {(1, 0): "garden-12-s"})
    build(game, "NE", "garden-12-s")
    turn_back(game)
    assert points(hold_scoring(game, 1), "wall") == {0: 3}
    turn_back(game)
    assert points(hold_scoring(game, 2), "wall") == {0: 3}
    market(game)
    assert points(end_game(game), "wall") == {0: 3}


@pytest.mark.rule("09.37")
def test_a_leftover_tile_takes_no_wall_any_more() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("09.42")
def test_the_walls_of_a_seat_that_resigns_still_score() -> None:
    game = walls("N")
    build(game, "N", "start-0")
    game.resign(0)
    assert points(hold_scoring(game, 1), "wall") == {0: 1}
