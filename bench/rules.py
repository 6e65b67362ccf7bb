"""What the rules library costs: placement, walls, moves, whole games; each beside the brute-force oracle."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from alhambra import BASE_TILES, Board, Game, Options, known_modules
from alhambra.construction import check_placement, legal_cells
from alhambra.outline import longest_wall
from alhambra_cli.simulate import POLICIES
from bench.measure import side_by_side
from tests.rules import oracles

SIZE = 20
BUDGETS = {"one placement check": 0.5, "all legal cells of a tile": 4.0, "longest wall": 5.0}
"""Microseconds on a board of 20 tiles."""


def sample_board(seed: int = 7) -> tuple[Board, oracles.Alhambra]:
    """The same random Alhambra of 20 tiles for the library and for the oracle."""
    for attempt in range(100):
        board, alhambra = Board(), dict[Any, Any]()
        for alhambra, tile, _, cell in oracles.random_growth(Random(seed + attempt), SIZE):
            board.put(tile, *cell)
            alhambra = {**alhambra, cell: oracles.walls_of(tile)}
        if len(board.placed) == SIZE:
            return board, alhambra
    raise AssertionError("no board of that size grew")


def placement() -> list[dict[str, Any]]:
    """Placement and wall scoring on one board, beside the oracle."""
    board, alhambra = sample_board()
    left = [tile for tile in BASE_TILES.values() if tile.id not in board.placed]
    tile = next(tile for tile in left if len(board.legal_cells(tile)) > 2)
    cell = board.legal_cells(tile)[0]
    walls = oracles.walls_of(tile)

    def fresh_cells() -> object:
        board.grid.forget()
        return legal_cells(board, tile)

    works: dict[str, Callable[[], object]] = {
        "one placement check": lambda: check_placement(board, tile, *cell),
        "one placement check (again)": lambda: check_placement(board, tile, *cell),
        "all legal cells of a tile": lambda: legal_cells(board, tile),
        "longest wall": lambda: longest_wall(board),
        "copy of a board": board.copy,
    }
    slow: dict[str, Callable[[], object]] = {
        "one placement check": lambda: oracles.is_sound({**alhambra, cell: walls}),
        "all legal cells of a tile": lambda: oracles.legal_cells(alhambra, walls),
        "longest wall": lambda: oracles.longest_wall(alhambra),
    }
    return _rows(works, slow)


def _rows(works: dict[str, Callable[[], object]], slow: dict[str, Callable[[], object]]) -> list[dict[str, Any]]:
    both = {**works, **{f"oracle: {name}": work for name, work in slow.items()}}
    times = side_by_side(both)
    rows = []
    for name in works:
        row: dict[str, Any] = {"what": name, "microseconds": round(times[name] * 1e6, 3)}
        oracle = times.get(f"oracle: {name}")
        if oracle is not None:
            row["times_faster_than_oracle"] = round(oracle / times[name], 1)
        if name in BUDGETS:
            row["budget"] = BUDGETS[name]
            row["met"] = times[name] * 1e6 <= BUDGETS[name]
        rows.append(row)
    return rows


def moves() -> list[dict[str, Any]]:
    """Listing, applying and copying, averaged over the states of some games."""
    states: list[Game] = []
    rng = Random(3)
    for number in range(3):
        game = Game.new(Options(seats=3, seed=f"bench {number}"))
        while not game.over:
            if rng.randrange(12) == 0:
                states.append(game.clone())
            game.apply(game.random_move(rng))
    chosen = [(game, game.random_move(rng)) for game in states]
    count = len(chosen)
    works: dict[str, Callable[[], object]] = {
        "legal_moves": lambda: [game.legal_moves() for game, _ in chosen],
        "clone": lambda: [game.clone() for game, _ in chosen],
        "clone and apply": lambda: [game.clone().apply(move) for game, move in chosen],
        "view": lambda: [game.view(0) for game, _ in chosen],
        "to_bytes": lambda: [game.to_bytes() for game, _ in chosen],
    }
    times = side_by_side(works)
    return [{"what": name, "microseconds": round(times[name] * 1e6 / count, 1)} for name in works]


def games(count: int = 12) -> list[dict[str, Any]]:
    """Whole random games of three players per second and core, by policy, base and with every module."""
    everything = tuple(known_modules())
    rows = []
    for policy in POLICIES:
        for name, keys in (("base", ()), ("base (again)", ()), (f"all {len(everything)} modules", everything)):
            number = max(2, count // 6) if keys else count
            work = _playing(policy, keys, number)
            times = side_by_side({"games": work}, seconds=0.0, rounds=5)
            rows.append({"what": f"{policy} games, {name}", "per_second": round(number / times["games"], 1)})
    return rows


def _playing(policy: str, modules: tuple[str, ...], number: int) -> Callable[[], object]:
    def play() -> None:
        for seed in range(number):
            game = Game.new(Options(seats=3, seed=f"bench {seed}", modules=modules))
            POLICIES[policy](game, Random(seed))

    return play
