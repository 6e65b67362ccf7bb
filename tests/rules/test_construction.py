"""The construction rules, one sentence a test."""

from __future__ import annotations

import pytest

from alhambra.board import Board
from alhambra.placement.grid import LIMIT
from alhambra.placement.rules import check_removal, check_swap, explain_board, is_legal
from alhambra.violations import Violation

from .samples import NE, NW, building, built, camp, project, watchtower


def codes(violations: tuple[Violation, ...] | list[Violation]) -> list[str]:
    """The codes alone."""
    return [violation.code for violation in violations]


# Matching edges.


def test_open_sides_may_touch() -> None:
    assert Board().violations(building("N"), 1, 0) == []


@pytest.mark.rule("00.36")
def test_a_wall_must_meet_a_wall() -> None:
    board = built((1, 0, "S"), (0, 1, ""))
    assert board.violations(building("N"), 1, 1) == []
    assert codes(board.violations(building(), 1, 1)) == ["EDGE_MISMATCH"]


def test_a_wall_may_not_meet_an_open_side() -> None:
    tile = building("W")
    assert Board().violations(tile, 1, 0) == [
        Violation("EDGE_MISMATCH", "cell", cell=[1, 0], side="W", neighbour="start-0"),
        Violation("NOT_REACHABLE", "cell", tiles=[tile.id]),
    ]


def test_every_mismatching_side_is_told() -> None:
    board = built((1, 0, "S"), (0, 1, "E"))
    found = board.violations(building(), 1, 1)
    assert [(v.code, v.metadata.get("side")) for v in found] == [
        ("EDGE_MISMATCH", "N"),
        ("EDGE_MISMATCH", "W"),
        ("NOT_REACHABLE", None),
    ]


# Contact, on foot, holes.


def test_a_taken_place_is_refused() -> None:
    assert Board().violations(building(), 0, 0) == [Violation("PLACE_TAKEN", "cell", cell=[0, 0])]


def test_a_tile_that_touches_nothing_is_refused() -> None:
    assert Board().violations(building(), 2, 0) == [Violation("NO_CONTACT", "cell", cell=[2, 0])]


@pytest.mark.rule("00.38")
def test_a_corner_is_no_contact() -> None:
    assert codes(Board().violations(building(), 1, 1)) == ["NO_CONTACT"]


@pytest.mark.rule("00.37")
def test_a_tile_behind_a_double_wall_cannot_be_reached() -> None:
    tile = building("W")
    assert built((1, 0, "E")).violations(tile, 2, 0) == [Violation("NOT_REACHABLE", "cell", tiles=[tile.id])]


@pytest.mark.rule("00.39")
def test_no_empty_area_may_be_enclosed() -> None:
    ring = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]
    board = built(*((x, y, "") for x, y in ring))
    assert board.violations(building(), 0, 1) == [Violation("HOLE", "cell", cells=[[1, 1]])]


def test_all_reasons_are_told_at_once() -> None:
    ring = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]
    board = built(*((x, y, "") for x, y in ring))
    assert codes(board.violations(building("NS"), 0, 1)) == [
        "EDGE_MISMATCH",
        "EDGE_MISMATCH",
        "NOT_REACHABLE",
        "HOLE",
    ]


def test_a_big_hole_is_named_in_part() -> None:
    ring = [(x, 0) for x in range(1, 9)] + [(8, y) for y in range(1, 9)] + [(x, 8) for x in range(7, -1, -1)]
    board = built(*((x, y, "") for x, y in [*ring, *((0, y) for y in range(7, 1, -1))]))
    (hole,) = board.violations(building(), 0, 1)
    assert hole.code == "HOLE"
    assert len(hole.metadata["cells"]) == 16


def test_a_tile_is_built_once() -> None:
    board = Board()
    tile = building()
    board.place(tile, 1, 0)
    assert board.violations(tile, 2, 0) == [Violation("PLACE_TAKEN", "tile", tile=tile.id)]


# Cells far away.


@pytest.mark.rule("00.103")
def test_an_alhambra_may_leave_every_frame() -> None:
    assert LIMIT == 127
    board = Board()
    for x in range(1, LIMIT + 1):
        assert board.legal_cells(building("NS"))[-1] == (x, 0)
        board.place(building("NS"), x, 0)
        assert board.longest_wall() == x
    assert explain_board(board) == ()


