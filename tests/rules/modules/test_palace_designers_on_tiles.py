"""35 Palace designers: every way in which a tile comes, goes or moves, and every kind of tile."""

from __future__ import annotations

import pytest

from alhambra import register, registry
from alhambra.components import Cell
from tests.rules.example_modules.carters import CARTERS
from tests.rules.hooks.asking import asked
from tests.rules.modules.designers_table import FULL, designers, stand, where
from tests.rules.modules.major_construction_projects_table import HORIZONTAL, VERTICAL, obtain
from tests.rules.modules.major_construction_projects_table import build as build_project
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.street_trader_table import at_hand
from tests.rules.modules.watchtowers_table import stand as stand_watchtower
from tests.rules.situations import (
    codes,
    display,
    end_game,
    events_of,
    hand,
    kinds,
    market,
    play,
    points,
    refused,
    reserve,
    take_turn,
    tower,
)

CART = ("cart",)
LINE: dict[Cell, str] = {(1, 0): "garden-11", (2, 0): "tower-12"}
"""The tower stands at the end, the garden between it and the fountain."""


@pytest.fixture(autouse=True)
def _carters_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """They can relocate a tile."""
    monkeypatch.setattr(registry, "_registered", {})
    register(CARTERS)


# -- Redesigns ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("35.21")
def test_designer_added_a_tile_from_the_reserve_is_an_extension() -> None:
    game = designers()
    reserve(game, 0, "tower-12")
    events = play(game, "add tower-12 @0,-1")
    assert points(events, "designer") == {0: 2}
    play(game, "face_designer", side="E")
    assert where(game) == ((0, -1), "E")


@pytest.mark.rule("35.22")
def test_designer_swapped_a_tile_beside_him_brings_nothing_and_he_stays() -> None:
    game = designers(tiles={(0, -1): "tower-12"})
    reserve(game, 0, "tower-11")
    events = play(game, "swap tower-11 @0,-1")
    assert points(events, "designer") == {}
    assert where(game) == ((0, 0), "N")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("35.23")
def test_designer_swapped_out_may_stand_on_the_new_tile_without_points() -> None:
    game = designers(tiles=LINE)
    stand(game, 0, (2, 0), "E")
    reserve(game, 0, "tower-11")
    events = play(game, "swap tower-11 @2,0")
    assert asked(game) == ("move_designer", 0)
    events += play(game, "move_designer @2,0", side="S")
    assert points(events, "designer") == {}
    assert where(game) == ((2, 0), "S")


@pytest.mark.rule("35.15")
def test_designer_swapped_out_with_a_personal_market_is_moved_after_the_old_tile_has_its_place() -> None:
    game = designers(3, "personal_building_market", tiles=LINE)
    stand(game, 0, (2, 0), "E")
    stall(game, 0, denar="tower-11")
    play(game, "swap tower-11 @2,0")
    assert asked(game) == ("stow", 0)
    play(game, "reserve tower-12", slot="personal-0-denar")
    assert asked(game) == ("move_designer", 0)


@pytest.mark.rule("35.15")
def test_designer_removed_with_a_personal_market_is_moved_as_well() -> None:
    game = designers(3, "personal_building_market", tiles=LINE)
    stand(game, 0, (2, 0), "E")
    play(game, "remove tower-12")
    assert asked(game) == ("stow", 0)
    play(game, "reserve tower-12", slot="personal-0-denar")
    assert asked(game) == ("move_designer", 0)


# -- Relocation --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("35.24")
def test_designer_relocated_tile_is_removed_first_and_then_an_extension() -> None:
    game = designers(3, "example_carters", tiles=LINE)
    stand(game, 0, (2, 0), "N")
    events = play(game, "move_tile tower-12 @0,1", items=CART)
    assert kinds(events)[0] == "lifted"
    assert asked(game) == ("move_designer", 0)
    assert {move.cell for move in game.moves()} == {(0, 0), (1, 0)}, "the lifted tile lies nowhere"
    events = play(game, "move_designer @0,0", side="S")
    assert kinds(events)[:2] == ["designer_placed", "moved"]
    assert points(events, "designer") == {0: 2}, "it is laid at the feet"
    assert asked(game) == ("face_designer", 0)
    play(game, "face_designer", side="W")
    assert where(game) == ((0, 1), "W")


