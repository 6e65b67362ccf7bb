"""08 Military camps: bastions lean on walls, arrows score the line of tiles behind."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from alhambra.components import BASE_TILES, Cell
from alhambra.modules.military_camps import ARROWS, CAMPS
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
    tower,
)

ROW_OF_FOUR = {(-1, 0): "chambers-9-w", (1, 0): "garden-10", (2, 0): "garden-9-e"}
"""With the fountain; walls at both ends."""
EAST_WALL = {(1, 0): "garden-9-e"}
TWO_EAST_WALLS = {(1, 0): "garden-9-e", (1, 1): "tower-9-es"}


def camps(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["military_camps", *others], **options)


# -- Components, supply, purchase ------------------------------------------------------------------------------------


@pytest.mark.rule("08.1", "08.3")
def test_eight_camps_are_mixed_into_the_tower() -> None:
    game = camps(dealt=True)
    tiles = [*game.state.tower, *game.state.market]
    assert sorted(tiles) == sorted([*BASE_TILES, *CAMPS])
    assert len(CAMPS) == 8


@pytest.mark.rule("08.2")
def test_the_arrows_point_out_of_the_bastions() -> None:
    for name, camp in CAMPS.items():
        bastions = [side for side, letter in zip("NESW", camp.parts[0].edges, strict=True) if letter == "b"]
        assert set(bastions) == set(ARROWS[name])
        assert len(bastions) in (1, 2)


@pytest.mark.rule("08.4")
def test_a_camp_paid_exactly_grants_a_further_action() -> None:
    game = camps()
    market(game, denar="camp_E")
    hand(game, 0, "denar-5")
    events = play(game, "buy market-denar denar-5")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert game.state.seats[0].pending == ("camp_E",)
    assert game.state.actions == 1


@pytest.mark.rule("08.4")
def test_a_camp_may_be_overpaid_without_change_or_further_action() -> None:
    game = camps()
    market(game, denar="camp_E")
    hand(game, 0, "denar-7")
    events = play(game, "buy market-denar denar-7")
    assert not events_of(events, "bonus_action")
    assert game.decision is not None
    assert game.decision.kind == "place_tiles"


@pytest.mark.rule("08.5")
def test_a_camp_bought_goes_into_the_reserve_or_into_the_alhambra() -> None:
    game = camps()
    alhambra(game, 0, EAST_WALL)
    market(game, denar="camp_W")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert legal(game, "reserve camp_W")
    play(game, "place camp_W @2,0")
    assert "camp_W" in game.board(0).placed


# -- What may touch ----------------------------------------------------------------------------------------------------


def adding(tiles: dict[Cell, str], tile: str, **options: Any) -> Game:
    game = camps(**options)
    alhambra(game, 0, tiles)
    reserve(game, 0, tile)
    return game


@pytest.mark.rule("08.7", "08.35")
def test_a_bastion_leans_on_a_wall() -> None:
    game = adding(EAST_WALL, "camp_W")
    play(game, "add camp_W @2,0")
    assert "camp_W" in game.board(0).placed


@pytest.mark.rule("08.35")
def test_of_two_bastions_one_may_face_the_open_country() -> None:
    assert legal(adding(EAST_WALL, "camp_NW"), "add camp_NW @2,0")


@pytest.mark.rule("08.7", "08.9")
@pytest.mark.parametrize("camp", ["camp_N", "camp_E"])
def test_neither_bastion_nor_green_side_may_touch_a_side_without_wall(camp: str) -> None:
    game = adding({}, camp)
    faults = refused(game, f"add {camp} @0,1")
    assert codes(faults) == ["NO_CONTACT", "CONTACT_FORBIDDEN", "CONTACT_REQUIRED"]
    assert fact(faults, "CONTACT_FORBIDDEN")["side"] == "N"


@pytest.mark.rule("08.9")
def test_a_green_side_may_not_touch_the_wall_of_a_building() -> None:
    faults = refused(adding(EAST_WALL, "camp_E"), "add camp_E @2,0")
    assert codes(faults) == ["NO_CONTACT", "CONTACT_FORBIDDEN", "CONTACT_REQUIRED"]


@pytest.mark.rule("08.8")
def test_camps_may_touch_green_to_green() -> None:
    game = adding({**TWO_EAST_WALLS, (2, 0): "camp_W"}, "camp_SW")
    assert legal(game, "add camp_SW @2,1")


@pytest.mark.rule("08.8", "08.9")
@pytest.mark.parametrize(("standing", "added"), [("camp_SW", "camp_NW"), ("camp_SW", "camp_W"), ("camp_W", "camp_NW")])
def test_a_bastion_may_touch_neither_bastion_nor_green_side_of_a_camp(standing: str, added: str) -> None:
    game = adding({**TWO_EAST_WALLS, (2, 0): standing}, added)
    faults = refused(game, f"add {added} @2,1")
    assert codes(faults) == ["CONTACT_FORBIDDEN"]
    assert fact(faults, "CONTACT_FORBIDDEN")["side"] == "N"


@pytest.mark.rule("08.35")
def test_a_camp_that_touches_nothing_but_a_camp_lacks_its_wall() -> None:
    game = adding({**EAST_WALL, (2, 0): "camp_W"}, "camp_E")
    faults = refused(game, "add camp_E @2,-1")
    assert codes(faults) == ["CONTACT_REQUIRED"]
    assert fact(faults, "CONTACT_REQUIRED")["tile"] == "camp_E"


@pytest.mark.rule("08.6")
def test_a_camp_is_laid_upright() -> None:
    game = adding(EAST_WALL, "camp_N")
    assert "ROTATION_REFUSED" in codes(refused(game, "add camp_N @2,0", rotation=270))


@pytest.mark.rule("08.10")
def test_nobody_has_to_walk_to_a_camp_and_nobody_walks_across_one() -> None:
    game = adding({**EAST_WALL, (2, 0): "camp_W"}, "garden-11")
    assert codes(refused(game, "add garden-11 @3,0")) == ["NO_CONTACT", "CONTACT_FORBIDDEN"]


@pytest.mark.rule("08.39")
def test_a_building_laid_beside_a_bastion_later_must_show_it_a_wall() -> None:
    tiles = {**EAST_WALL, (1, -1): "garden-10", (2, 0): "camp_NW"}
    assert legal(adding(tiles, "garden-12-s"), "add garden-12-s @2,-1")
    assert codes(refused(adding(tiles, "garden-11"), "add garden-11 @2,-1")) == ["CONTACT_FORBIDDEN"]


# -- Holes -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("08.38")
def test_a_camp_may_not_close_off_a_hole() -> None:
    bay = {(1, 0): "garden-10", (2, 0): "garden-11", (2, 1): "tower-11", (0, 1): "arcades-9", (0, 2): "pavilion-7-e"}
    faults = refused(adding(bay, "camp_W"), "add camp_W @1,2")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[1, 1]]}


@pytest.mark.rule("08.38")
def test_what_the_buildings_alone_would_enclose_is_a_hole_even_if_camps_fill_it() -> None:
    ring = {
        **{(1, 0): "seraglio-8-s", (2, 0): "chambers-9-s", (3, 0): "garden-10", (3, 1): "chambers-9-w"},
        **{(3, 2): "garden-10-w", (3, 3): "garden-11", (0, 1): "pavilion-7-e", (0, 2): "arcades-8-e"},
        **{(0, 3): "tower-11", (1, 3): "pavilion-6-n"},
        **{(1, 1): "camp_NW", (2, 1): "camp_NE", (1, 2): "camp_SW", (2, 2): "camp_ES"},
    }
    faults = refused(adding(ring, "arcades-8-n"), "add arcades-8-n @2,3")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[1, 1], [2, 1], [1, 2], [2, 2]]}


# -- Redesign ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("08.40")
def test_the_wall_that_a_camp_leans_on_cannot_be_removed() -> None:
    game = adding({**EAST_WALL, (2, 0): "camp_W"}, "garden-11")
    faults = refused(game, "remove garden-9-e")
    assert codes(faults) == ["NO_CONTACT", "CONTACT_REQUIRED"]


@pytest.mark.rule("08.40")
def test_a_green_neighbour_does_not_replace_the_wall() -> None:
    game = adding({**TWO_EAST_WALLS, (2, 0): "camp_W", (2, 1): "camp_SW"}, "garden-11")
    assert codes(refused(game, "remove tower-9-es")) == ["CONTACT_REQUIRED"]


@pytest.mark.rule("08.40")
def test_the_tile_behind_a_camp_may_be_swapped_for_one_with_the_same_wall() -> None:
    tiles = {**EAST_WALL, (2, 0): "camp_W"}
    assert legal(adding(tiles, "arcades-8-e"), "swap arcades-8-e @1,0")
    faults = refused(adding(tiles, "garden-11"), "swap garden-11 @1,0")
    assert codes(faults) == ["NO_CONTACT", "CONTACT_FORBIDDEN", "CONTACT_REQUIRED"]


@pytest.mark.rule("08.11")
def test_a_camp_may_be_removed_and_swapped_like_a_building() -> None:
    game = adding({**EAST_WALL, (2, 0): "camp_W"}, "camp_SW")
    assert legal(game, "remove camp_W")
    play(game, "swap camp_SW @2,0")
    assert game.state.seats[0].reserve == ("camp_W",)


# -- Scoring -----------------------------------------------------------------------------------------------------------


def camp_points(game: Game, number: int = 1) -> dict[int, int]:
    return points(hold_scoring(game, number), "camp")


# worked example
@pytest.mark.rule("08.12", "08.14", "08.33")
def test_camps_at_both_ends_of_a_row_of_four_bring_four_points_each() -> None:
    game = camps()
    alhambra(game, 0, {**ROW_OF_FOUR, (-2, 0): "camp_E", (3, 0): "camp_W"})
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "camp"]
    assert [(line["tile"], line["side"], line["points"]) for line in lines] == [("camp_E", "E", 4), ("camp_W", "W", 4)]


# worked example
@pytest.mark.rule("08.34", "08.36")
def test_with_a_third_camp_below_two_tiles_there_are_ten_points() -> None:
    game = camps()
    alhambra(game, 0, {**ROW_OF_FOUR, (1, 1): "chambers-9-s", (-2, 0): "camp_E", (3, 0): "camp_W", (1, 2): "camp_N"})
    assert camp_points(game) == {0: 10}


@pytest.mark.rule("08.12", "08.15")
def test_the_arrow_of_a_turned_camp_points_where_it_lies_and_an_arrow_to_nothing_brings_no_line() -> None:
    game = camps()
    board = alhambra(game, 0, {})
    board.put(game.ruleset.tiles["camp_W"], 0, 1, 90)
    board.put(game.ruleset.tiles["camp_E"], 5, 5)
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "camp"]
    assert [(line["tile"], line["side"], line["points"]) for line in lines] == [("camp_W", "N", 1)]


@pytest.mark.rule("08.15")
def test_a_camp_with_two_arrows_scores_both_directions() -> None:
    game = camps()
    alhambra(game, 0, {**EAST_WALL, (1, -1): "garden-10", (2, -1): "garden-12-s", (2, 0): "camp_NW"})
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "camp"]
    assert [(line["side"], line["points"]) for line in lines] == [("N", 1), ("W", 2)]


@pytest.mark.rule("08.15")
def test_an_arrow_that_points_to_the_open_country_scores_nothing() -> None:
    game = camps()
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_NW"})
    assert camp_points(game) == {0: 2}


@pytest.mark.rule("08.13")
def test_inner_walls_do_not_interrupt_the_line_but_gaps_do() -> None:
    game = camps()
    tiles = {
        **{(-1, 0): "garden-10-w", (1, 0): "pavilion-7-e", (0, 1): "garden-10", (1, 1): "garden-11"},
        **{(2, 1): "tower-11", (2, 0): "chambers-9-w", (3, 1): "tower-12", (4, 1): "arcades-9", (4, 0): "arcades-10"},
        (-2, 0): "camp_E",
    }
    alhambra(game, 0, tiles)
    assert camp_points(game) == {0: 4}


@pytest.mark.rule("08.36")
def test_a_camp_ends_the_line_even_if_there_are_tiles_behind_it() -> None:
    game = camps()
    tiles = {
        **{(-1, 0): "chambers-9-w", (1, 0): "garden-9-e", (1, 1): "garden-10", (2, 1): "garden-10-n"},
        **{(3, 1): "arcades-8-n", (4, 1): "tower-11", (4, 0): "garden-10-w", (5, 0): "chambers-11"},
        **{(-2, 0): "camp_E", (2, 0): "camp_SW", (3, 0): "camp_ES"},
    }
    alhambra(game, 0, tiles)
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "camp"]
    assert [(line["tile"], line["side"], line["points"]) for line in lines] == [
        ("camp_E", "E", 3),
        *(("camp_SW", "S", 1), ("camp_SW", "W", 3)),
        *(("camp_ES", "E", 2), ("camp_ES", "S", 1)),
    ]


@pytest.mark.rule("08.12")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_camps_score_at_every_scoring(number: int) -> None:
    game = camps()
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_W"})
    assert camp_points(game, number) == {0: 2}


@pytest.mark.rule("08.16", "08.37")
def test_a_camp_in_front_changes_nothing_about_the_wall_and_is_no_building() -> None:
    lengths = []
    for camp in ({}, {(2, 0): "camp_W"}):
        game = camps()
        alhambra(game, 0, {**TWO_EAST_WALLS, **camp})
        events = hold_scoring(game, 1)
        lengths.append(points(events, "wall"))
        assert {line["type"] for line in events_of(events, "scored") if line["reason"] == "majority"} == {
            "garden",
            "tower",
        }
    assert lengths == [{0: 3}, {0: 3}]


@pytest.mark.rule("08.16")
def test_camps_in_the_reserve_score_nothing() -> None:
    game = camps()
    reserve(game, 0, "camp_W")
    assert camp_points(game) == {}


# -- Two players, the end ----------------------------------------------------------------------------------------------


@pytest.mark.rule("08.17")
def test_dirk_keeps_a_camp_without_effect_and_it_is_one_of_his_six() -> None:
    game = camps(2)
    tower(game, "camp_N pavilion-8 pavilion-7-e pavilion-6-n seraglio-9 seraglio-8-s")
    events = hold_scoring(game, 1)
    assert len(events_of(events, "dirk_received")[0]["tiles"]) == 6
    assert "camp_N" in game.state.dirk
    assert points(hold_scoring(game, 2), "camp") == {}


@pytest.mark.rule("08.17")
def test_a_camp_that_was_bought_may_be_given_to_dirk() -> None:
    game = camps(2)
    dirk(game, "tower-12")
    market(game, denar="camp_E")
    hand(game, 0, "denar-7")
    play(game, "buy market-denar denar-7")
    play(game, "give_to_dirk camp_E")
    assert game.state.dirk == ("tower-12", "camp_E")


@pytest.mark.rule("08.18")
def test_a_leftover_camp_goes_to_the_richest_who_may_build_and_score_it() -> None:
    game = camps()
    alhambra(game, 1, EAST_WALL)
    market(game, denar="camp_W")
    hand(game, 1, "denar-3")
    display(game, "gulden-1")
    end_game(game)
    events = play(game, "place camp_W @2,0")
    assert points(events, "camp") == {1: 2}


# -- Leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("08.42")
def test_camps_of_a_player_who_resigned_still_score() -> None:
    game = camps(3)
    alhambra(game, 0, {**EAST_WALL, (2, 0): "camp_W"})
    game.resign(0)
    assert points(hold_scoring(game, 1), "camp") == {0: 2}
