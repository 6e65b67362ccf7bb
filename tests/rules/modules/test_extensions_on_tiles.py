"""39 Extensions: every way in which a tile with an extension can move, and every kind of tile that can have one."""

from __future__ import annotations

import pytest

from alhambra import Game, register, registry
from alhambra.invariants import census
from alhambra.modules.extensions import Extensions
from alhambra.modules.treasure_chamber import Chamber
from tests.rules.example_modules.carters import CARTERS, lay_cat
from tests.rules.hooks.asking import asked
from tests.rules.modules.extensions_table import FULL, PLAYED, attach, extensions, lay, seen
from tests.rules.modules.major_construction_projects_table import VERTICAL, obtain
from tests.rules.modules.major_construction_projects_table import build as build_project
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
)

ARCADES = "extension-1-2"


@pytest.fixture(autouse=True)
def _carters_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """They can relocate a tile."""
    monkeypatch.setattr(registry, "_registered", {})
    register(CARTERS)


def extended(seats: int = 3, *modules: str) -> Game:
    """Seat 0 has an extended tower at the end of a line."""
    game = extensions(seats, *modules)
    alhambra(game, 0, {(1, 0): "garden-11", (2, 0): "tower-12"})
    attach(game, "tower-12")
    return game


@pytest.mark.rule("39.9", "39.11")
def test_extension_removed_goes_to_the_reserve_with_its_tile_and_comes_back_with_it() -> None:
    game = extended()
    alhambra(game, 1, {(1, 0): "tower-11"})
    play(game, "remove tower-12")
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "type": "tower"}]
    game.state.active = 1
    assert points(hold_scoring(game, 1), "majority", type="tower") == {1: 6}, "in the reserve it counts nothing"


@pytest.mark.rule("39.9")
def test_extension_added_from_the_reserve_is_built_with_its_tile() -> None:
    game = extensions()
    reserve(game, 0, "tower-12")
    attach(game, "tower-12")
    play(game, "add tower-12 @0,1")
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "cell": (0, 1), "type": "tower"}]


@pytest.mark.rule("39.9")
def test_extension_swapped_out_stays_on_its_tile_and_the_new_tile_has_none() -> None:
    game = extended()
    reserve(game, 0, "tower-11")
    play(game, "swap tower-11 @2,0")
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "type": "tower"}]
    assert seen(game, "tower-11") == []


@pytest.mark.rule("39.9")
def test_extension_relocated_travels_with_its_tile() -> None:
    game = extended(3, "example_carters")
    play(game, "move_tile tower-12 @0,1", items=("cart",))
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "cell": (0, 1), "type": "tower"}]


@pytest.mark.rule("39.31")
def test_extension_lifted_for_a_relocation_lies_on_the_pending_tile() -> None:
    game = extended(3, "example_carters")
    alhambra(game, 0, {(0, 1): "garden-10", (1, 0): "tower-12"})
    lay_cat(game, 0, "tower-12")
    play(game, "move_tile tower-12 @0,2", items=("cart",))
    assert asked(game) == ("cat", 0)
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "type": "tower"}]
    game.resign(0)
    assert seen(game, "tower-12") == [], "the tile has left the game, and its extension with it"


@pytest.mark.rule("39.7", "39.9")
def test_extension_placed_after_it_was_put_on_a_bought_tile_is_built_with_it() -> None:
    game = extensions()
    market(game, **{**FULL, "denar": "arcades-9"})
    hand(game, 0, f"{PLAYED} denar-9 gulden-9")
    play(game, "buy market-denar denar-9")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "take_money dukat-1")
    play(game, "place arcades-9 @1,0")
    assert seen(game, "arcades-9") == [{"seat": 0, "tile": "arcades-9", "cell": (1, 0), "type": "arcades"}]


@pytest.mark.rule("39.28")
def test_extension_given_to_dirk_with_its_tile_counts_for_him() -> None:
    game = extensions(2)
    market(game, **{**FULL, "denar": "arcades-9"})
    hand(game, 0, f"{PLAYED} denar-9")
    play(game, "buy market-denar denar-9")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "take_money dukat-1")
    play(game, "give_to_dirk arcades-9")
    assert seen(game, "arcades-9") == [{"tile": "arcades-9", "type": "arcades"}]
    own(game, 1, arcades=1)
    assert points(hold_scoring(game, 1), "majority", type="arcades") == {2: 3}


