"""05 The city gates together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import DIRECTIONS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from tests.rules.modules.city_gates_table import BEHIND, EAST_WALL, asked, gated, gates, lie_open, two_walls
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.gates_without_end_table import turned
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
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    take_turn,
    tower,
)

# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("05.22")
def test_a_gate_card_is_used_with_a_vizier_purchase() -> None:
    game = gates(3, "viziers_favour", turn_of=2)
    reserve(game, 0)
    market(game, denar=BEHIND, gulden="tower-11", dirham="garden-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-1 gate")
    display(game, "gulden-1")
    take_turn(game)
    assert asked(game) == ("window", 0)
    play(game, "buy market-denar denar-1 denar-9")
    events = play(game, f"place {BEHIND} @2,0", choice="gate")
    assert kinds(events).index("gate_set") < kinds(events).index("market_filled")


@pytest.mark.rule("04.21", "05.24")
def test_no_square_counts_across_a_gate() -> None:
    game = gates(3, "squares")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    stacks = game.module_state(Stacks)
    left = tuple(tile for tile in stacks.stacks["garden"] if tile != "square_garden_3")
    stacks.stacks = {**stacks.stacks, "garden": (*left, "square_garden_3")}
    play(game, "take_square", slot="square-garden")
    play(game, "place square_garden_3 @2,0", choice="gate")
    (line,) = events_of(hold_scoring(game, 1), "scored")
    assert (line["reason"], line["count"]) == ("majority", 2)


def beggar(game: Game, *cards: str) -> None:
    """Seat 1 owns the beggar, and after seat 0's turn these cards are on top of the deck."""
    game.module_state(Characters).owners = {"beggar": 1}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "dukat-5", *cards)
    play(game, "take_money dukat-1")
    assert asked(game) == ("start", 1)


@pytest.mark.rule("05.25")
def test_a_gate_card_drawn_by_the_beggar_lies_open_and_he_draws_again() -> None:
    game = gates(3, "characters", cards="")
    beggar(game, "gate dukat-9")
    events = play(game, "draw_card")
    assert events_of(events, "card_revealed") == [{"card": "gate", "to": "gate_area"}]
    assert not game.state.seats[1].hand
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("dukat-9",)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("05.25")
def test_the_beggar_discards_a_second_gate_card() -> None:
    game = gates(3, "characters", cards="")
    lie_open(game)
    beggar(game, "gate dukat-9")
    play(game, "draw_card")
    assert game.state.discard == ("gate",)
    assert legal(game, "draw_card")


@pytest.mark.rule("05.25")
def test_gate_cards_are_no_money_for_the_beggar() -> None:
    game = gates(3, "characters", cards="")
    hand(game, 1, "denar-1 denar-2 gate")
    beggar(game, "dukat-9")
    assert legal(game, "draw_card")


@pytest.mark.rule("05.26")
def test_a_gate_card_may_be_used_in_the_master_builders_redesign() -> None:
    game = gates(3, "characters")
    game.module_state(Characters).owners = {"master_builder": 0}
    display(game, "dukat-1")
    play(game, "take_money dukat-1")
    assert asked(game) == ("late", 0)
    play(game, f"add {BEHIND} @2,0", choice="gate", items=("master_builder",))
    assert len(game.board(0).passages) == 1
    assert "gate" in game.state.box


@pytest.mark.rule("05.26")
def test_a_gate_card_may_be_used_by_the_contractor() -> None:
    game = gates(3, "travelling_craftsmen")
    arrange(game, "contractor carpenter")
    reserve(game, 0)
    alhambra(game, 0, {**EAST_WALL, (0, 1): BEHIND})
    assert codes(refused(game, f"move_tile {BEHIND} @2,0", items=("contractor",))) == ["NOT_REACHABLE"]
    play(game, f"move_tile {BEHIND} @2,0", choice="gate", items=("contractor",))
    assert (2, 0) in game.board(0).walk(1, 0)
    assert "gate" in game.state.box


