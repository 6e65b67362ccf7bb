"""Wooden walls on a tile: the state and the board that the tile is built in say the same."""

from __future__ import annotations

from alhambra.base.build import add_wooden_walls
from tests.rules.situations import alhambra, reserve, table

NORTH, EAST, SOUTH = 1, 2, 4
TOWER = "tower-12"


def test_walls_on_a_built_tile_stand_on_the_board_and_in_the_state() -> None:
    game = table()
    old = alhambra(game, 0, {(1, 0): TOWER})
    add_wooden_walls(game, 0, TOWER, ("N", "E"), event="wall_built")
    assert game.state.wooden_walls == {TOWER: (NORTH | EAST,)}
    assert game.state.seats[0].board.placed[TOWER].wooden_walls == (NORTH | EAST,)
    assert old.placed[TOWER].wooden_walls in ((), (0,)), "earlier states keep their board"


def test_sides_are_those_of_the_board_if_the_tile_lies_turned() -> None:
    game = table()
    board = alhambra(game, 0, {})
    board.put(game.ruleset.tiles[TOWER], 1, 0, 90)
    game.state.seats[0].board = board
    add_wooden_walls(game, 0, TOWER, ("E",), event="wall_built")
    assert game.state.wooden_walls == {TOWER: (NORTH,)}, "upright again, it looks north"


def test_further_walls_are_added_and_a_tile_that_is_not_built_lies_upright() -> None:
    game = table()
    reserve(game, 0, TOWER)
    add_wooden_walls(game, 0, TOWER, ("N",), event="wall_built")
    add_wooden_walls(game, 0, TOWER, ("S",), event="wall_built", piece="wall")
    assert game.state.wooden_walls == {TOWER: (NORTH | SOUTH,)}
    assert game.events[-1].public == {"seat": 0, "tile": TOWER, "sides": ("S",), "piece": "wall"}
