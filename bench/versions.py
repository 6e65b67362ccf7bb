"""Compares the library of this checkout with that of another one, in one run.

    python -m bench.versions /path/to/other/checkout
    python -m bench.versions /path/to/other/checkout --only legal_moves,peer_games --rounds 40

Each version runs in a process of its own. The two take turns in slices of some hundredths of a second, each measured in
CPU time. A slice is one game, and both versions play the same games. Other programs on the machine only ever make a
slice slower, so the fastest repetition of each game counts; the figure is the ratio of their sums. The version of this
checkout also runs a second time (A/A): that ratio shows how far the figures can be trusted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from alhambra import Game, Options, known_modules
from alhambra.players import MOVERS

ROOT = Path(__file__).resolve().parents[1]
SEATS = 3
GAMES = 6
ROUNDS = 8
"""How often each version plays each game."""


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
        "peer_games": played("peer"),
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


@contextmanager
def version(checkout: Path) -> Iterator[Callable[[str, int], float]]:
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
