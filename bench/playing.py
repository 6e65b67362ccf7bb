"""Whole games per second on one core, under CPython and under PyPy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, TypeAlias

from alhambra import known_modules
from alhambra_cli.process_pool import NURSERY_ON_PYPY
from bench.group import Effort, Goal, Group
from bench.report import ROOT
from bench.rounds import AGAIN, CONTROL, Figure

BEST_KNOWN = 431
"""Random three-player games per second and core of the fastest comparable engine, as published (other machine)."""
WARM_UP = 45.0
"""Seconds until PyPy has compiled nearly everything."""
HOW = (
    "Games of three players from setup to the last scoring, with events and log; on a core, so that it does not matter "
    "what else the machine does. Interpreters play in turn; PyPy has played {warm:.0f} seconds before it is measured, "
    "because it compiles what it has seen often, and gets the room that `alhambra simulate` gives it."
)
WHO = """
import platform, sys
version = getattr(sys, "pypy_version_info", sys.version_info)
print(platform.python_implementation(), ".".join(map(str, version[:3])))
"""
RATIO = "times as many"
"""The column that compares interpreters."""
Play: TypeAlias = Callable[[int, int], float]
"""Plays games, given the number of the first and how many; returns the CPU seconds."""


class Interpreter(NamedTuple):
    """An interpreter that can run the library."""

    path: str
    name: str

    @classmethod
    def at(cls, path: str) -> Interpreter:
        """Return the interpreter with this path. It is asked for its name and version."""
        told = subprocess.run([path, "-c", WHO], capture_output=True, text=True, check=True)
        return cls(path, told.stdout.strip())

    @property
    def warm_up(self) -> float:
        """Seconds of games before the measurement, to warm up."""
        return WARM_UP if self.name.startswith("PyPy") else 0.0


class Kind(NamedTuple):
    """A kind of games, and how many of them are played at a time."""

    what: str
    policy: str
    modules: tuple[str, ...]
    games: int


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of games. Other engines publish figures for the first kind."""
    everything = tuple(known_modules())
    return (
        Kind("peer games", "peer", (), 60),
        Kind(f"peer games, {len(everything)} modules on", "peer", everything, 2),
        Kind("random games", "random", (), 12),
        Kind(f"random games, {len(everything)} modules on", "random", everything, 1),
    )


@contextmanager
def player(interpreter: str, policy: str, *, on: Sequence[str] = (), loaded: Sequence[str] = ()) -> Iterator[Play]:
    """Start a process that plays games on request."""
    paths = [str(ROOT / "rules"), str(ROOT / "cli"), str(ROOT)]
    process = subprocess.Popen(
        [interpreter, "-m", "bench.player", policy, "--on", ",".join(on), "--loaded", ",".join(loaded)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), NURSERY_ON_PYPY[0]: NURSERY_ON_PYPY[1]},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked, answers = process.stdin, process.stdout

    def play(first: int, count: int) -> float:
        asked.write(f"{first} {count}\n")
        asked.flush()
        return float(answers.readline())

    with process:
        yield play


def interpreters(effort: Effort) -> tuple[list[Interpreter], str]:
    """Return the interpreters to measure, this CPython and a PyPy if there is one, and why one is missing."""
    found = [Interpreter.at(sys.executable)]
    if effort.quick:
        return found, "PyPy takes longer than a few seconds, left out."
    effort.tick("looking for PyPy")
    told = subprocess.run([ROOT / "scripts" / "pypy.sh"], capture_output=True, text=True, check=False)
    if told.returncode:
        return found, f"Without PyPy: {told.stderr.strip()}"
    return [*found, Interpreter.at(told.stdout.strip())], ""