@pytest.mark.rule("05.39")
def test_a_gate_card_does_not_help_to_lift_a_tile() -> None:
    game = gates(3, "travelling_craftsmen")
    arrange(game, "contractor carpenter")
    reserve(game, 0)
    alhambra(game, 0, {**EAST_WALL, (0, 1): BEHIND, (0, 2): "arcades-9"})
    faults = refused(game, f"move_tile {BEHIND} @2,0", choice="gate", items=("contractor",))
    assert fact(faults, "NOT_REACHABLE") == {"tiles": ["arcades-9"]}


@pytest.mark.rule("05.26")
def test_a_gate_card_may_be_used_for_the_tile_that_the_brickmaker_replaced() -> None:
    game = gates(3, "travelling_craftsmen")
    arrange(game, "brickmaker carpenter", "coiner")
    reserve(game, 0)
    alhambra(game, 0, {**EAST_WALL, (0, 1): BEHIND})
    market(game, denar="garden-10-w")
    hand(game, 0, "denar-9 denar-5 gate")
    play(game, "buy market-denar denar-5 denar-9")
    play(game, "lay_brick garden-10-w @0,1", items=("brickmaker",))
    play(game, f"place {BEHIND} @2,0", choice="gate")
    assert (2, 0) in game.board(0).walk(1, 0)


@pytest.mark.rule("05.26")
def test_a_gate_card_may_be_used_in_the_redesign_of_a_key() -> None:
    game = gates(3, "gates_without_end")
    market(game, gulden="garden-10", dirham="seraglio-9", denar="arcades-9", dukat="chambers-10")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gulden-1 gulden-2")
    turned(game, "rebuild")
    assert asked(game) == ("key_bonus", 0)
    play(game, f"add {BEHIND} @2,0", choice="gate")
    assert (2, 0) in game.board(0).walk(1, 0)


@pytest.mark.rule("05.27")
def test_gates_never_apply_to_camps() -> None:
    game = gates(3, "military_camps")
    reserve(game, 0, "camp_E camp_W")
    assert "NOT_ELIGIBLE" in codes(refused(game, "add camp_W @2,0", choice="gate"))
    assert legal(game, "add camp_W @2,0")
    assert "NOT_ELIGIBLE" in codes(refused(game, "add camp_E @2,0", choice="gate"))


@pytest.mark.rule("05.39")
def test_a_building_that_takes_the_cell_of_a_camp_may_need_a_gate() -> None:
    game = gates(3, "military_camps")
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_W"})
    assert codes(refused(game, f"swap {BEHIND} @2,0")) == ["NOT_REACHABLE"]
    play(game, f"swap {BEHIND} @2,0", choice="gate")
    assert game.state.seats[0].reserve == ("camp_W",)
    assert (2, 0) in game.board(0).walk(1, 0)


def wooden(game: Game, tile: str, side: str) -> None:
    game.state.wooden_walls = {**game.state.wooden_walls, tile: (1 << "NESW".index(side),)}


@pytest.mark.rule("05.28", "05.40")
def test_no_gate_stands_on_a_wooden_wall_of_the_tile_laid() -> None:
    game = gates(3, "city_walls")
    reserve(game, 0, "arcades-9")
    wooden(game, "arcades-9", "W")
    violations = refused(game, "add arcades-9 @2,0", choice="gate")
    assert fact(violations, "GATE_REFUSED")["because"] == "no_printed_double_wall"


@pytest.mark.rule("05.28", "05.40")
def test_no_gate_stands_on_a_wooden_wall_of_the_alhambra() -> None:
    game = gates(3, "city_walls")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    wooden(game, "arcades-9", "E")
    game.state.seats[0].board.add_wooden_walls("arcades-9", game.state.wooden_walls["arcades-9"])
    assert codes(refused(game, f"add {BEHIND} @2,0", choice="gate")) == ["GATE_REFUSED"]
    assert codes(refused(game, f"add {BEHIND} @2,0")) == ["NOT_REACHABLE"]


@pytest.mark.rule("05.28")
def test_of_a_wooden_and_a_printed_double_wall_the_printed_one_takes_the_gate() -> None:
    game = gates(3, "city_walls")
    two_walls(game)
    reserve(game, 0, BEHIND)
    wooden(game, BEHIND, "N")
    events = play(game, f"add {BEHIND} @2,0", choice="gate")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "W", "forced": True}]


