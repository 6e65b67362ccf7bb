"""08 Military camps and the other modules."""

from __future__ import annotations

import pytest

from alhambra import Move
from alhambra.components import BASE_TILES
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.military_camps import CAMP, CAMPS
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from tests.rules.module_code import effects_allowed
from tests.rules.modules.test_military_camps import EAST_WALL, camp_points, camps
from tests.rules.modules.test_treasure_chamber import buy, treasury
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
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
    take_turn,
    tower,
    turns,
)

# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("08.19")
def test_a_vizier_may_buy_a_camp() -> None:
    game = camps(3, "viziers_favour")
    market(game, denar="camp_E", dukat="tower-12", gulden="tower-11", dirham="garden-11")
    hand(game, 1, "denar-5")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    play(game, "buy market-denar denar-5")
    play(game, "reserve camp_E")
    assert game.state.seats[1].reserve == ("camp_E",)


@pytest.mark.rule("08.14")
def test_squares_count_in_the_line() -> None:
    game = camps(3, "squares")
    alhambra(game, 0, {(0, 1): "chambers-9-s", (0, 2): "camp_N"})
    stacks = game.module_state(Stacks)
    stacks.stacks = {**stacks.stacks, "garden": tuple(sorted(stacks.stacks["garden"], reverse=True))}
    play(game, "take_square", slot="square-garden")
    play(game, "place square_garden_1 @0,-1")
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("05.39", "08.22", "08.41")
def test_no_gate_lets_a_camp_be_laid_and_a_gate_lets_a_building_take_a_camps_place() -> None:
    game = camps(3, "city_gates")
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_W"})
    reserve(game, 0, "camp_E chambers-9-w")
    hand(game, 0, "gate")
    assert "NOT_ELIGIBLE" in codes(refused(game, "add camp_E @2,-1", choice="gate"))
    assert codes(refused(game, "swap chambers-9-w @2,0")) == ["NOT_REACHABLE"]
    play(game, "swap chambers-9-w @2,0", choice="gate")
    assert "chambers-9-w" in game.board(0).placed


