"""Figures that walk: over open sides and through gates, never to stay on half a tile."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from alhambra.components import Cell
from tests.rules.example_modules.pilgrims import Pilgrims
from tests.rules.hooks.asking import asked, verbs
from tests.rules.situations import alhambra, codes, display, events_of, fact, legal, play, refused, table

LINE: dict[Cell, str] = {(1, 0): "garden-10-n", (2, 0): "arcades-8-n", (3, 0): "tower-11-n"}


def setting_out(card: str, tiles: dict[Cell, str], *modules: str) -> Game:
    """Seat 0 takes one card and may walk."""
    game = table(modules=["example_pilgrims", *modules])
    alhambra(game, 0, tiles)
    display(game, card)
    play(game, f"take_money {card}")
    return game


def where(game: Game) -> Cell:
    return game.module_state(Pilgrims).cells[0]


def sides(game: Game) -> set[str | None]:
    return {move.side for move in game.moves() if move.verb == "step"}


@pytest.mark.rule("36.5", "29.17")
def test_a_walk_has_as_many_steps_as_it_was_given_and_may_end_before() -> None:
    game = setting_out("denar-1", LINE)
    assert game.decision is not None
    assert game.decision.context == {"steps": 3}
    told = events_of(play(game, "step", side="E"), "pilgrim_stepped")
    assert told == [{"seat": 0, "cell": (1, 0)}]
    assert game.decision.context == {"steps": 2}
    play(game, "step", side="W")
    play(game, "step", side="E")
    assert where(game) == (1, 0)
    assert asked(game) == ("herd", 0), "no step is left"
    play(game, "pass")
    assert asked(game) == ("action", 1)


def test_money_that_gives_no_steps_asks_nothing() -> None:
    game = table(modules=["example_pilgrims"])
    alhambra(game, 0, LINE)
    display(game, "denar-6")
    play(game, "take_money denar-6")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("29.22")
def test_nobody_is_asked_who_cannot_step_anywhere() -> None:
    game = setting_out("denar-1", {})
    assert asked(game) == ("action", 1), "around the fountain is nothing"


@pytest.mark.rule("36.7", "29.5")
def test_a_step_leads_over_open_sides_only() -> None:
    game = setting_out("denar-1", {(1, 0): "garden-10-n", (1, 1): "arcades-9", (0, 1): "chambers-10"})
    faults = refused(game, "step", side="N")
    assert codes(faults) == ["STEP_BLOCKED"]
    assert fact(faults, "STEP_BLOCKED") == {"cell": [0, 0], "side": "N", "because": "no_tile"}
    assert sides(game) <= {"E", "S"}
    assert legal(game, "step", side="E")


@pytest.mark.rule("36.7", "29.5")
def test_a_step_goes_to_one_of_the_four_sides() -> None:
    game = setting_out("denar-1", LINE)
    for side in ("NE", "up"):
        faults = refused(game, "step", side=side)
        assert [(fault.code, fault.noun) for fault in faults] == [("NOUN_MALFORMED", "side")]


@pytest.mark.rule("36.7", "29.5")
def test_a_wall_blocks_a_step_and_a_gate_lets_it_through() -> None:
    tiles: dict[Cell, str] = {(1, 0): "pavilion-7-e", (1, 1): "garden-11", (2, 1): "tower-12", (2, 0): "seraglio-7-w"}
    game = setting_out("denar-1", tiles)
    play(game, "step", side="E")
    assert fact(refused(game, "step", side="E"), "STEP_BLOCKED")["because"] == "wall"
    game.state.seats[0].board.add_passage(1, 0, "E")
    assert legal(game, "step", side="E")


@pytest.mark.rule("99.35")
def test_a_figure_crosses_half_a_tile_but_never_stays_there() -> None:
    game = table(modules=["example_pilgrims", "watchtowers"])
    board = alhambra(game, 0, {(1, 0): "garden-10-n"})
    board.put(game.ruleset.tiles["watchtower_garden_1"], 2, 0, 270)  # its legs to the north and to the west
    game.state.seats[0].board = board
    display(game, "denar-2")
    play(game, "take_money denar-2")
    play(game, "step", side="E")
    faults = refused(game, "step", side="E")
    assert fact(faults, "STEP_BLOCKED")["because"] == "no_stop", "that would be the last step"
    assert verbs(game) == {"step", "pass"}


@pytest.mark.rule("99.35")
def test_while_a_figure_stands_on_half_a_tile_only_it_may_step_and_nobody_passes() -> None:
    game = table(modules=["example_pilgrims", "watchtowers"])
    board = alhambra(game, 0, {(1, 0): "garden-10-n"})
    board.put(game.ruleset.tiles["watchtower_garden_1"], 2, 0, 270)
    game.state.seats[0].board = board
    display(game, "denar-1")
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    play(game, "step", side="E")
    assert where(game) == (2, 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert list(game.moves()) == [Move("step", side="W")]


@pytest.mark.rule("36.5")
def test_figures_with_names_are_named_with_their_cells() -> None:
    game = setting_out("denar-3", LINE)
    play(game, "pass")
    assert asked(game) == ("herd", 0)
    assert codes(refused(game, "step", side="E")) == ["NOUN_MISSING", "NOUN_MISSING"]
    assert codes(refused(game, "step @1,0", side="E", piece="goat")) == ["NOT_THERE"]
    told = events_of(play(game, "step @0,0", side="E", piece="goat"), "animal_driven")
    assert told == [{"seat": 0, "piece": "goat", "cell": (1, 0)}]
    assert {(move.piece, move.cell) for move in game.moves() if move.verb == "step"} == {
        ("goat", (1, 0)),
        ("mule", (0, 0)),
    }


@pytest.mark.rule("29.4")
def test_a_figure_without_a_name_takes_none() -> None:
    game = setting_out("denar-1", LINE)
    assert codes(refused(game, "step @0,0", side="E", piece="goat")) == ["NOUN_UNEXPECTED", "NOUN_UNEXPECTED"]