@pytest.mark.rule("35.24")
def test_designer_relocated_tile_is_judged_by_where_he_stands_when_it_is_laid() -> None:
    game = designers(3, "example_carters", tiles=LINE)
    stand(game, 0, (2, 0), "N")
    play(game, "move_tile tower-12 @0,1", items=CART)
    events = play(game, "move_designer @1,0", side="S")
    assert points(events, "designer") == {}
    assert where(game) == ((1, 0), "S")


@pytest.mark.rule("35.24")
def test_designer_relocated_another_tile_beside_him_is_an_extension() -> None:
    game = designers(3, "example_carters", tiles=LINE)
    events = play(game, "move_tile tower-12 @0,-1", items=CART)
    assert points(events, "designer") == {0: 2}
    assert asked(game) == ("face_designer", 0)


@pytest.mark.rule("35.32")
def test_designer_lifted_with_his_tile_when_the_seat_resigns_stays_aside() -> None:
    game = designers(3, "example_carters", tiles=LINE)
    stand(game, 0, (2, 0), "N")
    play(game, "move_tile tower-12 @0,1", items=CART)
    game.resign(0)
    assert asked(game) == ("action", 1)
    assert where(game)[0] is None


# -- Purchases, gifts, leftovers ---------------------------------------------------------------------------------------


@pytest.mark.rule("35.21")
def test_designer_placed_a_tile_from_another_market_is_an_extension() -> None:
    game = designers(3, "personal_building_market")
    stall(game, 1, denar="tower-12")
    hand(game, 0, "denar-9 denar-4")
    play(game, "buy denar-9 denar-4", slot="personal-1-denar")
    assert points(play(game, "place tower-12 @0,-1"), "designer") == {0: 2}


@pytest.mark.rule("35.10")
def test_designer_given_a_tile_to_dirk_brings_nothing() -> None:
    game = designers(2)
    market(game, **{**FULL, "denar": "tower-12"})
    hand(game, 0, "denar-9 denar-4")
    play(game, "buy market-denar denar-9 denar-4")
    assert points(play(game, "give_to_dirk tower-12"), "designer") == {}


@pytest.mark.rule("35.21")
def test_designer_reserved_a_tile_brings_nothing() -> None:
    game = designers()
    at_hand(game, "tower-12")
    assert points(play(game, "reserve tower-12"), "designer") == {}


@pytest.mark.rule("35.6", "35.21")
def test_designer_out_of_turn_a_tile_bought_by_the_vizier_scores_for_its_owner() -> None:
    game = designers(3, "viziers_favour")
    market(game, **{**FULL, "denar": "tower-12"})
    hand(game, 1, "denar-9 denar-3")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-9 denar-3")
    events = play(game, "place tower-12 @0,-1")
    assert points(events, "designer") == {1: 2}
    assert asked(game) == ("face_designer", 1)
    play(game, "face_designer", side="N")
    assert where(game, 1) == ((0, -1), "N")
    assert where(game, 0) == ((0, 0), "N")


@pytest.mark.rule("35.21")
def test_designer_out_of_turn_a_claimed_tile_scores_for_its_owner() -> None:
    game = designers(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "tower")
    market(game, **{currency: tile for currency, tile in FULL.items() if currency != "denar"})
    tower(game, "tower-12", "garden-11")
    display(game, "dukat-1")
    take_turn(game)
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    events = play(game, "place tower-12 @1,0")
    assert points(events, "designer") == {1: 1}
    assert asked(game) == ("face_designer", 1)


