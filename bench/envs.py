"""Steps a second of the environments, beside two games of PettingZoo.

    python -m bench.envs                  the table; about a minute
    python -m bench.envs --seconds 0.2    a quick look

A step is `last()`, a random legal action and `step()`, with observation and mask, in one process. All environments take
turns in one run, and CPU time is counted, so that other programs matter little; the ratio to PettingZoo's chess is
what to compare between machines. Chess and Connect Four need the packages `chess` and `pygame`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from alhambra import known_modules
from alhambra.envs import aec_env

FIVE = 5
"""Modules of the second environment: the first ones."""
ROUNDS = 5
CHESS = "PettingZoo chess_v6"


@dataclass
class Runner:
    """One environment, played with random legal actions for as long as it is measured."""

    name: str
    env: Any
    steps: int = 0
    seconds: float = 0.0
    games: int = 0
    best: float = 0.0
    """The most steps a second of a round."""

    def __post_init__(self) -> None:
        self.rng = Random(self.name)
        self.env.reset(seed=1)

    def run(self, seconds: float) -> None:
        """Play for this many seconds of CPU time."""
        env, rng = self.env, self.rng
        began, steps = time.process_time(), 0
        while (passed := time.process_time() - began) < seconds:
            for _ in range(50):
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    self.games += 1
                    env.reset()
                    continue
                legal = np.flatnonzero(seen["action_mask"])
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        self.steps += steps
        self.seconds += passed
        self.best = max(self.best, steps / passed)


def alhambra(modules: tuple[str, ...], observations: str) -> Any:
    return aec_env(seats=3, modules=modules, observations=observations)


def classic(name: str) -> Any:
    """Return an environment of PettingZoo; None if its packages are missing."""
    try:
        from pettingzoo.classic import chess_v6, connect_four_v3
    except ImportError:
        return None
    return {"chess": chess_v6, "connect_four": connect_four_v3}[name].env()


ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    "Alhambra, base game, arrays": partial(alhambra, (), "dict"),
    "Alhambra, base game, vector and mask": partial(alhambra, (), "flat"),
    "Alhambra, 5 modules, arrays": partial(alhambra, tuple(known_modules())[:FIVE], "dict"),
    "Alhambra, all 43 modules, arrays": partial(alhambra, tuple(known_modules()), "dict"),
    CHESS: partial(classic, "chess"),
    "PettingZoo connect_four_v3": partial(classic, "connect_four"),
}


def measured(seconds: float) -> list[Runner]:
    """Measure all environments in turns; each plays this many seconds in every round."""
    made = [(name, make()) for name, make in ENVIRONMENTS.items()]
    runners = [Runner(name, env) for name, env in made if env is not None]
    for _ in range(ROUNDS):
        for runner in runners:
            runner.run(seconds)
    return runners


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of each of the rounds")
    runners = measured(parser.parse_args().seconds)
    chess = next((runner.steps / runner.seconds for runner in runners if runner.name == CHESS), None)
    table = Table()
    for column in ("environment", "steps/s", "best round", "× chess", "steps a game"):
        table.add_column(column, justify="left" if column == "environment" else "right")
    for runner in runners:
        rate = runner.steps / runner.seconds
        ratio = f"{rate / chess:.1f}" if chess else "–"
        games = f"{runner.steps / runner.games:,.0f}" if runner.games else "–"
        table.add_row(runner.name, f"{rate:,.0f}", f"{runner.best:,.0f}", ratio, games)
    Console().print(table)


if __name__ == "__main__":
    main()
