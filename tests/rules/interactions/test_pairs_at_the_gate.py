"""37 Gates without end with the other newer modules: what a bonus brings along, and what it does not touch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alhambra import Game
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.orchards import Orchards
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.interactions.deals import COMING, MARKET, to_gate
from tests.rules.interactions.story import go_on, order, told
from tests.rules.modules.colours_table import own_projects
from tests.rules.modules.designers_table import stand
from tests.rules.modules.extensions_table import lay as lay_extensions
from tests.rules.modules.falconers_table import GARDEN_TOWER, perch, sitting
from tests.rules.modules.handymen_table import post, posted
from tests.rules.modules.palace_staff_table import stand_at
from tests.rules.modules.powers_table import STRENGTH, WISDOM, hide
from tests.rules.modules.test_arts_of_the_moors import owning
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
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
)

RICH = "denar-9 denar-5"


def nothing(_game: Game) -> None:
    """The table stays as it is."""


def gate(bonus: str, *modules: str, before: Callable[[Game], object] = nothing, seats: int = 3) -> Game:
    """Seat 0 is asked for this bonus at its own gate; `before` sets the table before its turn."""
    game = table(seats, modules=["gates_without_end", *modules])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    before(game)
    to_gate(bonus)(game)
    return game


def buying(tile: str, *modules: str) -> Game:
    """Seat 0 may buy this tile on the denar space for 14."""

    def lay(game: Game) -> None:
        market(game, **{**MARKET, "denar": tile})
        hand(game, 0, RICH)

    return gate("buy_for_14", *modules, before=lay)


def buy(game: Game) -> list[str]:
    """Seat 0 buys it: what is told."""
    return told(play(game, f"buy market-denar {RICH}"))


# -- Buying for 14 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.61", "30.24", "37.34")
def test_the_fruit_of_a_tile_bought_at_a_gate_is_planted_before_the_tile_is_placed() -> None:
    game = buying("garden-10", "orchards")
    kept = game.module_state(Orchards)
    kept.on_tiles, kept.supply = {"garden-10": kept.supply[0]}, kept.supply[1:]
    assert "asked plant_fruit" in buy(game)
    assert told(game.apply(next(game.moves())))[-1] == "asked place_now"


@pytest.mark.rule("99.61", "37.34")
def test_the_animals_of_a_garden_bought_at_a_gate_come_along() -> None:
    game = buying("garden-10", "menagerie")
    game.module_state(Menagerie).lying = {"garden-10": ((0, "dove"), (0, "monkey"))}
    buy(game)
    play(game, "place garden-10 @1,0")
    assert game.module_state(Menagerie).lying == {"garden-10": ((0, "dove"), (0, "monkey"))}


@pytest.mark.rule("99.61", "20.16")
def test_culture_is_taken_at_once_for_the_price_of_a_building_bought_at_a_gate() -> None:
    def lay(game: Game) -> None:
        market(game, **{**MARKET, "denar": "garden-10"})
        hand(game, 0, RICH)

    game = gate("buy_for_14", "arts_of_the_moors", before=lay)
    owning(game, 0, "garden-10-w")
    buy(game)
    assert told(play(game, "place garden-10 @1,0"))[-1] == "asked culture"


@pytest.mark.rule("99.61", "37.34", "38.34")
def test_a_special_building_bought_at_a_gate_has_its_die_at_once() -> None:
    assert "die_placed" in buy(buying(STRENGTH, "buildings_of_power"))


@pytest.mark.rule("99.2", "38.34")
def test_a_function_gained_at_a_gate_waits_for_the_next_own_turn_even_of_the_active_seat() -> None:
    game = buying(WISDOM, "buildings_of_power")
    buy(game)
    events = [*play(game, f"place {WISDOM} @1,0"), *go_on(game, "action")]
    assert "asked after" not in told(events)
    assert [seat for seat, *_ in game.module_state(Powers).functions] == [0]


@pytest.mark.rule("99.62", "35.21")
def test_the_designer_scores_a_tile_that_is_built_at_a_gate() -> None:
    game = buying("garden-10", "palace_designers")
    stand(game, 0, (0, 0), "E")
    buy(game)
    assert points(play(game, "place garden-10 @1,0"), "designer") == {0: 2}


@pytest.mark.rule("99.62", "35.12")
def test_a_plaza_built_at_the_feet_of_the_designer_scores_too() -> None:
    game = gate("plaza", "palace_designers")
    stand(game, 0, (0, 0), "E")
    play(game, "take_plaza plaza_1")
    cell = next(move.cell for move in game.moves() if move.verb == "place")
    assert points(play(game, f"place plaza_1 @{cell[0]},{cell[1]}" if cell else ""), "designer")[0] >= 1


@pytest.mark.rule("40.12")
def test_handymen_at_a_space_bought_at_a_gate_may_be_taken_back_before_it_is_filled() -> None:
    game = buying("garden-10", "handymen")
    post(game, 1, "denar", 2)
    buy(game)
    play(game, "place garden-10 @1,0")
    events = go_on(game, "action")
    wanted = ("asked take_back", "tile_drawn", "market_filled")
    assert order(events, wanted) == list(wanted)


# -- Swapping market tiles ---------------------------------------------------------------------------------------------


@pytest.mark.rule("99.25", "36.24", "38.23")
def test_a_swap_at_a_gate_moves_fruit_and_animals_but_neither_handymen_nor_hidden_tiles() -> None:
    game = gate("swap_market", "orchards", "menagerie", "buildings_of_power", "handymen")
    fruit, animals = game.module_state(Orchards), game.module_state(Menagerie)
    market(game, **{**MARKET, "denar": "garden-10"})
    fruit.on_tiles, animals.lying = {"garden-10": "apple"}, {"garden-10": ((0, "dove"),)}
    hide(game, 2, "denar", "tower-8-nes")
    post(game, 1, "denar", 2)
    hidden = game.module_state(Powers).hidden
    play(game, "swap_market market-gulden")
    play(game, "swap_with market-denar")
    assert game.state.market[0] == "garden-10"
    assert fruit.on_tiles == {"garden-10": "apple"}
    assert animals.lying == {"garden-10": ((0, "dove"),)}
    assert game.module_state(Powers).hidden == hidden
    assert posted(game, 1, "denar") == 2


# -- Redesigns ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.64", "21.31")
def test_a_building_moved_at_a_gate_sends_its_falcons_back() -> None:
    def lay(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "tower-11-n", (0, 1): "garden-10", (1, 1): "chambers-10"})
        perch(game, 0, **{GARDEN_TOWER: (0, 0)})

    game = gate("rebuild", "falconers", before=lay)
    play(game, "move_tile chambers-10 @-1,0")
    assert GARDEN_TOWER not in sitting(game)


@pytest.mark.rule("29.28")
def test_the_tile_of_the_major_domo_is_not_moved_at_a_gate() -> None:
    def lay(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "garden-10", (0, 1): "tower-12"})
        stand_at(game, (1, 0))

    game = gate("rebuild", "palace_staff", before=lay)
    assert refused(game, "move_tile garden-10 @-1,0")
    assert refused(game, "remove garden-10")
    assert legal(game, "move_tile tower-12 @-1,0")


@pytest.mark.rule("99.11", "21.26")
def test_a_redesign_at_a_gate_is_open_after_falcons_and_after_rolling() -> None:
    def lay(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "garden-10"})
        game.state.used = ("dice", "forced")

    game = gate("rebuild", "handymen", before=lay)
    assert legal(game, "remove garden-10")


@pytest.mark.rule("99.69", "37.51", "39.14")
def test_a_half_building_takes_no_extension() -> None:
    game = gate("half_building", "extensions", before=lambda game: lay_extensions(game, "pavilion garden seraglio"))
    play(game, "take_half", type="garden")
    go_on(game, "action")
    game.state.active = 0
    assert game.decision is not None
    game.state.decision = game.decision._replace(seat=0)
    hand(game, 0, "gulden-5 gulden-2 dirham-4")
    faults = refused(game, "extend gulden-5 gulden-2 dirham-4", slot="extension-1-2")
    assert codes(faults) == ["CONDITION_UNMET"]


@pytest.mark.rule("99.69", "99.73", "34.22", "37.51")
def test_a_half_building_is_not_decorated_but_counts_half_in_the_majority() -> None:
    game = gate("half_building", "fresh_colours", before=lambda game: alhambra(game, 0, {(1, 0): "garden-10"}))
    own_projects(game, 0, "fresh_garden_1", completed=True)
    play(game, "take_half", type="garden")
    go_on(game, "action")
    events = hold_scoring(game, 1)
    assert points(events, "decoration") == {0: 2}
    assert [line["count"] for line in events_of(events, "scored") if line["reason"] == "majority"] == [3]


# -- Money -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.36", "29.20", "37.37")
def test_money_of_a_gate_gives_the_major_domo_no_steps() -> None:
    game = gate("money_card", "palace_staff", before=lambda game: alhambra(game, 0, {(1, 0): "garden-10"}))
    assert "asked staff_walk" not in told(play(game, "take_open dukat-1"))


@pytest.mark.rule("99.17", "31.33")
def test_with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_key() -> None:
    def lay(game: Game) -> None:
        display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-6 dukat-7")

    game = gate("money_card", "travelling_craftsmen", before=lay)
    assert game.module_state(Craftsmen).shown
    events = [*play(game, "take_open dukat-1"), *go_on(game, "action")]
    assert "card_revealed" not in kinds(events)
    assert len(game.state.display) == 4


@pytest.mark.rule("99.62", "35.21")
def test_reserve_tiles_are_added_at_a_gate_and_score_for_the_designer() -> None:
    def lay(game: Game) -> None:
        reserve(game, 0, "garden-10")
        stand(game, 0, (0, 0), "S")

    game = gate("rebuild", "palace_designers", before=lay)
    assert points(play(game, "add garden-10 @0,1"), "designer") == {0: 2}
