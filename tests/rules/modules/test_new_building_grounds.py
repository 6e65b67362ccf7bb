"""27 New building grounds: whoever gets a ground chooses the building that stands on it."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES, TYPES
from alhambra.invariants import census
from alhambra.modules.characters import Characters
from alhambra.modules.new_building_grounds import BUILDINGS, GROUND, GROUNDS, Columns
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.placement.standalone_boards import LaidTile, StandaloneBoards
from tests.rules.module_code import effects_allowed
from tests.rules.situations import (
    alhambra,
    codes,
    dealt_where,
    deck,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

COLUMNS = {
    9: ("garden", "garden", "tower"),
    10: ("tower", "seraglio", "seraglio"),
    11: ("pavilion", "arcades", "chambers"),
    12: ("pavilion", "arcades", "chambers"),
}


def grounds(seats: int = 3, *others: str, **options: Any) -> Game:
    """A table with known columns."""
    game = table(seats, modules=["new_building_grounds", *others], **options)
    game.state.types = {}
    game.module_state(Columns).columns = dict(COLUMNS)
    return game


def bought(game: Game, ground: str = "ground_12_1") -> Game:
    """Seat 0 has bought the ground for 12 denars and more, and is to choose."""
    market(game, denar=ground)
    hand(game, 0, "denar-9 denar-4")
    play(game, "buy market-denar denar-4 denar-9")
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


# -- Setup and purchase ------------------------------------------------------------------------------------------------


@pytest.mark.rule("27.4")
def test_eight_grounds_are_mixed_into_the_tower() -> None:
    game = table(modules=["new_building_grounds"], dealt=True)
    assert sorted([*game.state.tower, *game.state.market]) == sorted([*BASE_TILES, *(tile.id for tile in GROUNDS)])


@pytest.mark.rule("27.2", "27.3", "27.5")
def test_three_construction_buildings_lie_under_each_number_for_all_to_see() -> None:
    game = table(modules=["new_building_grounds"], dealt=True)
    shown = [
        piece for number in (9, 10, 11, 12) for piece in pieces(game, "new_building_grounds", slot=f"number-{number}")
    ]
    assert sorted(piece["type"] for piece in shown) == sorted(BUILDINGS)
    assert {len(column) for column in game.module_state(Columns).columns.values()} == {3}


@pytest.mark.rule("27.5")
def test_the_columns_are_laid_out_by_chance() -> None:
    dealt = [table(modules=["new_building_grounds"], dealt=True, seed=seed) for seed in "abcd"]
    assert len({str(game.module_state(Columns).columns) for game in dealt}) > 1


@pytest.mark.rule("27.7", "27.13")
def test_the_buyer_chooses_one_of_the_types_in_the_column_of_the_price() -> None:
    """Worked example T1: ground 12, column 12 shows pavilion, arcades and chambers."""
    game = bought(grounds())
    assert asked(game) == ("ground_building", 0)
    assert {move.type for move in game.moves()} == {"pavilion", "arcades", "chambers"}
    assert codes(refused(game, "choose_building", type="garden")) == ["NOT_THERE"]
    events = play(game, "choose_building", type="arcades")
    assert events_of(events, "building_chosen") == [{"tile": "ground_12_1", "type": "arcades", "seat": 0}]
    assert game.module_state(Columns).columns == {**COLUMNS, 12: ("pavilion", "chambers")}


@pytest.mark.rule("27.11", "27.14")
def test_dirk_takes_the_topmost_building_for_a_ground_that_he_draws() -> None:
    """Worked example T2; several grounds are served in the order in which they are drawn."""
    game = grounds(2)
    display(game, "gulden-1")
    deck(game, "scoring-1")
    tower(game, "ground_12_1", "ground_9_1", "ground_12_2")
    events = take_turn(game)
    chosen = [(event["tile"], event["type"]) for event in events_of(events, "building_chosen")]
    assert chosen == [("ground_12_1", "pavilion"), ("ground_9_1", "garden"), ("ground_12_2", "arcades")]
    assert game.module_state(Columns).columns[12] == ("chambers",)


@pytest.mark.rule("27.6")
def test_an_exact_payment_grants_a_further_action_after_the_choice() -> None:
    game = grounds()
    market(game, denar="ground_9_1")
    hand(game, 0, "denar-9")
    assert not events_of(play(game, "buy market-denar denar-9"), "bonus_action")
    assert events_of(play(game, "choose_building", type="tower"), "bonus_action")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("27.16")
def test_the_upper_one_of_two_equal_buildings_is_taken_and_nothing_is_refilled() -> None:
    game = grounds()
    game.module_state(Columns).columns = {**COLUMNS, 9: ("garden", "tower", "garden")}
    bought(game, "ground_9_1")
    play(game, "choose_building", type="garden")
    assert game.module_state(Columns).columns[9] == ("tower", "garden")


@pytest.mark.rule("27.17")
def test_if_all_buildings_of_a_column_are_of_one_type_nothing_is_asked() -> None:
    game = grounds()
    game.module_state(Columns).columns = {**COLUMNS, 12: ("tower", "tower")}
    bought(game)
    assert asked(game)[0] == "place_tiles"
    assert game.state.types == {"ground_12_1": "tower"}


@pytest.mark.rule("27.17")
def test_the_last_building_of_a_column_is_put_without_a_question_and_told_as_forced() -> None:
    game = grounds()
    game.module_state(Columns).columns = {**COLUMNS, 12: ("tower",)}
    (chosen,) = events_of(bought(game).events, "building_chosen")
    assert chosen == {"tile": "ground_12_1", "type": "tower", "seat": 0, "forced": True}
    assert game.module_state(Columns).columns[12] == ()


@pytest.mark.rule("27.18")
def test_with_an_empty_column_a_ground_may_still_be_bought_and_has_no_type() -> None:
    game = grounds()
    game.module_state(Columns).columns = {**COLUMNS, 12: ()}
    bought(game)
    play(game, "place ground_12_1 @1,0")
    assert not points(hold_scoring(game, 1), "majority")


@pytest.mark.rule("27.15")
def test_the_columns_lie_before_dirk_draws_his_first_tiles_and_before_the_market_is_filled() -> None:
    def drawn(game: Game) -> list[str]:
        return [tile for tile in (*game.state.dirk, *game.state.market) if tile.startswith("ground")]

    game = dealt_where(
        lambda game: drawn(game) and any(tile in game.state.dirk for tile in drawn(game)),
        2,
        modules=["new_building_grounds"],
    )
    dirks = [tile for tile in game.state.dirk if tile.startswith("ground")]
    assert set(game.state.types) == set(dirks), "each has a building, and a ground on the market has none"
    assert sum(len(column) for column in game.module_state(Columns).columns.values()) == len(BUILDINGS) - len(dirks)


@pytest.mark.rule("27.1")
def test_a_ground_has_no_walls() -> None:
    assert {part.edges for ground in GROUNDS for part in ground.parts} == {"oooo"}


# -- What it is from then on -------------------------------------------------------------------------------------------


@pytest.mark.rule("27.8", "27.10")
def test_it_counts_as_a_building_of_the_chosen_type() -> None:
    game = bought(grounds())
    play(game, "choose_building", type="chambers")
    play(game, "place ground_12_1 @1,0")
    assert points(hold_scoring(game, 1), "majority", type="chambers") == {0: 4}


@pytest.mark.rule("27.7", "27.9")
def test_it_keeps_its_building_in_the_reserve_and_everybody_sees_it() -> None:
    game = bought(grounds())
    play(game, "choose_building", type="chambers")
    play(game, "reserve ground_12_1")
    assert pieces(game, "new_building_grounds", tile="ground_12_1") == [
        {"kind": "construction", "tile": "ground_12_1", "type": "chambers"}
    ]


@pytest.mark.rule("27.2")
def test_all_construction_buildings_are_accounted_for() -> None:
    game = bought(grounds())
    before = census(game)
    play(game, "choose_building", type="chambers")
    assert census(game) == before


@pytest.mark.rule("27.2")
def test_twelve_construction_buildings_lie_in_columns_and_on_grounds_and_nowhere_else() -> None:
    game = bought(grounds())
    play(game, "choose_building", type="chambers")
    game.state.types = {**game.state.types, "arcades-9": "garden"}  # another module gives a tile another type
    counted = {piece: count for piece, count in census(game).items() if piece.startswith("construction_")}
    assert counted == {f"construction_{name}": 2 for name in TYPES}


@pytest.mark.rule("27.9")
def test_it_may_not_be_turned() -> None:
    game = bought(grounds())
    play(game, "choose_building", type="chambers")
    assert codes(refused(game, "place ground_12_1 @1,0", rotation=90)) == ["ROTATION_REFUSED"]


@pytest.mark.rule("27.19")
def test_the_buyer_may_give_it_to_dirk_with_the_chosen_building() -> None:
    game = bought(grounds(2))
    play(game, "choose_building", type="chambers")
    play(game, "give_to_dirk ground_12_1")
    assert game.module_state(Columns).columns[12] == ("pavilion", "arcades")
    assert points(hold_scoring(game, 1), "majority", type="chambers") == {2: 4}


@pytest.mark.rule("27.28")
def test_a_buyer_who_resigns_before_the_choice_takes_the_bare_ground_out_of_the_game() -> None:
    game = grounds()
    market(game, denar="ground_12_1")
    hand(game, 0, "denar-9 denar-3")
    display(game, "dukat-9")
    play(game, "buy market-denar denar-3 denar-9")
    before = census(game)
    events = game.resign(0)
    assert not events_of(events, "bonus_action"), "what it paid exactly grants it nothing any more"
    assert game.state.seats[0].hand == ()
    assert asked(game) == ("action", 1)
    assert "ground_12_1" in game.state.box
    assert game.state.types == {}
    assert census(game) == before


@pytest.mark.rule("27.20", "27.23")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"watchtower", "scout", "key"}.isdisjoint(effects_allowed(GROUND))
    assert {"site", "vizier", "patron", "workers", "colours"} <= set(effects_allowed(GROUND))


def test_a_ground_of_a_board_without_a_game_has_the_type_that_is_named_and_no_other() -> None:
    # With these modules Dirk draws a ground when the game behind the boards is set up.
    boards = StandaloneBoards(2, modules=["new_building_grounds", "medina", "magical_buildings"])
    named = LaidTile("ground_9_1", (0, 1), type="tower")
    assert not boards.lay(0, [named])
    assert boards.buildings(0)["tower"] == 1
    row = [LaidTile(tile.id, (number + 1, 0)) for number, tile in enumerate(GROUNDS[1:])]
    assert not boards.lay(1, row)
    assert sum(boards.buildings(1).values()) == 0


# -- The end -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("27.12", "27.24")
def test_the_recipient_of_a_leftover_ground_chooses_before_the_next_space_is_looked_at() -> None:
    game = grounds()
    market(game, gulden="ground_12_1", dirham="ground_11_1")
    hand(game, 1, "gulden-9")
    hand(game, 2, "dirham-9")
    events = end_game(game)
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["ground_12_1"]
    assert asked(game) == ("ground_building", 1)
    events = play(game, "choose_building", type="arcades")
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["ground_11_1"]
    assert asked(game) == ("ground_building", 2)
    play(game, "choose_building", type="arcades")
    assert asked(game) == ("leftover_tiles", 1)
    play(game, "place ground_12_1 @1,0")
    events = play(game, "place ground_11_1 @1,0")
    assert set(points(events, "majority", type="arcades")) == {1, 2}


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("27.23", "27.24")
def test_a_vizier_chooses_at_once_and_then_places() -> None:
    game = grounds(3, "viziers_favour")
    market(game, gulden="garden-10", dirham="garden-11", denar="ground_9_1", dukat="tower-12")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("ground_building", 1)
    play(game, "choose_building", type="tower")
    assert asked(game) == ("place_now", 1)


@pytest.mark.rule("27.20", "18.28")
def test_a_bare_ground_is_never_claimed_by_a_sultan_card() -> None:
    game = grounds(3, "power_of_the_sultan", turn_of=2)
    market(game, gulden="tower-11", dirham="tower-12", dukat="garden-11")
    display(game, "gulden-1")
    game.state.deck = tuple(card for card in game.state.deck if card != "sultan_denar_1")
    game.state.piles = (len(game.state.deck),)
    sultan = game.module_state(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "pavilion"}, {"sultan_denar_1": 1}
    tower(game, "ground_12_1")
    assert not events_of(take_turn(game), "claim_offered")
    assert game.state.market[2] == "ground_12_1"


@pytest.mark.rule("27.26")
def test_a_ground_that_the_dancer_returns_has_no_building() -> None:
    game = grounds(3, "characters", turn_of=2)
    market(game, gulden="garden-10", dirham="garden-11", denar="ground_12_1", dukat="tower-12")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    game.module_state(Characters).owners = {"dancer": 0}
    take_turn(game)
    play(game, "dance market-denar")
    assert game.state.tower[0] == "ground_12_1"
    assert game.state.types == {}


@pytest.mark.rule("27.8", "27.21", "12.20")
@pytest.mark.parametrize("name", ["pavilion", "chambers"])
def test_a_resident_of_the_chosen_type_moves_in(name: str) -> None:
    game = grounds(3, "street_trader")
    residents = game.module_state(Residents)
    residents.discs = ((1, 0), *residents.discs[1:])
    residents.aboard = (("pavilion", "arcades", "garden"), *residents.aboard[1:])
    alhambra(game, 0, {})
    bought(game)
    play(game, "choose_building", type=name)
    play(game, "place ground_12_1 @1,0")
    assert asked(game)[0] == "resident"
    assert legal(game, "move_in") is (name == "pavilion")


@pytest.mark.rule("27.22", "41.16")
def test_on_a_personal_market_it_is_sold_with_its_building() -> None:
    game = bought(grounds(3, "personal_building_market"))
    play(game, "choose_building", type="chambers")
    play(game, "reserve ground_12_1", slot=f"personal-0-{PLACES[3]}")
    before = census(game)
    hand(game, 1, f"{PLACES[3]}-9 {PLACES[3]}-3")
    cards = f"{PLACES[3]}-3 {PLACES[3]}-9"
    play(game, f"buy {cards}", slot=f"personal-0-{PLACES[3]}")
    assert game.state.seats[1].pending == ("ground_12_1",)
    assert game.state.types == {"ground_12_1": "chambers"}
    assert game.module_state(Markets).lying[0] == ("",) * 4
    assert census(game) == before


@pytest.mark.rule("27.27")
def test_one_that_leaves_the_game_takes_its_building_with_it() -> None:
    game = bought(grounds(3, "personal_building_market"))
    play(game, "choose_building", type="chambers")
    full = tuple(game.state.tower[:4])
    game.state.tower = game.state.tower[4:]
    game.module_state(Markets).lying = (full, ("",) * 4, ("",) * 4)
    before = census(game)
    play(game, "box ground_12_1")
    assert "ground_12_1" in game.state.box
    assert game.module_state(Columns).columns[12] == ("pavilion", "arcades")
    assert pieces(game, "new_building_grounds", tile="ground_12_1") == [], "what left the game is not shown"
    assert census(game) == before