@pytest.mark.rule("39.16", "41.19")
def test_extension_sold_from_a_personal_market_helps_the_buyer() -> None:
    game = extensions(3, "personal_building_market")
    stall(game, 1, denar="tower-12")
    attach(game, "tower-12")
    hand(game, 0, "denar-9 denar-3")
    assert seen(game, "tower-12") == [{"seat": 1, "tile": "tower-12", "type": "tower"}]
    play(game, "buy denar-9 denar-3", slot="personal-1-denar")
    play(game, "take_money dukat-1")
    play(game, "place tower-12 @1,0")
    assert seen(game, "tower-12") == [{"seat": 0, "tile": "tower-12", "cell": (1, 0), "type": "tower"}]


@pytest.mark.rule("39.16")
def test_a_building_on_the_own_personal_market_may_be_extended() -> None:
    game = extensions(3, "personal_building_market")
    stall(game, 0, denar="arcades-9")
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert seen(game, "arcades-9") == [{"seat": 0, "tile": "arcades-9", "type": "arcades"}]


@pytest.mark.rule("39.31")
def test_extension_boxed_leaves_the_game_with_its_tile() -> None:
    game = extensions(3, "personal_building_market")
    stall(game, 0, gulden="garden-10", dirham="tower-11", denar="arcades-9", dukat="chambers-10")
    alhambra(game, 0, {(1, 0): "tower-12"})
    attach(game, "tower-11")
    before = census(game)
    play(game, "remove tower-12")
    play(game, "reserve tower-12", slot="personal-0-dirham")
    assert "tower-11" in game.state.box
    assert pieces(game, "extensions", None, tile="tower-11") == []
    assert census(game) == before


@pytest.mark.rule("39.34")
def test_extension_out_of_turn_a_tile_bought_by_the_vizier_is_built_without_one() -> None:
    """Extending is an action of the own turn, so a tile gained out of turn has no extension before it is placed; from
    then on it can be extended like any other."""
    game = extensions(3, "viziers_favour")
    market(game, **{**FULL, "denar": "arcades-9"})
    hand(game, 1, f"{PLAYED} denar-9")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("place_now", 1)
    assert not any(move.verb == "extend" for move in game.moves())
    play(game, "place arcades-9 @1,0")
    while asked(game)[0] == "window":
        play(game, "pass")
    assert legal(game, f"extend {PLAYED}", slot=ARCADES)


@pytest.mark.rule("39.34")
def test_extension_leftover_tiles_have_none() -> None:
    """Nothing is extended after the last turn, and no tile with an extension returns to the market."""
    game = extensions()
    own(game, 0, garden=1)
    market(game, denar="arcades-9")
    hand(game, 0, f"{PLAYED} denar-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert {move.verb for move in game.moves()} == {"place", "leave"}
    play(game, "place arcades-9 @0,1")
    assert game.module_state(Extensions).attached == {}


@pytest.mark.rule("39.35")
def test_extension_taken_by_a_seat_that_resigns_leaves_the_game() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "arcades-10"})
    hand(game, 0, PLAYED)
    before = census(game)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert asked(game) == ("attach_extension", 0)
    game.resign(0)
    assert game.module_state(Extensions).lost == ("arcades",)
    assert game.module_state(Extensions).attached == {}
    assert census(game) == before
    assert asked(game) == ("action", 1)


@pytest.mark.rule("39.35")
def test_a_seat_that_resigns_without_having_taken_an_extension_loses_none() -> None:
    game = extensions()
    before = census(game)
    game.resign(0)
    assert game.module_state(Extensions).lost == ()
    assert census(game) == before


@pytest.mark.rule("39.35")
def test_an_extension_that_was_taken_stays_with_its_owner_when_another_seat_resigns() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "arcades-10"})
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    game.resign(1)
    assert asked(game) == ("attach_extension", 0)
    play(game, "attach arcades-10")
    assert game.module_state(Extensions).attached == {"arcades-10": ("arcades",)}


@pytest.mark.rule("39.35")
def test_extensions_of_a_seat_that_resigned_still_count() -> None:
    game = extended()
    alhambra(game, 1, {(1, 0): "tower-11"})
    game.resign(0)
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 13, 1: 6}


