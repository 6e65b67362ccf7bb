"""33 The wishing well: its number counts if exactly as many tiles lie before its arrow."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import PLACES, Markets
from alhambra.modules.wishing_well import ARROW, NUMBER, TILES, WELL, score_wells
from tests.rules import beside_oracle
from tests.rules.module_code import effects_allowed
from tests.rules.modules.beside_table import random_alhambras, score_lines
from tests.rules.modules.building_sites_table import lay_site
from tests.rules.modules.handymen_table import crew, rolled
from tests.rules.modules.watchtowers_table import stand
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

THREE = {"gulden": "garden-10", "dirham": "garden-11", "dukat": "tower-12"}
LINE = {(0, -1): "well_3_1", (0, 1): "garden-10", (0, 2): "garden-11"}
"""The arrow points south: the fountain and two gardens lie before it."""


def wells(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["wishing_well", *others], **options)


def on_offer(*others: str, seats: int = 3) -> Game:
    """Two wells lie beside the denar space, which is empty."""
    game = wells(seats, *others)
    market(game, **THREE)
    beside(game, beside_denar="well_3_1 well_5_1")
    return game


def brought(game: Game) -> int:
    """What the well of seat 0 brings."""
    return sum(score_lines(game, score_wells, 1, "well").values())


# -- Beside the market -------------------------------------------------------------------------------------------------


@pytest.mark.rule("33.2")
def test_six_wells_are_mixed_into_the_tower() -> None:
    game = wells(dealt=True)
    beside_it = [tile for lying in game.state.beside.values() for tile in lying]
    lying = [*game.state.tower, *game.state.market, *beside_it]
    assert sorted(lying) == sorted([*BASE_TILES, *(tile.id for tile in TILES)])


@pytest.mark.rule("33.3")
def test_those_that_are_drawn_lie_beside_their_space_and_drawing_goes_on() -> None:
    game = wells()
    market(game, **THREE)
    tower(game, "well_3_1", "well_4_1", "arcades-9")
    display(game, "gulden-1")
    take_turn(game)
    assert game.state.beside == {"beside-denar": ("well_3_1", "well_4_1")}
    assert game.state.market[2] == "arcades-9"


@pytest.mark.rule("33.4", "33.17")
@pytest.mark.parametrize(("well", "card"), [("well_3_1", "denar-3"), ("well_5_1", "denar-5")])
def test_its_number_is_its_price_in_the_currency_of_its_space_even_if_that_is_empty(well: str, card: str) -> None:
    game = on_offer()
    hand(game, 0, card, "dirham-9")
    assert "WRONG_CURRENCY" in codes(refused(game, f"buy {well} dirham-9", slot="beside-denar"))
    events = play(game, f"buy {well} {card}", slot="beside-denar")
    assert events_of(events, "bonus_action")
    assert game.state.seats[0].pending == (well,)


@pytest.mark.rule("33.4")
def test_one_may_be_overpaid() -> None:
    game = on_offer()
    hand(game, 0, "denar-9")
    assert not events_of(play(game, "buy well_3_1 denar-9", slot="beside-denar"), "bonus_action")


@pytest.mark.rule("33.15")
def test_everybody_sees_where_the_arrow_points() -> None:
    game = on_offer()
    assert [piece["side"] for piece in pieces(game, "wishing_well", tile="well_3_1")] == ["S"]
    beside(game)
    alhambra(game, 0, {(1, 0): "well_3_1"}, turned={"well_3_1": 90})
    assert [piece["side"] for piece in pieces(game, "wishing_well", tile="well_3_1", cell=(1, 0))] == ["W"]


@pytest.mark.rule("33.18")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"workers", "watchtower", "site", "scout", "key"}.isdisjoint(effects_allowed(WELL))
    assert len(effects_allowed(WELL)) == 10


# -- Building and scoring ----------------------------------------------------------------------------------------------


@pytest.mark.rule("33.5")
@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_it_may_be_turned_when_it_is_built(rotation: int) -> None:
    game = wells()
    reserve(game, 0, "well_4_1")
    play(game, "add well_4_1 @1,0", rotation=rotation)
    assert game.board(0).placed["well_4_1"].rotation == rotation


@pytest.mark.rule("33.6", "33.10")
def test_exactly_as_many_tiles_as_its_number_bring_its_number() -> None:
    """Worked example T1; the fountain counts."""
    game = wells()
    alhambra(game, 0, LINE)
    assert brought(game) == 3


@pytest.mark.rule("33.6", "33.11")
@pytest.mark.parametrize("more", [{(0, 3): "tower-11"}, None])
def test_more_or_fewer_tiles_bring_nothing(more: dict[tuple[int, int], str] | None) -> None:
    """Worked example T2."""
    game = wells()
    alhambra(game, 0, {**LINE, **more} if more else dict(list(LINE.items())[:-1]))
    assert brought(game) == 0


@pytest.mark.rule("33.15")
def test_the_arrow_turns_with_the_tile() -> None:
    game = wells()
    row = {(1, 0): "well_3_1", (-1, 0): "garden-10", (-2, 0): "garden-11"}
    alhambra(game, 0, row, turned={"well_3_1": 90})
    assert brought(game) == 3
    alhambra(game, 0, row, turned={"well_3_1": 180})
    assert brought(game) == 0


@pytest.mark.rule("33.14")
def test_walls_do_not_interrupt_the_line_but_a_gap_does() -> None:
    game = wells()
    board = alhambra(game, 0, {(0, -1): "well_3_1", (0, 1): "chambers-9-s"})
    board.put(BASE_TILES["garden-10-n"], 0, 2)
    assert brought(game) == 3
    board.remove("garden-10-n")
    board.put(BASE_TILES["garden-10-n"], 0, 3)
    assert brought(game) == 0


@pytest.mark.rule("33.12", "16.27")
def test_tiles_of_every_kind_count_in_the_line() -> None:
    game = wells(3, "medina", "bazaars", "squares")
    board = alhambra(game, 0, {(0, -1): "well_5_1", (0, 1): "medina_10", (0, 2): "bazaar_1", (0, 3): "well_4_1"})
    board.put(game.ruleset.tiles["square_tower_1"], 0, 4)
    assert brought(game) == 5


@pytest.mark.rule("33.13")
def test_a_camp_is_not_counted_and_ends_the_line() -> None:
    game = wells(3, "military_camps")
    board = alhambra(game, 0, {(0, -1): "well_3_1", (0, 1): "garden-10", (0, 2): "garden-12-s"})
    board.put(game.ruleset.tiles["camp_N"], 0, 3)
    board.put(BASE_TILES["garden-11"], 0, 4)
    assert brought(game) == 3


@pytest.mark.rule("28.35", "33.12")
def test_each_half_of_a_project_counts() -> None:
    game = wells(3, "major_construction_projects")
    projects = game.module_state(Projects)
    project = "project_pavilion_arcades"
    projects.hidden = tuple(tile for tile in (*projects.hidden, projects.project) if tile != project)
    projects.project = ""
    board = alhambra(game, 0, {(0, -1): "well_3_1"})
    board.place(game.ruleset.tiles[project], 0, 1)
    assert brought(game) == 3


@pytest.mark.rule("33.7")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_it_counts_in_every_scoring(number: int) -> None:
    game = wells()
    alhambra(game, 0, LINE)
    assert points(hold_scoring(game, number), "well") == {0: 3}


@pytest.mark.rule("33.6")
def test_all_points_are_those_that_the_text_says() -> None:
    found: set[int] = set()
    for game, seen in random_alhambras(Random(33), 60, "wishing_well"):
        board = game.state.seats[0].board
        wanted = {}
        for name in (tile.id for tile in TILES if tile.id in board.placed):
            _, x, y, rotation, _ = board.placed[name]
            wanted[name] = beside_oracle.well(seen, (x, y), NUMBER[name], ARROW[name], rotation)
        assert score_lines(game, score_wells, 2, "well") == {n: value for n, value in wanted.items() if value}
        found.update(wanted.values())
    assert found == {0, 3, 4, 5}


# -- The end, two players, other modules -------------------------------------------------------------------------------


@pytest.mark.rule("33.9")
def test_unsold_ones_are_not_given_out() -> None:
    game = on_offer()
    hand(game, 0, "denar-9")
    assert "well_3_1" not in [event["tile"] for event in events_of(end_game(game), "leftover_awarded")]
    assert game.state.beside == {"beside-denar": ("well_3_1", "well_5_1")}


@pytest.mark.rule("33.8")
def test_one_of_dirks_tiles_brings_nothing() -> None:
    game = wells(2)
    dirk(game, "well_3_1")
    assert not points(hold_scoring(game, 1), "well")


@pytest.mark.rule("33.19")
def test_a_bought_one_may_be_given_to_dirk() -> None:
    game = on_offer(seats=2)
    hand(game, 0, "denar-9")
    play(game, "buy well_3_1 denar-9", slot="beside-denar")
    play(game, "give_to_dirk well_3_1")
    assert game.state.dirk == ("well_3_1",)


@pytest.mark.rule("33.22")
def test_it_is_of_no_type() -> None:
    game = wells()
    alhambra(game, 0, {(1, 0): "well_3_1"})
    assert not points(hold_scoring(game, 1), "majority")


@pytest.mark.rule("33.18", "01.21")
def test_a_vizier_buys_one_for_exactly_its_number() -> None:
    game = on_offer("viziers_favour")
    market(game, **THREE, denar="arcades-9")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    hand(game, 1, "denar-3 denar-4")
    play(game, "take_money dukat-1")
    assert codes(refused(game, "buy well_3_1 denar-4", slot="beside-denar")) == ["NOT_EXACT"]
    play(game, "buy well_3_1 denar-3", slot="beside-denar")
    assert legal(game, "place well_3_1 @1,0", rotation=270)


@pytest.mark.rule("33.18")
def test_the_patron_buys_one() -> None:
    game = on_offer("characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    assert events_of(play(game, "buy well_5_1", slot="beside-denar", items=("rich_patron",)), "bonus_action")


@pytest.mark.rule("33.18")
def test_overpaying_gives_change() -> None:
    game = on_offer("change")
    hand(game, 0, "denar-9")
    play(game, "buy well_5_1 denar-9", slot="beside-denar")
    assert len(game.module_state(Coins).held[0]) == 2


@pytest.mark.rule("33.20", "41.16")
def test_on_a_personal_market_it_costs_its_number() -> None:
    game = wells(3, "personal_building_market")
    reserve(game, 1, "well_4_1")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("well_4_1", "", "", ""), ("",) * 4)
    hand(game, 0, f"{PLACES[0]}-4")
    events = play(game, f"buy {PLACES[0]}-4", slot=f"personal-1-{PLACES[0]}")
    assert events_of(events, "paid")[0]["exact"]


@pytest.mark.rule("33.1")
def test_it_has_no_walls() -> None:
    assert {part.edges for tile in TILES for part in tile.parts} == {"oooo"}


@pytest.mark.rule("33.21")
def test_a_handyman_may_be_put_on_an_own_well_by_its_number_but_not_on_one_beside_the_market() -> None:
    game = crew(3, "wishing_well")
    alhambra(game, 0, {(1, 0): "well_3_1"})
    beside(game, beside_denar="well_5_1")
    assert legal(rolled(game, 3), "put_handyman well_3_1")
    assert codes(refused(rolled(game, 4), "put_handyman well_3_1")) == ["CONDITION_UNMET"]
    assert codes(refused(rolled(game, 5), "put_handyman well_5_1")) == ["NOT_THERE"]


@pytest.mark.rule("23.15", "33.12")
def test_a_site_counts_in_the_line() -> None:
    game = wells(3, "building_sites")
    alhambra(game, 0, LINE)
    lay_site(game, 0, list(LINE.values())[-1], "denar")
    assert brought(game) == 3


@pytest.mark.rule("33.13")
def test_a_watchtower_is_not_counted_and_ends_the_line() -> None:
    game = wells(3, "watchtowers")
    alhambra(game, 0, LINE)
    stand(game, 0, "garden", (0, 3), "NE")
    assert brought(game) == 3


@pytest.mark.rule("33.23")
def test_one_of_a_seat_that_resigned_still_scores() -> None:
    game = wells()
    alhambra(game, 1, LINE)
    game.resign(1)
    assert points(hold_scoring(game, 1), "well") == {1: 3}
