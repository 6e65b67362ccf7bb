"""25 Magical buildings: buildings of their type that may be turned each time they are built."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import Invaders
from alhambra.modules.magical_buildings import MAGICAL, TILES
from alhambra.modules.power_of_the_sultan import Sultan
from tests.rules.module_code import effects_allowed
from tests.rules.modules.handymen_table import crew, rolled
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    end_game,
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
    table,
    take_turn,
    tower,
)

TURNS = (0, 90, 180, 270)


def magical(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["magical_buildings", *others], **options)


def ways(game: Game, tile: str, cell: tuple[int, int]) -> list[int]:
    """How far the tile may be turned in this cell."""
    found = [move for move in game.moves() if move.verb == "add" and move.tile == tile and move.cell == cell]
    return [move.rotation or 0 for move in found]


def bought(game: Game, tile: str = "magical_pavilion") -> Game:
    """Seat 0 has bought the tile for more than its price and is to place it."""
    market(game, denar=tile)
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9")
    return game


@pytest.mark.rule("25.3")
def test_six_magical_buildings_one_of_each_type_are_mixed_into_the_tower() -> None:
    game = magical(dealt=True)
    assert sorted([*game.state.tower, *game.state.market]) == sorted([*BASE_TILES, *(tile.id for tile in TILES)])
    assert len({tile.type for tile in TILES}) == len(TILES) == 6


@pytest.mark.rule("25.4")
def test_one_paid_exactly_grants_a_further_action() -> None:
    game = magical()
    market(game, denar="magical_pavilion")
    hand(game, 0, "denar-9")
    assert events_of(play(game, "buy market-denar denar-9"), "bonus_action")


# -- Turning ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.5", "25.6", "25.11")
def test_beside_a_garden_with_an_open_side_three_rotations_are_possible() -> None:
    """Worked example T1 (a): the wall may point anywhere but to the garden in the east."""
    game = magical()
    alhambra(game, 0, {(0, 1): "garden-10", (0, 2): "garden-11"})
    reserve(game, 0, "magical_pavilion")
    assert ways(game, "magical_pavilion", (-1, 2)) == [0, 180, 270]


@pytest.mark.rule("25.6", "25.12")
def test_a_second_neighbour_above_leaves_two_rotations() -> None:
    """Worked example T1 (b)."""
    game = magical()
    alhambra(game, 0, {(0, 1): "garden-10", (-1, 0): "arcades-9"})
    reserve(game, 0, "magical_pavilion")
    assert ways(game, "magical_pavilion", (-1, 1)) == [180, 270]


@pytest.mark.rule("25.6", "25.13")
def test_beside_the_wall_of_a_garden_no_rotation_is_possible() -> None:
    """Worked example T1 (c): a wall would meet the wall, but no way would lead there."""
    game = magical()
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    reserve(game, 0, "magical_pavilion")
    assert ways(game, "magical_pavilion", (2, 0)) == []


@pytest.mark.rule("25.5", "25.8")
@pytest.mark.parametrize("rotation", TURNS)
def test_a_fresh_one_may_be_turned_and_its_walls_count_as_they_lie(rotation: int) -> None:
    game = bought(magical())
    side = "NESW"[rotation // 90]
    cell = {"N": (1, 0), "E": (0, 1), "S": (1, 0), "W": (0, 1)}[side]
    events = play(game, f"place magical_pavilion @{cell[0]},{cell[1]}", **({"rotation": rotation} if rotation else {}))
    assert events_of(events, "placed")[0].get("rotation", 0) == rotation
    assert game.board(0).cells[cell].edges["NESW".index(side)] == "w"
    assert points(hold_scoring(game, 1), "wall") == {0: 1}


@pytest.mark.rule("25.5")
def test_a_magical_building_from_the_reserve_may_be_turned_and_may_take_the_place_of_a_tile() -> None:
    game = magical()
    alhambra(game, 0, {(1, 0): "garden-10"})
    reserve(game, 0, "magical_pavilion")
    assert legal(game, "add magical_pavilion @0,1", rotation=90)
    assert legal(game, "swap magical_pavilion @1,0", rotation=180)
    assert codes(refused(game, "swap magical_pavilion @1,0", rotation=270)) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


@pytest.mark.rule("25.7")
def test_a_building_of_the_base_game_may_not_be_turned() -> None:
    game = magical()
    reserve(game, 0, "garden-9-e")
    assert "ROTATION_REFUSED" in codes(refused(game, "add garden-9-e @0,1", rotation=90))


@pytest.mark.rule("25.14", "25.15")
def test_one_that_lies_in_the_alhambra_is_not_turned_by_an_exchange_with_itself() -> None:
    game = magical()
    alhambra(game, 0, {(1, 0): "magical_pavilion"})
    assert codes(refused(game, "swap magical_pavilion @1,0", rotation=180))[0] == "NOT_THERE"
    play(game, "remove magical_pavilion")
    assert game.state.seats[0].reserve == ("magical_pavilion",)


def test_a_leftover_one_may_be_turned_when_it_is_built() -> None:
    game = magical()
    market(game, denar="magical_tower")
    hand(game, 0, "denar-9")
    end_game(game)
    assert game.decision is not None
    assert game.decision.kind == "leftover_tiles"
    assert legal(game, "place magical_tower @0,1", rotation=270) is False
    play(game, "place magical_tower @1,0")
    assert "magical_tower" in game.board(0).placed


@pytest.mark.rule("25.10")
def test_a_leftover_one_is_built_in_the_rotation_that_its_recipient_chooses() -> None:
    game = magical()
    market(game, denar="magical_pavilion")
    hand(game, 0, "denar-9")
    end_game(game)
    play(game, "place magical_pavilion @0,1", rotation=180)
    assert game.board(0).placed["magical_pavilion"].rotation == 180


@pytest.mark.rule("25.18")
def test_one_beside_a_gate_is_locked_like_any_other_tile() -> None:
    game = magical(3, "city_gates")
    board = alhambra(game, 0, {(1, 0): "arcades-8-e"})
    board.put(game.ruleset.tiles["magical_pavilion"], 2, 0, 270)
    assert legal(game, "remove magical_pavilion")
    board.add_passage(1, 0, "E")
    assert fact(refused(game, "remove magical_pavilion"), "LOCKED")["by"] == "gate"


# -- What it is ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.8", "25.9")
def test_it_counts_as_a_building_of_its_type_for_players_and_for_dirk() -> None:
    game = magical(2)
    alhambra(game, 0, {(1, 0): "magical_pavilion"})
    dirk(game, "magical_seraglio")
    events = hold_scoring(game, 1)
    assert points(events, "majority", type="pavilion") == {0: 1}
    assert points(events, "majority", type="seraglio") == {2: 2}


@pytest.mark.rule("25.19")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"watchtower", "key"}.isdisjoint(effects_allowed(MAGICAL))
    assert {"scout", "site", "vizier", "patron", "workers", "colours"} <= set(effects_allowed(MAGICAL))


@pytest.mark.rule("25.19")
def test_no_watchtower_is_bought_with_it() -> None:
    game = magical(3, "watchtowers")
    market(game, denar="magical_pavilion")
    hand(game, 0, "denar-9 denar-6")
    assert codes(refused(game, "buy market-denar denar-6 denar-9", choice="watchtower")) == ["NOT_THERE"]


@pytest.mark.rule("25.20", "22.33")
def test_a_watchtower_may_lean_on_its_colour() -> None:
    game = magical(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "magical_pavilion"})
    market(game, gulden="pavilion-5-nw")
    hand(game, 0, "gulden-5 gulden-7")
    play(game, "buy market-gulden gulden-5 gulden-7", choice="watchtower")
    play(game, "reserve pavilion-5-nw")
    assert legal(game, "place_watchtower @2,0", type="pavilion", side="SW")


@pytest.mark.rule("25.20", "15.21")
def test_an_exact_payment_wins_the_scout_of_its_type() -> None:
    game = magical(3, "invaders")
    invaders = game.module_state(Invaders)
    scout = "scout_pavilion"
    hidden = [other for other in (*invaders.open, *invaders.scouts) if other != scout]
    invaders.open, invaders.scouts = (scout, hidden[0]), tuple(hidden[1:])
    market(game, denar="magical_pavilion")
    hand(game, 0, "denar-9")
    assert events_of(play(game, "buy market-denar denar-9"), "scout_won")


@pytest.mark.rule("25.20", "18.28")
def test_a_sultan_card_claims_it_by_its_type() -> None:
    game = magical(3, "power_of_the_sultan", turn_of=2)
    market(game, gulden="tower-11", dirham="tower-12", dukat="garden-11")
    display(game, "gulden-1")
    game.state.deck = tuple(card for card in game.state.deck if card != "sultan_denar_1")
    game.state.piles = (len(game.state.deck),)
    sultan = game.module_state(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "tower"}, {"sultan_denar_1": 1}
    tower(game, "magical_tower")
    offered = events_of(take_turn(game), "claim_offered")
    assert [event["tile"] for event in offered] == ["magical_tower"]


@pytest.mark.rule("25.17", "09.27")
def test_wooden_walls_stay_on_the_tile_and_turn_with_it() -> None:
    game = magical(3, "city_walls")
    card = "wallcard_S"
    game.state.deck = tuple(other for other in game.state.deck if other != card)
    game.state.piles = (len(game.state.deck),)
    game.module_state(Walls).open = (card,)
    reserve(game, 0, "magical_pavilion")
    play(game, "build_wall magical_pavilion", piece=card)
    assert game.state.wooden_walls["magical_pavilion"] == (4,)
    for seat in (1, 2):
        assert game.decision is not None
        assert game.decision.seat == seat
        take_turn(game)
    play(game, "add magical_pavilion @0,1", rotation=90)
    assert game.board(0).cells[0, 1].edges == "owow", "printed wall to the east, wooden wall to the west"


@pytest.mark.rule("25.22")
def test_its_printed_price_lets_a_handyman_be_put_on_it() -> None:
    game = crew(3, "magical_buildings")
    alhambra(game, 0, {(1, 0): "magical_seraglio"})
    assert codes(refused(rolled(game, 6, 3), "put_handyman magical_seraglio")) == ["CONDITION_UNMET"]
    assert legal(rolled(game, 6, 4), "put_handyman magical_seraglio")


@pytest.mark.rule("25.23")
def test_its_chip_is_not_shown_as_a_piece() -> None:
    game = magical()
    alhambra(game, 0, {(1, 0): "magical_pavilion"}, turned={"magical_pavilion": 180})
    view = game.view(None)
    assert "magical_buildings" not in view["pieces"]
    (shown,) = (entry for entry in view["seats"][0]["alhambra"] if entry["tile"] == "magical_pavilion")
    assert set(shown) == {"tile", "cell", "rotation"}, "how it is turned is all that is shown"
