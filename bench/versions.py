"""Compares the library of this checkout with that of another one, in one run.

    python -m bench.versions /path/to/other/checkout
    python -m bench.versions /path/to/other/checkout --only legal_moves,peer_games --rounds 40

Each version runs in a process of its own. The two take turns in slices of some hundredths of a second, each measured in
CPU time. A slice is one game, and both versions play the same games. Other programs on the machine only ever make a
slice slower, so the fastest repetition of each game counts; the figure is the ratio of their sums. The version of this
checkout also runs a second time (A/A): that ratio shows how far the figures can be trusted.

`make bench` compares with version 0.1.0, taken from the history of the repository, and states the goals.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from inspect import signature
from math import inf
from pathlib import Path
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, TypeAlias

from alhambra import Game, Options, known_modules
from alhambra.players import MOVERS

if TYPE_CHECKING:  # the other version runs this file, too, without the packages of the benchmarks
    from .group import Effort, Goal, Group

ROOT = Path(__file__).resolve().parents[1]
SEATS = 3
GAMES = 6
ROUNDS = 8
"""How often each version plays each game."""
RELEASED = "8a2a13c3"
"""The commit of the release of 0.1.0."""
GOALS = {
    "legal_moves": 1 / 3,
    "random_games": 2 / 3,
    "random_games_quiet": 2 / 3,
    "peer_games": 2 / 3,
    "peer_games_quiet": 2 / 3,
}
"""The time of an operation as a multiple of its time in 0.1.0. Games of 0.1.0 are never quiet."""
CLONES = {"clone": 5.0, "clone_all_modules": 5.0}
"""The microseconds of a clone."""
HOW = (
    "The library of this version and of 0.1.0, each in a process of its own, in turn: the same games, as long as they "
    "have the same moves; CPU time of an operation. `legal_moves` runs once at every position of random games. A quiet "
    "game of this version is compared with an ordinary one of 0.1.0. The control is this version twice."
)
QUIET: dict[str, Any] = {"quiet": True} if "quiet" in signature(Game.new).parameters else {}
"""What makes a game quiet, in a version that has quiet games."""


# -- What is measured. This part runs in both versions, so it uses only what both have. -----------------------------


def new_game(number: int, *modules: str, **more: Any) -> Game:
    """Return a game whose seed is its number."""
    return Game.new(Options(seats=SEATS, seed=f"bench {number}", modules=modules), **more)


def played(policy: str, *modules: str, **more: Any) -> Callable[[int], tuple[float, int]]:
    """Return a function that plays a game and returns the CPU seconds of its moves and their number."""

    def play(number: int) -> tuple[float, int]:
        game, rng, choose = new_game(number, *modules, **more), Random(number), MOVERS[policy]
        began, moves = process_time(), 0
        while not game.over:
            game.play(choose(game, rng))
            moves += 1
        return process_time() - began, moves

    return play


def at_each_position(work: Callable[[Game], object], *modules: str) -> Callable[[int], tuple[float, int]]:
    """Return a function that does the work once at every position of a random game, and measures only that."""

    def play(number: int) -> tuple[float, int]:
        game, rng = new_game(number, *modules), Random(number)
        spent, count = 0.0, 0
        while not game.over:
            began = process_time()
            work(game)
            spent += process_time() - began
            count += 1
            game.play(game.random_move(rng))
        return spent, count

    return play


def cloned(*modules: str) -> Callable[[int], tuple[float, int]]:
    """Return a function that clones a game in its middle many times."""

    def clone(number: int) -> tuple[float, int]:
        game, rng = new_game(number, *modules), Random(number)
        while game.state.turn < 20 and not game.over:
            game.play(game.random_move(rng))
        began = process_time()
        for _ in range(2_000):
            game.clone()
        return process_time() - began, 2_000

    return clone


def works() -> dict[str, Callable[[int], tuple[float, int]]]:
    """Return the measured functions by name. Each gets the number of a game."""
    everything = tuple(known_modules())
    return {
        "legal_moves": at_each_position(lambda game: game.legal_moves()),
        "legal_moves_all_modules": at_each_position(lambda game: game.legal_moves(), *everything),
        "random_games": played("random"),
        "random_games_all_modules": played("random", *everything),
        "random_games_quiet": played("random", **QUIET),
        "peer_games": played("peer"),
        "peer_games_quiet": played("peer", **QUIET),
        "peer_games_all_modules": played("peer", *everything),
        "clone": cloned(),
        "clone_all_modules": cloned(*everything),
    }


def answer() -> None:
    """Answer lines with a name and a number: play that game, and print the CPU seconds and the number of operations."""
    known = works()
    for line in sys.stdin:
        name, number = line.split()
        print(*known[name](int(number)), flush=True)


# -- Taking turns ---------------------------------------------------------------------------------------------------

Run: TypeAlias = Callable[[str, int], float]
"""Does the work with this name for the game with this number; returns the seconds per operation."""


@contextmanager
def version(checkout: Path) -> Iterator[Run]:
    """Start a process with the library of a checkout; yield a function that returns the seconds per operation."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"import runpy; runpy.run_path({str(Path(__file__))!r})['answer']()"],
        env={**os.environ, "PYTHONPATH": str(checkout / "rules"), "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked, answers = process.stdin, process.stdout

    def run(name: str, number: int) -> float:
        asked.write(f"{name} {number}\n")
        asked.flush()
        seconds, count = answers.readline().split()
        return float(seconds) / int(count)

    with process:
        yield run


@contextmanager
def released(commit: str = RELEASED) -> Iterator[Path]:
    """Unpack the rules of a commit into a temporary checkout. Raise CalledProcessError if the history lacks it."""
    archived = subprocess.run(["git", "archive", commit, "rules"], cwd=ROOT, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x"], cwd=folder, input=archived.stdout, check=True)
        yield Path(folder)


def since_release(effort: Effort) -> Group:
    """Compare this version with 0.1.0 for `make bench`."""
    from .group import Group

    title = "Library: compared with 0.1.0"
    try:
        with ExitStack() as stack:
            paths = {"0.1.0": stack.enter_context(released()), "now": ROOT, "again": ROOT}
            sides = {side: stack.enter_context(version(path)) for side, path in paths.items()}
            rows: list[dict[str, Any]] = []
            goals: list[Goal] = []
            for name in (*GOALS, *CLONES):
                rounds = []
                for number in range(effort.rounds):
                    effort.tick(f"{name}, round {number + 1}")
                    rounds.append(_round(sides, name, effort.games(GAMES)))
                row, goal = _compared(name, rounds)
                rows.append(row)
                goals.append(goal)
    except (OSError, subprocess.CalledProcessError) as fault:
        return Group(title, HOW, [], notes=[f"Not measured, because the history lacks {RELEASED}: {fault}."])
    return Group(title, HOW, rows, goals=goals)


def _round(sides: Mapping[str, Run], name: str, games: int) -> dict[str, float]:
    """Return the seconds per operation of each side, over the same games in turn."""
    spent = dict.fromkeys(sides, 0.0)
    for number in range(games):
        for side, run in sides.items():
            spent[side] += run(name, number)
    return {side: seconds / games for side, seconds in spent.items()}


def _compared(name: str, rounds: list[dict[str, float]]) -> tuple[dict[str, Any], Goal]:
    """Return the row of a function and its goal."""
    from .group import Goal
    from .rounds import CONTROL, MICRO, Figure

    took = {side: Figure.of([MICRO * one[side] for one in rounds]) for side in rounds[0]}
    ratio = Figure.of([one["now"] / one["0.1.0"] for one in rounds])
    control = Figure.of([one["again"] / one["now"] for one in rounds])
    row = {
        "what": name,
        "0.1.0 µs": round(took["0.1.0"].value, 2),
        "now µs": round(took["now"].value, 2),
        "times as fast": round(1 / ratio.value, 2),
        "A/A": round(control.value, 3),
    }
    settled = abs(control.value - 1) <= CONTROL
    if name in CLONES:
        return row, Goal.of(f"{name}_of_a_game", took["now"], CLONES[name], settled=settled, unit="µs")
    return row, Goal.of(f"{name}_over_0.1.0", ratio, round(GOALS[name], 3), settled=settled)


def main() -> None:
    """Print, for each function, the time of both versions and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--only", default=",".join(works()), help="names of functions, separated by commas")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    print(f"Python {sys.version.split()[0]}")
    print(f"{'':28}{'before µs':>12}{'now µs':>12}{'times as fast':>16}{'A/A':>8}")
    with ExitStack() as stack:
        sides = {
            name: stack.enter_context(version(path))
            for name, path in (("before", asked.other.resolve()), ("now", ROOT), ("again", ROOT))
        }
        for name in asked.only.split(","):
            best = {side: [inf] * GAMES for side in sides}
            for _ in range(asked.rounds):
                for number in range(GAMES):
                    for side, run in sides.items():
                        best[side][number] = min(best[side][number], run(name, number))
            before, now, again = (sum(best[side]) * 1e6 / GAMES for side in sides)
            print(f"{name:28}{before:12.2f}{now:12.2f}{before / now:16.2f}{again / now:8.2f}", flush=True)


if __name__ == "__main__":
    main()