def games(effort: Effort) -> Group:
    """Measure whole games per second and core, by kind and interpreter. The first kind has a goal."""
    measured, why_not = interpreters(effort)
    rows: list[dict[str, Any]] = []
    goals: list[Goal] = []
    for kind in kinds():
        first = not rows
        rates = _rates(effort, kind, measured, effort.rounds if first else min(5, effort.rounds))
        for again in ("", AGAIN)[: 1 + first]:
            rows.append({"what": kind.what + again, **_row(rates, again)})
        if first:
            goals = [_goal(one, rates[one.name]) for one in measured]
    return Group(
        "Library: whole games", HOW.format(warm=WARM_UP), rows, goals=goals, notes=[why_not] if why_not else []
    )


def _rates(effort: Effort, kind: Kind, measured: list[Interpreter], rounds: int) -> dict[str, list[float]]:
    """Return games per second of every round, by interpreter. The name of the second run of a round ends with AGAIN."""
    count = 1 if effort.quick else kind.games
    with ExitStack() as stack:
        players = {one.name: stack.enter_context(player(one.path, kind.policy, on=kind.modules)) for one in measured}
        for one in measured:
            effort.tick(f"{kind.what}: warming up {one.name}")
            spent, number = players[one.name](0, count), count  # warm up
            while spent < one.warm_up:
                spent += players[one.name](number, kind.games)
                number += kind.games
        found: dict[str, list[float]] = {}
        for number in range(rounds):
            effort.tick(f"{kind.what}, round {number + 1}")
            for again in ("", AGAIN):
                for name, play in players.items():
                    found.setdefault(name + again, []).append(count / play(number * count, count))
    return found


def _row(rates: dict[str, list[float]], again: str) -> dict[str, Any]:
    names = [name for name in rates if name.endswith(AGAIN) == bool(again)]
    row: dict[str, Any] = {}
    for name in names:
        figure = Figure.of(rates[name])
        row[name.removesuffix(AGAIN)] = _short(figure.value)
        row[f"spread of {name.split()[0]}"] = f"{_short(figure.low)}–{_short(figure.high)}"
    if len(names) > 1:
        pairs = zip(rates[names[1]], rates[names[0]], strict=True)
        row[RATIO] = round(Figure.of([one / other for one, other in pairs]).value, 2)
    return row


def _short(rate: float) -> float:
    return round(rate, 1 if rate < 100 else None)


def _goal(interpreter: Interpreter, rates: list[float]) -> Goal:
    name = f"best_known_over_peer_games_on_{interpreter.name.split()[0].lower()}"
    return Goal.of(name, Figure.of([BEST_KNOWN / rate for rate in rates]), 1.0)


def inactive(effort: Effort) -> Group:
    """Measure games with modules that are loaded but not on. The compiled functions are the same, so the times must be
    too. Modules cannot be unloaded, so three processes play the same games in turn; one of them has loaded modules."""
    effort.tick("modules that are not on")
    everything = tuple(known_modules())
    names = ("none loaded", "none loaded (again)", "all loaded")
    with ExitStack() as stack:
        loaded = dict(zip(names, ((), (), everything), strict=True))
        players = {n: stack.enter_context(player(sys.executable, "random", loaded=loaded[n])) for n in names}
        for play in players.values():
            play(0, 4)  # warm up
        times = [{name: play(0, 4) for name, play in players.items()} for _ in range(effort.rounds)]
    again, with_modules = (Figure.of([one[name] / one[names[0]] for one in times]) for name in names[1:])
    rows = [
        _ratio_row("same games twice (A/A)", again),
        _ratio_row(f"{len(everything)} modules loaded, none on", with_modules),
    ]
    settled = abs(again.value - 1) <= CONTROL
    goal = Goal.of("modules_not_on_over_not_loaded", with_modules, 1 + CONTROL, settled=settled)
    return Group("Library: modules that are not on", "", rows, goals=[goal])


def _ratio_row(what: str, found: Figure) -> dict[str, Any]:
    return {"what": what, "ratio": round(found.value, 3), "spread": f"{found.low:.2f}–{found.high:.2f}"}
