"""09 The city walls: what everybody sees of wooden walls. They are told as sides, wherever their tiles lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alhambra.board import Board
from alhambra.components import BASE_TILES, START_TILES
from alhambra.views import board_view
from tests.rules.modules.city_walls_table import build, project, walls
from tests.rules.situations import pieces, reserve


@pytest.mark.rule("09.41")
def test_wooden_walls_on_a_tile_in_the_reserve_are_told_as_sides() -> None:
    game = walls("NE")
    reserve(game, 0, "garden-10")
    build(game, "NE", "garden-10")
    for viewer in (None, 1):
        assert pieces(game, "city_walls", viewer, tile="garden-10") == [
            {"kind": "wall", "seat": 0, "tile": "garden-10", "side": side} for side in "NE"
        ]


@pytest.mark.rule("09.41")
def test_wooden_walls_on_a_built_tile_are_told_with_the_alhambra_alone() -> None:
    game = walls("N")
    build(game, "N", "start-0")
    assert pieces(game, "city_walls", kind="wall") == [{"kind": "wall", "amount": 11}]


def test_wooden_walls_on_half_a_project_name_the_half() -> None:
    game = walls("ES", modules=("major_construction_projects",))
    tile = "project_garden_tower"
    project(game, tile)
    build(game, "ES", tile, type="tower")
    assert pieces(game, "city_walls", tile=tile) == [
        {"kind": "wall", "seat": 0, "tile": tile, "side": side, "type": "tower"} for side in "ES"
    ]


@pytest.mark.rule("09.41")
def test_wooden_walls_of_a_turned_tile_are_told_as_they_stand() -> None:
    board = Board(START_TILES[0])
    turned = replace(BASE_TILES["garden-10"], rotatable=True)
    board.put(turned, 1, 0, 90, (1,))
    assert board_view(board)[1]["wooden_walls"] == [{"cell": {"x": 1, "y": 0}, "side": "E"}]
