"""Alhambras with tiles of every kind: the cost of a placement and of a list of all cells."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from alhambra import Board, Options, Tile, known_modules
from alhambra.placement.bitboards import Bitboards
from alhambra.placement.contacts import Contact
from alhambra.placement.rules import cells_forbidden_only_by, check_placement, legal_cells
from alhambra.ruleset import rules_for

from .group import Effort, Goal, Group
from .measure import side_by_side
from .rounds import Figure

SIZE = 24
KINDS = {"standard", "square", "camp", "watchtower", "project"}
TURNS = (0, 90, 180, 270)
MICRO = 1e6
HOW = (
    "An Alhambra of {size} tiles of all modules: buildings, squares, camps, watchtowers, double tiles, wooden walls, "
    "a gate. 'First question' is asked on planes that were just changed, where nothing is worked out yet."
)


def sample_board() -> Board:
    """Build an Alhambra at random with tiles of all kinds."""
    tiles = [tile for tile in _every_tile() if tile.kind in KINDS]
    for seed in range(500):
        board = _grown(Random(seed), tiles)
        kinds = {placed.tile.kind for placed in board.placed.values()}
        if kinds > KINDS and board.passages and len(board.placed) >= SIZE:
            return board
    raise AssertionError("no such board grew")


def _every_tile() -> list[Tile]:
    rules = rules_for(Options(seats=2, seed="bench", modules=tuple(known_modules())))
    return list(rules.tiles.values())


def _grown(rng: Random, tiles: list[Tile]) -> Board:
    board = Board()
    for tile in rng.sample(tiles, len(tiles)):
        rotation = rng.choice(TURNS) if tile.rotatable else 0
        wooden_walls = (rng.choice((1, 2, 4, 8)),) if tile.plain and rng.random() < 0.1 else ()
        cells = legal_cells(board, tile, rotation, wooden_walls)
        walled_off = cells_forbidden_only_by("NOT_REACHABLE", board, tile) if tile.plain and not board.passages else []
        if cells:
            board.put(tile, *rng.choice(cells), rotation, wooden_walls)
        elif walled_off and not wooden_walls:
            x, y = rng.choice(walled_off)
            board.put(tile, x, y)
            board.add_passage(x, y, next(side for side in "NESW" if board.relation(x, y, side) is Contact.MEET))
        if len(board.placed) >= SIZE:
            break
    return board


def _placements() -> tuple[list[dict[str, Any]], list[Goal]]:
    board = sample_board()
    left = [tile for tile in _every_tile() if tile.kind in KINDS and tile.id not in board.placed]
    tiles = {kind: next(t for t in left if t.kind == kind and legal_cells(board, t)) for kind in sorted(KINDS)}

    def forget() -> None:
        old = board.bitboards
        board._bitboards = Bitboards(old.extent, old.built, old.camps, old.letters, old.gates)

    def first(tile: Tile) -> None:
        forget()
        check_placement(board, tile, *cells[tile.id])

    def everywhere(tile: Tile) -> None:
        forget()
        for rotation in TURNS if tile.rotatable else (0,):
            legal_cells(board, tile, rotation)

    cells = {tile.id: legal_cells(board, tile)[0] for tile in tiles.values()}
    works: dict[str, Any] = {}
    for kind, tile in tiles.items():
        works[f"one check, {kind}"] = partial(check_placement, board, tile, *cells[tile.id])
        works[f"one check, {kind}, first question"] = partial(first, tile)
        works[f"all cells and rotations, {kind}"] = partial(everywhere, tile)
    works["one check, standard (again)"] = works["one check, standard"]
    works["(forgetting what was worked out)"] = forget
    times = {name: MICRO * seconds for name, seconds in side_by_side(works).items()}
    rows = [{"what": name, "microseconds": round(took, 2)} for name, took in times.items()]
    checks = max(times[f"one check, {kind}"] for kind in tiles)
    listing = max(times[f"all cells and rotations, {kind}"] for kind in tiles)
    return rows, [
        Goal.of("odd_placement_check", Figure(checks, checks, checks), 3.0, unit="µs"),
        Goal.of("odd_cells_and_rotations", Figure(listing, listing, listing), 25.0, unit="µs"),
    ]


def measure(effort: Effort) -> Group:
    """Measure placements and lists of cells with tiles of all modules."""
    effort.tick("odd tiles")
    rows, goals = _placements()
    return Group("Library: tiles of every kind", HOW.format(size=SIZE), rows, goals=goals)
