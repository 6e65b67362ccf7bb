"""Steps a second of the environments, beside games of PettingZoo and OpenSpiel.

    python -m bench.envs                  the table; about two minutes
    python -m bench.envs --seconds 0.2    a quick look
    python -m bench --only envs           the figures of docs/performance.md

A step of PettingZoo is `last()`, a random legal action and `step()`, with observation and mask; a step of OpenSpiel is
`legal_actions()` and `apply_action()`, without observation. All games take turns in one run and one process, and CPU
time is counted, so that other programs matter little; the ratio to PettingZoo's chess is what to compare between
machines. Chess and Connect Four need the packages `chess` and `pygame`, OpenSpiel its own (`pip install chess pygame`,
extra `openspiel`); games that are not installed are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from alhambra import known_modules
from alhambra.envs import aec_env

from .group import Effort, Goal, Group
from .rounds import CONTROL, Figure

FIVE = 5
"""Modules of the second environment: the first ones."""
ROUNDS = 5
SECONDS = 1.0
"""CPU seconds of an environment in every round of `make bench`."""
BASE = "Alhambra, base game, arrays"
WITH_FIVE = f"Alhambra, {FIVE} modules, arrays"
CHESS = "PettingZoo chess_v6"
GOALS = {BASE: 330 / 3_000, WITH_FIVE: 330 / 1_500}
"""Steps of PettingZoo's chess for each step of the environment, at most: 3,000 steps a second in the base game and half
of that with five modules, on a machine where chess makes 330."""
HOW = (
    "Random legal actions in one process, all games in turn, CPU time. PettingZoo: `last()` and `step()`, with "
    "observation and mask. OpenSpiel: `legal_actions()` and `apply_action()`, without observation. Games of three "
    "seats, in OpenSpiel of two. The control plays the base game twice."
)


@dataclass
class Runner:
    """One environment, played with random legal actions for as long as it is measured."""

    name: str
    env: Any
    steps: int = 0
    seconds: float = 0.0
    games: int = 0
    rates: list[float] = field(default_factory=list)
    """Steps a second of each round."""

    def __post_init__(self) -> None:
        self.rng = Random(self.name)
        self.begin()

    @property
    def best(self) -> float:
        """The most steps a second of a round."""
        return max(self.rates)

    def begin(self) -> None:
        """Prepare the first game."""
        self.env.reset(seed=1)

    def play(self, steps: int) -> int:
        """Play about this many steps; return how many were made."""
        env, rng, made = self.env, self.rng, 0
        for _ in range(steps):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                self.games += 1
                env.reset()
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
            made += 1
        return made

    def run(self, seconds: float) -> None:
        """Play for this many seconds of CPU time."""
        began, steps = time.process_time(), 0
        while (passed := time.process_time() - began) < seconds:
            steps += self.play(50)
        self.steps += steps
        self.seconds += passed
        self.rates.append(steps / passed)


class SpielRunner(Runner):
    """A game of OpenSpiel, played with random legal actions."""

    def begin(self) -> None:
        """Deal the first game."""
        self.state = self.env.new_initial_state()

    def play(self, steps: int) -> int:
        """Play this many steps, draws of chance included."""
        state, rng = self.state, self.rng
        for _ in range(steps):
            if state.is_terminal():
                self.games += 1
                state = self.env.new_initial_state()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        self.state = state
        return steps


def alhambra(modules: tuple[str, ...], observations: str) -> Any:
    return aec_env(seats=3, modules=modules, observations=observations)


def classic(name: str) -> Any:
    """Return an environment of PettingZoo; None if its packages are missing."""
    try:
        from pettingzoo.classic import chess_v6, connect_four_v3
    except ImportError:
        return None
    return {"chess": chess_v6, "connect_four": connect_four_v3}[name].env()


def spiel(name: str) -> Any:
    """Return a game of OpenSpiel; None if it is not installed."""
    try:
        import pyspiel

        import alhambra.envs.openspiel  # noqa: F401  (registers the game)
    except ImportError:
        return None
    return pyspiel.load_game(name)


ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    BASE: partial(alhambra, (), "dict"),
    "Alhambra, base game, vector and mask": partial(alhambra, (), "flat"),
    WITH_FIVE: partial(alhambra, tuple(known_modules())[:FIVE], "dict"),
    "Alhambra, all 43 modules, arrays": partial(alhambra, tuple(known_modules()), "dict"),
    CHESS: partial(classic, "chess"),
    "PettingZoo connect_four_v3": partial(classic, "connect_four"),
}
SPIEL = ("python_alhambra", "gin_rummy", "backgammon", "chess")
"""Games of OpenSpiel: this one is written in Python, the others in C++."""
AGAIN = f"{BASE} (again)"


def measured(seconds: float, rounds: int = ROUNDS, tick: Callable[[str], None] = lambda _: None) -> list[Runner]:
    """Measure all environments in turns; each plays this many seconds in every round."""
    made = [(name, make()) for name, make in ENVIRONMENTS.items()]
    runners = [Runner(name, env) for name, env in made if env is not None]
    games = [(name, spiel(name)) for name in SPIEL]
    runners += [SpielRunner(f"OpenSpiel {name}", game) for name, game in games if game is not None]
    runners.append(Runner(AGAIN, ENVIRONMENTS[BASE]()))
    for number in range(rounds):
        tick(f"environments, round {number + 1}")
        for runner in runners:
            runner.run(seconds)
    return runners


def steps(effort: Effort) -> Group:
    """Measure the environments for `make bench`."""
    effort.tick("environments")
    runners = measured(0.1 if effort.quick else SECONDS, effort.rounds, effort.tick)
    rates = {runner.name: runner.rates for runner in runners}
    chess = rates.get(CHESS)
    rows = []
    for runner in runners:
        row: dict[str, Any] = {"what": runner.name, "steps/s": round(Figure.of(runner.rates).value)}
        if chess:
            row["× chess"] = round(_ratio(runner.rates, chess).value, 1)
        if runner.games:
            row["steps a game"] = round(runner.steps / runner.games)
        rows.append(row)
    control = _ratio(rates[AGAIN], rates[BASE])
    settled = abs(control.value - 1) <= CONTROL
    goals: list[Goal] = []
    notes = [f"Control: {control}."]
    if chess:
        names = {BASE: "chess_steps_over_environment", WITH_FIVE: "chess_steps_over_environment_with_5_modules"}
        goals = [
            Goal.of(names[name], _ratio(chess, rates[name]), round(goal, 3), settled=settled)
            for name, goal in GOALS.items()
        ]
    else:
        notes.append("Without chess and Connect Four of PettingZoo, which need the packages chess and pygame.")
    if not any(isinstance(runner, SpielRunner) for runner in runners):
        notes.append("Without OpenSpiel, which is not installed.")
    return Group("Library: environments", HOW, rows, goals=goals, notes=notes)


def _ratio(rates: list[float], to: list[float]) -> Figure:
    """Return the ratio of two rates, round by round."""
    return Figure.of([one / other for one, other in zip(rates, to, strict=True)])


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
