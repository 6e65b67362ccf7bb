"""Boards that are laid out without a game, and judges of placements: `alhambra.boards`."""

from __future__ import annotations

import pytest

from alhambra import Game, IllegalMove, Options
from alhambra.boards import LaidTile, PlacedTile, PlacementJudge, StandaloneBoards, wooden_walls_by_cell

GARDEN, TOWER = "garden-11", "tower-11"
"""Tiles without walls."""


def codes(faults: object) -> list[str]:
    return [fault.code for fault in faults]  # type: ignore[attr-defined]


def test_a_board_that_stands_has_no_faults_and_is_laid() -> None:
    boards = StandaloneBoards(2)
    assert boards.lay(0, [LaidTile(GARDEN, (1, 0)), LaidTile(TOWER, (2, 0))]) == ()
    assert boards.board(0).cells_of(TOWER) == ((2, 0),)
    assert boards.buildings(0)["tower"] == 1


def test_every_fault_of_a_board_is_named_at_once() -> None:
    faults = StandaloneBoards(2).lay(
        0, [LaidTile("castle", (1, 0)), LaidTile(GARDEN, (0, 0)), LaidTile(TOWER, (1, 0), 45)]
    )
    assert sorted(codes(faults)) == ["ID_UNKNOWN", "NOUN_MALFORMED", "PLACE_TAKEN"]


def test_a_tile_without_a_neighbour_cannot_stand() -> None:
    boards = StandaloneBoards(2)
    assert boards.lay(0, [LaidTile(GARDEN, (5, 5))])
    assert list(boards.board(0).placed) == [boards.board(0).start.id], "nothing is laid"


def test_a_tile_lies_on_one_board_only() -> None:
    boards = StandaloneBoards(2)
    assert not boards.lay(0, [LaidTile(GARDEN, (1, 0))])
    assert codes(boards.lay(1, [LaidTile(GARDEN, (1, 0))])) == ["PLACE_TAKEN"]
    assert codes(boards.give_to_dirk((GARDEN,))) == ["PLACE_TAKEN"]


def test_boards_score_what_the_rules_would_score_for_them() -> None:
    boards = StandaloneBoards(2)
    boards.lay(0, [LaidTile(GARDEN, (1, 0))])
    lines = [event.public for event in boards.score_lines(1) if event.public["seat"] == 0]
    assert [(line["reason"], line["type"], line["points"]) for line in lines] == [("majority", "garden", 5)]
    assert [event.public for event in boards.score_lines(1) if event.public["seat"] == 0] == lines, "asked twice"


def test_an_upright_placement_is_judged_alike_in_both_ways() -> None:
    game = Game.new(Options(seats=2, seed="judge"))
    judge = PlacementJudge(game, 0)
    for tile in (GARDEN, "castle", "garden-8-ne", game.board(0).start.id):
        for cell in ((0, 0), (1, 0), (0, -1), (3, 3), (128, 0)):
            assert codes(judge.upright(tile, *cell)) == codes(judge.faults(tile, cell)), (tile, cell)


def test_places_are_those_that_the_judge_has_nothing_against() -> None:
    judge = PlacementJudge(Game.new(Options(seats=2, seed="judge")), 0)
    near = [(x, y) for y in range(-2, 3) for x in range(-2, 3)]
    assert list(judge.places(GARDEN)) == [(cell, 0) for cell in near if not judge.faults(GARDEN, cell)]


def test_no_place_is_listed_for_a_tile_that_does_not_exist() -> None:
    judge = PlacementJudge(Game.new(Options(seats=2, seed="judge")), 0)
    with pytest.raises(IllegalMove):
        list(judge.places("castle"))


def test_wooden_walls_turn_with_their_tile() -> None:
    tile = Game.new(Options(seats=2, seed="judge")).ruleset.tiles[GARDEN]
    north = 1
    assert list(wooden_walls_by_cell(PlacedTile(tile, 2, 3, 90, (north,)))) == [((2, 3), ["E"])]
