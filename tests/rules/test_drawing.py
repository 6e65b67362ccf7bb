"""The picture of an Alhambra."""

from __future__ import annotations

from textwrap import indent

from alhambra import drawing
from alhambra.board import Board
from alhambra.components import tile
from alhambra.drawing import draw

from .samples import NE, building, built, camp, project, watchtower


def test_walls_are_heavy_and_open_sides_thin() -> None:
    board = Board()
    board.place(tile("garden-8-ne"), 1, 0)
    assert str(board).splitlines() == [
        "         0        1",
        "     ┌────────┮━━━━━━━━┓",
        "     │        │        ┃",
        "   0 │fountain│ gar 8  ┃",
        "     │        │        ┃",
        "     └────────┴────────┚",
    ]


def test_the_picture_in_the_documentation_is_drawn() -> None:
    board = Board()
    board.place(tile("garden-8-ne"), 1, 0)
    assert indent(str(board), "    ") in (drawing.__doc__ or "")


def test_camps_show_their_bastions() -> None:
    board = built((1, 0, "E"))
    board.place(camp("WS"), 2, 0)
    assert "┃◀camp 8 │" in str(board)
    assert "▼" in str(board)


def test_a_watchtower_is_a_diagonal_with_its_colour() -> None:
    board = Board()
    board.place(watchtower("tower"), -1, 0, NE)
    assert "╲    tow│" in str(board)


def test_a_double_tile_has_no_line_inside() -> None:
    board = Board()
    board.place(project("", ""), 1, 0)
    assert "│fountain│  gar      tow   │" in str(board)


def test_a_gate_is_a_gap_in_a_wall() -> None:
    board = built((1, 0, "E"), (0, 1, ""), (1, 1, "E"))
    board.add_passage(1, 0, "E")
    board.place(building("W"), 2, 0)
    assert "gar 8    gar 8" in str(board)
    board = built((0, 1, "S"))
    board.add_passage(0, 1, "S")
    board.place(building("N"), 0, 2)
    assert "━━┫  ┣━━" in str(board)


def test_marks_stand_in_their_cells() -> None:
    assert "│ trader │" in draw(Board(), {(0, 0): "trader"})


def test_an_alhambra_far_to_the_west_is_drawn_from_its_own_rim() -> None:
    board = built(*((-x, 0, "") for x in range(1, 20)))
    header = str(board).splitlines()[0].split()
    assert header == [str(x) for x in range(-19, 1)]
