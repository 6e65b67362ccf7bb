"""05 The city gates: a way through a double wall."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from alhambra import Board, Game, Move, Options
from alhambra.components import Cell
from tests.rules.modules.change_table import coins
from tests.rules.modules.city_gates_table import BEHIND, EAST_WALL, asked, gated, gates, lie_open, two_walls
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    take_turn,
)

WALLED_IN: dict[Cell, str] = {
    (0, -1): "pavilion-2-new",
    (1, 0): "arcades-4-nes",
    (0, 1): "seraglio-3-esw",
    (-1, 0): "chambers-5-nsw",
}
"""An Alhambra to which nothing can be added without a gate."""


def lay(game: Game, seat: int, tiles: Mapping[Cell, str]) -> Board:
    """Builds these tiles onto the Alhambra as it stands, by the rules."""
    board = game.state.seats[seat].board
    for cell, tile in tiles.items():
        assert tile in game.state.tower
        game.state.tower = tuple(other for other in game.state.tower if other != tile)
        board.place(game.ruleset.tiles[tile], *cell)
    return board


def open_in_view(game: Game) -> bool:
    return pieces(game, "city_gates") == [{"kind": "gate", "piece": "gate"}]


def piles_with_gates(game: Game) -> list[int]:
    """How many gate cards lie in each of the piles 1 to 5."""
    counts, at = [], 0
    for size in game.state.piles:
        counts.append(game.state.deck[at : at + size].count("gate"))
        at += size
    return counts[::-1]


# -- The cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("05.2", "05.3", "05.4")
@pytest.mark.parametrize(
    ("seats", "piles"),
    [(2, [1, 1, 0]), (3, [1, 1, 1]), (4, [2, 1, 1]), (5, [2, 2, 1]), (6, [2, 2, 2])],
)
def test_as_many_cards_as_players_lie_in_the_last_three_piles(seats: int, piles: list[int]) -> None:
    game = Game.new(Options(seats=seats, seed="gates", modules=["city_gates"]))
    assert piles_with_gates(game) == [0, 0, *piles]


@pytest.mark.rule("05.5", "05.7")
def test_a_gate_card_that_comes_up_lies_open_and_the_display_is_filled_all_the_same() -> None:
    game = gates(cards="")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gate denar-9")
    events = play(game, "take_money dukat-1")
    assert events_of(events, "card_revealed")[0] == {"card": "gate", "to": "gate_area"}
    assert "gate_opened" in kinds(events)
    assert game.state.display == ("dukat-2", "dukat-3", "dukat-4", "denar-9")
    assert open_in_view(game)


# worked example
@pytest.mark.rule("05.6", "05.7", "05.34")
def test_while_one_lies_open_a_further_gate_card_is_discarded_and_replaced() -> None:
    game = gates(cards="")
    lie_open(game)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gate denar-9")
    events = play(game, "take_money dukat-1")
    assert events_of(events, "card_revealed")[0] == {"card": "gate", "to": "discard"}
    assert game.state.discard == ("gate",)
    assert game.state.display[-1] == "denar-9"
    assert open_in_view(game)


@pytest.mark.rule("05.42")
def test_a_discarded_gate_card_comes_back_after_the_discard_was_shuffled() -> None:
    game = gates(cards="")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    discard(game, "gate denar-9")
    deck(game, only=True)
    events = play(game, "take_money dukat-1")
    assert events_of(events, "deck_reshuffled") == [{"count": 2}]
    turned = [event["card"] for event in events_of(events, "card_revealed")]
    assert open_in_view(game) is ("gate" in turned)
    if "gate" not in turned:
        take_turn(game)
        assert open_in_view(game)


@pytest.mark.rule("05.8")
def test_the_open_gate_card_is_taken_instead_of_money() -> None:
    game = gates(cards="")
    lie_open(game)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    events = play(game, "take_money gate")
    assert events_of(events, "money_taken")[0]["display"] == ("gate",)
    assert game.state.seats[0].hand == ("gate",)
    assert not open_in_view(game)
    assert len(game.state.display) == 4
    assert game.state.taken == ()
    assert asked(game) == ("action", 1)


@pytest.mark.rule("02.14", "05.23", "05.41")
def test_the_gate_card_is_taken_alone() -> None:
    game = gates(cards="")
    lie_open(game)
    display(game, "dukat-1 dukat-2")
    assert codes(refused(game, "take_money gate dukat-1")) == ["TAKEN_ALONE"]


@pytest.mark.rule("05.8")
def test_without_an_open_gate_card_there_is_none_to_take() -> None:
    game = gates(cards="")
    display(game, "dukat-1 dukat-2")
    assert codes(refused(game, "take_money gate")) == ["NOT_THERE"]


@pytest.mark.rule("05.9")
def test_any_number_of_gate_cards_may_be_held() -> None:
    game = gates(cards="gate gate")
    lie_open(game)
    play(game, "take_money gate")
    assert game.state.seats[0].hand == ("gate", "gate", "gate")


@pytest.mark.rule("05.8")
def test_after_it_was_taken_the_next_one_lies_open() -> None:
    game = gates(cards="gate")
    lie_open(game)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    play(game, "take_money gate")
    deck(game, "gate denar-9")
    play(game, "take_money dukat-1")
    assert open_in_view(game)
    assert game.state.discard == ()


@pytest.mark.rule("05.48")
def test_who_can_take_nothing_but_a_gate_card_cannot_pass() -> None:
    game = gates(cards="")
    reserve(game, 0)
    alhambra(game, 0, {})
    display(game, "")
    assert legal(game, "pass")
    lie_open(game)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("05.48")
def test_a_gate_card_pays_nothing() -> None:
    game = gates()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 gate")
    assert codes(refused(game, "buy market-denar denar-9 gate")) == ["NOT_ACCEPTED"]


# -- Laying a tile behind a wall ---------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("05.11", "05.12", "05.13", "05.15", "05.32")
def test_a_tile_that_touches_only_wall_to_wall_is_laid_with_a_gate() -> None:
    game = gates()
    assert codes(refused(game, f"add {BEHIND} @2,0")) == ["NOT_REACHABLE"]
    events = play(game, f"add {BEHIND} @2,0", choice="gate")
    assert kinds(events)[:3] == ["placed", "card_left_game", "gate_set"]
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "W", "forced": True}]
    assert events_of(events, "card_left_game") == [{"card": "gate", "seat": 0}]
    assert game.state.seats[0].hand == ()
    assert "gate" in game.state.box
    assert (2, 0) in game.board(0).walk(1, 0)
    assert game.view(None)["seats"][0]["gates"] == [[1, 0, "E"]]


# worked example
@pytest.mark.rule("05.33", "05.37")
def test_where_one_can_walk_no_gate_card_is_played() -> None:
    game = gates()
    reserve(game, 0, "arcades-9")
    assert fact(refused(game, "add arcades-9 @0,1", choice="gate"), "NO_EFFECT") == {"id": "gate"}
    assert legal(game, "add arcades-9 @0,1")


# worked example
@pytest.mark.rule("05.16", "05.35")
@pytest.mark.parametrize("tile", [BEHIND, "arcades-8-e"])
def test_the_two_tiles_under_a_gate_are_never_redesigned(tile: str) -> None:
    game = gated()
    reserve(game, 0, "garden-10-w garden-9-e")
    assert fact(refused(game, f"remove {tile}"), "LOCKED") == {"tile": tile, "by": "gate"}
    new, cell = ("garden-10-w", "@2,0") if tile == BEHIND else ("garden-9-e", "@1,0")
    assert fact(refused(game, f"swap {new} {cell}"), "LOCKED") == {"tile": tile, "by": "gate"}


@pytest.mark.rule("05.12")
def test_without_a_gate_card_there_is_no_gate() -> None:
    game = gates(cards="denar-1")
    violations = refused(game, f"add {BEHIND} @2,0", choice="gate")
    assert fact(violations, "NOT_THERE") == {"id": "gate", "place": "hand"}


@pytest.mark.rule("05.10")
def test_a_tile_just_bought_may_be_laid_with_a_gate() -> None:
    game = gates()
    reserve(game, 0)
    market(game, denar=BEHIND)
    hand(game, 0, "denar-9 denar-2 gate")
    play(game, "buy market-denar denar-2 denar-9")
    assert codes(refused(game, f"place {BEHIND} @2,0")) == ["NOT_REACHABLE"]
    play(game, f"place {BEHIND} @2,0", choice="gate")
    assert BEHIND in game.board(0).placed


@pytest.mark.rule("05.14")
def test_all_other_construction_rules_hold() -> None:
    game = gates()
    reserve(game, 0, "arcades-9 tower-9-nw garden-10-n")
    assert codes(refused(game, "add arcades-9 @2,0", choice="gate")) == ["EDGE_MISMATCH", "GATE_REFUSED"]
    assert "NO_CONTACT" in codes(refused(game, "add tower-9-nw @3,3", choice="gate"))
    assert "PLACE_TAKEN" in codes(refused(game, "add tower-9-nw @1,0", choice="gate"))


@pytest.mark.rule("05.14")
def test_a_gate_does_not_make_up_for_a_hole() -> None:
    game = gates()
    ring = {(0, 1): "arcades-9", (0, 2): "arcades-10", (1, 2): "chambers-10", (2, 2): "tower-11-n"}
    alhambra(game, 0, {**EAST_WALL, **ring})
    reserve(game, 0, "tower-11-s")
    assert codes(refused(game, "add tower-11-s @2,1")) == ["NOT_REACHABLE", "HOLE"]
    assert fact(refused(game, "add tower-11-s @2,1", choice="gate"), "HOLE") == {"cells": [[1, 1]]}


@pytest.mark.rule("05.37", "05.38")
def test_where_two_double_walls_could_take_the_gate_the_builder_chooses() -> None:
    game = gates()
    two_walls(game)
    events = play(game, "add tower-9-nw @2,0", choice="gate")
    assert "gate_set" not in kinds(events)
    assert asked(game) == ("placing_gate", 0)
    assert game.legal_moves() == [
        Move("set_gate", cell=(2, 0), side="N"),
        Move("set_gate", cell=(2, 0), side="W"),
    ]
    events = play(game, "set_gate @2,0", side="N")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "N"}]
    assert (2, -1) in game.board(0).walk(2, 0)
    assert (1, 0) not in game.board(0).walk(2, 0)


@pytest.mark.rule("05.36")
@pytest.mark.parametrize(("cell", "side"), [("@2,0", "E"), ("@2,0", "S"), ("@1,0", "E"), ("@2,0", "NW"), ("@9,9", "N")])
def test_the_gate_stands_on_a_double_wall_of_the_tile_just_laid(cell: str, side: str) -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert codes(refused(game, f"set_gate {cell}", side=side)) == ["GATE_REFUSED"]


@pytest.mark.rule("05.38")
def test_once_begun_a_gate_must_be_set() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("05.16")
def test_the_tile_behind_the_other_wall_stays_free_to_go() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    play(game, "set_gate @2,0", side="W")
    give_turn(game, 0)
    assert codes(refused(game, "remove tower-9-nw")) == ["LOCKED"]
    assert legal(game, "remove garden-12-s")


@pytest.mark.rule("05.10")
def test_several_gate_cards_may_be_used_in_one_turn() -> None:
    game = gates(cards="gate gate denar-9 denar-1 dukat-9 dukat-4")
    reserve(game, 0)
    market(game, denar=BEHIND, dukat="garden-12-s")
    alhambra(game, 0, {**EAST_WALL, (0, -1): "tower-11-n"})
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "buy market-dukat dukat-4 dukat-9")
    play(game, f"place {BEHIND} @2,0", choice="gate")
    play(game, "place garden-12-s @0,-2", choice="gate")
    assert len(game.board(0).passages) == 2
    assert game.state.seats[0].hand == ()


@pytest.mark.rule("05.39")
def test_a_gate_cannot_help_to_take_a_tile_out() -> None:
    game = gates()
    lay(game, 0, {(0, 1): "arcades-9", (0, 2): "arcades-10"})
    assert codes(refused(game, Move("remove", "arcades-9", choice="gate"))) == ["NOUN_UNEXPECTED"]
    assert codes(refused(game, "remove arcades-9")) == ["NOT_REACHABLE"]


@pytest.mark.rule("05.39")
def test_a_swap_of_buildings_never_needs_a_gate() -> None:
    game = gates()
    lay(game, 0, {(0, 1): "arcades-9"})
    reserve(game, 0, "arcades-10")
    assert codes(refused(game, "swap arcades-10 @0,1", choice="gate")) == ["NO_EFFECT", "GATE_REFUSED"]


@pytest.mark.rule("05.44")
def test_one_walks_through_a_gate_in_both_directions_for_ever() -> None:
    game = gates()
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "tower-9-es"})
    play(game, f"add {BEHIND} @3,0", choice="gate")
    market(game)
    lay(game, 0, {(0, 1): "arcades-10", (1, 1): "chambers-10", (2, 1): "garden-10-n", (3, 1): "chambers-11"})
    give_turn(game, 0)
    play(game, "remove arcades-9")
    assert "tower-9-es" in game.board(0).placed


@pytest.mark.rule("05.13")
def test_beyond_a_gate_one_builds_on() -> None:
    game = gated()
    reserve(game, 0, "arcades-9")
    play(game, "add arcades-9 @3,0")
    assert "arcades-9" in game.board(0).placed


@pytest.mark.rule("05.17")
def test_what_was_built_beyond_a_gate_may_be_taken_out_again() -> None:
    game = gated()
    lay(game, 0, {(3, 0): "arcades-9"})
    assert legal(game, "remove arcades-9")


# -- Scoring, the end, two players -------------------------------------------------------------------------------------


@pytest.mark.rule("05.18")
def test_the_gated_edge_is_an_inner_wall_and_scores_nothing() -> None:
    game = gated()
    assert game.board(0).longest_wall() == 0
    assert points(hold_scoring(game, 1), "wall") == {}


@pytest.mark.rule("05.21")
def test_a_leftover_tile_may_be_laid_with_a_gate() -> None:
    game = gates()
    reserve(game, 0)
    market(game, denar=BEHIND)
    hand(game, 0, "denar-9 gate")
    display(game, "dukat-1")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert codes(refused(game, f"place {BEHIND} @2,0")) == ["NOT_REACHABLE"]
    events = play(game, f"place {BEHIND} @2,0", choice="gate")
    assert "gate_set" in kinds(events)
    assert points(events, "majority", type="tower") == {0: 21}
    assert game.over


@pytest.mark.rule("05.47")
@pytest.mark.parametrize(
    ("held", "tile", "is_asked"),
    [
        ("denar-9", BEHIND, True),
        ("denar-9 gate", BEHIND, True),
        ("denar-9", "pavilion-8", False),
        ("denar-9 gate", "pavilion-8", False),
    ],
)
def test_whether_a_leftover_tile_is_asked_about_does_not_depend_on_gate_cards_in_hand(
    held: str, tile: str, is_asked: bool
) -> None:
    game = gates(cards="")
    reserve(game, 0)
    alhambra(game, 0, WALLED_IN)
    market(game, denar=tile)
    hand(game, 0, held)
    display(game, "dukat-1")
    end_game(game)
    assert (game.decision is not None) == is_asked


@pytest.mark.rule("05.47", "99.88")
@pytest.mark.parametrize("held", ["denar-9", ""])
def test_a_player_without_a_hand_is_not_asked_about_a_leftover_tile_that_needs_a_gate(held: str) -> None:
    game = gates(3, "change", cards="", turn_of=1)
    reserve(game, 0)
    alhambra(game, 0, WALLED_IN)
    market(game, denar=BEHIND)
    hand(game, 0, held)
    coins(game, 0, "denar")
    display(game, "dukat-1")
    end_game(game)
    assert (game.decision is not None) == bool(held)


@pytest.mark.rule("05.20")
def test_unused_gate_cards_are_worth_nothing() -> None:
    game = gates(cards="gate gate")
    market(game, denar="garden-10")
    hand(game, 1, "denar-1")
    display(game, "dukat-1")
    events = end_game(game)
    assert dict(events_of(events, "leftover_awarded")[0]["totals"]) == {0: 0, 1: 1, 2: 0}


@pytest.mark.rule("05.19")
def test_with_two_players_there_are_two_gates_and_none_for_dirk() -> None:
    game = gates(2)
    everywhere = [*game.state.deck, *game.state.seats[0].hand, *game.state.box]
    assert everywhere.count("gate") == 2
    play(game, f"add {BEHIND} @2,0", choice="gate")
    assert "gate" not in game.state.dirk


# -- Who knows what, leaving -------------------------------------------------------------------------------------------


@pytest.mark.rule("05.46")
def test_gate_cards_are_part_of_the_hidden_hand() -> None:
    game = gates(cards="gate denar-1")
    assert game.view(1)["seats"][0]["hand_count"] == 2
    assert "hand" not in game.view(1)["seats"][0]


@pytest.mark.rule("05.46")
def test_a_gate_card_taken_openly_stays_in_that_hand_in_every_twin() -> None:
    game = gates(cards="")
    lie_open(game)
    play(game, "take_money gate")
    for number in range(5):
        sample = game.determinize(1, Random(number))
        assert sample.view(1) == game.view(1)
        assert sample.state.seats[0].hand == ("gate",)
        assert piles_with_gates(sample) == piles_with_gates(game)


@pytest.mark.rule("05.49")
def test_the_gate_cards_of_a_seat_that_resigns_leave_the_game() -> None:
    game = gates(cards="gate gate")
    game.resign(0)
    assert game.state.seats[0].hand == ()
    assert game.state.box.count("gate") == 2


@pytest.mark.rule("05.49")
def test_for_a_seat_that_resigns_while_choosing_the_gate_is_set_somehow() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    game.resign(0)
    assert len(game.board(0).passages) == 1
    assert asked(game)[1] == 1
