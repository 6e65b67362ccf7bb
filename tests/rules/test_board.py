"""One Alhambra: what lies where, and what it is to its neighbours."""

from __future__ import annotations

import pytest

from alhambra.board import Board, Contact, PlacedPart, PlacedTile
from alhambra.components import BASE_TILES, START_TILES
from alhambra.placement.rules import explain_board
from alhambra.violations import IllegalMove

from .samples import NE, NW, building, built, camp, project, watchtower


def test_an_alhambra_begins_with_the_fountain() -> None:
    board = Board()
    assert list(board.cells) == [(0, 0)]
    assert board.cells[0, 0] == PlacedPart(START_TILES[0], 0, "oooo", "")


def test_every_seat_has_a_start_tile_of_its_own() -> None:
    assert list(Board(start=START_TILES[3]).placed) == ["start-3"]


def test_every_base_tile_can_be_built_beside_the_fountain() -> None:
    for tile in BASE_TILES.values():
        assert Board().legal_cells(tile)


def test_legal_cells_come_row_by_row() -> None:
    assert Board().legal_cells(building()) == [(0, -1), (-1, 0), (1, 0), (0, 1)]
    assert Board().legal_cells(building("N")) == [(0, -1), (-1, 0), (1, 0)]


def test_a_refused_tile_changes_nothing() -> None:
    board = Board()
    with pytest.raises(IllegalMove) as refusal:
        board.place(building("W"), 1, 0)
    assert [violation.code for violation in refusal.value] == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert list(board.cells) == [(0, 0)]


def test_a_built_tile_is_known_by_its_id_in_building_order() -> None:
    board = Board()
    garden, tower = building("N"), building("S", "tower")
    board.place(tower, 1, 0, 180)
    board.place(garden, -1, 0)
    assert list(board.placed) == ["start-0", tower.id, garden.id]
    assert board.placed[tower.id] == PlacedTile(tower, 1, 0, 180, ())
    assert board.at(1, 0) == PlacedPart(tower, 0, "wooo", "tower")
    assert board.at(5, 5) is None


def test_a_copy_goes_its_own_way() -> None:
    board = built((1, 0, "N"))
    sample = board.copy()
    sample.place(building("N"), 2, 0)
    sample.add_passage(1, 0, "N")
    assert (2, 0) not in board.cells
    assert board.plain and not sample.plain
    assert board.longest_wall() == 1
    assert (2, 0) in board.legal_cells(building())


def test_a_tile_that_was_taken_off_can_be_built_again() -> None:
    board = built((1, 0, "N"), (2, 0, "N"))
    placed = board.remove(list(board.placed)[-1])
    assert board.longest_wall() == 1
    board.place(*placed)
    assert board.longest_wall() == 2


def test_a_wooden_wall_becomes_part_of_a_built_tile() -> None:
    board = Board()
    board.add_wooden_walls("start-0", (1,))
    board.add_wooden_walls("start-0", (8,))
    assert board.cells[0, 0].edges == "woow"
    assert board.placed["start-0"].wooden_walls == (9,)
    assert board.longest_wall() == 2
    assert explain_board(board) == ()
    assert board.legal_cells(building()) == [(1, 0), (0, 1)]


def test_a_wooden_wall_turns_with_its_tile() -> None:
    board = Board()
    tile = building()
    board.place(tile, 1, 0, 90)
    board.add_wooden_walls(tile.id, (1,))
    assert board.cells[1, 0].edges == "owoo"


def test_only_plain_tiles_keep_an_alhambra_plain() -> None:
    board, lone = built((1, 0, "E")), camp("W")
    seen = [board.plain]
    board.place(lone, 2, 0)
    seen.append(board.plain)
    board.remove(lone.id)
    seen.append(board.plain)
    assert seen == [True, False, True]