@pytest.mark.rule("35.11")
def test_designer_leftover_tiles_score_when_they_are_built() -> None:
    game = designers()
    market(game, denar="tower-12", dukat="garden-11")
    hand(game, 0, "denar-9 dukat-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    events = play(game, "place tower-12 @0,-1")
    assert points(events, "designer") == {0: 2}
    play(game, "face_designer", side="N")
    events = play(game, "place garden-11 @0,-2")
    assert points(events, "designer") == {0: 2}
    play(game, "face_designer", side="N")
    assert game.over


@pytest.mark.rule("35.11")
def test_designer_leftover_tile_that_is_left_brings_nothing() -> None:
    game = designers()
    market(game, denar="tower-12")
    hand(game, 0, "denar-9")
    end_game(game)
    assert points(play(game, "leave tower-12"), "designer") == {}


# -- Kinds of tiles ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("35.13")
def test_a_project_scores_once_with_2_points_if_any_of_its_halves_is_at_the_feet() -> None:
    game = designers(3, "major_construction_projects")
    obtain(game, HORIZONTAL)
    at_hand(game, HORIZONTAL)
    events = play(game, f"place {HORIZONTAL} @-1,-1")
    assert [line["points"] for line in events_of(events, "scored")] == [2], "its right half lies above the fountain"


@pytest.mark.rule("28.36", "35.13", "35.20")
def test_on_a_project_the_feet_are_at_one_of_six_outer_edges() -> None:
    game = designers(3, "major_construction_projects")
    obtain(game, VERTICAL)
    at_hand(game, VERTICAL)
    play(game, f"place {VERTICAL} @1,0")
    upper, lower = (1, 0), (1, 1)
    found = [(move.cell, move.side) for move in game.moves()]
    assert found == [*((upper, side) for side in "NEW"), *((lower, side) for side in "ESW")]
    assert codes(refused(game, "face_designer", side="N")) == ["NOUN_MISSING"]
    assert codes(refused(game, "face_designer @1,0", side="S")) == ["NOUN_MALFORMED"], "inside the tile"
    assert codes(refused(game, "face_designer @0,0", side="S")) == ["NOT_THERE"], "another tile"
    play(game, "face_designer @1,1", side="W")
    assert where(game) == (lower, "W")


@pytest.mark.rule("35.13")
@pytest.mark.parametrize(("cell", "gained"), [((0, 1), 2), ((1, -1), 1), ((1, 2), 1), ((-1, 0), 0)])
def test_every_edge_of_a_project_counts_and_only_one_has_the_feet(cell: Cell, gained: int) -> None:
    game = designers(3, "major_construction_projects")
    build_project(game, 0, VERTICAL, (1, 0))
    stand(game, 0, (1, 1), "W")
    at_hand(game, "tower-11")
    assert points(play(game, f"place tower-11 @{cell[0]},{cell[1]}"), "designer") == ({0: gained} if gained else {})


@pytest.mark.rule("35.27")
def test_a_camp_neither_scores_nor_carries_the_designer() -> None:
    game = designers(3, "military_camps", tiles={(0, -1): "tower-11-n"})
    stand(game, 0, (0, -1), "N")
    at_hand(game, "camp_S")
    events = play(game, "place camp_S @0,-2")
    assert points(events, "designer") == {}
    assert where(game) == ((0, -1), "N")


@pytest.mark.rule("35.27", "22.40")
def test_a_designer_is_put_neither_on_a_camp_nor_on_a_watchtower() -> None:
    game = designers(3, "watchtowers", tiles={(0, 1): "garden-11", (1, 0): "tower-12"})
    stand_watchtower(game, 0, "garden", (-1, 1), "NE")
    stand(game, 0, (1, 0), "N")
    play(game, "remove tower-12")
    assert {move.cell for move in game.moves()} == {(0, 0), (0, 1)}
    assert codes(refused(game, "move_designer @-1,1", side="N")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("35.12")
@pytest.mark.parametrize(
    ("module", "tile"),
    [
        ("squares", "square_garden_5"),
        ("bazaars", "bazaar_1"),
        ("bathhouses", "bathhouse_1"),
        ("medina", "medina_2"),
        ("magical_buildings", "magical_garden"),
        ("new_building_grounds", "ground_12_1"),
        ("wishing_well", "well_4_1"),
    ],
)
def test_special_tiles_count_as_extensions_and_carry_the_designer(module: str, tile: str) -> None:
    game = designers(3, module)
    at_hand(game, tile)
    move = next(move for move in game.moves() if move.verb == "place" and not move.rotation)
    game.apply(move)
    gained = {0: 2 if move.cell == (0, -1) else 1}
    assert points(game.events, "designer") == gained
    play(game, "face_designer", side="W")
    assert where(game) == (move.cell, "W")


@pytest.mark.rule("35.12")
def test_an_unfinished_building_counts_as_a_tile() -> None:
    game = designers()
    at_hand(game, "tower-12")
    game.state.covered = ("tower-12",)
    assert points(play(game, "place tower-12 @0,-1"), "designer") == {0: 2}
