"""Alhambras with tiles of every kind: what a placement, a listing and a whole move cost with all modules on."""

from __future__ import annotations

import gc
from functools import partial
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any

from alhambra import Board, Game, Options, Tile, known_modules
from alhambra.construction import cells_forbidden_only_by, check_placement, legal_cells
from alhambra.contacts import Contact
from alhambra.game import rules_for
from alhambra.planes import Planes
from alhambra.players import MOVERS

from .group import Effort, Goal, Group
from .measure import once, side_by_side
from .rounds import AGAIN, CONTROL, Figure

SIZE = 24
KINDS = {"standard", "square", "camp", "watchtower", "project"}
TURNS = (0, 90, 180, 270)
GAMES = 6
EVERY = 5
"""Of the states of a game, one in five is listed."""
MICRO = 1e6
HOW = (
    "An Alhambra of {size} tiles of all modules: buildings, squares, camps, watchtowers, double tiles, wooden walls, "
    "a gate. 'First question' is asked on planes that were just changed, where nothing is worked out yet. Moves are "
    "those of games of three players with policy peer, on a core; listings are taken from such games and from random "
    "ones. Base games are played twice for the control."
)


def sample_board() -> Board:
    """An Alhambra with tiles of all kinds, grown by chance."""
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
        sticks = (rng.choice((1, 2, 4, 8)),) if tile.plain and rng.random() < 0.1 else ()
        cells = legal_cells(board, tile, rotation, sticks)
        walled_off = cells_forbidden_only_by("NOT_REACHABLE", board, tile) if tile.plain and not board.passages else []
        if cells:
            board.put(tile, *rng.choice(cells), rotation, sticks)
        elif walled_off and not sticks:
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
        old = board.planes
        board._planes = Planes(old.frame, old.built, old.camps, old.letters, old.gates)

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


def _listings() -> tuple[list[dict[str, Any]], list[Goal]]:
    modules = tuple(known_modules())
    took: list[float] = []
    gc.collect()
    for number in range(GAMES):
        game, rng = Game.new(Options(seats=3, seed=f"odd {number}", modules=modules)), Random(number)
        policy = MOVERS["random" if number % 2 else "peer"]
        while not game.over:
            if rng.randrange(EVERY) == 0:
                took.append(MICRO * min(once(game.clone().legal_moves, 1), once(game.clone().legal_moves, 1)))
            game.apply(policy(game, rng))
    what = f"legal_moves, {len(modules)} modules on"
    row = {"what": what, "microseconds": round(mean(took), 1), "worst": round(max(took), 1)}
    return [row], [
        Goal.of("legal_moves_with_modules", Figure(mean(took), mean(took), mean(took)), 800.0, unit="µs"),
        Goal.of("worst_legal_moves_with_modules", Figure(max(took), max(took), max(took)), 10_000.0, unit="µs"),
    ]


def _moves(effort: Effort) -> tuple[list[dict[str, Any]], list[Goal]]:
    modules = tuple(known_modules())
    lanes = {"base": (), "base" + AGAIN: (), f"{len(modules)} modules on": modules}
    took: dict[str, list[float]] = {name: [] for name in lanes}
    for number in range(effort.rounds):
        for name, on in lanes.items():
            took[name].append(_seconds_a_move(number, on))
    base, again, played = took.values()
    ratio = Figure.of([one / other for one, other in zip(played, base, strict=True)])
    control = Figure.of([one / other for one, other in zip(again, base, strict=True)])
    rows = [
        {"what": f"a move, {name}", "microseconds": round(MICRO * median(found), 1)} for name, found in took.items()
    ]
    rows[1]["ratio"] = round(control.value, 3)
    rows[2]["ratio"] = round(ratio.value, 2)
    settled = abs(control.value - 1) <= CONTROL
    return rows, [Goal.of("move_with_modules_over_base", ratio, 3.0, settled=settled)]


def _seconds_a_move(number: int, modules: tuple[str, ...]) -> float:
    policy = MOVERS["peer"]
    began, moves = process_time(), 0
    for seed in range(2 if modules else 4):
        game, rng = Game.new(Options(seats=3, seed=f"bench {number} {seed}", modules=modules)), Random(seed)
        while not game.over:
            game.apply(policy(game, rng))
            moves += 1
    return (process_time() - began) / moves


def measure(effort: Effort) -> Group:
    """Placements, listings and moves with tiles of all modules."""
    effort.tick("odd tiles")
    rows: list[dict[str, Any]] = []
    goals: list[Goal] = []
    for found, reached in (_placements(), _listings(), _moves(effort)):
        rows += found
        goals += reached
    return Group("Library: tiles of every kind", HOW.format(size=SIZE), rows, goals=goals)
