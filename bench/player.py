"""A program that plays games on request. It needs only the library, so it runs under any interpreter.

    python -m bench.player peer                      the base game
    python -m bench.player random --on KEY,KEY       with modules
    python -m bench.player random --loaded KEY,KEY   with modules that are loaded, but not on

Each line of its input has the number of the first game and the number of games. The answer is the CPU seconds that
these games of three players took. So several interpreters can take turns.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from time import process_time

from alhambra import Game, Options
from alhambra.players import MOVERS, Mover

SEATS = 3


def play(policy: Mover, modules: tuple[str, ...], number: int) -> None:
    """Play one game to its end. Its number is the seed."""
    game = Game.new(Options(seats=SEATS, seed=f"bench {number}", modules=modules))
    rng = Random(number)
    while not game.over:
        game.play(policy(game, rng))


def keys(text: str) -> tuple[str, ...]:
    """Return the keys of a comma-separated list."""
    return tuple(text.split(",")) if text else ()


def main() -> None:
    """Answer lines until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", choices=MOVERS)
    parser.add_argument("--on", type=keys, default=(), metavar="KEYS")
    parser.add_argument("--loaded", type=keys, default=(), metavar="KEYS")
    asked = parser.parse_args()
    for key in asked.loaded:
        Game.new(Options(seats=SEATS, seed="load", modules=[key]))
    for line in sys.stdin:
        first, count = map(int, line.split())
        began = process_time()
        for number in range(first, first + count):
            play(MOVERS[asked.policy], asked.on, number)
        print(process_time() - began, flush=True)


if __name__ == "__main__":
    main()