@pytest.mark.rule("08.19")
def test_the_patron_pays_for_a_camp() -> None:
    game = camps(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    market(game, denar="camp_NW")
    hand(game, 0, "gulden-1")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert events_of(events, "bonus_action")


@pytest.mark.rule("08.19")
@pytest.mark.parametrize(("camp", "asked"), [("camp_SW", True), ("camp_ES", False)])
def test_the_miser_likes_camps_from_ten_on(camp: str, asked: bool) -> None:
    game = camps(3, "characters")
    game.module_state(Characters).owners = {"miser": 0}
    market(game, denar=camp)
    display(game, "dukat-1")
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-9 denar-2")
    assert game.decision is not None
    assert (game.decision.kind == "miser") is asked


@pytest.mark.rule("08.23")
def test_a_bastion_leans_on_a_wooden_wall_even_of_the_start_tile() -> None:
    game = camps(3, "city_walls", turn_of=2)
    display(game, "gulden-1")
    deck(game, "wallcard_S")
    play(game, "take_money gulden-1")
    reserve(game, 0, "camp_N")
    assert codes(refused(game, "add camp_N @0,1"))[-1] == "CONTACT_REQUIRED"
    assert codes(refused(game, Move("build_wall", "camp_N", "wallcard_S"))) == ["NOT_ELIGIBLE"]
    play(game, "build_wall start-0", piece="wallcard_S")
    turns(game, 2)
    play(game, "add camp_N @0,1")
    assert points(hold_scoring(game, 1), "camp") == {0: 1}


@pytest.mark.rule("08.20")
def test_overpaying_a_camp_gives_change() -> None:
    game = camps(3, "change")
    market(game, denar="camp_E")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert len(game.module_state(Coins).held[0]) == 2


@pytest.mark.rule("08.24")
def test_a_camp_on_the_cell_of_the_trader_sets_him_aside_and_takes_nobody_in() -> None:
    game = camps(3, "street_trader")
    alhambra(game, 0, EAST_WALL)
    residents = game.module_state(Residents)
    residents.discs = ((2, 0), *residents.discs[1:])
    reserve(game, 0, "camp_W")
    play(game, "add camp_W @2,0")
    assert game.decision is not None
    assert game.decision.kind == "resident"
    assert not legal(game, "move_in")
    assert legal(game, "swap_resident", type=residents.aboard[0][0])


@pytest.mark.rule("08.24")
def test_the_disc_is_not_laid_beside_a_camp_alone() -> None:
    game = camps(3, "street_trader")
    alhambra(game, 0, EAST_WALL)
    residents = game.module_state(Residents)
    residents.discs = ((2, 0), *residents.discs[1:])
    reserve(game, 0, "camp_W")
    play(game, "add camp_W @2,0")
    play(game, "pass")
    assert codes(refused(game, "lay_disc @3,0")) == ["NO_CONTACT"]


@pytest.mark.rule("08.26")
def test_camps_win_no_scout_and_are_not_attacked() -> None:
    game = camps(3, "invaders")
    invaders = game.module_state(Invaders)
    invaders.attacks = ("invasion_E", *(card for card in invaders.attacks if card != "invasion_E"))
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_W"})
    game.state.seats[0].score = 5
    market(game, denar="camp_E")
    hand(game, 0, "denar-5")
    display(game, "gulden-1")
    assert not events_of(play(game, "buy market-denar denar-5"), "scout_won")
    deck(game, "scoring-1")
    play(game, "take_money gulden-1")
    events = play(game, "reserve camp_E")
    assert events_of(events, "attack")[0]["direction"] == "E"
    assert points(events, "attack").get(0, 0) == 0


@pytest.mark.rule("08.25")
def test_no_chest_stands_on_a_camp() -> None:
    game = treasury(3, "garden garden seraglio seraglio", modules=("military_camps",))
    gardens = {(1, 0): "garden-9-e", (0, 1): "garden-10", (-1, 0): "garden-11"}
    alhambra(game, 0, {**gardens, (2, 0): "camp_W"})
    buy(game)
    assert fact(refused(game, "put_chest camp_W", type="garden"), "NOT_ELIGIBLE") == {"tile": "camp_W", "for": "chest"}
    assert legal(game, "put_chest garden-9-e", type="garden")


@pytest.mark.rule("08.27")
def test_bazaars_count_in_the_line() -> None:
    game = camps(3, "bazaars")
    alhambra(game, 0, {(1, 0): "bazaar_1", (2, 0): "garden-9-e", (3, 0): "camp_W"})
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("08.28")
def test_a_camp_is_never_claimed_by_a_sultan_card() -> None:
    game = camps(3, "power_of_the_sultan", turn_of=2)
    market(game, gulden="tower-11", dirham="tower-12", dukat="garden-11")
    display(game, "gulden-1")
    deck(game, "sultan_denar_1")
    tower(game, "garden-10")
    play(game, "take_money gulden-1")
    sultan = game.module_state(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "garden"}, {"sultan_denar_1": 1}
    for tile, offered in (("camp_E", 0), ("garden-9-e", 1)):
        market(game, gulden="tower-11", dirham="tower-12", dukat="garden-11")
        tower(game, tile)
        assert len(events_of(take_turn(game), "claim_offered")) == offered


@pytest.mark.rule("08.31")
def test_each_half_of_a_project_counts_in_the_line() -> None:
    game = camps(3, "major_construction_projects")
    projects = game.module_state(Projects)
    project = "project_pavilion_arcades"
    projects.hidden = tuple(tile for tile in (*projects.hidden, projects.project) if tile != project)
    projects.project = ""
    board = alhambra(game, 0, {})
    board.place(game.ruleset.tiles[project], 0, 1)
    board.place(BASE_TILES["chambers-9-s"], 0, 3)
    board.place(CAMPS["camp_N"], 0, 4)
    assert camp_points(game) == {0: 4}


@pytest.mark.rule("08.32")
def test_a_camp_may_be_sold_at_a_personal_market() -> None:
    game = camps(3, "personal_building_market")
    reserve(game, 1, "camp_E")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("camp_E", "", "", ""), ("",) * 4)
    slot = f"personal-1-{PLACES[0]}"
    hand(game, 0, f"{PLACES[0]}-5")
    events = play(game, f"buy {PLACES[0]}-5", slot=slot)
    assert events_of(events, "sold")[0]["tile"] == "camp_E"
    assert game.state.seats[1].hand == (f"{PLACES[0]}-5",)


@pytest.mark.rule("08.21")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"watchtower", "site", "scout", "key"}.isdisjoint(effects_allowed(CAMP))
    assert {"bonus", "coins", "vizier", "patron"} <= set(effects_allowed(CAMP))
