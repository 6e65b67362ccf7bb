"""32 The bathhouses: each side scores the distance to the first building that it names."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES
from alhambra.modules.bathhouses import BATHHOUSE, SIDES_OF, TILES, score_bathhouses
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.personal_building_market import PLACES, Markets
from tests.rules import beside_oracle
from tests.rules.module_code import effects_allowed
from tests.rules.modules.beside_table import random_alhambras, score_lines
from tests.rules.situations import (
    alhambra,
    beside,
    codes,
    dirk,
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
    reserve,
    table,
    take_turn,
    tower,
)

BATH = "bathhouse_1"
"""North arcades, east garden, south chambers, west pavilion."""
THREE = {"gulden": "garden-10", "dirham": "garden-11", "dukat": "tower-12"}


def baths(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["bathhouses", *others], **options)


def on_offer(*others: str, seats: int = 3) -> Game:
    """Two bathhouses lie beside the denar space, which is empty."""
    game = baths(seats, *others)
    market(game, **THREE)
    beside(game, beside_denar=f"{BATH} bathhouse_2")
    return game


def brought(game: Game) -> int:
    """What the bathhouse of seat 0 brings."""
    return score_lines(game, score_bathhouses, 1, "bathhouse").get(BATH, 0)


# -- Beside the market -------------------------------------------------------------------------------------------------


@pytest.mark.rule("32.3")
def test_six_bathhouses_are_mixed_into_the_tower() -> None:
    game = baths(dealt=True)
    beside_it = [tile for lying in game.state.beside.values() for tile in lying]
    lying = [*game.state.tower, *game.state.market, *beside_it]
    assert sorted(lying) == sorted([*BASE_TILES, *(tile.id for tile in TILES)])


@pytest.mark.rule("32.4")
def test_those_that_are_drawn_lie_beside_their_space_and_drawing_goes_on() -> None:
    game = baths()
    market(game, **THREE)
    tower(game, "bathhouse_1", "bathhouse_2", "arcades-9")
    display(game, "gulden-1")
    take_turn(game)
    assert game.state.beside == {"beside-denar": ("bathhouse_1", "bathhouse_2")}
    assert game.state.market[2] == "arcades-9"


@pytest.mark.rule("32.17", "33.16")
def test_side_tiles_of_several_modules_go_to_their_places_until_a_tile_for_the_space_comes() -> None:
    game = baths(3, "bazaars", "wishing_well", "medina")
    market(game, **THREE)
    tower(game, "bathhouse_1", "bazaar_1", "well_3_1", "medina_5")
    display(game, "gulden-1")
    take_turn(game)
    assert game.state.beside == {"beside-denar": ("bathhouse_1", "well_3_1"), "bazaar": ("bazaar_1",)}
    assert game.state.market[2] == "medina_5"


@pytest.mark.rule("32.17")
def test_if_nothing_but_side_tiles_comes_the_game_ends() -> None:
    game = baths(3, "wishing_well")
    market(game, **THREE)
    tower(game, "bathhouse_1", "well_3_1", only=True)
    display(game, "gulden-1")
    assert events_of(take_turn(game), "end_began") == [{"because": "market"}]


@pytest.mark.rule("32.2", "32.5", "32.19")
def test_a_bathhouse_costs_eight_in_the_currency_of_its_space_even_if_that_is_empty() -> None:
    game = on_offer()
    hand(game, 0, "denar-8 dirham-8")
    assert "WRONG_CURRENCY" in codes(refused(game, f"buy {BATH} dirham-8", slot="beside-denar"))
    events = play(game, f"buy {BATH} denar-8", slot="beside-denar")
    assert events_of(events, "bonus_action")
    assert game.state.beside == {"beside-denar": ("bathhouse_2",)}


@pytest.mark.rule("32.19")
def test_several_may_be_bought_in_one_turn_and_building_too() -> None:
    game = on_offer()
    market(game, **THREE, denar="arcades-9")
    hand(game, 0, "denar-8 denar-8 denar-9")
    play(game, f"buy {BATH} denar-8", slot="beside-denar")
    play(game, "buy market-denar denar-9")
    assert legal(game, "buy bathhouse_2 denar-8", slot="beside-denar")


@pytest.mark.rule("32.5")
def test_one_may_be_overpaid() -> None:
    game = on_offer()
    hand(game, 0, "denar-9")
    assert not events_of(play(game, f"buy {BATH} denar-9", slot="beside-denar"), "bonus_action")


@pytest.mark.rule("32.16")
def test_everybody_sees_what_the_sides_name_as_the_tile_lies() -> None:
    game = on_offer()
    shown = {piece["side"]: piece["type"] for piece in pieces(game, "bathhouses", tile=BATH)}
    assert shown == SIDES_OF[BATH]
    beside(game)
    alhambra(game, 0, {(1, 0): BATH}, turned={BATH: 90})
    shown = {piece["side"]: piece["type"] for piece in pieces(game, "bathhouses", tile=BATH, cell=(1, 0))}
    assert shown == {"E": "arcades", "S": "garden", "W": "chambers", "N": "pavilion"}


@pytest.mark.rule("32.20")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"workers", "watchtower", "site", "scout", "key"}.isdisjoint(effects_allowed(BATHHOUSE))
    assert len(effects_allowed(BATHHOUSE)) == 10


# -- Building and scoring ----------------------------------------------------------------------------------------------


@pytest.mark.rule("32.6")
@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_it_may_be_turned_when_it_is_built(rotation: int) -> None:
    game = baths()
    reserve(game, 0, BATH)
    play(game, f"add {BATH} @1,0", rotation=rotation)
    assert game.board(0).placed[BATH].rotation == rotation


@pytest.mark.rule("32.7", "32.10", "32.13")
def test_the_distances_of_all_sides_are_added() -> None:
    """Worked example T1: chambers at distance 2, a garden at distance 3, nothing else."""
    game = baths()
    row = {(0, -1): BATH, (1, -1): "tower-11", (2, -1): "tower-12", (3, -1): "garden-10", (0, 1): "chambers-10"}
    alhambra(game, 0, row)
    assert brought(game) == 2 + 3


@pytest.mark.rule("32.23")
def test_a_bathhouse_has_one_score_line_with_the_distance_for_each_type_met() -> None:
    game = baths()
    row = {(0, -1): BATH, (1, -1): "tower-11", (2, -1): "garden-10", (0, 1): "chambers-10"}
    alhambra(game, 0, row)
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "bathhouse"]
    assert [(line["tile"], line["points"], dict(line["parts"])) for line in lines] == [
        (BATH, 4, {"garden": 2, "chambers": 2})
    ]


@pytest.mark.rule("32.7", "32.14")
def test_the_first_building_counts_and_no_later_one() -> None:
    """Worked example T2: one adjoins, another one stands at distance 4."""
    game = baths()
    row = {(0, -1): BATH, (1, -1): "garden-10", (2, -1): "tower-12", (3, -1): "tower-11", (4, -1): "garden-11"}
    alhambra(game, 0, row)
    assert brought(game) == 1


@pytest.mark.rule("32.8", "32.16")
def test_the_named_types_turn_with_the_tile() -> None:
    game = baths()
    alhambra(game, 0, {(1, 0): BATH, (2, 0): "garden-10"}, turned={BATH: 90})
    assert brought(game) == 0
    alhambra(game, 0, {(1, 0): BATH, (2, 0): "arcades-10"}, turned={BATH: 90})
    assert brought(game) == 1


@pytest.mark.rule("32.9")
def test_a_gap_ends_the_line() -> None:
    game = baths()
    board = alhambra(game, 0, {(1, 0): BATH})
    board.put(BASE_TILES["garden-10"], 3, 0)
    assert brought(game) == 0


@pytest.mark.rule("32.9")
def test_double_walls_do_not_matter() -> None:
    game = baths()
    alhambra(
        game, 0, {(1, 0): BATH, (1, 1): "tower-11", (2, 1): "tower-12", (2, 0): "arcades-8-e", (3, 1): "seraglio-9"}
    )
    game.state.seats[0].board.place(BASE_TILES["garden-10-w"], 3, 0)
    assert brought(game) == 2


@pytest.mark.rule("23.40", "26.25", "32.15")
def test_all_full_tiles_make_up_the_line_but_only_a_finished_building_is_met() -> None:
    game = baths(3, "medina", "wishing_well", "bazaars")
    row = {(0, 1): BATH, (1, 1): "medina_10", (2, 1): "well_3_1", (3, 1): "bazaar_3", (4, 1): "garden-10"}
    alhambra(game, 0, row)
    assert brought(game) == 4
    game.state.covered = ("garden-10",)
    assert brought(game) == 0


@pytest.mark.rule("32.15")
def test_a_camp_ends_the_line() -> None:
    game = baths(3, "military_camps")
    board = alhambra(game, 0, {(1, 0): BATH})
    board.put(game.ruleset.tiles["camp_W"], 2, 0)
    board.put(BASE_TILES["garden-10"], 3, 0)
    assert brought(game) == 0


@pytest.mark.rule("32.10")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_it_counts_in_every_scoring(number: int) -> None:
    game = baths()
    alhambra(game, 0, {(1, 0): BATH, (2, 0): "garden-10"})
    assert points(hold_scoring(game, number), "bathhouse") == {0: 1}


@pytest.mark.rule("32.7", "32.8")
def test_all_points_are_those_that_the_text_says() -> None:
    best = 0
    for game, seen in random_alhambras(Random(32), 40, "bathhouses"):
        board = game.state.seats[0].board
        wanted = {}
        for name in (tile.id for tile in TILES if tile.id in board.placed):
            _, x, y, rotation, _ = board.placed[name]
            wanted[name] = beside_oracle.bathhouse(seen, (x, y), SIDES_OF[name], rotation)
        assert score_lines(game, score_bathhouses, 2, "bathhouse") == {n: value for n, value in wanted.items() if value}
        best = max(best, *wanted.values())
    assert best >= 6


# -- The end, two players, other modules -------------------------------------------------------------------------------


@pytest.mark.rule("32.12")
def test_unsold_ones_are_not_given_out() -> None:
    game = on_offer()
    hand(game, 0, "denar-9")
    events = end_game(game)
    assert BATH not in [event["tile"] for event in events_of(events, "leftover_awarded")]
    assert game.state.beside == {"beside-denar": (BATH, "bathhouse_2")}


@pytest.mark.rule("32.11")
def test_one_of_dirks_tiles_brings_nothing() -> None:
    game = baths(2)
    dirk(game, BATH)
    assert not points(hold_scoring(game, 1), "bathhouse")


@pytest.mark.rule("32.18")
def test_a_bought_one_may_be_given_to_dirk() -> None:
    game = on_offer(seats=2)
    hand(game, 0, "denar-9")
    play(game, f"buy {BATH} denar-9", slot="beside-denar")
    play(game, f"give_to_dirk {BATH}")
    assert game.state.dirk == (BATH,)


@pytest.mark.rule("32.21")
def test_it_is_of_no_type() -> None:
    game = baths()
    alhambra(game, 0, {(1, 0): BATH})
    assert not points(hold_scoring(game, 1), "majority")


@pytest.mark.rule("32.20", "01.21")
def test_a_vizier_buys_one_for_exactly_eight() -> None:
    game = on_offer("viziers_favour")
    market(game, **THREE, denar="arcades-9")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    hand(game, 1, "denar-8 denar-9")
    play(game, "take_money dukat-1")
    assert codes(refused(game, f"buy {BATH} denar-9", slot="beside-denar")) == ["NOT_EXACT"]
    play(game, f"buy {BATH} denar-8", slot="beside-denar")
    play(game, f"reserve {BATH}")
    assert game.state.seats[1].reserve == (BATH,)


@pytest.mark.rule("32.20")
def test_the_patron_buys_one() -> None:
    game = on_offer("characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    assert events_of(play(game, f"buy {BATH}", slot="beside-denar", items=("rich_patron",)), "bonus_action")


@pytest.mark.rule("32.20")
def test_overpaying_gives_change() -> None:
    game = on_offer("change")
    hand(game, 0, "denar-9 denar-3")
    play(game, f"buy {BATH} denar-3 denar-9", slot="beside-denar")
    assert len(game.module_state(Coins).held[0]) == 2


@pytest.mark.rule("32.22", "41.16")
def test_on_a_personal_market_it_costs_eight() -> None:
    game = baths(3, "personal_building_market")
    reserve(game, 1, BATH)
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, (BATH, "", "", ""), ("",) * 4)
    hand(game, 0, f"{PLACES[0]}-8")
    events = play(game, f"buy {PLACES[0]}-8", slot=f"personal-1-{PLACES[0]}")
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("32.20")
def test_no_watchtower_is_bought_with_one() -> None:
    game = on_offer("watchtowers")
    hand(game, 0, "denar-8 denar-6")
    faults = refused(game, f"buy {BATH} denar-6 denar-8", slot="beside-denar", choice="watchtower")
    assert codes(faults) == ["NOT_THERE"]


@pytest.mark.rule("32.1")
def test_it_has_no_walls() -> None:
    assert {part.edges for tile in TILES for part in tile.parts} == {"oooo"}


@pytest.mark.rule("32.24")
def test_one_of_a_seat_that_resigned_still_scores() -> None:
    game = baths()
    alhambra(game, 1, {(1, 0): BATH, (2, 0): "garden-10"})
    game.resign(1)
    assert points(hold_scoring(game, 1), "bathhouse") == {1: 1}