# -- Kinds of tiles ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("39.14")
def test_each_half_of_a_project_takes_an_extension_of_its_own_type() -> None:
    game = table(3, modules=["extensions", "major_construction_projects"])
    lay(game, "pavilion arcades seraglio")
    display(game, "dukat-1")
    build_project(game, 0, VERTICAL, (1, 0))
    hand(game, 0, f"{PLAYED} gulden-1 gulden-3 dirham-3")
    play(game, f"extend {PLAYED}", slot=ARCADES)
    play(game, "extend gulden-1 gulden-3 dirham-3", slot="extension-1-1")
    assert game.module_state(Extensions).attached == {VERTICAL: ("arcades", "pavilion")}
    assert [(piece["type"], piece["cell"]) for piece in seen(game, VERTICAL)] == [
        ("arcades", (1, 1)),
        ("pavilion", (1, 0)),
    ]
    alhambra(game, 1, {(1, 0): "pavilion-8"})
    assert points(hold_scoring(game, 1), "majority", type="pavilion") == {0: 1}


@pytest.mark.rule("39.15", "39.23")
def test_a_project_that_was_just_won_may_be_extended() -> None:
    game = table(3, modules=["extensions", "major_construction_projects"])
    lay(game, "pavilion arcades seraglio")
    display(game, "dukat-1")
    obtain(game, VERTICAL)
    game.state.seats[0].pending = (VERTICAL,)
    hand(game, 0, PLAYED)
    assert legal(game, f"extend {PLAYED}", slot=ARCADES)


@pytest.mark.rule("39.14")
def test_a_magical_building_takes_an_extension() -> None:
    game = extensions(3, "magical_buildings")
    reserve(game, 0, "magical_arcades")
    hand(game, 0, PLAYED)
    assert legal(game, f"extend {PLAYED}", slot=ARCADES)


@pytest.mark.rule("39.14")
@pytest.mark.parametrize(("chosen", "fits"), [("arcades", True), ("garden", False), ("", False)])
def test_a_ground_takes_an_extension_of_the_building_on_it(chosen: str, fits: bool) -> None:
    game = extensions(3, "new_building_grounds")
    reserve(game, 0, "ground_12_1")
    game.state.types = {"ground_12_1": chosen} if chosen else {}
    hand(game, 0, PLAYED)
    assert legal(game, f"extend {PLAYED}", slot=ARCADES) is fits


@pytest.mark.rule("39.14")
def test_an_unfinished_building_takes_none() -> None:
    game = extensions()
    reserve(game, 0, "arcades-9")
    game.state.covered = ("arcades-9",)
    hand(game, 0, PLAYED)
    assert codes(refused(game, f"extend {PLAYED}", slot=ARCADES)) == ["CONDITION_UNMET"]


@pytest.mark.rule("39.14")
def test_a_square_takes_no_extension() -> None:
    game = extensions(3, "squares")
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "arcades-10"})
    game.state.seats[0].reserve = ("square_arcades_1",)
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert codes(refused(game, "attach square_arcades_1")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("39.18")
def test_an_extension_shares_its_tile_with_wooden_walls_and_a_chest() -> None:
    game = extensions(3, "city_walls", "treasure_chamber")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    game.module_state(Chamber).put = {"arcades-9": ("arcades",)}
    game.state.wooden_walls = {"arcades-9": (1,)}
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot=ARCADES)
    assert game.module_state(Chamber).put == {"arcades-9": ("arcades",)}
    assert len(seen(game, "arcades-9")) == 1


@pytest.mark.rule("39.32")
def test_extending_is_told_to_everybody() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "arcades-9"})
    hand(game, 0, PLAYED)
    events = play(game, f"extend {PLAYED}", slot=ARCADES)
    assert events_of(events, "extension_taken") == [
        {
            **{"seat": 0, "slot": ARCADES, "type": "arcades", "due": 12, "paid": 11, "exact": True},
            "cards": ("dirham-4", "gulden-2", "gulden-5"),
        }
    ]
    assert events_of(events, "extension_attached") == [
        {"seat": 0, "tile": "arcades-9", "type": "arcades", "forced": True}
    ]