@pytest.mark.rule("05.29")
def test_no_thief_takes_the_open_gate_card() -> None:
    game = gates(3, "thieves", cards="")
    thieves = game.module_state(Thieves)
    rest = list(PACK)
    rest.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(rest)
    lie_open(game)
    display(game, "dukat-1 denar-1")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "play_thief gate", currency="denar")) == ["NOT_THERE"]
    assert {move.display for move in game.moves() if move.verb == "play_thief"} == {("denar-1",)}


@pytest.mark.rule("05.31")
def test_the_trader_meets_a_tile_laid_with_a_gate_after_the_gate_was_set() -> None:
    game = gates(3, "street_trader")
    kept = game.module_state(Residents)
    kept.discs = ((2, 0), (0, 1), (0, 1))
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert asked(game) == ("placing_gate", 0)
    play(game, "set_gate @2,0", side="W")
    assert asked(game) == ("resident", 0)


@pytest.mark.rule("05.31")
def test_a_gated_side_is_not_attacked() -> None:
    game = gated(3, "invaders")
    game.state.seats[0].score = 20
    east = next(card for card, direction in DIRECTIONS.items() if direction == "E")
    invaders = game.module_state(Invaders)
    invaders.attacks = (east, *(card for card in invaders.attacks if card != east))
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "attack"]
    assert {line["seat"]: dict(line["parts"]) for line in lines}[0] == {"E": 1}


@pytest.mark.rule("05.31")
def test_a_project_may_be_laid_with_a_gate_in_the_wall_of_one_half() -> None:
    game = gates(3, "major_construction_projects")
    projects = game.module_state(Projects)
    won = "project_garden_tower"
    everyone = [tile for tile in (projects.project, *projects.hidden) if tile != won]
    projects.project, projects.hidden = everyone[0], tuple(everyone[1:])
    game.state.seats[0].reserve = (*game.state.seats[0].reserve, won)
    assert codes(refused(game, f"add {won} @2,0")) == ["NOT_REACHABLE"]
    events = play(game, f"add {won} @2,-1", choice="gate")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "W", "forced": True}]
    assert game.board(0).cells_of(won) == ((2, -1), (2, 0))


@pytest.mark.rule("05.31")
def test_a_tile_from_the_personal_market_may_be_laid_with_a_gate() -> None:
    game = gates(3, "personal_building_market")
    game.state.seats[0].reserve = ()
    game.module_state(Markets).lying = (("", "", BEHIND, ""), ("",) * 4, ("",) * 4)
    play(game, f"add {BEHIND} @2,0", choice="gate")
    assert game.module_state(Markets).lying[0] == ("",) * 4


@pytest.mark.rule("05.22")
def test_a_claimed_tile_may_be_laid_with_a_gate() -> None:
    game = gates(3, "power_of_the_sultan", turn_of=2)
    reserve(game, 0)
    discard(game, "sultan_denar_1")
    sultan = game.module_state(Sultan)
    game.state.discard, sultan.marks, sultan.owners = (), {"sultan_denar_1": "tower"}, {"sultan_denar_1": 0}
    market(game, gulden="garden-10", dirham="garden-11", denar="garden-9-e")
    tower(game, BEHIND, "pavilion-8")
    display(game, "dukat-1")
    take_turn(game)
    assert asked(game) == ("claim", 0)
    play(game, "claim", piece="sultan_denar_1")
    events = play(game, f"place {BEHIND} @2,0", choice="gate")
    assert "gate_set" in kinds(events)


@pytest.mark.rule("05.31")
def test_no_watchtower_is_placed_with_a_gate() -> None:
    game = gates(3, "watchtowers")
    reserve(game, 0)
    market(game, denar="arcades-9")
    hand(game, 0, "denar-9 denar-7 gate")
    play(game, "buy market-denar denar-7 denar-9", choice="watchtower")
    move = Move("place_watchtower", type="arcades", cell=(2, 0), side="NW", choice="gate")
    assert codes(refused(game, move)) == ["NOUN_UNEXPECTED"]
    assert not [move for move in game.moves() if move.verb == "place_watchtower" and move.cell == (2, 0)]
