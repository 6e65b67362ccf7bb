"""Walks through Alhambras grown by chance, step by step against an oracle: watchtowers, double tiles, gates, camps,
wooden walls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from alhambra import Board, Decision, Game
from alhambra.base.walk import may_stop, steps
from alhambra.components import SIDES, STEP, Cell
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.palace_staff import Staff
from alhambra.placement.rules import legal_cells

from .test_odd_tiles_by_geometry import Growth
from .walk_oracle import Lying, ends, neighbours

BOARDS = 60
LONGEST = 18
"""Tiles that are drawn for one Alhambra."""
FURTHEST = 5
ANIMAL = "monkey"


def grown(rng: Random) -> Growth:
    """An Alhambra of tiles of every kind."""
    growth = Growth(rng)
    for _ in range(LONGEST):
        tile, rotation = growth.draw()
        places = legal_cells(growth.board, tile, rotation, growth.wooden_walls(tile))
        growth.grow(tile, rotation, [cell for cell in places if not growth._module_faults(tile, cell, rotation)])
        if rng.random() < 0.15:
            growth.wall_up()
    return growth


def as_told(board: Board) -> list[Lying]:
    """The tiles of a board in the words of the oracle."""
    return [
        Lying(
            tile.id,
            (x, y),
            rotation,
            tuple(((part.dx, part.dy), part.edges) for part in tile.parts),
            tuple("".join(side for number, side in enumerate(SIDES) if mask >> number & 1) for mask in wooden_walls),
        )
        for tile, x, y, rotation, wooden_walls in board.placed.values()
    ]


def set_animal(game: Game, cell: Cell) -> None:
    """One animal lies in the Alhambra, on that cell."""
    placed_part = game.state.seats[0].board.cells[cell]
    game.module_state(Menagerie).lying = {placed_part.tile.id: ((placed_part.part, ANIMAL),)}


def set_major_domo(game: Game, cell: Cell) -> None:
    """The major-domo stands on that cell."""
    staff = game.module_state(Staff)
    staff.cells = (cell, *staff.cells[1:])


WALKS: dict[str, Callable[[Game, Cell], None]] = {"animal_walk": set_animal, "staff_walk": set_major_domo}


def walks(game: Game, kind: str, start: Cell, most: int) -> set[Cell]:
    """Every cell where the engine lets a figure end a walk: all steps that it lists are followed."""
    ahead, seen, found = [(start, most)], {(start, most)}, set()
    while ahead:
        cell, left = ahead.pop()
        WALKS[kind](game, cell)
        decision = Decision(kind, 0, {"steps": left})
        if not any(may_stop(game, decision)):
            found.add(cell)
        for move in steps(game, decision) if left else ():
            assert move.side is not None
            dx, dy = STEP[move.side]
            step = ((cell[0] + dx, cell[1] + dy), left - 1)
            if step not in seen:
                seen.add(step)
                ahead.append(step)
    return found


def compare_walks(count: int, seed: str = "walks") -> Counter[str]:
    """Compare walks in as many Alhambras, from every cell that one can stand on; returns what occurred in them."""
    rng, met = Random(seed), Counter[str]()
    for _ in range(count):
        growth = grown(rng)
        board, tiles = growth.board, as_told(growth.board)
        met.update(placed.tile.kind for placed in board.placed.values())
        met["gate"] += len(growth.gates)
        met["wooden"] += sum(any(placed.wooden_walls) for placed in board.placed.values())
        ways = neighbours(tiles, growth.gates)
        for cell, placed_part in board.cells.items():
            assert {*board.walk(*cell)} == ways.get(cell, set()), f"{cell}\n{board}"
            if cell in ways and board.full(placed_part):
                most, kind = rng.randint(1, FURTHEST), rng.choice([*WALKS])
                expected = ends(tiles, growth.gates, cell, most)
                assert walks(growth.game, kind, cell, most) == expected, f"{most} steps from {cell}\n{board}"
                met[kind] += 1
    return met


def test_every_walk_ends_where_the_oracle_says() -> None:
    met = compare_walks(BOARDS)
    assert min(met[kind] for kind in WALKS) > 2 * BOARDS
    for kind in ("watchtower", "project", "camp", "gate", "wooden"):
        assert met[kind] > 5, f"too few of {kind}: {met}"


BREAKS = {
    "gates are shut": (Board, "_gate", lambda *_given: False),
    "watchtowers are no obstacle to staying": (
        Board,
        "full",
        staticmethod(lambda placed_part: placed_part is not None),
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_walk_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, broken = BREAKS[name]
    monkeypatch.setattr(owner, attribute, broken)
    with pytest.raises(AssertionError):
        compare_walks(BOARDS)
