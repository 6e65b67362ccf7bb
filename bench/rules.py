"""The cost of single functions of the rules library: placement, walls, moves; each with the brute-force oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from alhambra import Board, Game, Options
from alhambra.components import BASE_TILES
from alhambra.placement.outline import longest_wall
from alhambra.placement.rules import check_placement, legal_cells
from bench.measure import side_by_side
from bench.rounds import ROUNDS
from tests.rules import oracles

SIZE = 20
BUDGETS = {"one placement check": 0.5, "all legal cells of a tile": 4.0, "longest wall": 5.0}
"""Microseconds on a board of 20 tiles."""
Works = dict[str, Callable[[], object]]
Row = dict[str, Any]


def sample_board(seed: int = 7) -> tuple[Board, oracles.Alhambra]:
    """Return the same random Alhambra of 20 tiles for the library and for the oracle."""
    for attempt in range(100):
        board = Board()
        alhambra: dict[Any, Any] = {(0, 0): frozenset()}
        for _, tile, _, cell in oracles.random_growth(Random(seed + attempt), SIZE + 1):
            board.put(tile, *cell)
            alhambra[cell] = oracles.walls_of(tile)
        if len(board.placed) == SIZE + 1:
            return board, alhambra
    raise AssertionError("no board of that size grew")


def placement() -> list[Row]:
    """Measure placement and wall scoring on one board, with the oracle."""
    board, alhambra = sample_board()
    left = [tile for tile in BASE_TILES.values() if tile.id not in board.placed]
    tile = next(tile for tile in left if len(board.legal_cells(tile)) > 2)
    cell = board.legal_cells(tile)[0]
    walls = oracles.walls_of(tile)
    works: Works = {
        # `partial` adds no Python frame, which would be a fifth of the measured time.
        "one placement check": partial(check_placement, board, tile, *cell),
        "one placement check (again)": partial(check_placement, board, tile, *cell),
        "all legal cells of a tile": partial(legal_cells, board, tile),
        "longest wall": partial(longest_wall, board),
        "copy of a board": board.copy,
    }
    slow: Works = {
        "one placement check": lambda: oracles.is_sound({**alhambra, cell: walls}),
        "all legal cells of a tile": lambda: oracles.legal_cells(alhambra, walls),
        "longest wall": lambda: oracles.longest_wall(alhambra),
    }
    times = side_by_side({**works, **{f"oracle: {name}": work for name, work in slow.items()}})
    rows = []
    for name in works:
        row: Row = {"what": name, "microseconds": round(times[name] * 1e6, 3)}
        if name in slow:
            row["times faster than the oracle"] = round(times[f"oracle: {name}"] / times[name], 1)
            row["budget"] = f"{BUDGETS[name]} µs: {'met' if times[name] * 1e6 <= BUDGETS[name] else 'missed'}"
        rows.append(row)
    return rows


def moves(rounds: int = ROUNDS) -> list[Row]:
    """Measure listing, applying and cloning over the states of some games, and listing with the oracle."""
    states: list[Game] = []
    rng = Random(3)
    for number in range(3):
        game = Game.new(Options(seats=3, seed=f"bench {number}"))
        while not game.over:
            if rng.randrange(12) == 0:
                states.append(game.clone())
            game.apply(game.random_move(rng))
    chosen = [(game, game.random_move(rng)) for game in states]
    works: Works = {
        "legal_moves": lambda: [game.legal_moves() for game, _ in chosen],
        "legal_moves (again)": lambda: [game.legal_moves() for game, _ in chosen],
        "clone": lambda: [game.clone() for game, _ in chosen],
        "clone and apply": lambda: [game.clone().apply(move) for game, move in chosen],
        "view": lambda: [game.view(0) for game, _ in chosen],
        "state_bytes": lambda: [game.state_bytes() for game, _ in chosen],
        "oracle: legal_moves": lambda: [_by_oracle(game) for game, _ in chosen],
    }
    times = side_by_side(works, rounds=rounds)
    rows: list[Row] = [{"what": name, "microseconds": round(times[name] * 1e6 / len(chosen), 1)} for name in works]
    rows[0]["times faster than the oracle"] = round(times["oracle: legal_moves"] / times["legal_moves"], 1)
    return rows


def _by_oracle(game: Game) -> object:
    """Let the oracle find the cells of every tile that the deciding seat could build."""
    assert game.decision is not None
    owner = game.state.seats[game.decision.seat]
    alhambra = {(placed.x, placed.y): oracles.walls_of(placed.tile) for placed in owner.board.placed.values()}
    tiles = [game.ruleset.tiles[tile] for tile in (*owner.pending, *owner.reserve)]
    places = [oracles.legal_cells(alhambra, oracles.walls_of(tile)) for tile in tiles]
    leaving = [oracles.may_remove(alhambra, cell) for cell in alhambra if cell != (0, 0)]
    return places, leaving
