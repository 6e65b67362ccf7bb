"""The fast construction rules and the outer wall against brute force, on Alhambras grown by chance."""

from __future__ import annotations

from random import Random

import pytest

from alhambra.board import Board
from alhambra.components import Cell, Tile
from alhambra.placement.contacts import placed_parts
from alhambra.placement.outline import longest_wall, wall_runs
from alhambra.placement.rules import check_placement, check_removal, check_swap, explain_board, is_legal
from alhambra.violations import Violation

from . import oracles
from .samples import NE, NW, SE, SW, building, camp, project, watchtower

BOARDS = 2000
"""How many Alhambras are compared; `compare_with_brute_force(100_000)` takes some five minutes."""


def compare_with_brute_force(count: int, seed: str = "construction") -> int:
    """Grow Alhambras until `count` have been compared: every cell around them, some redesigns, the outer wall."""
    rng = Random(seed)
    compared = 0
    while compared < count:
        for alhambra, tile, legal, _ in oracles.random_growth(rng, rng.randint(2, 24)):
            board = as_board(alhambra)
            assert set(board.legal_cells(tile)) == legal
            for x, y in oracles.cells_around(alhambra):
                assert is_legal(board, tile, x, y) == ((x, y) in legal)
                compare_reasons(alhambra, tile, (x, y), check_placement(board, tile, x, y))
            compare_redesign(rng, alhambra, board, tile)
            compare_walls(alhambra, board)
            compared += 1
    return compared


def as_board(alhambra: oracles.Alhambra) -> Board:
    """The same Alhambra as a board."""
    board = Board()
    for (x, y), walls in list(alhambra.items())[1:]:
        board.put(building("".join(walls)), x, y)
    return board


def compare_reasons(alhambra: oracles.Alhambra, tile: Tile, cell: Cell, found: tuple[Violation, ...]) -> None:
    """Each violation is told exactly if its rule is broken."""
    after = {**alhambra, cell: oracles.walls_of(tile)}
    told = {violation.code for violation in found}
    assert ("EDGE_MISMATCH" in told) == (not oracles.edges_match(after))
    assert ("HOLE" in told) == bool(oracles.holes(after))
    # Where sides do not match the two tiles see different things; the oracle walks if one of them is open.
    if "EDGE_MISMATCH" not in told:
        assert ("NOT_REACHABLE" in told) == (not oracles.all_on_foot(after))


def compare_redesign(rng: Random, alhambra: oracles.Alhambra, board: Board, tile: Tile) -> None:
    """Removals, and swaps with the tile, at a few cells."""
    cells = [cell for cell in alhambra if cell != oracles.FOUNTAIN]
    for cell in rng.sample(cells, min(3, len(cells))):
        old = board.cells[cell].tile.id
        assert (not check_removal(board, old)) == oracles.may_remove(alhambra, cell)
        swapped = {**alhambra, cell: oracles.walls_of(tile)}
        assert (not check_swap(board, old, tile)) == oracles.is_sound(swapped)


def compare_walls(alhambra: oracles.Alhambra, board: Board) -> None:
    """The fast walk, the general walk and the oracle measure the same."""
    expected = oracles.longest_wall(alhambra)
    assert longest_wall(board) == expected
    assert max((run.length for run in wall_runs(board)), default=0) == expected


@pytest.mark.rule("00.25", "00.36", "00.37", "00.39", "00.42")
def test_the_fast_rules_agree_with_brute_force() -> None:
    assert compare_with_brute_force(BOARDS) >= BOARDS


def test_taking_everything_off_again_leaves_the_start_tile_as_it_was() -> None:
    rng = Random("off")
    for _ in range(20):
        *_, (alhambra, _, _, _) = oracles.random_growth(rng, 15)
        board = as_board(alhambra)
        for tile_id in list(board.placed)[1:]:
            board.remove(tile_id)
        fresh = Board()
        assert board.cells == fresh.cells
        assert board.grid.occupied == fresh.grid.occupied
        assert board.grid.walled == fresh.grid.walled
        assert {key: number for key, number in board.grid.numbers.items() if number} == fresh.grid.numbers


def strange_tile(rng: Random) -> tuple[Tile, int, tuple[int, ...]]:
    """A tile of any kind, how it is turned, and its wooden walls."""
    walls = "".join(side for side in "NESW" if rng.random() < 0.35)
    match rng.choice(("camp", "watchtower", "project", "building", "building")):
        case "camp":
            return camp(rng.choice(("N", "E", "S", "W", "NE", "ES", "SW", "NW"))), 0, ()
        case "watchtower":
            return watchtower(), rng.choice((NE, SE, SW, NW)), ()
        case "project":
            tile = project(walls, rng.choice(("", "N", "ES")), down=rng.random() < 0.5)
            return tile, rng.choice((0, 90, 180, 270)), ()
    return building(walls), rng.choice((0, 90)), (rng.choice((0, 0, 2, 8)),)


@pytest.mark.rule("00.36", "00.37", "00.39")
def test_the_general_rules_agree_with_a_look_at_the_whole_alhambra() -> None:
    rng = Random("strange")
    for _ in range(12):
        board = Board()
        for _ in range(14):
            tile, rotation, wooden_walls = strange_tile(rng)
            legal = board.legal_cells(tile, rotation, wooden_walls)
            for x, y in [(x, y) for x in range(-4, 5) for y in range(-4, 5)]:
                if not any(cell in board.cells for cell, _ in placed_parts(tile, x, y, rotation)):
                    after = board.copy()
                    after.put(tile, x, y, rotation, wooden_walls)
                    assert (explain_board(after) == ()) == ((x, y) in legal), str(after)
            if legal:
                board.place(tile, *rng.choice(legal), rotation, wooden_walls)
