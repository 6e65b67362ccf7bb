"""09 The city walls together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Move
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import DIRECTIONS, Invaders
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.modules.watchtowers import Watchtowers
from tests.rules.hooks.asking import asked
from tests.rules.modules.city_walls_table import build, edges, project, refusal, turn_back, walls
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    market,
    play,
    points,
    refused,
    reserve,
    take_turn,
)


@pytest.mark.rule("09.16")
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


@pytest.mark.rule("09.18")
def test_squares_take_walls_and_do_not_count_across_them() -> None:
    game = walls("E", modules=("squares",))
    stacks = game.module_state(Stacks)
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


@pytest.mark.rule("09.18")
def test_bazaars_take_walls() -> None:
    game = walls("N", modules=("bazaars",))
    alhambra(game, 0, {(1, 0): "bazaar_1"})
    build(game, "N", "bazaar_1")
    assert edges(game, 1, 0) == "wooo"


@pytest.mark.rule("09.20")
def test_the_beggar_lays_a_wall_card_open_and_draws_again() -> None:
    game = walls(modules=("characters",))
    game.module_state(Characters).owners = {"beggar": 1}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "dukat-5 wallcard_N dukat-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.module_state(Walls).open == ("wallcard_N",)
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("dukat-9",)


@pytest.mark.rule("09.21")
def test_the_city_watch_counts_wooden_walls() -> None:
    game = walls("NE", modules=("characters",))
    game.module_state(Characters).owners = {"city_watch": 0}
    alhambra(game, 0, {(1, 0): "garden-12-s"})
    build(game, "NE", "garden-12-s")
    turn_back(game)
    assert points(hold_scoring(game, 1), "wall_guard") == {0: 1}


@pytest.mark.rule("08.23", "09.22")
def test_camps_take_no_walls_but_lean_on_them() -> None:
    game = walls("N", "S", modules=("military_camps",))
    reserve(game, 0, "camp_N")
    assert codes(refused(game, "build_wall camp_N", piece="wallcard_S")) == ["NOT_ELIGIBLE"]
    build(game, "S", "start-0")
    turn_back(game)
    play(game, "add camp_N @0,1")
    turn_back(game)
    assert codes(refused(game, "build_wall camp_N", piece="wallcard_N")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("09.22")
def test_a_wall_is_not_built_twice_where_a_camp_leans() -> None:
    game = walls("E", modules=("military_camps",))
    alhambra(game, 0, {(1, 0): "arcades-8-e", (2, 0): "camp_W"})
    assert refusal(game, "E", "arcades-8-e") == [("E", "covered"), ("E", "faces_tile")]


@pytest.mark.rule("09.23")
def test_no_thief_takes_a_wall_card_and_one_that_comes_up_is_laid_out() -> None:
    game = walls("N", modules=("thieves",))
    thieves = game.module_state(Thieves)
    rest = list(PACK)
    rest.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(rest)
    display(game, "dukat-1 dukat-2 dukat-3 denar-4")
    deck(game, "dukat-5 wallcard_S dukat-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "play_thief", display=("wallcard_N",), currency="denar")) == ["NOT_THERE"]
    play(game, "play_thief denar-4", currency="denar")
    assert game.module_state(Walls).open == ("wallcard_N", "wallcard_S")
    assert game.state.display[-1] == "dukat-9"


@pytest.mark.rule("09.24")
def test_wooden_walls_protect_from_invaders() -> None:
    game = walls("E", modules=("invaders",))
    east = next(card for card, direction in DIRECTIONS.items() if direction == "E")
    invaders = game.module_state(Invaders)
    invaders.attacks = (east, *(card for card in invaders.attacks if card != east))
    for seat in game.state.seats:
        seat.score = 10
    build(game, "E", "start-0")
    assert points(hold_scoring(game, 1), "attack") == {1: -1, 2: -1}


@pytest.mark.rule("09.36")
def test_towards_the_traders_cell_a_wall_may_be_built() -> None:
    game = walls("N", modules=("street_trader",))
    kept = game.module_state(Residents)
    kept.discs = ((0, -1), (0, 1), (0, 1))
    build(game, "N", "start-0")
    assert edges(game, 0, 0) == "wooo"
    assert game.module_state(Residents).discs[0] == (0, -1)


@pytest.mark.rule("09.19")
def test_no_gate_stands_on_a_wooden_wall() -> None:
    game = walls("E", modules=("city_gates",))
    build(game, "E", "start-0")
    turn_back(game)
    reserve(game, 0, "tower-10-w")
    hand(game, 0, "gate")
    assert codes(refused(game, "add tower-10-w @1,0")) == ["NOT_REACHABLE"]
    assert codes(refused(game, "add tower-10-w @1,0", choice="gate")) == ["GATE_REFUSED"]


@pytest.mark.rule("09.26")
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
    assert game.state.wooden_walls[tile] == (0, 6)
    play(game, f"place {tile} @-1,0")
    assert (edges(game, -1, 0), edges(game, -1, 1)) == ("ooow", "owww")


@pytest.mark.rule("09.26")
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


@pytest.mark.rule("09.36")
def test_watchtowers_take_no_walls_and_their_empty_half_counts_as_open_country() -> None:
    game = walls("S", "E", modules=("watchtowers",))
    alhambra(game, 0, {(1, 0): "garden-10", (1, -1): "arcades-9", (2, -1): "arcades-10"})
    kept = game.module_state(Watchtowers)
    kept.supply = tuple(tower for tower in kept.supply if tower != "watchtower_garden_1")
    game.state.seats[0].board.place(game.ruleset.tiles["watchtower_garden_1"], 2, 0, 180)
    assert codes(refused(game, "build_wall watchtower_garden_1", piece="wallcard_S")) == ["NOT_ELIGIBLE"]
    assert refusal(game, "E", "garden-10") == [("E", "faces_tile")]
    build(game, "S", "arcades-10")
    assert edges(game, 2, -1) == "oowo"


@pytest.mark.rule("09.28")
def test_a_tile_on_the_personal_market_takes_a_wall_and_is_sold_with_it() -> None:
    game = walls("N", modules=("personal_building_market",))
    reserve(game, 0, "arcades-9")
    game.state.seats[0].reserve = ()
    game.module_state(Markets).lying = (("", "", "arcades-9", ""), ("",) * 4, ("",) * 4)
    build(game, "N", "arcades-9")
    hand(game, 1, "denar-9 denar-1")
    play(game, "buy denar-1 denar-9", slot="personal-0-denar")
    play(game, "place arcades-9 @0,-1")
    assert edges(game, 0, -1, seat=1) == "wooo"


def test_cards_of_other_modules_are_no_wall_cards() -> None:
    game = walls("N", modules=("power_of_the_sultan",))
    discard(game, "sultan_denar_1")
    game.state.discard, game.module_state(Sultan).marks = (), {"sultan_denar_1": "garden"}
    assert codes(refused(game, "build_wall start-0", piece="sultan_denar_1")) == ["NOT_THERE"]


@pytest.mark.rule("09.16")
def test_a_claimed_tile_takes_no_wall_before_it_is_placed() -> None:
    game = walls("N", modules=("power_of_the_sultan",), turn_of=2)
    discard(game, "sultan_denar_1")
    sultan = game.module_state(Sultan)
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
