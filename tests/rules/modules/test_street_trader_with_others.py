"""12 The street trader together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Decision, Game
from alhambra.base.build import Build, lay_tile, lift_tile
from alhambra.boards import marks_on_cells
from alhambra.components import Cell
from alhambra.modules.street_trader import Residents
from tests.rules.modules.street_trader_table import aboard, asked, at_hand, disc, house, trader_table, where
from tests.rules.modules.test_treasure_chamber import RICH, fill, putting
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
    tower,
)

# -- Together with other modules --------------------------------------------------------------------------------------


@pytest.mark.rule("12.41")
def test_after_a_viziers_placement_the_disc_returns_before_the_market_is_filled() -> None:
    game = trader_table(3, "viziers_favour")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    hand(game, 1, "denar-5 denar-5")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    tower(game, "tower-7-new tower-8-nes tower-9-es tower-9-ne tower-9-nw")
    market(game, denar="garden-10", gulden="tower-11", dirham="tower-12", dukat="tower-11-s")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-5 denar-5")
    play(game, "place garden-10 @1,0")
    assert asked(game) == ("resident", 1)
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 1)
    assert game.state.market[2] == ""
    events = play(game, "lay_disc @0,1")
    assert "market_filled" in kinds(events)
    assert where(game, 1) == (0, 1)


@pytest.mark.rule("12.32", "12.41")
def test_with_a_viziers_watchtower_the_disc_waits_until_that_is_placed_too() -> None:
    game = trader_table(3, "viziers_favour", "watchtowers")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    hand(game, 1, "denar-9 denar-7")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    market(game, denar="garden-10", gulden="tower-11", dirham="tower-12", dukat="tower-11-s")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-7 denar-9", choice="watchtower")
    play(game, "place garden-10 @1,0")
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("place_now", 1)
    play(game, "place_watchtower @2,0", type="garden", side="NW")
    assert asked(game) == ("lay_disc", 1)
    assert legal(game, "lay_disc @1,1")
    assert not legal(game, "lay_disc @3,0")


@pytest.mark.rule("12.40")
def test_a_watchtower_on_the_cell_of_the_disc_takes_nobody_in() -> None:
    game = trader_table(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-10"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    towers = game.state.module_states["watchtowers"]
    towers.supply = tuple(other for other in towers.supply if other != "watchtower_garden_1")
    at_hand(game, "watchtower_garden_1")
    play(game, "place_watchtower @2,0", type="garden", side="NW")
    assert game.decision == Decision("resident", 0, {"tile": "watchtower_garden_1"})
    assert not legal(game, "move_in")
    assert legal(game, "swap_resident", type="garden")


@pytest.mark.rule("12.17", "12.32", "04.24")
def test_a_square_takes_nobody_in_but_one_may_be_exchanged() -> None:
    game = trader_table(3, "squares")
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    squares = game.state.module_states["squares"]
    squares.stacks = {**squares.stacks, "garden": ("square_garden_2",)}
    play(game, "take_square", slot="square-garden")
    play(game, "place square_garden_2 @1,0")
    assert game.decision == Decision("resident", 0, {"tile": "square_garden_2"})
    assert fact(refused(game, "move_in"), "NOT_ELIGIBLE") == {"tile": "square_garden_2", "for": "resident"}
    play(game, "swap_resident", type="garden")
    play(game, "take_resident", type="pavilion")
    assert aboard(game, 0) == ("pavilion", "arcades", "tower")
    assert legal(game, "lay_disc @2,0")


@pytest.mark.rule("12.32", "12.40")
def test_a_camp_takes_nobody_in_and_gives_the_disc_no_place() -> None:
    game = trader_table(3, "military_camps")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    at_hand(game, "camp_W")
    play(game, "place camp_W @2,0")
    assert not legal(game, "move_in")
    play(game, "swap_resident", type="garden")
    play(game, "take_resident", type="pavilion")
    assert codes(refused(game, "lay_disc @3,0")) == ["NO_CONTACT"]
    assert legal(game, "lay_disc @1,1")


@pytest.mark.rule("12.19")
@pytest.mark.parametrize(("cell", "colour"), [((0, 1), "garden"), ((0, 2), "tower")])
def test_of_a_project_the_half_on_the_cell_of_the_disc_counts(cell: Cell, colour: str) -> None:
    game = trader_table(3, "major_construction_projects")
    disc(game, 0, cell, "garden", "tower", "tower")
    at_hand(game, "project_garden_tower")
    play(game, "place project_garden_tower @0,1")
    assert game.decision == Decision("resident", 0, {"tile": "project_garden_tower", "type": colour})
    play(game, "move_in")
    assert game.module_state(Residents).homes == {"project_garden_tower": colour}
    assert marks_on_cells(game, 0) == {cell: "resident"}


@pytest.mark.rule("12.41")
def test_the_claimant_of_a_tile_lays_the_disc_out_at_once() -> None:
    game = trader_table(3, "power_of_the_sultan")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    sultan = game.state.module_states["power_of_the_sultan"]
    game.state.deck = tuple(card for card in game.state.deck if card != "sultan_denar_1")
    sultan.marks, sultan.owners = {"sultan_denar_1": "garden"}, {"sultan_denar_1": 1}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gulden-1")
    tower(game, "garden-10 tower-7-new tower-8-nes tower-9-es tower-9-ne")
    play(game, "take_money dukat-1")
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "place garden-10 @1,0")
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 1)
    assert game.state.phase == "MARKET"
    play(game, "lay_disc @2,0")
    assert all(game.state.market)


def give_character(game: Game, seat: int, piece: str) -> None:
    """The character lies before the seat."""
    kept = game.state.module_states["characters"]
    game.state.deck = tuple(card for card in game.state.deck if card != piece)
    kept.aside = tuple(card for card in kept.aside if card != piece)
    kept.owners = {**kept.owners, piece: seat}


@pytest.mark.rule("12.41")
def test_whoever_claims_a_tile_at_the_start_of_the_own_turn_lays_the_disc_at_its_end() -> None:
    game = trader_table(3, "power_of_the_sultan", "characters", turn_of=2)
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    give_character(game, 0, "dancer")
    sultan = game.state.module_states["power_of_the_sultan"]
    game.state.deck = tuple(card for card in game.state.deck if card != "sultan_denar_1")
    sultan.marks, sultan.owners = {"sultan_denar_1": "garden"}, {"sultan_denar_1": 0}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gulden-1 gulden-2")
    tower(game, "tower-7-new tower-8-nes tower-9-es tower-9-ne garden-10 tower-11")
    play(game, "take_money dukat-1")
    assert asked(game) == ("start", 0)
    play(game, "dance market-denar")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "place garden-10 @1,0")
    assert asked(game) == ("resident", 0)
    play(game, "pass")
    assert asked(game) == ("action", 0)
    play(game, "take_money dukat-2")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.26")
def test_a_building_moved_inside_the_alhambra_loses_its_resident_and_meets_the_trader() -> None:
    game = trader_table()
    alhambra(game, 0, {(0, 1): "garden-10"})
    house(game, "garden-10")
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    lift_tile(game, 0, "garden-10", "move")
    assert game.module_state(Residents).homes == {}
    lay_tile(game, 0, "garden-10", Build((1, 0)), "move")
    assert where(game, 0) is None
    assert game.state.agenda[-1] == ("street_trader.meet_trader", 0, "garden-10", "garden")


@pytest.mark.rule("12.21", "07.44")
def test_the_master_builder_redesigns_before_the_disc_returns() -> None:
    game = trader_table(3, "characters")
    give_character(game, 0, "master_builder")
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    reserve(game, 0, "garden-10")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    play(game, "take_money dukat-1")
    assert asked(game) == ("late", 0)
    play(game, "add garden-10 @1,0", items=("master_builder",))
    assert asked(game) == ("resident", 0)
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.22")
def test_the_gate_is_set_before_anybody_moves_in() -> None:
    game = trader_table(3, "city_gates")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    hand(game, 0, "gate")
    at_hand(game, "garden-10-w")
    events = play(game, "place garden-10-w @2,0", choice="gate")
    assert kinds(events).index("gate_set") < kinds(events).index("decision_opened")
    assert asked(game) == ("resident", 0)


@pytest.mark.rule("12.34")
def test_a_wooden_wall_may_face_the_cell_of_the_disc() -> None:
    game = trader_table(3, "city_walls")
    disc(game, 0, (0, -1), "arcades", "garden", "tower")
    game.state.deck = tuple(card for card in game.state.deck if card != "wallcard_N")
    game.state.module_states["city_walls"].open = ("wallcard_N",)
    assert legal(game, "build_wall start-0", piece="wallcard_N")


@pytest.mark.rule("12.24")
def test_the_disc_protects_nobody_from_invaders() -> None:
    game = trader_table(3, "invaders")
    game.state.seats[0].score = 10
    assert points(hold_scoring(game, 1), "attack")[0] == -1


@pytest.mark.rule("12.25")
def test_a_building_that_leaves_for_the_personal_market_leaves_its_resident_behind() -> None:
    game = trader_table(3, "personal_building_market")
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    events = play(game, "remove garden-10")
    assert len(events_of(events, "resident_left")) == 1
    assert asked(game) == ("stow", 0)


@pytest.mark.rule("12.23")
def test_a_building_may_hold_a_resident_and_a_chest() -> None:
    game = trader_table(3, "treasure_chamber")
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    fill(game, "garden garden garden garden")
    hand(game, 0, RICH)
    assert putting(play(game, f"buy_chests {RICH}", slot="room-1")) == [(0, "garden", "garden-10")]
    events = hold_scoring(game, 1)
    assert points(events, "residents") == {0: 1}
    assert points(events, "chest_majority") == {0: 7}
