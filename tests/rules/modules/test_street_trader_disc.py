"""12 The street trader: the disc returns, residents move out, and those that stay score."""

from __future__ import annotations

import pytest

from alhambra import TYPES
from alhambra.modules.street_trader import Residents
from tests.rules.modules.street_trader_table import KEY, asked, at_hand, disc, house, meeting, trader_table, where
from tests.rules.situations import (
    alhambra,
    codes,
    end_game,
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
)

# -- The disc returns -------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.8")
def test_the_disc_is_laid_out_again_at_the_end_of_the_turn_after_everything_is_built() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10", "tower-12")
    play(game, "place garden-10 @1,0")
    play(game, "pass")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place tower-12 @0,1")
    assert asked(game) == ("lay_disc", 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "lay_disc @2,0")
    assert events_of(events, "disc_laid") == [{"seat": 0, "cell": (2, 0)}]
    assert kinds(events).index("disc_laid") < kinds(events).index("display_filled")
    assert asked(game)[1] == 1


@pytest.mark.rule("12.30")
def test_once_set_aside_the_disc_is_met_no_more_in_this_turn() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "garden", "garden", "garden")
    reserve(game, 0, "garden-10 garden-11")
    game.state.actions = 3
    play(game, "add garden-10 @1,0")
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    play(game, "remove garden-10")
    assert asked(game) == ("action", 0)
    play(game, "add garden-11 @1,0")
    assert asked(game) == ("lay_disc", 0)
    assert game.module_state(Residents).homes == {}


@pytest.mark.rule("12.9")
def test_the_disc_needs_a_free_cell_at_a_side_of_an_own_tile_and_cares_for_no_wall() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-9-e")
    play(game, "place garden-9-e @1,0")
    play(game, "pass")
    assert legal(game, "lay_disc @2,0")
    assert codes(refused(game, "lay_disc @2,1")) == ["NO_CONTACT"]
    assert codes(refused(game, "lay_disc @1,0")) == ["PLACE_TAKEN"]
    assert len(list(game.moves())) == 6


@pytest.mark.rule("12.34")
def test_the_cell_of_the_disc_is_as_good_as_empty() -> None:
    game = trader_table()
    disc(game, 0, (1, -1), "arcades", "garden", "tower")
    alhambra(game, 0, {(1, 0): "garden-10-n"})
    assert points(hold_scoring(game.clone(), 1), "wall") == {0: 1}
    at_hand(game, "tower-12")
    assert legal(game, "place tower-12 @0,-1")
    assert codes(refused(game, "place tower-12 @1,-1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


@pytest.mark.rule("12.10", "12.34")
def test_the_cell_of_the_disc_may_not_be_enclosed() -> None:
    game = trader_table()
    disc(game, 0, (1, 1), "arcades", "garden", "tower")
    ring = {(1, 0): "garden-10", (2, 0): "garden-11", (2, 1): "tower-11", (0, 1): "arcades-9", (0, 2): "arcades-10"}
    alhambra(game, 0, {**ring, (2, 2): "chambers-10"})
    reserve(game, 0, "chambers-11")
    assert fact(refused(game, "add chambers-11 @1,2"), "HOLE") == {"cells": [[1, 1]]}
    assert legal(game, "add chambers-11 @1,1")


@pytest.mark.rule("12.33")
def test_a_disc_left_alone_by_a_redesign_stays_where_it_is() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    play(game, "remove garden-10")
    assert where(game, 0) == (2, 0)
    assert asked(game)[1] == 1


@pytest.mark.rule("12.44")
def test_the_disc_of_a_seat_that_resigned_stays_aside() -> None:
    game = meeting("garden-10")
    game.resign(0)
    assert where(game, 0) is None
    assert asked(game)[1] == 1


# -- Redesigns --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.4")
def test_a_tile_added_from_the_reserve_meets_the_trader_too() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    reserve(game, 0, "garden-10")
    play(game, "add garden-10 @1,0")
    assert asked(game) == ("resident", 0)
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.11")
def test_a_resident_whose_building_is_removed_returns_to_the_supply() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    before = game.module_state(Residents).supply.count("garden")
    events = play(game, "remove garden-10")
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert game.module_state(Residents).supply.count("garden") == before + 1
    assert game.module_state(Residents).homes == {}


@pytest.mark.rule("12.35")
def test_a_swap_moves_nobody_in_and_the_old_resident_out() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    reserve(game, 0, "garden-11")
    events = play(game, "swap garden-11 @1,0")
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert game.module_state(Residents).homes == {}
    assert asked(game)[1] == 1
    assert where(game, 0) == (2, 0)


# -- Scoring ----------------------------------------------------------------------------------------------------------


# worked example
# worked example
# worked example
@pytest.mark.rule("12.12", "12.13", "12.27", "12.28")
@pytest.mark.parametrize(
    ("residents", "sets"),
    [
        ({"seraglio": 3, "chambers": 2, "garden": 2, "pavilion": 1}, [(4, 10), (3, 6), (1, 1)]),
        (dict.fromkeys(TYPES, 1), [(6, 21)]),
        ({"seraglio": 2}, [(1, 1), (1, 1)]),
        ({"tower": 1, "garden": 1}, [(2, 3)]),
        ({}, []),
    ],
)
def test_residents_score_in_sets_of_different_colours(residents: dict[str, int], sets: list[tuple[int, int]]) -> None:
    game = trader_table()
    board = game.state.seats[0].board
    for name, count in residents.items():
        tiles = [tile for tile in game.state.tower if game.ruleset.tiles[tile].type == name][:count]
        house(game, *tiles)
        game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
        for tile in tiles:
            board.put(game.ruleset.tiles[tile], len(board.placed), 0)
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "residents"]
    assert [(line["count"], line["points"]) for line in lines] == sets
    assert all(line["seat"] == 0 and line["scoring"] == 1 for line in lines)


@pytest.mark.rule("12.14")
def test_residents_on_the_disc_score_nothing() -> None:
    assert points(hold_scoring(trader_table(), 2), "residents") == {}


@pytest.mark.rule("12.15")
def test_dirk_has_neither_disc_nor_residents() -> None:
    game = trader_table(2)
    assert [piece["seat"] for piece in game.view(None)["pieces"][KEY] if piece["kind"] == "disc"] == [0, 1]
    assert points(hold_scoring(game, 1), "residents") == {}


@pytest.mark.rule("12.16", "12.36")
def test_a_leftover_tile_meets_the_trader_but_the_disc_does_not_return() -> None:
    game = trader_table()
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    hand(game, 1, "denar-9 denar-8")
    market(game, denar="garden-10", dirham="garden-11")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 1)
    play(game, "place garden-10 @1,0")
    assert asked(game) == ("resident", 1)
    play(game, "move_in")
    events = play(game, "take_resident", type="tower")
    assert game.over
    assert where(game, 1) is None
    assert points(events, "residents") == {1: 1}
