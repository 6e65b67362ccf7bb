"""Redesign: add, remove or swap; the resulting Alhambra must satisfy every rule."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
)

LINE = {(1, 0): "garden-10", (2, 0): "garden-11", (3, 0): "tower-11"}
BLOCK = {
    (1, 0): "garden-10",
    (2, 0): "garden-11",
    (2, 1): "tower-11",
    (1, 1): "tower-12",
    (0, 1): "arcades-9",
    (0, 2): "arcades-10",
    (1, 2): "chambers-10",
    (2, 2): "chambers-11",
}


def built(tiles: dict[tuple[int, int], str], *reserved: str) -> Game:
    game = table()
    alhambra(game, 0, tiles)
    reserve(game, 0, *reserved)
    return game


# -- Add -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.23")
def test_adding_builds_a_tile_from_the_reserve() -> None:
    game = built({}, "garden-10 garden-11")
    events = play(game, "add garden-10 @1,0")
    assert events_of(events, "placed") == [{"seat": 0, "tile": "garden-10", "cell": (1, 0), "source": "reserve"}]
    assert game.state.seats[0].reserve == ("garden-11",)
    assert "garden-10" in game.state.seats[0].board.placed
    assert game.decision is not None
    assert game.decision.seat == 1


@pytest.mark.rule("00.25")
def test_adding_obeys_the_construction_rules() -> None:
    game = built({}, "garden-10-w")
    assert codes(refused(game, "add garden-10-w @1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert codes(refused(game, "add garden-10-w @1,1")) == ["NO_CONTACT"]


@pytest.mark.rule("00.23")
def test_only_a_tile_of_the_own_reserve_can_be_added_or_swapped_in() -> None:
    game = built({(1, 0): "garden-11"})
    reserve(game, 1, "garden-10")
    assert fact(refused(game, "add garden-10 @0,1"), "NOT_THERE") == {"id": "garden-10", "place": "reserve"}
    assert fact(refused(game, "swap garden-10 @1,0"), "NOT_THERE") == {"id": "garden-10", "place": "reserve"}
    assert codes(refused(game, Move("add", "garden-99", cell=(0, 1)))) == ["ID_UNKNOWN"]
    assert codes(refused(game, Move("swap", "garden-99", cell=(1, 0)))) == ["ID_UNKNOWN"]


@pytest.mark.rule("00.27")
def test_a_pending_tile_cannot_be_used_in_a_redesign() -> None:
    game = built({(1, 0): "garden-11"})
    hand(game, 0, "denar-4 denar-6")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4 denar-6")
    assert fact(refused(game, "add garden-10 @0,1"), "NOT_THERE") == {"id": "garden-10", "place": "reserve"}
    assert fact(refused(game, "swap garden-10 @1,0"), "NOT_THERE") == {"id": "garden-10", "place": "reserve"}
    assert fact(refused(game, "remove garden-10"), "NOT_THERE") == {"id": "garden-10", "place": "alhambra"}


@pytest.mark.rule("00.101")
def test_a_tile_put_into_the_reserve_earlier_in_the_turn_can_be_used() -> None:
    game = built({(1, 0): "garden-11"})
    game.state.actions = 2  # as modules can bring about
    play(game, "remove garden-11")
    play(game, "add garden-11 @0,1")
    assert game.state.seats[0].board.placed["garden-11"][1:3] == (0, 1)


# -- Remove ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.23")
def test_removing_puts_a_built_tile_into_the_reserve() -> None:
    game = built(LINE)
    events = play(game, "remove tower-11")
    assert events_of(events, "removed") == [{"seat": 0, "tile": "tower-11", "cell": (3, 0)}]
    assert game.state.seats[0].reserve == ("tower-11",)
    assert "tower-11" not in game.state.seats[0].board.placed


@pytest.mark.rule("00.25")
def test_no_tile_may_be_cut_off_by_a_removal() -> None:
    game = built(LINE)
    faults = refused(game, "remove garden-10")
    assert codes(faults) == ["NOT_REACHABLE"]
    assert fact(faults, "NOT_REACHABLE") == {"tiles": ["garden-11", "tower-11"]}
    assert fact(refused(game, "remove garden-11"), "NOT_REACHABLE") == {"tiles": ["tower-11"]}


@pytest.mark.rule("00.25")
def test_no_hole_may_be_left_by_a_removal() -> None:
    game = built(BLOCK)
    faults = refused(game, "remove tower-12")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[1, 1]]}
    assert legal(game, "remove chambers-11")


@pytest.mark.rule("00.26")
def test_the_start_tile_can_never_be_removed_or_swapped() -> None:
    game = built({}, "garden-10")
    for faults in (refused(game, "remove start-0"), refused(game, "swap garden-10 @0,0")):
        assert codes(faults) == ["LOCKED"]
        assert fact(faults, "LOCKED") == {"tile": "start-0", "by": "start"}
        assert faults[0].noun == "tile"


@pytest.mark.rule("00.23")
def test_only_a_tile_of_the_own_alhambra_can_be_removed() -> None:
    game = built({(1, 0): "garden-10"})
    alhambra(game, 1, {(1, 0): "garden-11"})
    assert fact(refused(game, "remove garden-11"), "NOT_THERE") == {"id": "garden-11", "place": "alhambra"}
    assert fact(refused(game, "remove start-1"), "NOT_THERE") == {"id": "start-1", "place": "alhambra"}
    assert codes(refused(game, Move("remove", "garden-99"))) == ["ID_UNKNOWN"]


# -- Swap ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.24")
def test_swapping_lets_a_reserve_tile_take_exactly_the_cell_of_a_built_one() -> None:
    game = built(LINE, "tower-12")
    events = play(game, "swap tower-12 @2,0")
    assert events_of(events, "swapped") == [{"seat": 0, "tile": "tower-12", "cell": (2, 0), "removed": "garden-11"}]
    assert game.state.seats[0].board.placed["tower-12"][1:3] == (2, 0)
    assert game.state.seats[0].reserve == ("garden-11",)


@pytest.mark.rule("00.25")
def test_after_a_swap_all_edges_must_match_and_all_tiles_be_reachable() -> None:
    game = built(LINE, "garden-9-e")
    faults = refused(game, "swap garden-9-e @1,0")
    assert codes(faults) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert fact(faults, "EDGE_MISMATCH") == {"cell": [1, 0], "side": "E", "neighbour": "garden-11"}
    assert fact(faults, "NOT_REACHABLE") == {"tiles": ["garden-11", "tower-11"]}
    assert legal(game, "swap garden-9-e @3,0")


@pytest.mark.rule("00.25")
def test_a_swap_in_the_middle_of_a_block_is_legal_where_a_removal_is_not() -> None:
    assert legal(built(BLOCK, "pavilion-8"), "swap pavilion-8 @1,1")


@pytest.mark.rule("00.24")
def test_a_swap_needs_a_built_tile() -> None:
    faults = refused(built({}, "garden-10"), "swap garden-10 @1,0")
    assert codes(faults) == ["NOT_THERE"]
    assert fact(faults, "NOT_THERE") == {"id": [1, 0], "place": "alhambra"}
    assert faults[0].noun == "cell"


# -- As an action ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.22")
def test_a_redesign_is_one_action_and_does_exactly_one_thing() -> None:
    for text in ("add tower-12 @0,1", "remove tower-11", "swap tower-12 @3,0"):
        game = built(LINE, "tower-12")
        play(game, text)
        assert game.decision is not None
        assert (game.decision.kind, game.decision.seat) == ("action", 1)


@pytest.mark.rule("00.19")
def test_a_redesign_can_be_the_bonus_action() -> None:
    game = built(LINE)
    hand(game, 0, "denar-8")
    market(game, denar="pavilion-8")
    play(game, "buy market-denar denar-8")
    play(game, "remove tower-11")
    assert game.state.taken == ("buy", "remove")


@pytest.mark.rule("00.22")
def test_nothing_pays_for_a_redesign_but_the_action() -> None:
    game = built(LINE, "tower-12")
    hand(game, 0, "denar-8")
    assert fact(refused(game, "remove tower-11 denar-8"), "NOT_THERE") == {"id": "denar-8", "place": "hand"}
    faults = refused(game, "add tower-12 @0,1", items=("master_builder",))
    assert fact(faults, "NOT_THERE") == {"id": "master_builder", "place": "held"}


@pytest.mark.rule("00.25")
def test_a_permit_that_no_module_gives_is_malformed() -> None:
    faults = refused(built(LINE, "tower-12"), "add tower-12 @0,1", choice="gate")
    assert (codes(faults), faults[0].noun) == (["NOUN_MALFORMED"], "choice")


@pytest.mark.rule("00.25")
def test_the_redesigns_listed_are_exactly_those_that_verify() -> None:
    game = built(BLOCK, "garden-9-e tower-10-w pavilion-8")
    display(game, "denar-1")
    listed = {found for found in game.moves() if found.verb in ("add", "remove", "swap")}
    cells = [(x, y) for x in range(-2, 5) for y in range(-2, 5)]
    tiles = [*game.state.seats[0].reserve, *game.state.seats[0].board.placed]
    for tile in tiles:
        assert (Move("remove", tile) in listed) == (not game.verify(Move("remove", tile)))
        for verb in ("add", "swap"):
            for cell in cells:
                move = Move(verb, tile, cell=cell)
                assert (move in listed) == (not game.verify(move)), move
