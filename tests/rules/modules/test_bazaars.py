"""16 The bazaars: they lie beside the market, cost what another tile costs, and score their colours at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES, OPEN
from alhambra.modules.bazaars import BAZAAR, COLOURS, CURRENCY, TILES, score_bazaars
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.street_trader import Residents
from alhambra.modules.viziers_favour import Viziers
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
    fact,
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

GULDEN, DIRHAM = "bazaar_2", "bazaar_1"
"""Seraglio, arcades, tower; and seraglio, arcades, garden."""
THREE = {"gulden": "garden-10", "dirham": "garden-11", "dukat": "tower-12"}
AROUND = {
    (1, 0): "arcades-9",
    (2, 0): "arcades-10",
    (3, 0): "seraglio-9",
    (1, 1): "garden-10",
    (2, 1): GULDEN,
    (3, 1): "tower-11",
    (3, 2): "pavilion-8",
}
"""Around the bazaar in the cell (2, 1): six buildings, four of its colours, all three colours among them."""


def bazaars(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["bazaars", *others], **options)


def on_offer(*others: str, seats: int = 3) -> Game:
    """A gulden bazaar lies beside the market; the tile on the gulden space costs 4."""
    game = bazaars(seats, *others)
    market(game, gulden="seraglio-4-ne", denar="tower-11")
    beside(game, bazaar=f"{GULDEN} {DIRHAM}")
    return game


# -- Beside the market -------------------------------------------------------------------------------------------------


@pytest.mark.rule("16.1", "16.3")
def test_eight_bazaars_are_mixed_into_the_tower() -> None:
    game = bazaars(dealt=True)
    lying = [*game.state.tower, *game.state.market, *game.state.beside.get("bazaar", ())]
    assert sorted(lying) == sorted([*BASE_TILES, *(tile.id for tile in TILES)])
    assert len(TILES) == 8


@pytest.mark.rule("16.4")
def test_one_that_is_drawn_goes_beside_the_market_and_drawing_goes_on() -> None:
    game = bazaars()
    market(game, **THREE)
    tower(game, "bazaar_3", "bazaar_4", "arcades-9")
    display(game, "gulden-1")
    events = take_turn(game)
    assert [event["slot"] for event in events_of(events, "tile_drawn")] == ["bazaar", "bazaar", "market-denar"]
    assert game.state.beside == {"bazaar": ("bazaar_3", "bazaar_4")}


@pytest.mark.rule("16.1")
def test_everybody_sees_coin_and_colours_of_one_that_is_for_sale() -> None:
    game = on_offer()
    assert [piece["type"] for piece in pieces(game, "bazaars", kind="bazaar_colour", tile=GULDEN)] == [*COLOURS[GULDEN]]
    assert [piece["currency"] for piece in pieces(game, "bazaars", kind="bazaar_coin", tile=GULDEN)] == ["gulden"]


@pytest.mark.rule("16.2")
def test_bazaars_have_no_walls() -> None:
    assert {part.edges for tile in TILES for part in tile.parts} == {OPEN * 4}


def test_a_bazaar_shows_its_colours_where_it_is_built() -> None:
    game = bazaars()
    alhambra(game, 0, {(1, 0): GULDEN})
    assert {piece["cell"] for piece in pieces(game, "bazaars", tile=GULDEN)} == {(1, 0)}
    assert not pieces(game, "bazaars", kind="bazaar_coin")


# -- Buying ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("16.5", "16.6", "16.28", "16.36")
def test_it_costs_what_the_tile_on_the_space_of_its_currency_costs() -> None:
    """Worked example: a gulden bazaar for 4, because the tile on the gulden space costs 4; exactly."""
    game = on_offer()
    hand(game, 0, "gulden-4 gulden-5")
    assert codes(refused(game, f"buy {GULDEN} gulden-5", slot="bazaar")) == ["NOT_EXACT"]
    events = play(game, f"buy {GULDEN} gulden-4", slot="bazaar")
    assert events_of(events, "bonus_action")
    assert game.state.seats[0].pending == (GULDEN,)
    assert game.state.market[0] == "seraglio-4-ne", "the tile that sets the price stays"


@pytest.mark.rule("16.7", "16.30", "16.37")
def test_it_cannot_be_bought_once_the_space_was_emptied_in_the_same_turn() -> None:
    """Worked example: the gulden space is empty."""
    game = on_offer()
    hand(game, 0, "gulden-4 gulden-4")
    play(game, "buy market-gulden gulden-4")
    faults = refused(game, f"buy {GULDEN} gulden-4", slot="bazaar")
    assert fact(faults, "CONDITION_UNMET") == {"what": "price_tile", "need": 1, "have": 0}


@pytest.mark.rule("16.37")
def test_a_bazaar_that_lies_elsewhere_is_refused_as_not_there() -> None:
    game = on_offer()
    hand(game, 0, "gulden-4")
    assert codes(refused(game, "buy bazaar_8 gulden-4", slot="bazaar")) == ["NOT_THERE"]


@pytest.mark.rule("16.7")
def test_one_is_for_sale_while_the_price_of_another_is_missing() -> None:
    game = on_offer()
    hand(game, 0, "gulden-4 dirham-4")
    assert codes(refused(game, f"buy {DIRHAM} dirham-4", slot="bazaar")) == ["CONDITION_UNMET"]
    assert legal(game, f"buy {GULDEN} gulden-4", slot="bazaar")


@pytest.mark.rule("16.5")
def test_another_currency_is_refused() -> None:
    game = on_offer()
    hand(game, 0, "denar-4")
    assert "WRONG_CURRENCY" in codes(refused(game, f"buy {GULDEN} denar-4", slot="bazaar"))


@pytest.mark.rule("16.8")
def test_a_bazaar_is_placed_reserved_and_redesigned_like_a_building() -> None:
    game = bazaars()
    alhambra(game, 0, {(0, 1): "garden-10"})
    reserve(game, 0, GULDEN)
    game.state.actions = 4
    play(game, f"add {GULDEN} @1,0")
    assert GULDEN in game.state.seats[0].board.placed
    play(game, f"remove {GULDEN}")
    assert game.state.seats[0].reserve == (GULDEN,)
    play(game, f"swap {GULDEN} @0,1")
    assert game.state.seats[0].reserve == ("garden-10",)
    beside(game, bazaar=DIRHAM)
    market(game, dirham="seraglio-4-ne")
    hand(game, 0, "dirham-4")
    display(game, "denar-1")
    play(game, f"buy {DIRHAM} dirham-4", slot="bazaar")
    play(game, "take_money denar-1")
    play(game, f"place {DIRHAM} @1,0")
    assert DIRHAM in game.state.seats[0].board.placed


@pytest.mark.rule("16.31")
def test_more_than_five_actions_a_turn_are_possible() -> None:
    game = bazaars()
    market(game, gulden="pavilion-2-new", dukat="tower-12")
    beside(game, bazaar="bazaar_2 bazaar_8 bazaar_4 bazaar_7")
    hand(game, 0, "gulden-2 gulden-2 gulden-2 dukat-9 dukat-3 dukat-9 dukat-3 dukat-9 dukat-3")
    display(game, "denar-1")
    for bazaar, cards in (
        *(("bazaar_2", "gulden-2"), ("bazaar_8", "gulden-2")),
        *(("bazaar_4", "dukat-3 dukat-9"), ("bazaar_7", "dukat-3 dukat-9")),
    ):
        play(game, f"buy {bazaar} {cards}", slot="bazaar")
    play(game, "buy market-gulden gulden-2")
    play(game, "buy market-dukat dukat-3 dukat-9")
    play(game, "take_money denar-1")
    assert len(game.state.seats[0].pending) == 6


@pytest.mark.rule("16.34")
def test_one_drawn_at_setup_is_for_sale_from_the_first_turn() -> None:
    seeds = (f"bazaar {number}" for number in range(200))
    game = next(dealt for seed in seeds if (dealt := bazaars(seed=seed, dealt=True)).state.beside)
    bazaar = game.state.beside["bazaar"][0]
    offered = game.ruleset.verbs["buy"].pays
    assert offered is not None
    assert game.decision is not None
    assert bazaar in [offer.tile for offer in offered.offers(game, game.decision)]


@pytest.mark.rule("16.23")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert set(effects_allowed(BAZAAR)) == {"bonus", "treasure", "carpenter", "white_die", "patron", "coiner", "vizier"}


# -- Scoring -----------------------------------------------------------------------------------------------------------


def final(game: Game) -> dict[str, int]:
    return score_lines(game, score_bazaars, 3, "bazaar")


@pytest.mark.rule("16.10", "16.29")
def test_four_buildings_of_three_colours_bring_twelve() -> None:
    """Worked example: six neighbours, two empty cells, four buildings match."""
    game = bazaars()
    alhambra(game, 0, AROUND)
    assert final(game) == {GULDEN: 12}


@pytest.mark.rule("16.29")
def test_without_the_tower_they_bring_six() -> None:
    """Worked example: three buildings of two colours."""
    game = bazaars()
    alhambra(game, 0, {cell: tile for cell, tile in AROUND.items() if cell not in ((3, 1), (3, 2))})
    assert final(game) == {GULDEN: 6}


@pytest.mark.rule("16.11")
def test_eight_buildings_of_three_colours_bring_the_most() -> None:
    """Worked example: 8 × 3 = 24."""
    game = bazaars()
    board = alhambra(game, 0, {})
    board.put(game.ruleset.tiles[GULDEN], 5, 5)
    tiles = [tile for tile in BASE_TILES.values() if tile.type in COLOURS[GULDEN]]
    chosen = [*tiles[:2], *tiles[7:10], *tiles[-3:]]
    cells = [(x, y) for x in (4, 5, 6) for y in (4, 5, 6) if (x, y) != (5, 5)]
    for tile, cell in zip(chosen, cells, strict=True):
        board.put(tile, *cell)
    assert {tile.type for tile in chosen} == set(COLOURS[GULDEN])
    assert final(game) == {GULDEN: 24}


@pytest.mark.rule("16.9", "16.39")
@pytest.mark.parametrize(("number", "brought"), [(1, {}), (2, {}), (3, {0: 12})])
def test_only_the_last_scoring_counts(number: int, brought: dict[int, int]) -> None:
    game = bazaars()
    alhambra(game, 0, AROUND)
    assert points(hold_scoring(game, number), "bazaar") == brought


@pytest.mark.rule("16.12")
def test_walls_do_not_matter_and_one_building_counts_for_several_bazaars() -> None:
    game = bazaars()
    alhambra(
        game, 0, {(1, 0): "arcades-8-e", (1, 1): GULDEN, (0, 1): DIRHAM, (2, 1): "garden-10", (2, 0): "tower-10-w"}
    )
    assert final(game) == {GULDEN: 2 * 2, DIRHAM: 1}


@pytest.mark.rule("16.17", "16.32", "16.35", "04.27", "08.27")
def test_neither_fountain_squares_camps_medinas_nor_bazaars_are_neighbours() -> None:
    game = bazaars(3, "squares", "medina", "magical_buildings", "military_camps")
    board = alhambra(game, 0, {(1, 0): GULDEN, (2, 0): DIRHAM, (1, 1): "medina_10", (0, -1): "magical_seraglio"})
    board.put(game.ruleset.tiles["square_tower_1"], 1, -1)
    board.put(game.ruleset.tiles["camp_W"], 2, 1)
    assert {"seraglio", "tower"} <= set(COLOURS[GULDEN])
    assert final(game) == {GULDEN: 1}, "the seraglio alone"


@pytest.mark.rule("16.32")
def test_a_covered_building_is_no_neighbour() -> None:
    game = bazaars()
    alhambra(game, 0, AROUND)
    game.state.covered = ("tower-11",)
    assert final(game) == {GULDEN: 6}


@pytest.mark.rule("16.9")
def test_one_in_the_reserve_brings_nothing() -> None:
    game = bazaars()
    reserve(game, 0, GULDEN)
    assert not points(end_game(game), "bazaar")


@pytest.mark.rule("16.10", "16.39")
def test_all_points_are_those_that_the_text_says() -> None:
    brought: list[int] = []
    for game, seen in random_alhambras(Random(16), 40, "bazaars"):
        board = game.state.seats[0].board
        built = {tile.id: board.placed[tile.id] for tile in TILES if tile.id in board.placed}
        wanted = {
            name: beside_oracle.bazaar(seen, (placed.x, placed.y), list(COLOURS[name]))
            for name, placed in built.items()
        }
        assert final(game) == {name: value for name, value in wanted.items() if value}
        brought += wanted.values()
    assert max(brought) >= 9


# -- The end, and two players ------------------------------------------------------------------------------------------


@pytest.mark.rule("16.14")
def test_unsold_ones_are_not_given_out() -> None:
    game = on_offer()
    hand(game, 0, "gulden-9 denar-9 dirham-9 dukat-9")
    awarded = {event["tile"] for event in events_of(end_game(game), "leftover_awarded")}
    assert awarded == {"seraglio-4-ne", "tower-11"}
    assert game.state.beside == {"bazaar": (GULDEN, DIRHAM)}


@pytest.mark.rule("16.33")
def test_if_the_last_tiles_are_bazaars_and_a_space_stays_empty_the_game_ends() -> None:
    game = bazaars()
    market(game, **THREE)
    tower(game, "bazaar_3", only=True)
    display(game, "gulden-1")
    assert events_of(take_turn(game), "end_began") == [{"because": "market"}]


@pytest.mark.rule("16.13", "16.35")
def test_one_drawn_for_dirk_is_one_of_his_tiles_and_brings_nothing() -> None:
    game = bazaars(2)
    dirk(game, GULDEN, "garden-10")
    events = end_game(game)
    assert not points(events, "bazaar")
    assert points(events, "majority") == {2: points(events, "majority", type="garden")[2]}


@pytest.mark.rule("16.13")
def test_a_bought_one_may_be_given_to_dirk() -> None:
    game = on_offer(seats=2)
    display(game, "denar-1")
    hand(game, 0, "gulden-4")
    play(game, f"buy {GULDEN} gulden-4", slot="bazaar")
    play(game, "take_money denar-1")
    play(game, f"give_to_dirk {GULDEN}")
    assert game.state.dirk == (GULDEN,)


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("16.15", "01.21")
def test_a_vizier_buys_one_without_a_further_action() -> None:
    game = on_offer("viziers_favour")
    market(game, gulden="seraglio-4-ne", dirham="garden-11", denar="tower-11", dukat="tower-12")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    hand(game, 1, "gulden-4")
    play(game, "take_money dukat-1")
    events = play(game, f"buy {GULDEN} gulden-4", slot="bazaar")
    assert not events_of(events, "bonus_action")
    play(game, f"reserve {GULDEN}")
    assert game.module_state(Viziers).awake == (True, False, True)


@pytest.mark.rule("16.16", "07.32", "07.67")
def test_the_patron_buys_one_but_not_without_a_price() -> None:
    game = on_offer("characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    patron = ("rich_patron",)
    assert codes(refused(game, f"buy {DIRHAM}", slot="bazaar", items=patron)) == ["CONDITION_UNMET"]
    assert events_of(play(game, f"buy {GULDEN}", slot="bazaar", items=patron), "bonus_action")


@pytest.mark.rule("16.24", "07.32")
@pytest.mark.parametrize(("tile", "asked"), [("seraglio-9", False), ("tower-11", True)])
def test_the_miser_looks_at_the_price_of_the_tile_on_the_space(tile: str, asked: bool) -> None:
    game = bazaars(3, "characters")
    game.module_state(Characters).owners = {"miser": 0}
    market(game, gulden=tile)
    beside(game, bazaar=GULDEN)
    display(game, "dukat-1")
    hand(game, 0, "gulden-9", *(["gulden-2"] if asked else []))
    play(game, f"buy {GULDEN} " + " ".join(game.state.seats[0].hand), slot="bazaar")
    assert game.decision is not None
    assert (game.decision.kind == "miser") is asked


@pytest.mark.rule("16.22", "11.19")
def test_coins_help_to_pay_exactly_but_no_change_is_given() -> None:
    game = on_offer("change")
    coins = game.module_state(Coins)
    coins.bag = tuple(sorted(coins.bag))
    coins.bag, coins.held = tuple(c for c in coins.bag if c != "coin-gulden"), (("coin-gulden",), (), ())
    hand(game, 0, "gulden-3")
    events = play(game, f"buy {GULDEN} gulden-3", slot="bazaar", items=("coin-gulden",))
    assert events_of(events, "paid")[0]["exact"]
    assert not events_of(events, "coins_drawn")


@pytest.mark.rule("16.25", "08.27")
def test_a_camp_on_the_space_sets_the_price() -> None:
    game = bazaars(3, "military_camps")
    market(game, gulden="camp_E")
    beside(game, bazaar=GULDEN)
    hand(game, 0, "gulden-5")
    assert legal(game, f"buy {GULDEN} gulden-5", slot="bazaar")


@pytest.mark.rule("16.19", "22.21")
def test_no_watchtower_is_bought_with_one() -> None:
    game = on_offer("watchtowers")
    hand(game, 0, "gulden-4 gulden-6")
    faults = refused(game, f"buy {GULDEN} gulden-4 gulden-6", slot="bazaar", choice="watchtower")
    assert codes(faults) == ["NOT_THERE"]


@pytest.mark.rule("12.17", "16.18")
def test_nobody_moves_into_one_on_the_cell_of_the_trader() -> None:
    game = bazaars(3, "street_trader")
    residents = game.module_state(Residents)
    residents.discs = ((1, 0), *residents.discs[1:])
    alhambra(game, 0, {})
    reserve(game, 0, GULDEN)
    play(game, f"add {GULDEN} @1,0")
    assert game.decision is not None
    assert game.decision.kind == "resident"
    assert not legal(game, "move_in")
    assert legal(game, "swap_resident", type=residents.aboard[0][0])


@pytest.mark.rule("41.16", "16.38")
def test_one_on_a_personal_market_has_no_price() -> None:
    game = bazaars(3, "personal_building_market")
    reserve(game, 1, GULDEN)
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, (GULDEN, "", "", ""), ("",) * 4)
    hand(game, 0, f"{PLACES[0]}-4")
    assert codes(refused(game, f"buy {PLACES[0]}-4", slot=f"personal-1-{PLACES[0]}")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("16.26", "07.62")
def test_the_dancer_lays_a_drawn_one_beside_the_market_and_draws_again() -> None:
    game = bazaars(3, "characters", turn_of=2)
    market(game, gulden="garden-10", dirham="garden-11", denar="tower-11", dukat="tower-12")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    game.module_state(Characters).owners = {"dancer": 0}
    take_turn(game)
    assert game.decision is not None
    assert game.decision.kind == "start"
    tower(game, "bazaar_3", "arcades-9")
    play(game, "dance market-denar")
    assert game.state.beside == {"bazaar": ("bazaar_3",)}
    assert game.state.market[2] == "arcades-9"


@pytest.mark.rule("16.37")
def test_a_bazaar_that_lies_elsewhere_is_not_there_even_while_its_price_is_missing() -> None:
    game = on_offer()
    other = next(bazaar for bazaar, coin in CURRENCY.items() if coin == CURRENCY[DIRHAM] and bazaar != DIRHAM)
    hand(game, 0, "dirham-4")
    assert codes(refused(game, f"buy {other} dirham-4", slot="bazaar")) == ["NOT_THERE"]


@pytest.mark.rule("16.37")
def test_a_bazaar_is_bought_from_its_own_place_and_from_no_market_space() -> None:
    game = on_offer()
    hand(game, 0, "dirham-4")
    assert codes(refused(game, f"buy {DIRHAM} dirham-4", slot="market-dirham")) == ["NOT_THERE"]
