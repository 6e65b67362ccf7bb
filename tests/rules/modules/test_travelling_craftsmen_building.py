"""31 The travelling craftsmen: those that help with building."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.modules.craftsmen_table import asked, shown, workshop
from tests.rules.situations import (
    alhambra,
    codes,
    end_game,
    events_of,
    hand,
    legal,
    market,
    play,
    refused,
    reserve,
)

# -- The mosaic layer -------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.7", "31.24")
def test_the_mosaic_layer_turns_a_tile_that_is_placed() -> None:
    game = workshop("mosaic_layer goldsmith")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    play(game, "take_money dukat-4")
    assert codes(refused(game, "place garden-9-e @0,1", rotation=90)) == ["ROTATION_REFUSED"]
    assert codes(refused(game, "place garden-9-e @0,1", items=("mosaic_layer",))) == ["NO_EFFECT"]
    play(game, "place garden-9-e @0,1", rotation=90, items=("mosaic_layer",))
    assert game.state.seats[0].board.placed["garden-9-e"].rotation == 90
    assert shown(game, 0) == ("brickmaker", "goldsmith")


@pytest.mark.rule("31.7")
def test_the_mosaic_layer_turns_a_tile_of_the_reserve() -> None:
    game = workshop("mosaic_layer goldsmith")
    reserve(game, 0, "garden-9-e")
    play(game, "add garden-9-e @-1,0", rotation=180, items=("mosaic_layer",))
    assert game.state.seats[0].board.placed["garden-9-e"].rotation == 180


@pytest.mark.rule("31.39")
def test_a_turned_tile_is_upright_again_once_it_is_lifted() -> None:
    game = workshop("contractor goldsmith")
    alhambra(game, 0, {(0, 1): "garden-9-e"}, turned={"garden-9-e": 90})
    play(game, "remove garden-9-e", items=("contractor",))
    assert codes(refused(game, "add garden-9-e @0,1", rotation=90)) == ["ROTATION_REFUSED"]
    play(game, "add garden-9-e @0,1")
    assert game.state.seats[0].board.placed["garden-9-e"].rotation == 0


@pytest.mark.rule("31.28")
def test_the_mosaic_layer_does_not_help_with_the_contractor() -> None:
    game = workshop("mosaic_layer contractor")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-9-e"})
    assert legal(game, "move_tile garden-9-e @0,1", items=("contractor",))
    assert codes(refused(game, "move_tile garden-9-e @0,1", rotation=90, items=("contractor", "mosaic_layer"))) == [
        "USED_UP"
    ]


# -- The contractor ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.15")
def test_the_contractor_moves_a_building_and_takes_no_action() -> None:
    game = workshop("contractor carpenter")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
    events = play(game, "move_tile garden-11 @0,1", items=("contractor",))
    assert events_of(events, "moved")[0]["cell"] == (0, 1)
    assert game.state.actions == 1
    assert shown(game, 0) == ("carpenter", "contractor")


@pytest.mark.rule("31.15", "31.41")
def test_a_building_is_not_moved_to_its_own_place_and_not_if_another_one_is_cut_off() -> None:
    game = workshop("contractor carpenter")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
    assert codes(refused(game, "move_tile garden-11 @2,0", items=("contractor",))) == ["NO_EFFECT"]
    assert "NOT_REACHABLE" in codes(refused(game, "move_tile arcades-10 @0,1", items=("contractor",)))


@pytest.mark.rule("31.15")
def test_the_contractor_redesigns_without_an_action() -> None:
    game = workshop("contractor carpenter")
    reserve(game, 0, "garden-11")
    play(game, "add garden-11 @1,0", items=("contractor",))
    assert game.state.actions == 1
    assert codes(refused(game, "remove garden-11", items=("contractor",)))[0] == "NOT_THERE"


@pytest.mark.rule("31.25")
def test_without_a_tile_the_contractor_keeps_nothing_open() -> None:
    game = workshop("contractor carpenter")
    play(game, "take_money dukat-4")
    assert asked(game)[0] == "pass_craftsman"
    game = workshop("contractor carpenter")
    reserve(game, 0, "garden-11")
    play(game, "take_money dukat-4")
    assert asked(game)[0] == "action"


# -- The brickmaker ---------------------------------------------------------------------------------------------------


def bricks(*modules: str, seats: int = 3) -> Game:
    """Seat 0 has bought a tower and places it; arcades and a garden are built."""
    game = workshop("brickmaker carpenter", *modules, seats=seats, hidden="coiner")
    market(game, denar="tower-12")
    hand(game, 0, "denar-9 denar-4")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-10"})
    play(game, "buy market-denar denar-9 denar-4")
    assert asked(game) == ("place_tiles", 0)
    return game


@pytest.mark.rule("31.16", "31.24")
def test_the_brickmaker_exchanges_a_new_tile_for_a_built_one_which_is_placed_at_once() -> None:
    game = bricks()
    events = play(game, "lay_brick tower-12 @1,0", items=("brickmaker",))
    assert events_of(events, "brick_laid") == [{"seat": 0, "tile": "tower-12", "cell": (1, 0), "removed": "arcades-10"}]
    assert asked(game) == ("place_now", 0)
    play(game, "place arcades-10 @0,1")
    assert {*game.state.seats[0].board.placed} == {"start-0", "tower-12", "garden-10", "arcades-10"}
    assert shown(game, 0) == ("carpenter", "coiner")


@pytest.mark.rule("31.16", "31.37")
def test_the_replaced_tile_may_go_to_the_reserve_but_not_to_dirk() -> None:
    game = bricks(seats=2)
    play(game, "lay_brick tower-12 @1,0", items=("brickmaker",))
    assert codes(refused(game, "give_to_dirk arcades-10")) == ["NOT_ELIGIBLE"]
    play(game, "reserve arcades-10")
    assert game.state.seats[0].reserve == ("arcades-10",)


@pytest.mark.rule("31.36")
def test_the_start_tile_is_not_exchanged() -> None:
    assert codes(refused(bricks(), "lay_brick tower-12 @0,0", items=("brickmaker",))) == ["LOCKED"]


@pytest.mark.rule("31.16")
def test_the_construction_rules_hold_for_the_exchange() -> None:
    game = bricks()
    game.state.seats[0].pending = ("garden-9-e",)
    game.state.tower = (*(tile for tile in game.state.tower if tile != "garden-9-e"), "tower-12")
    game.module_state(Craftsmen).bought = ("garden-9-e",)
    game.state.decision = game.state.decision._replace(context={"tiles": ("garden-9-e",)})  # type: ignore[union-attr]
    assert "EDGE_MISMATCH" in codes(refused(game, "lay_brick garden-9-e @1,0", items=("brickmaker",)))


@pytest.mark.rule("31.36")
def test_a_tile_placed_earlier_in_the_same_turn_can_be_replaced() -> None:
    game = workshop("brickmaker carpenter", hidden="coiner")
    market(game, denar="tower-12", dukat="garden-10")
    hand(game, 0, "denar-9 denar-3 dukat-9 dukat-8")
    play(game, "buy market-denar denar-9 denar-3")
    play(game, "buy market-dukat dukat-8 dukat-9")
    play(game, "place tower-12 @1,0")
    play(game, "lay_brick garden-10 @1,0", items=("brickmaker",))
    play(game, "place tower-12 @2,0")
    assert {*game.state.seats[0].board.placed} == {"start-0", "tower-12", "garden-10"}


# -- The end ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.19")
def test_no_craftsman_is_used_when_leftover_tiles_are_built() -> None:
    game = workshop("mosaic_layer carpenter")
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    end_game(game)
    play(game, "pass_craftsman carpenter")
    assert asked(game) == ("leftover_tiles", 0)
    violations = refused(game, "place garden-9-e @0,1", rotation=90, items=("mosaic_layer",))
    assert codes(violations) == ["NOT_THERE", "ROTATION_REFUSED"]
