"""22 Watchtowers together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from alhambra.components import Cell
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.military_camps import CAMPS
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.powers_table import STRENGTH, put_die
from tests.rules.modules.test_personal_building_market import FULL, stalls
from tests.rules.modules.watchtowers_table import GARDEN, asked, bought, placing, stand, supply, watched
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
)

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


@pytest.mark.rule("22.36")
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


@pytest.mark.rule("22.34")
def test_a_viziers_watchtower_that_fits_nowhere_is_lost_unasked() -> None:
    game = in_window()
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    events = play(game, "reserve garden-9-e")
    assert len(events_of(events, "watchtower_lost")) == 1
    assert supply(game)["garden"] == 3
    assert asked(game)[0] == "window"


@pytest.mark.rule("22.36")
def test_a_viziers_watchtower_is_lost_even_if_the_game_ends_with_the_purchase() -> None:
    game = in_window()
    game.state.box = (*game.state.box, *game.state.tower)
    game.state.tower = ()
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    assert events_of(play(game, "reserve garden-9-e"), "watchtower_lost")


@pytest.mark.rule("22.21", "08.29")
def test_no_watchtower_comes_with_a_camp() -> None:
    game = watched(3, "military_camps")
    market(game, denar="camp_E")
    hand(game, 0, "denar-9 denar-2")
    assert codes(refused(game, "buy market-denar denar-2 denar-9", choice="watchtower")) == ["NOT_THERE"]


@pytest.mark.rule("22.23", "08.29")
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


@pytest.mark.rule("22.40", "08.29")
def test_a_watchtower_ends_the_line_of_a_camp() -> None:
    game = watched(3, "military_camps")
    board = alhambra(game, 0, {(-1, 0): "chambers-9-w", (1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "SW")
    board.place(CAMPS["camp_E"], -2, 0)
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("22.21", "22.22", "04.28")
def test_no_watchtower_comes_with_a_square_and_a_square_does_not_hold_one() -> None:
    game = watched(3, "squares")
    stacks = game.module_state(Stacks)
    stacks.stacks = {**stacks.stacks, "garden": tuple(sorted(stacks.stacks["garden"], reverse=True))}
    assert codes(refused(game, Move("take_square", slot="square-garden", choice="watchtower"))) == ["NOUN_UNEXPECTED"]
    bought(game, 0, "garden")
    play(game, "take_square", slot="square-garden")
    events = play(game, "place square_garden_1 @1,0")
    assert len(events_of(events, "watchtower_lost")) == 1


@pytest.mark.rule("22.33")
def test_half_a_project_of_its_colour_holds_it() -> None:
    game = watched(3, "major_construction_projects")
    projects = game.module_state(Projects)
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


@pytest.mark.rule("22.45", "07.39")
def test_the_miser_counts_the_surcharge() -> None:
    for choice, miser in ((None, False), ("watchtower", True)):
        game = watched(3, "characters")
        game.module_state(Characters).owners = {"miser": 0}
        market(game, denar="garden-8-sw")
        display(game, "dukat-1")
        hand(game, 0, "denar-8 denar-7")
        play(game, "buy market-denar denar-7 denar-8", choice=choice)
        assert (asked(game)[0] == "miser") is miser


@pytest.mark.rule("22.45", "07.39")
def test_the_patron_pays_for_building_and_watchtower() -> None:
    game = watched(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    market(game, denar="garden-9-e")
    events = play(game, "buy market-denar", choice="watchtower", items=("rich_patron",))
    assert events_of(events, "bonus_action")
    assert "watchtower_garden_1" in game.state.seats[0].pending


@pytest.mark.rule("22.44")
def test_change_is_given_for_what_exceeds_the_price_of_both() -> None:
    game = watched(3, "change")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9", choice="watchtower")
    assert len(game.module_state(Coins).held[0]) == 1


@pytest.mark.rule("15.18")
def test_a_scout_is_won_by_paying_both_together_exactly() -> None:
    for cards, won in (("denar-7 denar-8", 1), ("denar-8 denar-9", 0)):
        game = watched(3, "invaders")
        garden = next(scout for scout, name in SCOUTS.items() if name == "garden")
        invaders = game.module_state(Invaders)
        invaders.scouts = tuple(scout for scout in (*invaders.scouts, *invaders.open) if scout != garden)
        invaders.open = (garden,)
        market(game, denar="garden-9-e")
        hand(game, 0, "denar-9 denar-8 denar-7")
        events = play(game, f"buy market-denar {cards}", choice="watchtower")
        assert len(events_of(events, "scout_won")) == won


def attacked_from_the_east(tiles: dict[Cell, str], *towers: tuple[Cell, str]) -> int:
    """How many points seat 0 loses in the first attack."""
    game = watched(3, "invaders")
    invaders = game.module_state(Invaders)
    invaders.attacks = ("invasion_E", *(card for card in invaders.attacks if card != "invasion_E"))
    alhambra(game, 0, tiles)
    for cell, side in towers:
        stand(game, 0, "garden", cell, side)
    game.state.seats[0].score = 5
    return -points(hold_scoring(game, 1), "attack").get(0, 0)


@pytest.mark.rule("15.27", "22.43")
def test_legs_are_not_attacked_and_protect_what_they_touch() -> None:
    assert attacked_from_the_east(GARDEN) == 1
    assert attacked_from_the_east(GARDEN, ((2, 0), "SW"), ((1, 1), "NE")) == 0


@pytest.mark.rule("15.27", "22.29", "22.43")
def test_a_building_that_faces_a_void_half_is_attacked() -> None:
    tiles = {**GARDEN, (1, -1): "garden-11", (2, -1): "garden-9-e"}
    assert attacked_from_the_east(tiles, ((2, 0), "NE")) == 1


@pytest.mark.rule("22.42")
def test_no_wooden_wall_stands_on_a_watchtower_or_at_its_leg() -> None:
    game = watched(3, "city_walls", turn_of=2)
    display(game, "gulden-1")
    deck(game, "wallcard_E")
    play(game, "take_money gulden-1")
    alhambra(game, 0, GARDEN)
    tower = stand(game, 0, "garden", (2, 0), "SW")
    assert codes(refused(game, Move("build_wall", tower, "wallcard_E"))) == ["NOT_ELIGIBLE"]
    assert codes(refused(game, Move("build_wall", "garden-10", "wallcard_E"))) == ["WALL_REFUSED"]


@pytest.mark.rule("22.42", "09.36")
def test_a_wooden_wall_may_face_a_void_edge() -> None:
    game = watched(3, "city_walls", turn_of=2)
    display(game, "gulden-1")
    deck(game, "wallcard_S")
    play(game, "take_money gulden-1")
    alhambra(game, 0, {**GARDEN, (1, -1): "garden-11", (2, -1): "tower-11"})
    stand(game, 0, "garden", (2, 0), "SW")
    play(game, "build_wall tower-11", piece="wallcard_S")


@pytest.mark.rule("22.46")
def test_a_watchtower_on_the_cell_of_the_trader_sets_him_aside() -> None:
    game = watched(3, "street_trader")
    alhambra(game, 0, GARDEN)
    residents = game.module_state(Residents)
    residents.discs = ((2, 0), *residents.discs[1:])
    bought(game, 0, "garden")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert asked(game) == ("resident", 0)
    assert not legal(game, "move_in")


@pytest.mark.rule("22.37")
def test_at_a_personal_market_one_may_be_added_and_all_cards_go_to_the_seller() -> None:
    game = watched(3, "personal_building_market")
    reserve(game, 1, "garden-9-e")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("garden-9-e", "", "", ""), ("",) * 4)
    cards = f"{PLACES[0]}-7 {PLACES[0]}-8"
    hand(game, 0, cards)
    play(game, f"buy {cards}", slot=f"personal-1-{PLACES[0]}", choice="watchtower")
    assert game.state.seats[1].hand == tuple(cards.split())
    assert "watchtower_garden_1" in game.state.seats[0].pending


@pytest.mark.rule("22.37")
def test_a_watchtower_is_never_boxed_however_full_the_personal_market_is() -> None:
    game = stalls(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-11"})
    stall(game, 0, **FULL)
    bought(game, 0, "garden")
    play(game, "take_money gulden-1")
    assert asked(game) == ("place_tiles", 0)
    assert {move.verb for move in game.moves()} == {"place_watchtower"}
    assert codes(refused(game, "box watchtower_garden_1")) == ["NOT_THERE"]


@pytest.mark.rule("22.42")
def test_a_gate_is_never_set_on_a_watchtower() -> None:
    game = placing(GARDEN, "garden", others=("city_gates",))
    faults = refused(game, "place_watchtower @2,0", type="garden", side="SW", choice="gate")
    assert codes(faults) == ["NOUN_UNEXPECTED"]


@pytest.mark.rule("16.19", "22.22")
def test_bazaars_do_not_hold_a_watchtower() -> None:
    game = placing({(1, 0): "bazaar_2"}, "seraglio", others=("bazaars",))
    assert asked(game) == ("action", 1)
    assert supply(game)["seraglio"] == 3


@pytest.mark.rule("22.32")
def test_a_second_wall_brings_no_points_for_watchtowers() -> None:
    game = watched(3, "buildings_of_power")
    alhambra(game, 0, {(0, -1): "garden-10-w", (1, 0): "garden-10", (0, 1): STRENGTH, (-1, 0): "garden-7-nsw"})
    stand(game, 0, "garden", (1, -1), "SW")
    put_die(game, 0, STRENGTH, 3)
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 4}
    assert points(events, "wall_second") == {0: 1}
    assert points(events, "wall_watchtowers") == {}
