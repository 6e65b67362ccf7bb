"""The outer wall. (It is compared with brute force in test_construction_by_brute_force.py.)"""

from __future__ import annotations

import pytest

from alhambra.board import Board
from alhambra.placement.outline import Run, longest_wall, wall_runs
from alhambra.placement.rules import explain_board

from .samples import NE, NW, SE, SW, building, built, camp, project, watchtower


def lengths(board: Board) -> list[int]:
    """The lengths of all runs, longest first."""
    return [run.length for run in wall_runs(board)]


def test_an_alhambra_without_walls_has_no_outer_wall() -> None:
    assert longest_wall(Board()) == 0
    assert wall_runs(Board()) == []


@pytest.mark.rule("00.87")
def test_the_longest_run_of_outer_walls_counts() -> None:
    # Like the picture in the rulebook: a run of 8, a shorter one, and a wall between two tiles.
    north = (0, -1, "N"), (1, -1, "NE"), (-1, -1, "NW")
    board = built(*north, (1, 0, "E"), (-1, 0, "W"), (0, 1, "ES"), (1, 1, "EW"), (-1, 1, "S"))
    assert board.longest_wall() == 8
    assert lengths(board) == [8, 2]


def test_a_run_goes_around_corners_and_from_tile_to_tile() -> None:
    board = built((1, 0, "NE"), (1, 1, "E"))
    assert wall_runs(board) == [Run(3, 0, ((1, 0, "N"), (1, 0, "E"), (1, 1, "E")))]


@pytest.mark.rule("00.43")
def test_a_run_goes_on_in_an_inner_corner() -> None:
    board = built((0, -1, "E"), (1, 0, "N"))
    assert wall_runs(board) == [Run(2, 0, ((0, -1, "E"), (1, 0, "N")))]
    assert board.longest_wall() == 2


@pytest.mark.rule("00.43")
def test_an_open_side_ends_a_run() -> None:
    board = built((1, 0, "N"), (2, 0, ""), (3, 0, "N"), (4, 0, "N"))
    assert lengths(board) == [2, 1]
    assert board.longest_wall() == 2


@pytest.mark.rule("00.43")
def test_walls_between_two_tiles_count_nothing() -> None:
    board = built((1, 0, "E"), (1, 1, ""), (2, 1, ""))
    assert board.longest_wall() == 1
    board.place(building("W"), 2, 0)
    assert board.longest_wall() == 0


@pytest.mark.rule("00.43")
def test_walls_all_around_are_one_run() -> None:
    board = Board()
    board.add_wooden_walls("start-0", (15,))
    assert board.longest_wall() == 4
    assert wall_runs(board) == [Run(4, 0, ((0, 0, "E"), (0, 0, "S"), (0, 0, "W"), (0, 0, "N")))]
    board = built((1, 0, "NES"))
    board.add_wooden_walls("start-0", (1 | 4 | 8,))
    assert board.longest_wall() == 6
    assert lengths(board) == [6]


@pytest.mark.rule("08.16", "08.37")
def test_a_camp_in_front_of_a_wall_changes_nothing() -> None:
    board = built((1, 0, "NE"))
    board.place(camp("W"), 2, 0)
    assert board.longest_wall() == 2


def test_the_outer_walls_of_a_double_tile_count() -> None:
    board = Board()
    board.place(project("N", "NE"), 1, 0)
    assert board.longest_wall() == 3


@pytest.mark.rule("05.18")
def test_a_gate_is_an_inner_wall() -> None:
    board = built((1, 0, "E"))
    board.add_passage(1, 0, "E")
    board.place(building("NW"), 2, 0)
    assert board.longest_wall() == 1


# Watchtowers.


def crowned(width: int) -> Board:
    """A row of that many walls north of the fountain, with a watchtower at either end."""
    west = -(width // 2)
    cells = sorted(range(west, west + width), key=abs)
    board = built(*((x, -1, "N") for x in cells))
    board.place(watchtower(), west - 1, -1, SE)
    board.place(watchtower(), west + width, -1, SW)
    return board


@pytest.mark.rule("22.2", "22.18")
def test_the_long_side_of_a_watchtower_is_one_wall() -> None:
    board = Board()
    board.place(watchtower(), 1, 0, NW)
    assert wall_runs(board) == [Run(1, 1, ((1, 0, "NW"),))]


@pytest.mark.rule("22.26")
def test_seven_walls_with_two_watchtowers() -> None:
    best = wall_runs(crowned(5))[0]
    assert (best.length, best.towers) == (7, 2)
    assert best.segments[0] == (-3, -1, "SE")
    assert best.segments[-1] == (3, -1, "SW")


@pytest.mark.rule("22.26")
def test_eight_walls_with_two_watchtowers() -> None:
    best = wall_runs(crowned(6))[0]
    assert (best.length, best.towers) == (8, 2)


def test_four_walls_and_two_watchtowers_elsewhere() -> None:
    board = built((0, -1, "N"), (1, -1, "N"), (-1, -1, "N"), (2, -1, "N"))
    board.place(watchtower(), -1, 0, SE)
    board.place(watchtower(), 1, 0, NW)
    assert explain_board(board) == ()
    best = wall_runs(board)[0]
    assert (best.length, best.towers) == (4, 0)
    assert lengths(board) == [4, 1, 1]


@pytest.mark.rule("22.31")
def test_of_equally_long_runs_that_with_more_watchtowers_comes_first() -> None:
    board = built((0, -1, "N"), (1, -1, "N"), (0, 1, "S"))
    board.place(watchtower(), 1, 1, NW)
    assert [(run.length, run.towers) for run in wall_runs(board)] == [(2, 1), (2, 0)]
    board.place(watchtower(), -1, 1, NE)
    assert [(run.length, run.towers) for run in wall_runs(board)] == [(3, 2), (2, 0)]


def test_a_wall_across_a_void_half_is_an_outer_wall() -> None:
    board = built((0, 1, ""), (1, 1, "N"))
    board.place(watchtower(), 1, 0, NW)
    assert explain_board(board) == ()
    assert wall_runs(board) == [Run(2, 1, ((1, 0, "NW"), (1, 1, "N")))]


def test_a_run_never_jumps_to_another_empty_side() -> None:
    # Not a legal Alhambra: the corner between the watchtower and the building is touched from two sides.
    board = Board()
    board.put(watchtower(), 1, 0, NW)
    board.put(building("NW"), 2, 0)
    assert [run.segments for run in wall_runs(board)] == [((2, 0, "W"), (1, 0, "NW")), ((2, 0, "N"),)]