def test_a_gate_goes_with_its_tile() -> None:
    board = built((1, 0, "E"))
    behind = building("W")
    board.put(behind, 2, 0)
    board.add_passage(2, 0, "W")
    assert board.passages == {(1, 0, "E")}
    board.remove(behind.id)
    assert not board.passages
    assert board.plain


def test_a_gate_is_for_walking_only() -> None:
    board = built((1, 0, "E"))
    board.put(building("W"), 2, 0)
    assert board.walk(1, 0) == [(0, 0)]
    board.add_passage(1, 0, "E")
    assert board.walk(1, 0) == [(2, 0), (0, 0)]
    assert board.walk(2, 0) == [(1, 0)]
    assert board.relation(1, 0, "E") is Contact.MEET


def test_a_relation_tells_what_two_cells_are_to_each_other() -> None:
    board = built((1, 0, "E"))
    board.place(camp("W"), 2, 0)
    board.place(watchtower(), 0, 1, NE)
    board.place(building(), -1, 0)
    board.place(building(), -1, 1)
    assert board.relation(0, 0, "E") is Contact.PASS
    assert board.relation(0, 0, "S") is Contact.PASS
    assert board.relation(1, 0, "E") is Contact.MEET
    assert board.relation(-1, 1, "E") is Contact.APART
    assert board.relation(0, 0, "N") is Contact.EMPTY
    assert board.relation(7, 7, "N") is Contact.EMPTY
    assert dict(board.neighbours(0, 0))["N"] is None
    assert [side for side, part in board.neighbours(0, 0) if part] == ["E", "S", "W"]


def test_the_halves_of_a_double_tile_are_connected_unless_a_wall_stands_between() -> None:
    board = Board()
    open_inside, walled = project("E", ""), project("E", "W")
    board.place(open_inside, 1, 0)
    board.put(walled, -2, 0)
    assert board.relation(1, 0, "E") is Contact.PASS
    assert board.relation(-2, 0, "E") is Contact.MEET
    assert board.walk(2, 0) == [(1, 0)]
    assert board.cells_of(open_inside.id) == ((1, 0), (2, 0))
    assert [board.cells[cell].type for cell in board.cells_of(open_inside.id)] == ["garden", "tower"]


@pytest.mark.rule("99.30", "99.31", "22.40")
def test_camps_and_watchtowers_are_no_full_tiles() -> None:
    board = built((1, 0, "E"))
    board.place(camp("W"), 2, 0)
    board.place(watchtower(), 0, 1, NE)
    assert [cell for cell, part in board.cells.items() if board.full(part)] == [(0, 0), (1, 0)]
    assert not board.full(None)


@pytest.mark.rule("99.32", "22.40", "08.36")
def test_a_line_ends_at_a_gap_a_camp_or_a_watchtower() -> None:
    board = built((1, 0, ""), (2, 0, "E"))
    board.place(camp("W"), 3, 0)
    board.place(watchtower(), -1, 0, NE)
    assert [part.tile.id for part in board.line(3, 0, "W")][-1] == "start-0"
    assert len(board.line(3, 0, "W")) == 3
    assert len(board.line(-1, 0, "E")) == 3
    assert board.line(0, 0, "S") == []


@pytest.mark.rule("99.32", "08.13")
def test_inner_walls_do_not_interrupt_a_line() -> None:
    board = built((1, 0, "E"), (1, 1, ""), (2, 1, ""), (2, 0, "W"))
    assert len(board.line(-1, 0, "E")) == 3


def test_open_sides_stand_open_to_the_outside() -> None:
    board = built((1, 0, "N"), (0, 1, ""))
    assert {side: board.open_sides(side) for side in "NESW"} == {"N": 1, "E": 2, "S": 2, "W": 2}


def test_a_side_at_a_leg_is_covered_and_a_side_at_a_void_half_exposed() -> None:
    board = built((0, 1, ""))
    board.place(watchtower(), 1, 0, NW)
    assert board.open_sides("E") == 1
    board.place(building(), 1, 1)
    assert board.open_sides("N") == 2
