"""What the rules library costs: placement, walls, moves, whole games; each beside the brute-force oracle."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from random import Random
from time import process_time
from typing import Any

from alhambra import Board, Game, Options, known_modules
from alhambra.components import BASE_TILES
from alhambra.construction import check_placement, legal_cells
from alhambra.outline import longest_wall
from alhambra_cli.policies import POLICIES, Policy
from bench.group import Effort, Goal, Group
from bench.measure import side_by_side
from bench.rounds import CONTROL, ROUNDS, Figure
from tests.rules import oracles

SIZE = 20
BUDGETS = {"one placement check": 0.5, "all legal cells of a tile": 4.0, "longest wall": 5.0}
"""Microseconds on a board of 20 tiles."""
PEER_GAMES = 431
"""Random three-player games per second and core of the best peer known, as published (another machine)."""
PEER = "peer"
"""The policy that peers measure themselves with."""
Works = dict[str, Callable[[], object]]
Row = dict[str, Any]


def sample_board(seed: int = 7) -> tuple[Board, oracles.Alhambra]:
    """The same random Alhambra of 20 tiles for the library and for the oracle."""
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
    """Placement and wall scoring on one board, beside the oracle."""
    board, alhambra = sample_board()
    left = [tile for tile in BASE_TILES.values() if tile.id not in board.placed]
    tile = next(tile for tile in left if len(board.legal_cells(tile)) > 2)
    cell = board.legal_cells(tile)[0]
    walls = oracles.walls_of(tile)
    works: Works = {
        # `partial` calls without a Python frame of its own, which would be a fifth of what is measured.
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
    """Listing, applying and copying, averaged over the states of some games; beside a listing with the oracle."""
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
    """What the oracle needs to find the places of every tile that the asked seat could build."""
    assert game.decision is not None
    owner = game.state.seats[game.decision.seat]
    alhambra = {(placed.x, placed.y): oracles.walls_of(placed.tile) for placed in owner.board.placed.values()}
    tiles = [game.ruleset.tiles[tile] for tile in (*owner.pending, *owner.reserve)]
    places = [oracles.legal_cells(alhambra, oracles.walls_of(tile)) for tile in tiles]
    leaving = [oracles.may_leave(alhambra, cell) for cell in alhambra if cell != (0, 0)]
    return places, leaving


def games(effort: Effort) -> Group:
    """Whole three-player games per second on one core, by policy; base, and with every module on."""
    effort.tick("whole games")
    count = 1 if effort.quick else 12
    everything = tuple(known_modules())
    rows: list[Row] = []
    ratio = 0.0
    for name, policy in POLICIES.items():
        works: Works = {
            f"{name} games": _playing(policy, (), count),
            f"{name} games (again)": _playing(policy, (), count),
        }
        times = side_by_side(works, seconds=0.0, rounds=5)
        rows += [{"what": what, "per second and core": round(count / times[what], 1)} for what in works]
        few = max(1, count // 6)
        full = side_by_side({"all": _playing(policy, everything, few)}, seconds=0.0, rounds=3)["all"]
        rows.append(
            {"what": f"{name} games, {len(everything)} modules on", "per second and core": round(few / full, 2)}
        )
        if name == PEER:
            ratio = PEER_GAMES * times[f"{name} games"] / count
    goal = Goal.of("best_known_over_peer_games", Figure(ratio, ratio, ratio), 1.0)
    return Group("Library: whole games", "", rows, goals=[goal])


def _playing(policy: Policy, modules: tuple[str, ...], count: int) -> Callable[[], object]:
    def play() -> None:
        for seed in range(count):
            game = Game.new(Options(seats=3, seed=f"bench {seed}", modules=modules))
            rng = Random(seed)
            while not game.over:
                game.play(policy(game, rng))

    return play


def inactive(effort: Effort) -> Group:
    """Modules that are loaded but not on: the compiled functions are the same, so the times must be, too. What was
    loaded cannot be unloaded, so three processes play the same games in turn, and one of them has loaded modules."""
    effort.tick("modules that are not on")
    names = ("none loaded", "none loaded (again)", "all loaded")
    with ExitStack() as house:
        players = {name: house.enter_context(_player(loaded=name == names[2])) for name in names}
        times = [{name: play() for name, play in players.items()} for _ in range(effort.rounds)]
    again, loaded = (Figure.of([one[name] / one[names[0]] for one in times]) for name in names[1:])
    rows = [
        _ratio_row("same games twice (A/A)", again),
        _ratio_row(f"{len(known_modules())} modules loaded, none on", loaded),
    ]
    settled = abs(again.value - 1) <= CONTROL
    goal = Goal.of("modules_not_on_over_not_loaded", loaded, 1 + CONTROL, settled=settled)
    return Group("Library: modules that are not on", "", rows, goals=[goal])


def _ratio_row(what: str, found: Figure) -> Row:
    return {"what": what, "ratio": round(found.value, 3), "spread": f"{found.low:.2f}–{found.high:.2f}"}


@contextmanager
def _player(*, loaded: bool) -> Iterator[Callable[[], float]]:
    """A process that plays the same games whenever it is asked to, and tells how long it was on a core."""
    fresh = multiprocessing.get_context("spawn")
    here, there = fresh.Pipe()
    process = fresh.Process(target=_play_when_asked, args=(there, loaded), daemon=True)
    process.start()

    def play() -> float:
        here.send(True)
        seconds: float = here.recv()
        return seconds

    try:
        play()  # nobody is measured cold
        yield play
    finally:
        here.send(False)
        process.join()


def _play_when_asked(asked: Connection, loaded: bool) -> None:
    for key in known_modules() if loaded else ():
        Game.new(Options(seats=3, seed="load", modules=[key]))
    play = _playing(POLICIES["random"], (), 4)
    while asked.recv():
        began = process_time()
        play()
        asked.send(process_time() - began)
