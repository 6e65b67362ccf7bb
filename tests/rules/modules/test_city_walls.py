"""09 The city walls: wooden walls on own tiles."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move, Options
from alhambra.components import module_data
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import SHOWN, Walls
from alhambra.modules.invaders import DIRECTIONS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.modules.watchtowers import Watchtowers
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
)


def walls(*cards: str, seats: int = 3, modules: tuple[str, ...] = (), turn_of: int = 0) -> Game:
    """These wall cards lie open, named by their sides: `walls("N", "NE")`."""
    game = table(seats, turn_of=turn_of, modules=["city_walls", *modules])
    lie_open(game, *cards)
    return game


def lie_open(game: Game, *cards: str) -> None:
    pieces = tuple(f"wallcard_{sides}" for sides in cards)
    discard(game, *pieces)
    game.state.discard, game.slice(Walls).open = (), pieces


def build(game: Game, sides: str, tile: str, **nouns: str) -> None:
    play(game, f"build_wall {tile}", piece=f"wallcard_{sides}", **nouns)


def refusal(game: Game, sides: str, tile: str) -> list[tuple[str, str]]:
    """Why the card does not go on the tile: by side."""
    violations = refused(game, f"build_wall {tile}", piece=f"wallcard_{sides}")
    assert set(codes(violations)) == {"WALL_REFUSED"}
    return [(violation.metadata["side"], violation.metadata["because"]) for violation in violations]


def edges(game: Game, x: int, y: int, seat: int = 0) -> str:
    return game.board(seat).cells[x, y].edges


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def turn_back(game: Game) -> None:
    """It is seat 0's turn again."""
    assert asked(game)[0] == "action"
    give_turn(game, 0)


# -- The cards ---------------------------------------------------------------------------------------------------------


def test_two_wall_cards_lie_in_each_of_the_piles_from_the_second_on() -> None:
    game = Game.new(Options(seats=4, seed="walls", modules=["city_walls"]))
    counts, at = [], 0
    for size in game.state.piles:
        counts.append(sum(card in SHOWN for card in game.state.deck[at : at + size]))
        at += size
    assert counts[::-1] == [0, 2, 2, 2, 2]


def test_there_are_walls_enough_for_all_cards() -> None:
    game = Game.new(Options(seats=2, seed="walls", modules=["city_walls"]))
    assert pieces(game, "city_walls") == [{"kind": "wall", "amount": 12}]
    assert sum(len(sides) for sides in SHOWN.values()) == module_data("city_walls")["sticks"]


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


def test_which_wall_card_lies_in_which_pile_nobody_knows() -> None:
    game = walls("N")
    orders = set()
    for number in range(10):
        twin = game.determinize(0, Random(number))
        assert twin.view(0) == game.view(0)
        orders.add(tuple(card for card in twin.state.deck if card in SHOWN))
    assert len(orders) > 1


# -- Building a wall ---------------------------------------------------------------------------------------------------


# worked example
def test_a_wall_to_the_open_country_is_one_more_segment_of_the_outer_wall() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    build(game, "N", "arcades-9")
    assert edges(game, 1, 0) == "wooo"
    assert game.board(0).longest_wall() == 1
    turn_back(game)
    assert points(hold_scoring(game, 1), "wall") == {0: 1}


# worked example
def test_no_wall_is_built_towards_another_tile() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9", (1, -1): "arcades-10"})
    assert refusal(game, "N", "arcades-9") == [("N", "faces_tile")]
    assert legal(game, "build_wall arcades-10", piece="wallcard_N")


# worked example
def test_wooden_walls_do_not_cover_printed_ones() -> None:
    game = walls("NE")
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    assert refusal(game, "NE", "arcades-8-e") == [("E", "covered")]


# worked example
def test_the_start_tile_takes_a_wall_as_well() -> None:
    game = walls("W")
    build(game, "W", "start-0")
    assert edges(game, 0, 0) == "ooow"
    assert edges(game, 0, 0, seat=1) == "oooo"


def test_a_wooden_wall_does_not_cover_a_wooden_wall() -> None:
    game = walls("N", "NW")
    build(game, "N", "start-0")
    turn_back(game)
    assert refusal(game, "NW", "start-0") == [("N", "covered")]


