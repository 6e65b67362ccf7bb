"""12 The street trader: residents move in where his disc lay."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from alhambra import TYPES, Decision, Event, Game, Options
from alhambra.base.building import Build, lay_tile, lift_tile
from alhambra.components import Cell
from alhambra.modules.street_trader import Residents, marks
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
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
    table,
    tower,
)

KEY = "street_trader"


def trader_table(seats: int = 3, *modules: str, **options: Any) -> Game:
    return table(seats, modules=[KEY, *modules], **options)


def disc(game: Game, seat: int, cell: Cell | None, *residents: str) -> None:
    """The disc lies there with exactly these residents; the others are in the supply."""
    kept = game.slice(Residents)
    supply = Counter((*kept.supply, *kept.aboard[seat])) - Counter(residents)
    kept.supply = tuple(name for name in TYPES for _ in range(supply[name]))
    kept.aboard = (*kept.aboard[:seat], residents, *kept.aboard[seat + 1 :])
    kept.discs = (*kept.discs[:seat], cell, *kept.discs[seat + 1 :])


def supply(game: Game, *residents: str) -> None:
    """Exactly these residents are in the supply; the rest lives somewhere far away."""
    game.slice(Residents).supply = residents


def house(game: Game, *tiles: str) -> None:
    """A resident lives in each of these buildings."""
    kept = game.slice(Residents)
    left = list(kept.supply)
    for tile in tiles:
        left.remove(tile.split("-")[0])
    kept.supply = tuple(left)
    kept.homes = {**kept.homes, **{tile: tile.split("-")[0] for tile in tiles}}


def at_hand(game: Game, *tiles: str) -> None:
    """Seat 0 has made its action and is to place these tiles."""
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    game.state.seats[0].pending = tiles
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    play(game, "take_money dukat-1")


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def where(game: Game, seat: int) -> Cell | None:
    return game.slice(Residents).discs[seat]


def aboard(game: Game, seat: int) -> tuple[str, ...]:
    return game.slice(Residents).aboard[seat]


def meeting(tile: str = "garden-10", residents: str = "arcades garden tower", *modules: str) -> Game:
    """Seat 0 has just built that tile on the cell of its disc."""
    game = trader_table(3, *modules)
    disc(game, 0, (1, 0), *residents.split())
    at_hand(game, tile)
    play(game, f"place {tile} @1,0")
    return game


# -- Before the first turn --------------------------------------------------------------------------------------------


def fresh(seats: int = 3, *modules: str) -> Game:
    return Game.new(Options(seats=seats, seed="choices", modules=[KEY, *modules]))


def choose(game: Game, residents: str, cell: Cell) -> list[Event]:
    """The asked seat makes its four choices; the events of the last one."""
    for name in residents.split():
        play(game, "pick_resident", type=name)
    return play(game, "lay_disc", cell=cell)


def test_everybody_chooses_in_turn_before_the_market_is_filled() -> None:
    game = fresh()
    for seat in range(3):
        assert asked(game) == ("pick_residents", seat)
        assert game.state.market == ("", "", "", "")
        choose(game, "pavilion garden tower", (0, 1))
    assert all(game.state.market)
    assert asked(game)[0] == "action"


def test_three_different_residents_are_named_in_ascending_order() -> None:
    game = fresh()
    assert [move.type for move in game.moves()] == ["pavilion", "seraglio", "arcades", "chambers"]
    play(game, "pick_resident", type="chambers")
    assert fact(refused(game, "pick_resident", type="chambers"), "TYPE_MISMATCH") == {
        "expected": ["garden"],
        "got": "chambers",
    }
    assert codes(refused(game, "pick_resident", type="pavilion")) == ["TYPE_MISMATCH"]
    assert codes(refused(game, "pick_resident", type="tower")) == ["TYPE_MISMATCH"]
    play(game, "pick_resident", type="garden")
    play(game, "pick_resident", type="tower")
    assert fact(refused(game, "pick_resident", type="tower"), "LIMIT_REACHED") == {"what": "residents", "limit": 3}


def test_every_choice_of_three_can_be_named() -> None:
    found = set()
    start = fresh()
    for first in start.legal_moves():
        one = start.clone()
        one.apply(first)
        for second in one.legal_moves():
            two = one.clone()
            two.apply(second)
            found |= {(first.type, second.type, third.type) for third in two.legal_moves()}
    assert len(found) == 20


def test_the_disc_is_laid_last_at_one_of_the_four_sides_of_the_start_tile() -> None:
    game = fresh()
    play(game, "pick_resident", type="pavilion")
    assert fact(refused(game, "lay_disc @1,0"), "CONDITION_UNMET") == {"what": "residents", "need": 3, "have": 1}
    play(game, "pick_resident", type="seraglio")
    play(game, "pick_resident", type="arcades")
    assert [move.cell for move in game.moves()] == [(0, -1), (-1, 0), (1, 0), (0, 1)]
    assert codes(refused(game, "lay_disc @1,1")) == ["NO_CONTACT"]
    assert codes(refused(game, "lay_disc @0,0")) == ["PLACE_TAKEN"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


def test_choices_are_secret_until_all_are_shown_together() -> None:
    game = fresh()
    events = play(game, "pick_resident", type="pavilion")
    told = next(event for event in events if event.kind == "residents_picked")
    assert told.public == {"seat": 0}
    assert told.private == {0: {"types": ("pavilion",)}}
    play(game, "pick_resident", type="garden")
    play(game, "pick_resident", type="tower")
    events = play(game, "lay_disc @0,1")
    told = next(event for event in events if event.kind == "disc_laid")
    assert told.seen_by(1) == {"id": told.id, "kind": "disc_laid", "seat": 0}
    assert told.seen_by(0)["private"] == {"cell": (0, 1)}
    mine = {"cell": {"x": 0, "y": 1}, "residents": ["pavilion", "garden", "tower"]}
    assert game.view(0)["slices"][KEY]["discs"] == [mine, None, None]
    for stranger in (None, 2):
        assert game.view(stranger)["slices"][KEY]["discs"][0] is None
    assert not marks(game, 0)
    choose(game, "pavilion seraglio arcades", (1, 0))
    events = choose(game, "pavilion seraglio chambers", (1, 0))
    shown = [event for event in events if event.kind in ("residents_picked", "disc_laid") and len(event.public) > 1]
    assert [(event.kind, event.public["seat"]) for event in shown] == [
        (kind, seat) for seat in range(3) for kind in ("residents_picked", "disc_laid")
    ]
    assert game.view(None)["slices"][KEY]["discs"][0] == mine
    assert marks(game, 0) == {(0, 1): "trader"}


def test_whoever_chooses_knows_nothing_of_what_was_chosen_before() -> None:
    game = fresh()
    choose(game, "pavilion garden tower", (0, 1))
    play(game, "pick_resident", type="chambers")
    mine = {(where(twin, 0), aboard(twin, 0)) for twin in (game.determinize(1, Random(n)) for n in range(300))}
    assert len({cell for cell, _ in mine}) == 4
    assert len({picked for _, picked in mine}) == 20
    others = {aboard(game.determinize(2, Random(n)), 1) for n in range(100)}
    assert others == {(name,) for name in TYPES[:4]}
    assert {aboard(game.determinize(1, Random(n)), 1) for n in range(20)} == {("chambers",)}


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_residents_that_nobody_picked_are_the_supply(seats: int) -> None:
    game = trader_table(seats)
    view = game.view(None)["slices"][KEY]
    assert sum(view["supply"].values()) == 42 - 3 * seats
    assert view["supply"]["pavilion"] == 7 - seats
    assert view["supply"]["tower"] == 7


def test_a_choice_can_be_taken_back_until_the_next_seat_is_asked() -> None:
    game = fresh()
    play(game, "pick_resident", type="pavilion")
    game.undo(0)
    assert aboard(game, 0) == ()
    choose(game, "pavilion garden tower", (0, 1))
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"


def test_for_a_seat_that_resigns_before_the_first_turn_the_choices_are_made() -> None:
    game = fresh(4)
    play(game, "pick_resident", type="seraglio")
    game.resign(0)
    game.resign(2)
    assert asked(game) == ("pick_residents", 1)
    choose(game, "pavilion garden tower", (0, 1))
    assert asked(game) == ("pick_residents", 3)
    choose(game, "pavilion garden tower", (0, 1))
    assert len(game.slice(Residents).supply) == 42 - 3 * 4


# -- A matching building ----------------------------------------------------------------------------------------------


def test_a_resident_of_its_colour_may_move_into_the_building() -> None:
    game = meeting("garden-10")
    assert game.decision == Decision("resident", 0, {"tile": "garden-10", "type": "garden"})
    assert where(game, 0) is None
    events = play(game, "move_in")
    assert events_of(events, "resident_moved_in") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert aboard(game, 0) == ("arcades", "tower")
    events = play(game, "take_resident", type="pavilion")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "pavilion"}]
    assert aboard(game, 0) == ("pavilion", "arcades", "tower")
    view = game.view(None)["slices"][KEY]
    assert view["residents"] == {"garden-10": "garden"}
    assert view["discs"][0] == {"cell": None, "residents": ["pavilion", "arcades", "tower"]}
    assert marks(game, 0) == {(1, 0): "resident"}


def test_whoever_lets_nobody_move_in_gets_nothing_instead() -> None:
    game = meeting("garden-10")
    faults = refused(game, "swap_resident", type="tower")
    assert fact(faults, "CONDITION_UNMET") == {"what": "matching_resident", "need": False, "have": True}
    play(game, "pass")
    assert aboard(game, 0) == ("arcades", "garden", "tower")
    assert asked(game) == ("lay_disc", 0)


def test_of_several_residents_of_one_colour_only_one_moves_in() -> None:
    game = meeting("garden-10", "garden garden garden")
    play(game, "move_in")
    assert aboard(game, 0) == ("garden", "garden")
    assert game.slice(Residents).homes == {"garden-10": "garden"}
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 0)


def test_the_replacement_may_be_of_any_colour_that_the_supply_has() -> None:
    game = meeting("garden-10")
    supply(game, "pavilion", "tower", "tower")
    play(game, "move_in")
    assert [move.type for move in game.moves()] == ["pavilion", "tower"]
    assert fact(refused(game, "take_resident", type="garden"), "NOT_THERE") == {"id": "garden", "place": "supply"}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


def test_a_supply_of_one_colour_leaves_no_choice() -> None:
    game = meeting("garden-10")
    supply(game, "chambers", "chambers")
    events = play(game, "move_in")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "chambers", "forced": True}]
    assert game.slice(Residents).supply == ("chambers",)
    assert asked(game) == ("lay_disc", 0)


def test_from_an_empty_supply_nobody_replaces_who_moved_in() -> None:
    game = meeting("garden-10")
    supply(game)
    assert legal(game, "move_in")
    play(game, "move_in")
    assert aboard(game, 0) == ("arcades", "tower")
    assert asked(game) == ("lay_disc", 0)


# -- Another building -------------------------------------------------------------------------------------------------


def test_with_no_resident_of_its_colour_one_may_be_exchanged() -> None:
    game = meeting("seraglio-9")
    before = Counter(game.slice(Residents).supply)
    assert fact(refused(game, "move_in"), "TYPE_MISMATCH") == {
        "expected": ["arcades", "garden", "tower"],
        "got": "seraglio",
    }
    assert fact(refused(game, "swap_resident", type="pavilion"), "NOT_THERE") == {"id": "pavilion", "place": "held"}
    play(game, "swap_resident", type="garden")
    assert game.decision == Decision("take_resident", 0, {"given": "garden"})
    events = play(game, "take_resident", type="seraglio")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "seraglio", "given": "garden"}]
    assert aboard(game, 0) == ("seraglio", "arcades", "tower")
    assert Counter(game.slice(Residents).supply) == before + Counter(["garden"]) - Counter(["seraglio"])


def test_nobody_has_to_exchange() -> None:
    game = meeting("seraglio-9")
    play(game, "pass")
    assert aboard(game, 0) == ("arcades", "garden", "tower")
    assert asked(game) == ("lay_disc", 0)


def test_who_is_given_does_not_come_back_in_the_same_exchange() -> None:
    game = meeting("seraglio-9")
    supply(game, "pavilion", "seraglio")
    play(game, "swap_resident", type="garden")
    assert [move.type for move in game.moves()] == ["pavilion", "seraglio"]


def test_with_an_empty_supply_there_is_nothing_to_exchange_and_no_question() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    supply(game)
    at_hand(game, "seraglio-9")
    events = play(game, "place seraglio-9 @1,0")
    assert {"seat": 0, "decision": "resident", "forced": True} in events_of(events, "passed")
    assert asked(game) == ("lay_disc", 0)


def test_an_empty_disc_asks_nothing_either() -> None:
    game = trader_table()
    disc(game, 0, (1, 0))
    at_hand(game, "seraglio-9")
    play(game, "place seraglio-9 @1,0")
    assert asked(game) == ("lay_disc", 0)


def test_a_building_elsewhere_leaves_the_trader_alone() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10")
    play(game, "place garden-10 @0,1")
    assert where(game, 0) == (1, 0)
    assert asked(game)[0] == "action"


def test_a_tile_on_the_cell_of_somebody_elses_disc_is_nothing_to_anybody() -> None:
    game = trader_table()
    disc(game, 0, (0, 1), "arcades", "garden", "tower")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    assert where(game, 1) == (1, 0)
    assert asked(game)[0] == "action"


def test_a_tile_put_into_the_reserve_or_given_to_dirk_moves_nobody() -> None:
    game = trader_table(2)
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10", "garden-11")
    game.state.giftable = ("garden-11",)
    play(game, "reserve garden-10")
    play(game, "give_to_dirk garden-11")
    assert where(game, 0) == (1, 0)


# -- The disc returns -------------------------------------------------------------------------------------------------


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
    assert game.slice(Residents).homes == {}


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


def test_the_cell_of_the_disc_is_as_good_as_empty() -> None:
    game = trader_table()
    disc(game, 0, (1, -1), "arcades", "garden", "tower")
    alhambra(game, 0, {(1, 0): "garden-10-n"})
    assert points(hold_scoring(game.clone(), 1), "wall") == {0: 1}
    at_hand(game, "tower-12")
    assert legal(game, "place tower-12 @0,-1")
    assert codes(refused(game, "place tower-12 @1,-1")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


def test_the_cell_of_the_disc_may_not_be_enclosed() -> None:
    game = trader_table()
    disc(game, 0, (1, 1), "arcades", "garden", "tower")
    ring = {(1, 0): "garden-10", (2, 0): "garden-11", (2, 1): "tower-11", (0, 1): "arcades-9", (0, 2): "arcades-10"}
    alhambra(game, 0, {**ring, (2, 2): "chambers-10"})
    reserve(game, 0, "chambers-11")
    assert fact(refused(game, "add chambers-11 @1,2"), "HOLE") == {"cells": [[1, 1]]}
    assert legal(game, "add chambers-11 @1,1")


def test_a_disc_left_alone_by_a_redesign_stays_where_it_is() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    play(game, "remove garden-10")
    assert where(game, 0) == (2, 0)
    assert asked(game)[1] == 1


def test_the_disc_of_a_seat_that_resigned_is_laid_for_it() -> None:
    game = meeting("garden-10")
    game.resign(0)
    assert where(game, 0) is not None
    assert asked(game)[1] == 1


# -- Redesigns --------------------------------------------------------------------------------------------------------


def test_a_tile_added_from_the_reserve_meets_the_trader_too() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    reserve(game, 0, "garden-10")
    play(game, "add garden-10 @1,0")
    assert asked(game) == ("resident", 0)
    play(game, "move_in")
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 0)


def test_a_resident_whose_building_is_removed_returns_to_the_supply() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    before = game.slice(Residents).supply.count("garden")
    events = play(game, "remove garden-10")
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert game.slice(Residents).supply.count("garden") == before + 1
    assert game.slice(Residents).homes == {}


def test_a_swap_moves_nobody_in_and_the_old_resident_out() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    reserve(game, 0, "garden-11")
    events = play(game, "swap garden-11 @1,0")
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert game.slice(Residents).homes == {}
    assert asked(game)[1] == 1
    assert where(game, 0) == (2, 0)


# -- Scoring ----------------------------------------------------------------------------------------------------------


# worked example
# worked example
# worked example
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


def test_residents_on_the_disc_score_nothing() -> None:
    assert points(hold_scoring(trader_table(), 2), "residents") == {}


def test_dirk_has_neither_disc_nor_residents() -> None:
    game = trader_table(2)
    assert len(game.view(None)["slices"][KEY]["discs"]) == 2
    assert points(hold_scoring(game, 1), "residents") == {}


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


# -- Together with other modules --------------------------------------------------------------------------------------


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


def test_a_watchtower_on_the_cell_of_the_disc_takes_nobody_in() -> None:
    game = trader_table(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-10"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    towers = game.state.slices["watchtowers"]
    towers.pending = (("watchtower_garden_1",), (), ())
    towers.supply = tuple(other for other in towers.supply if other != "watchtower_garden_1")
    at_hand(game)
    play(game, "place_watchtower @2,0", type="garden", side="NW")
    assert game.decision == Decision("resident", 0, {"tile": "watchtower_garden_1"})
    assert not legal(game, "move_in")
    assert legal(game, "swap_resident", type="garden")


def test_a_square_takes_nobody_in_but_one_may_be_exchanged() -> None:
    game = trader_table(3, "squares")
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    squares = game.state.slices["squares"]
    squares.stacks = {**squares.stacks, "garden": ("square_garden_2",)}
    play(game, "take_square", slot="square-garden")
    play(game, "place square_garden_2 @1,0")
    assert game.decision == Decision("resident", 0, {"tile": "square_garden_2"})
    assert fact(refused(game, "move_in"), "NOT_ELIGIBLE") == {"tile": "square_garden_2", "for": "resident"}
    play(game, "swap_resident", type="garden")
    play(game, "take_resident", type="pavilion")
    assert aboard(game, 0) == ("pavilion", "arcades", "tower")
    assert legal(game, "lay_disc @2,0")


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


@pytest.mark.parametrize(("cell", "colour"), [((0, 1), "garden"), ((0, 2), "tower")])
def test_of_a_project_the_half_on_the_cell_of_the_disc_counts(cell: Cell, colour: str) -> None:
    game = trader_table(3, "major_construction_projects")
    disc(game, 0, cell, "garden", "tower", "tower")
    at_hand(game, "project_garden_tower")
    play(game, "place project_garden_tower @0,1")
    assert game.decision == Decision("resident", 0, {"tile": "project_garden_tower", "type": colour})
    play(game, "move_in")
    assert game.slice(Residents).homes == {"project_garden_tower": colour}
    assert marks(game, 0) == {cell: "resident"}


def test_the_claimant_of_a_tile_lays_the_disc_out_at_once() -> None:
    game = trader_table(3, "power_of_the_sultan")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    sultan = game.state.slices["power_of_the_sultan"]
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
    kept = game.state.slices["characters"]
    game.state.deck = tuple(card for card in game.state.deck if card != piece)
    kept.aside = tuple(card for card in kept.aside if card != piece)
    kept.owners = {**kept.owners, piece: seat}


def test_whoever_claims_a_tile_at_the_start_of_the_own_turn_lays_the_disc_at_its_end() -> None:
    game = trader_table(3, "power_of_the_sultan", "characters", turn_of=2)
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    give_character(game, 0, "dancer")
    sultan = game.state.slices["power_of_the_sultan"]
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


def test_a_building_moved_inside_the_alhambra_loses_its_resident_and_meets_the_trader() -> None:
    game = trader_table()
    alhambra(game, 0, {(0, 1): "garden-10"})
    house(game, "garden-10")
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    lift_tile(game, 0, "garden-10", "move")
    assert game.slice(Residents).homes == {}
    lay_tile(game, 0, "garden-10", Build((1, 0)), "move")
    assert where(game, 0) is None
    assert game.state.agenda[-1] == ("street_trader.meet_trader", 0, "garden-10", "garden")


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


def test_the_gate_is_set_before_anybody_moves_in() -> None:
    game = trader_table(3, "city_gates")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    hand(game, 0, "gate")
    at_hand(game, "garden-10-w")
    events = play(game, "place garden-10-w @2,0", choice="gate")
    assert kinds(events).index("gate_set") < kinds(events).index("decision_opened")
    assert asked(game) == ("resident", 0)


def test_a_wooden_wall_may_face_the_cell_of_the_disc() -> None:
    game = trader_table(3, "city_walls")
    disc(game, 0, (0, -1), "arcades", "garden", "tower")
    game.state.deck = tuple(card for card in game.state.deck if card != "wallcard_N")
    game.state.slices["city_walls"].open = ("wallcard_N",)
    assert legal(game, "build_wall start-0", piece="wallcard_N")


def test_the_disc_protects_nobody_from_invaders() -> None:
    game = trader_table(3, "invaders")
    game.state.seats[0].score = 10
    assert points(hold_scoring(game, 1), "attack")[0] == -1


def test_a_building_that_leaves_for_the_personal_market_leaves_its_resident_behind() -> None:
    game = trader_table(3, "personal_building_market")
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    events = play(game, "remove garden-10")
    assert len(events_of(events, "resident_left")) == 1
    assert asked(game) == ("stow", 0)
