"""Compares the product of this checkout with that of another one, under the same load, in one run.

    python -m loadtests.compare ../other
    python -m loadtests.compare ../other --users 16,32,64 --rounds 3
    python -m loadtests.compare . --with=--no-pin --other-with=--pin
    python -m loadtests.compare . --other-cores 1

Both products run all the time, and the load turns from one to the other: for each number of users, each of the two gets
a step of the same length, and the one that was first is second in the next round. So programs that disturb the machine
disturb both. A number of users is steady if the median step of its rounds is. CPU, turns on a core and the time in
which threads waited for one are those of the kernel, and depend less on other programs than milliseconds do.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
from rich.console import Console

from . import known_answers, limits
from .product import ROOT, Product, started
from .rate_search import Step
from .run import Options, prepare, run
from .sampling import role_of
from .trace import turns
from .trace.turns import Turns

NOW, BEFORE = "this", "other"


class Measured(NamedTuple):
    """One step of one version."""

    step: Step
    calls: int
    turns: dict[str, Turns]
    """By role: what the processes of the product used during the step."""


@click.command()
@click.argument("other", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--users", default="16,24,32,48,64,96,128", show_default=True, help="Users of the steps.")
@click.option("--seconds", default=limits.STEP_SECONDS, show_default=True, help="How long a step is measured.")
@click.option("--rounds", default=2, show_default=True, help="How often each version has each number of users.")
@click.option("--scenario", default="platform", show_default=True, help="Kinds of users.")
@click.option("--limit-ms", default=limits.LIMIT_MS, show_default=True, help="99th percentile of a steady rate.")
@click.option("--with", "own_options", default="--pin", show_default=True, help="Options of this product.")
@click.option("--other-with", default="--pin", show_default=True, help="Options of the other product.")
@click.option("--cores", default=0, help="Cores that this product may use; 0 for all.")
@click.option("--other-cores", default=0, help="Cores that the other product may use; 0 for all.")
def main(other: Path, users: str, seconds: float, rounds: int, **given: Any) -> None:
    """Print what both versions did, step by step, and the highest steady rate of each."""
    console = Console(width=160)
    options = _options(seconds, given)
    sides = {
        NOW: (ROOT, given["own_options"], given["cores"]),
        BEFORE: (other.resolve(), given["other_with"], given["other_cores"]),
    }
    found: dict[str, dict[int, list[Measured]]] = {name: {} for name in sides}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="alhambra-compare-")))
        products = {
            name: stack.enter_context(started(*said.split(), checkout=checkout, cores=cores))
            for name, (checkout, said, cores) in sides.items()
        }
        for name, product in products.items():
            known_answers.save(prepare(console, product, options), folder / f"{name}.json")
        failed = dict.fromkeys(sides, 0)
        for count in map(int, users.split(",")):
            for number in range(rounds):
                for name in sorted(sides, reverse=bool(number % 2)):
                    if failed[name] < 2:  # no more steps after two numbers of users that were too much
                        one = _measure(console, products[name], folder / f"{name}.json", {**options, "users": count})
                        found[name].setdefault(count, []).append(one)
                        console.print(_line(name, one), highlight=False)
            for name in sides:
                steps = found[name].get(count)
                failed[name] += steps is not None and not _is_steady(steps, given["limit_ms"])
    console.print(_summary(found, given["limit_ms"]), highlight=False)


def _options(seconds: float, given: Options) -> Options:
    """Return what `run` needs: one step of a search, with the usual pace of its users."""
    return {
        **{"shape": "step", "seconds": seconds, "pace": None, "think": 0.0, "turn_limit": 0, "weights": ""},
        **{"seats": 3, "modules": "", "edition": "", "games": limits.PREPARED_GAMES, "processes": 0, "page": False},
        **{"scenario": given["scenario"], "limit_ms": given["limit_ms"]},
    }


def _measure(console: Console, product: Product, games: Path, options: Options) -> Measured:
    assert product.pid is not None
    with tempfile.TemporaryDirectory(prefix="alhambra-compare-") as folder:
        before = turns.by_role(product.pid, role_of)
        done = run(console, product, games, Path(folder), options)
        used = turns.difference(turns.by_role(product.pid, role_of), before)
    assert done.found is not None
    return Measured(done.found.steps[-1], int(done.total["Request Count"]), used)


def _is_steady(steps: list[Measured], limit_ms: float) -> bool:
    middle = median(one.step.slow_ms for one in steps)
    return (
        not steps[0]
        .step._replace(
            slow_ms=middle,
            rate=median(one.step.rate for one in steps),
            failed=sum(one.step.failed for one in steps),
        )
        .too_much(limit_ms)
    )


def _line(name: str, one: Measured) -> str:
    step = one.step
    roles = "; ".join(
        f"{role} {1000 * used.cpu / one.calls:.2f} ms CPU, {used.turns / one.calls:.0f} turns, "
        f"{1000 * used.waited / one.calls:.1f} ms waited"
        for role, used in sorted(one.turns.items())
        if role in ("gateway", "service", "store")
    )
    return (
        f"{name:6} {step.users:4} users {step.rate:6.0f} calls/s  99 % within {step.slow_ms:5.0f} ms  "
        f"{step.failed} wrong   for each call: {roles}"
    )


def _summary(found: dict[str, dict[int, list[Measured]]], limit_ms: float) -> str:
    rates = {}
    for name, by_users in found.items():
        steady = [steps for steps in by_users.values() if _is_steady(steps, limit_ms)]
        rates[name] = max((median(one.step.rate for one in steps) for steps in steady), default=0.0)
    ratio = f", {rates[NOW] / rates[BEFORE]:.2f} times as many" if rates[BEFORE] else ""
    return (
        f"Highest steady rate (99 % within {limit_ms:.0f} ms): {rates[NOW]:.0f} calls a second with this version, "
        f"{rates[BEFORE]:.0f} with the other{ratio}."
    )


if __name__ == "__main__":
    main()