def test_both_walls_of_a_card_go_on_one_tile_on_the_sides_shown() -> None:
    game = walls("ES")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    assert refusal(game, "ES", "start-0") == [("E", "faces_tile")]
    build(game, "ES", "arcades-9")
    assert edges(game, 1, 0) == "owwo"


def test_tiles_with_printed_walls_take_further_ones() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    build(game, "N", "arcades-8-e")
    assert edges(game, 1, 0) == "wwoo"


def test_building_a_wall_is_an_action_that_costs_nothing_and_grants_nothing() -> None:
    game = walls("N")
    hand(game, 0, "denar-9")
    play(game, "build_wall start-0", piece="wallcard_N")
    assert game.state.seats[0].hand == ("denar-9",)
    assert asked(game) == ("action", 1)


def test_it_may_be_done_with_the_further_action_of_an_exact_payment() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    build(game, "N", "start-0")
    assert game.state.taken == ("buy", "build_wall")
    assert asked(game) == ("place_tiles", 0)


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


def test_a_wall_may_be_built_on_a_tile_in_the_reserve_and_comes_along_when_it_is_built() -> None:
    game = walls("N")
    reserve(game, 0, "arcades-9")
    build(game, "N", "arcades-9")
    assert game.state.seats[0].reserve == ("arcades-9",)
    turn_back(game)
    assert codes(refused(game, "add arcades-9 @0,1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    play(game, "add arcades-9 @0,-1")
    assert edges(game, 0, -1) == "wooo"


def test_a_wall_may_be_built_on_a_tile_bought_before_in_this_turn() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["NOT_THERE"]
    play(game, "buy market-denar denar-9")
    build(game, "N", "garden-9-e")
    play(game, "place garden-9-e @1,0")
    assert edges(game, 1, 0) == "wwoo"


def test_after_an_overpaid_purchase_it_is_too_late() -> None:
    game = walls("N")
    market(game, denar="pavilion-8")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert codes(refused(game, "build_wall pavilion-8", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def test_wooden_walls_stay_on_their_tile_when_it_is_taken_out_and_built_again() -> None:
    game = walls("N")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    build(game, "N", "arcades-9")
    turn_back(game)
    play(game, "remove arcades-9")
    assert game.state.sticks == {"arcades-9": (1,)}
    turn_back(game)
    play(game, "add arcades-9 @0,-1")
    assert edges(game, 0, -1) == "wooo"


def test_wooden_walls_count_when_tiles_are_swapped() -> None:
    game = walls("N")
    alhambra(game, 0, {(0, 1): "arcades-9"})
    reserve(game, 0, "arcades-10")
    build(game, "N", "arcades-10")
    turn_back(game)
    assert codes(refused(game, "swap arcades-10 @0,1"))[0] == "EDGE_MISMATCH"


def test_a_given_tile_takes_its_walls_along_to_dirk() -> None:
    game = walls("N", seats=2)
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    build(game, "N", "garden-9-e")
    play(game, "give_to_dirk garden-9-e")
    assert game.state.dirk == ("garden-9-e",)
    assert game.board(0).longest_wall() == 0


@pytest.mark.parametrize(("sides", "rotation"), [("N", 90), ("E", 180), ("S", 270), ("ES", 90)])
def test_on_a_turned_tile_the_sides_are_those_that_one_sees(sides: str, rotation: int) -> None:
    game = walls(sides)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "arcades-9")
    game.state.seats[0].board.put(game.ruleset.tiles["arcades-9"], 1, 0, rotation)
    build(game, sides, "arcades-9")
    assert edges(game, 1, 0) == "".join("w" if side in sides else "o" for side in "NESW")


def test_a_printed_wall_of_a_turned_tile_is_where_one_sees_it() -> None:
    game = walls("S", "E")
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "garden-9-e")
    game.state.seats[0].board.put(game.ruleset.tiles["garden-9-e"], 1, 0, 90)
    assert refusal(game, "S", "garden-9-e") == [("S", "covered")]
    build(game, "E", "garden-9-e")
    assert edges(game, 1, 0) == "owwo"
    assert game.state.sticks["garden-9-e"] == (1,)


# -- Refusals ----------------------------------------------------------------------------------------------------------


def test_only_cards_that_lie_open_are_used() -> None:
    game = walls("N")
    violations = refused(game, "build_wall start-0", piece="wallcard_S")
    assert fact(violations, "NOT_THERE") == {"id": "wallcard_S", "place": "supply"}
    assert codes(refused(game, "build_wall start-0", piece="wallcard_X")) == ["ID_UNKNOWN"]


def test_walls_are_built_on_own_tiles_only() -> None:
    game = walls("N")
    alhambra(game, 1, {(1, 0): "arcades-9"})
    assert codes(refused(game, "build_wall arcades-9", piece="wallcard_N")) == ["NOT_THERE"]
    assert codes(refused(game, "build_wall start-1", piece="wallcard_N")) == ["NOT_THERE"]
    assert codes(refused(game, Move("build_wall", "castle", "wallcard_N"))) == ["ID_UNKNOWN"]


def test_a_half_is_named_for_double_tiles_only() -> None:
    game = walls("N")
    assert codes(refused(game, "build_wall start-0", piece="wallcard_N", type="tower")) == ["NOUN_UNEXPECTED"]


def test_a_card_that_fits_nowhere_cannot_be_taken() -> None:
    game = walls("NE")
    alhambra(game, 0, {(1, 0): "arcades-8-e", (0, -1): "tower-13-e"})
    assert not [move for move in game.moves() if move.verb == "build_wall"]
    assert legal(game, "remove arcades-8-e")


def test_who_can_build_a_wall_cannot_pass() -> None:
    game = walls()
    assert legal(game, "pass")
    lie_open(game, "N")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


def test_without_walls_enough_in_the_supply_the_action_is_not_possible() -> None:
    game = walls("N", "NE")
    game.slice(Walls).left = 1
    violations = refused(game, "build_wall start-0", piece="wallcard_NE")
    assert fact(violations, "LIMIT_REACHED") == {"what": "wooden_walls", "limit": 1}
    assert legal(game, "build_wall start-0", piece="wallcard_N")


def test_a_wall_card_is_not_taken_like_money() -> None:
    game = walls("N")
    display(game, "dukat-1")
    assert codes(refused(game, Move("take_money", display=("wallcard_N",)))) == ["NOT_THERE"]


# -- Four walls --------------------------------------------------------------------------------------------------------


def test_a_tile_may_end_up_with_four_walls_and_is_unbuildable_then() -> None:
    game = walls("W")
    reserve(game, 0, "arcades-4-nes")
    build(game, "W", "arcades-4-nes")
    turn_back(game)
    assert not [move for move in game.moves() if move.verb == "add"]
    assert codes(refused(game, "add arcades-4-nes @0,1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


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


def test_a_leftover_tile_takes_no_wall_any_more() -> None:
    game = walls("N")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def test_the_walls_of_a_seat_that_resigns_still_score() -> None:
    game = walls("N")
    build(game, "N", "start-0")
    game.resign(0)
    assert points(hold_scoring(game, 1), "wall") == {0: 1}


# -- With other modules ------------------------------------------------------------------------------------------------


def test_no_wall_is_built_in_a_vizier_action() -> None:
    game = walls("N", modules=("viziers_favour",))
    market(game, denar="garden-9-e", gulden="tower-11", dirham="garden-11", dukat="tower-12")
    hand(game, 1, "denar-9")
    display(game, "dukat-1")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert codes(refused(game, "build_wall start-1", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]
    play(game, "buy market-denar denar-9")
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def test_squares_take_walls_and_do_not_count_across_them() -> None:
    game = walls("E", modules=("squares",))
    stacks = game.slice(Stacks)
    left = tuple(tile for tile in stacks.stacks["garden"] if tile != "square_garden_1")
    stacks.stacks = {**stacks.stacks, "garden": left}
    alhambra(game, 0, {(1, 0): "arcades-9", (1, -1): "garden-10-w"})
    game.state.seats[0].reserve = ("square_garden_1",)
    build(game, "E", "square_garden_1")
    turn_back(game)
    play(game, "add square_garden_1 @0,-1")
    assert edges(game, 0, -1) == "wwoo"
    lines = events_of(hold_scoring(game, 1), "scored")
    assert [line["count"] for line in lines if line.get("type") == "garden"] == [2]


def test_the_beggar_lays_a_wall_card_open_and_draws_again() -> None:
    game = walls(modules=("characters",))
    game.slice(Characters).owners = {"beggar": 1}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "dukat-5 wallcard_N dukat-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.slice(Walls).open == ("wallcard_N",)
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("dukat-9",)


def test_the_city_watch_counts_wooden_walls() -> None:
    game = walls("NE", modules=("characters",))
    game.slice(Characters).owners = {"city_watch": 0}
    alhambra(game, 0, {(1, 0): "garden-12-s"})
    build(game, "NE", "garden-12-s")
    turn_back(game)
    assert points(hold_scoring(game, 1), "wall_guard") == {0: 1}


def test_camps_take_no_walls_but_lean_on_them() -> None:
    game = walls("N", "S", modules=("military_camps",))
    reserve(game, 0, "camp_N")
    assert codes(refused(game, "build_wall camp_N", piece="wallcard_S")) == ["NOT_ELIGIBLE"]
    build(game, "S", "start-0")
    turn_back(game)
    play(game, "add camp_N @0,1")
    turn_back(game)
    assert codes(refused(game, "build_wall camp_N", piece="wallcard_N")) == ["NOT_ELIGIBLE"]


def test_a_wall_is_not_built_twice_where_a_camp_leans() -> None:
    game = walls("E", modules=("military_camps",))
    alhambra(game, 0, {(1, 0): "arcades-8-e", (2, 0): "camp_W"})
    assert refusal(game, "E", "arcades-8-e") == [("E", "covered"), ("E", "faces_tile")]


def test_no_thief_takes_a_wall_card_and_one_that_comes_up_is_laid_out() -> None:
    game = walls("N", modules=("thieves",))
    thieves = game.slice(Thieves)
    rest = list(PACK)
    rest.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(rest)
    display(game, "dukat-1 dukat-2 dukat-3 denar-4")
    deck(game, "dukat-5 wallcard_S dukat-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "play_thief", display=("wallcard_N",), currency="denar")) == ["NOT_THERE"]
    play(game, "play_thief denar-4", currency="denar")
    assert game.slice(Walls).open == ("wallcard_N", "wallcard_S")
    assert game.state.display[-1] == "dukat-9"


def test_wooden_walls_protect_from_invaders() -> None:
    game = walls("E", modules=("invaders",))
    east = next(card for card, direction in DIRECTIONS.items() if direction == "E")
    invaders = game.slice(Invaders)
    invaders.attacks = (east, *(card for card in invaders.attacks if card != east))
    for seat in game.state.seats:
        seat.score = 10
    build(game, "E", "start-0")
    assert points(hold_scoring(game, 1), "attack") == {1: -1, 2: -1}


def test_towards_the_traders_cell_a_wall_may_be_built() -> None:
    game = walls("N", modules=("street_trader",))
    kept = game.slice(Residents)
    kept.discs = ((0, -1), (0, 1), (0, 1))
    build(game, "N", "start-0")
    assert edges(game, 0, 0) == "wooo"
    assert game.slice(Residents).discs[0] == (0, -1)


def test_no_gate_stands_on_a_wooden_wall() -> None:
    game = walls("E", modules=("city_gates",))
    build(game, "E", "start-0")
    turn_back(game)
    reserve(game, 0, "tower-10-w")
    hand(game, 0, "gate")
    assert codes(refused(game, "add tower-10-w @1,0")) == ["NOT_REACHABLE"]
    assert codes(refused(game, "add tower-10-w @1,0", choice="gate")) == ["GATE_REFUSED"]


def project(game: Game, tile: str) -> None:
    """Seat 0 has won the project, which is pending."""
    projects = game.slice(Projects)
    others = [other for other in (projects.project, *projects.hidden) if other != tile]
    projects.project, projects.hidden = others[0], tuple(others[1:])
    game.state.seats[0].pending = (tile,)


def test_walls_go_on_one_half_of_a_project_that_waits_to_be_placed() -> None:
    game = walls("N", "ES", modules=("major_construction_projects",))
    tile = "project_garden_tower"
    project(game, tile)
    assert codes(refused(game, f"build_wall {tile}", piece="wallcard_N")) == ["NOUN_MISSING"]
    other = refused(game, f"build_wall {tile}", piece="wallcard_N", type="arcades")
    assert fact(other, "TYPE_MISMATCH") == {"expected": ["garden", "tower"], "got": "arcades"}
    inner = refused(game, f"build_wall {tile}", piece="wallcard_ES", type="garden")
    assert fact(inner, "WALL_REFUSED") == {"tile": tile, "side": "S", "because": "inner"}
    build(game, "ES", tile, type="tower")
    assert game.state.sticks[tile] == (0, 6)
    play(game, f"place {tile} @-1,0")
    assert (edges(game, -1, 0), edges(game, -1, 1)) == ("ooow", "owww")


def test_walls_go_on_one_half_of_a_built_project() -> None:
    game = walls("N", modules=("major_construction_projects",))
    tile = "project_pavilion_tower"
    project(game, tile)
    game.state.seats[0].pending = ()
    game.state.seats[0].board.place(game.ruleset.tiles[tile], 1, 0)
    inner = refused(game, f"build_wall {tile}", piece="wallcard_N", type="tower")
    assert fact(inner, "WALL_REFUSED")["because"] == "inner"
    build(game, "N", tile, type="pavilion")
    assert (edges(game, 1, 0), edges(game, 1, 1)) == ("wwoo", "owoo")


def test_watchtowers_take_no_walls_and_their_empty_half_counts_as_open_country() -> None:
    game = walls("S", "E", modules=("watchtowers",))
    alhambra(game, 0, {(1, 0): "garden-10", (1, -1): "arcades-9", (2, -1): "arcades-10"})
    kept = game.slice(Watchtowers)
    kept.supply = tuple(tower for tower in kept.supply if tower != "watchtower_garden_1")
    game.state.seats[0].board.place(game.ruleset.tiles["watchtower_garden_1"], 2, 0, 180)
    assert codes(refused(game, "build_wall watchtower_garden_1", piece="wallcard_S")) == ["NOT_ELIGIBLE"]
    assert refusal(game, "E", "garden-10") == [("E", "faces_tile")]
    build(game, "S", "arcades-10")
    assert edges(game, 2, -1) == "oowo"


def test_a_tile_on_the_personal_market_takes_a_wall_and_is_sold_with_it() -> None:
    game = walls("N", modules=("personal_building_market",))
    reserve(game, 0, "arcades-9")
    game.state.seats[0].reserve = ()
    game.slice(Markets).lying = (("", "", "arcades-9", ""), ("",) * 4, ("",) * 4)
    build(game, "N", "arcades-9")
    hand(game, 1, "denar-9 denar-1")
    play(game, "buy denar-1 denar-9", slot="personal-0-denar")
    play(game, "place arcades-9 @0,-1")
    assert edges(game, 0, -1, seat=1) == "wooo"


def test_cards_of_other_modules_are_no_wall_cards() -> None:
    game = walls("N", modules=("power_of_the_sultan",))
    discard(game, "sultan_denar_1")
    game.state.discard, game.slice(Sultan).marks = (), {"sultan_denar_1": "garden"}
    assert codes(refused(game, "build_wall start-0", piece="sultan_denar_1")) == ["NOT_THERE"]


def test_a_claimed_tile_takes_no_wall_before_it_is_placed() -> None:
    game = walls("N", modules=("power_of_the_sultan",), turn_of=2)
    discard(game, "sultan_denar_1")
    sultan = game.slice(Sultan)
    game.state.discard, sultan.marks, sultan.owners = (), {"sultan_denar_1": "tower"}, {"sultan_denar_1": 0}
    market(game, gulden="garden-10", dirham="garden-11", denar="garden-9-e")
    game.state.tower = (*(tile for tile in game.state.tower if tile != "tower-12"), "tower-12")
    display(game, "dukat-1")
    take_turn(game)
    play(game, "claim", piece="sultan_denar_1")
    assert codes(refused(game, "build_wall tower-12", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def test_coins_and_walls_do_not_meet() -> None:
    game = walls("N", modules=("change",))
    move = Move("build_wall", "start-0", "wallcard_N", items=("coin-denar",))
    assert codes(refused(game, move)) == ["NOUN_UNEXPECTED"]