@pytest.mark.rule("00.103")
@pytest.mark.parametrize("dx,dy", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_limit_is_the_same_on_all_sides(dx: int, dy: int) -> None:
    board = Board()
    for n in range(1, LIMIT + 1):
        assert (n * dx, n * dy) in board.legal_cells(building())
        board.place(building(), n * dx, n * dy)
    beyond = (LIMIT + 1) * dx, (LIMIT + 1) * dy
    assert board.violations(building(), *beyond) == [Violation("NOUN_MALFORMED", "cell", value=list(beyond))]
    assert not is_legal(board, building(), *beyond)
    assert beyond not in board.legal_cells(building())
    assert check_removal(board, list(board.placed)[-1]) == ()
    assert codes(check_removal(board, list(board.placed)[-2])) == ["NOT_REACHABLE"]


def test_a_rotation_is_a_number_of_quarter_turns() -> None:
    assert codes(Board().violations(building(), 1, 0, 45)) == ["NOUN_MALFORMED"]
    assert Board().legal_cells(building(), 45) == []
    assert not is_legal(Board(), building(), 1, 0, 360)


# Rotation and wooden walls.


def test_a_tile_turns_clockwise() -> None:
    board = Board()
    assert codes(board.violations(building("N"), 0, 1)) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert board.violations(building("N"), 0, 1, 90) == []
    board.place(building("NE"), 0, 1, 90)
    part = board.at(0, 1)
    assert part is not None and part.edges == "owwo"


def test_wooden_walls_count_like_printed_ones_and_turn_with_the_tile() -> None:
    board = Board()
    assert codes(board.violations(building(), 1, 0, 0, (8,))) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert codes(board.violations(building(), 1, 0, 90, (4,))) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert board.violations(building(), 1, 0, 90, (8,)) == []
    assert (1, 0) not in board.legal_cells(building(), 90, (4,))


@pytest.mark.rule("09.13")
def test_a_wooden_wall_on_a_shared_edge_breaks_the_alhambra() -> None:
    board = built((1, 0, ""))
    board.add_wooden_walls(list(board.placed)[1], (8,))
    assert codes(explain_board(board)) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


# Redesign.


def test_the_start_tile_stays() -> None:
    board = built((1, 0, ""))
    locked = (Violation("LOCKED", "tile", tile="start-0", by="start"),)
    assert check_removal(board, "start-0") == locked
    assert check_swap(board, "start-0", building()) == locked


def test_only_a_built_tile_can_be_removed() -> None:
    assert codes(check_removal(Board(), "garden-8-n")) == ["NOT_THERE"]


def test_a_removal_may_cut_nobody_off() -> None:
    board = built((1, 0, ""), (2, 0, ""))
    _, middle, end = board.placed
    assert check_removal(board, middle) == (Violation("NOT_REACHABLE", "tile", tiles=[end]),)
    assert check_removal(board, end) == ()


def test_a_removal_may_leave_no_hole() -> None:
    block = [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
    board = built(*((x, y, "") for x, y in block))
    middle = board.cells[1, 1].tile.id
    assert check_removal(board, middle) == (Violation("HOLE", "cell", cells=[[1, 1]]),)


def test_a_swap_needs_matching_sides_and_nothing_else() -> None:
    board = built((1, 0, "E"), (0, 1, ""), (1, 1, ""))
    old = board.cells[1, 0].tile.id
    assert check_swap(board, old, building("N")) == ()
    assert codes(check_swap(board, old, building("S"))) == ["EDGE_MISMATCH"]
    assert codes(check_swap(board, old, building("SW"))) == ["EDGE_MISMATCH", "EDGE_MISMATCH", "NOT_REACHABLE"]


def test_a_swap_takes_exactly_the_vacated_place() -> None:
    board = Board()
    double = project("N", "N")
    board.place(double, 1, 0)
    assert codes(check_swap(board, double.id, building())) == ["FOOTPRINT_MISMATCH"]
    assert codes(check_swap(board, double.id, project("", "", down=True))) == ["FOOTPRINT_MISMATCH"]
    assert check_swap(board, double.id, project("", "")) == ()
    assert check_swap(board, double.id, project("", "", down=True), 90) == ()


# Camps.


def test_a_bastion_leans_on_a_wall() -> None:
    board = built((1, 0, "E"))
    assert board.violations(camp("W"), 2, 0) == []


@pytest.mark.rule("08.7")
@pytest.mark.parametrize("walls,bastions", [("", "W"), ("", "E"), ("E", "E")])
def test_other_sides_of_a_camp_and_a_building_may_not_touch(walls: str, bastions: str) -> None:
    board = built((1, 0, walls))
    neighbour = board.cells[1, 0].tile.id
    assert board.violations(camp(bastions), 2, 0)[0] == Violation("NO_CONTACT", "cell", cell=[2, 0])
    assert board.violations(camp(bastions), 2, 0)[1] == Violation(
        "CONTACT_FORBIDDEN", "cell", cell=[2, 0], side="W", with_=neighbour
    )


@pytest.mark.rule("08.8")
def test_two_camps_touch_green_to_green_only() -> None:
    board = built((1, 0, "E"))
    board.place(camp("W"), 2, 0)
    assert board.violations(camp("W"), 3, 0)[-1].code == "CONTACT_FORBIDDEN"
    assert board.violations(camp("E"), 3, 0) == []


@pytest.mark.rule("99.31", "08.10", "08.39")
def test_a_camp_gives_no_way_on_foot_and_no_contact() -> None:
    board = built((1, 0, "E"))
    board.place(camp("WE"), 2, 0)
    assert codes(board.violations(building("W"), 3, 0)) == ["NO_CONTACT"]


@pytest.mark.rule("08.39")
def test_a_building_beside_a_camp_shows_it_a_wall() -> None:
    board = built((1, 0, "E"))
    board.place(camp("WN"), 2, 0)
    board.place(building(), 1, -1)
    assert board.violations(building("S"), 2, -1) == []
    assert codes(board.violations(building(), 2, -1)) == ["CONTACT_FORBIDDEN"]


@pytest.mark.rule("08.38")
def test_a_camp_does_not_fill_a_hole() -> None:
    board = built((1, 0, "S"), (2, 0, ""), (2, 1, "W"), (2, 2, ""), (1, 2, "N"), (0, 2, ""))
    board.place(camp("NESW"), 1, 1)
    assert board.violations(building("E"), 0, 1) == [Violation("HOLE", "cell", cells=[[1, 1]])]


@pytest.mark.rule("08.38")
def test_a_camp_does_not_close_a_hole_either() -> None:
    board = built((1, 0, ""), (2, 0, ""), (2, 1, ""), (2, 2, ""), (1, 2, ""), (0, 2, "N"))
    board.add_wooden_walls("start-0", (4,))
    assert board.violations(camp("NS"), 0, 1) == [Violation("HOLE", "cell", cells=[[1, 1]])]


@pytest.mark.rule("08.40")
def test_a_redesign_leaves_no_camp_alone() -> None:
    board = built((1, 0, "E"))
    wall = board.cells[1, 0].tile.id
    board.place(camp("W"), 2, 0)
    assert check_removal(board, wall) == (Violation("NO_CONTACT", "cell", cell=[2, 0]),)
    assert codes(check_swap(board, wall, building())) == ["NO_CONTACT", "CONTACT_FORBIDDEN"]
    assert check_swap(board, wall, building("NE")) == ()


@pytest.mark.rule("08.41")
def test_a_camp_and_a_building_may_change_places() -> None:
    board = built((1, 0, "E"), (0, 1, "E"), (0, -1, ""), (1, -1, ""), (2, -1, "S"))
    camp_tile = camp("WN")
    board.place(camp_tile, 2, 0)
    assert codes(check_swap(board, camp_tile.id, building("WN"))) == ["NOT_REACHABLE"]
    tile = board.cells[2, -1].tile.id
    assert codes(check_swap(board, tile, camp("W"))) == ["NO_CONTACT", "CONTACT_FORBIDDEN", "CONTACT_FORBIDDEN"]


# Watchtowers.


def test_a_leg_touches_an_open_side() -> None:
    assert Board().violations(watchtower(), -1, 0, NE) == []
    assert codes(built((1, 0, "E")).violations(watchtower(), 2, 0, NW)) == ["NOT_REACHABLE", "CONTACT_FORBIDDEN"]


def test_nothing_is_attached_to_the_long_side() -> None:
    assert codes(Board().violations(watchtower(), 1, 0, NE)) == ["NO_CONTACT"]
    board = Board()
    board.place(watchtower(), -1, 0, NE)
    assert codes(board.violations(building(), -2, 0)) == ["NO_CONTACT"]


@pytest.mark.rule("99.31", "22.14")
def test_one_walks_across_a_watchtower() -> None:
    board = Board()
    board.place(watchtower(), 1, 0, NW)
    assert board.violations(building(), 1, -1) == []
    board.place(building("W"), 1, -1)
    assert check_removal(board, board.cells[1, 0].tile.id)[0].code == "NOT_REACHABLE"


def test_a_tile_across_the_void_needs_another_neighbour_and_may_show_anything() -> None:
    board = built((0, 1, ""))
    board.place(watchtower(), 1, 0, NW)
    assert board.violations(building("N"), 1, 1) == []
    assert board.violations(building(), 1, 1) == []


def test_an_enclosed_void_half_is_a_hole() -> None:
    board = built((0, 1, ""), (1, 1, ""), (2, 1, ""))
    board.place(watchtower(), 1, 0, NW)
    assert board.violations(building(), 2, 0) == [Violation("HOLE", "cell", cells=[[1, 0]])]


def test_a_void_half_leads_outside() -> None:
    # The cell (1, 1) is enclosed by tiles on three sides; its way out is the void half north of it, to the east.
    board = built((0, 1, ""), (0, 2, ""), (1, 2, ""), (2, 2, ""))
    board.place(watchtower(), 1, 0, NW)
    assert board.violations(building(), 2, 1) == []
    board.place(building(), 2, 1)
    assert board.violations(building(), 2, 0) == [Violation("HOLE", "cell", cells=[[1, 0], [1, 1]])]


# Double tiles.


def test_both_halves_obey_the_rules() -> None:
    board = built((1, 0, "S"))
    assert codes(board.violations(project("", ""), 0, 1)) == ["EDGE_MISMATCH"]
    assert board.violations(project("", "N"), 0, 1) == []


def test_a_double_tile_is_walked_through_unless_a_wall_stands_inside() -> None:
    assert Board().violations(project("", ""), 1, 0) == []
    tile = project("E", "W")
    assert Board().violations(tile, 1, 0) == [Violation("NOT_REACHABLE", "cell", tiles=[tile.id])]


def test_either_half_may_give_the_contact() -> None:
    cells = Board().legal_cells(project("", ""))
    assert cells == [(-1, -1), (0, -1), (-2, 0), (1, 0), (-1, 1), (0, 1)]


def test_a_double_tile_turns_about_its_first_half() -> None:
    board = Board()
    board.place(project("N", "N"), 1, 0, 90)
    assert [(cell, part.edges) for cell, part in board.cells.items()][1:] == [
        ((1, 0), "owoo"),
        ((1, 1), "owoo"),
    ]


def test_a_double_tile_may_fill_what_its_first_half_encloses() -> None:
    ring = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]
    board = built(*((x, y, "") for x, y in ring))
    assert board.violations(project("", ""), 0, 1) == []
    assert board.violations(project("", ""), -1, 1) == [Violation("HOLE", "cell", cells=[[1, 1]])]


# Gates.


@pytest.mark.rule("05.13")
def test_a_gate_makes_a_double_wall_passable() -> None:
    board = built((1, 0, "E"))
    board.add_passage(2, 0, "W")
    assert board.violations(building("W"), 2, 0) == []
    board.place(building("W"), 2, 0)
    board.place(building(), 3, 0)
    assert explain_board(board) == ()
    assert board.walk(1, 0) == [(2, 0), (0, 0)]


@pytest.mark.rule("08.41")
def test_a_gate_may_open_the_place_of_a_camp_to_a_building() -> None:
    board = built((1, 0, "E"))
    leaning = camp("W")
    board.place(leaning, 2, 0)
    assert codes(check_swap(board, leaning.id, building("W"))) == ["NOT_REACHABLE"]
    board.add_passage(1, 0, "E")
    assert check_swap(board, leaning.id, building("W")) == ()
