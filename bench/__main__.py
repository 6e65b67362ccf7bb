"""Runs the benchmarks, shows a table for each, and writes bench/results.json, docs/performance.md and docs/scale.md.

    python -m bench                       everything, about a quarter of an hour
    python -m bench --only hot_path,rest  some groups; the figures of the others stay
    python -m bench --quick               a few seconds of everything, nothing is written

Needs h2load and wrk (scripts/system_packages.sh).
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import grpc
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from bench import (
    calls,
    cluster,
    cores,
    envs,
    everything,
    fan_out,
    floors,
    growth,
    hot_path,
    lag,
    load,
    odd_tiles,
    playing,
    plots,
    report,
    rest,
    rest_floors,
    rules,
    scale_model,
    scaling,
    start,
    stored_size,
    streams,
    versions,
)
from bench.group import Effort, Group

Measure = Callable[[Effort], Group]
Rows = Callable[[], list[rules.Row]]
WIDE = 150
"""Columns that are not shown in a terminal."""


def library(title: str, rows: Rows, quick: Rows) -> Measure:
    """Return a group of the rules library, which needs no other process."""

    def measure(effort: Effort) -> Group:
        effort.tick(title)
        return Group(f"Library: {title}", "", quick() if effort.quick else rows())

    return measure


GROUPS: dict[str, Measure] = {
    "inactive": playing.inactive,
    "hot_path": hot_path.validate,
    "rest": rest.validate,
    "batch": hot_path.batch,
    "floors": floors.measure,
    "rest_floors": rest_floors.measure,
    "calls": calls.others,
    "fan_out": fan_out.clients,
    "games": growth.games,
    "course": growth.course,
    "room": stored_size.stored_size,
    "processes": scaling.processes,
    "lag": lag.seen,
    "cluster": cluster.commits,
    "streams": streams.streams,
    "placement": library("placement", rules.placement, rules.placement),
    "odd_tiles": odd_tiles.measure,
    "everything": everything.library,
    "everything_served": everything.served,
    "moves": library("moves", rules.moves, partial(rules.moves, 1)),
    "start": start.measure,
    "versions": versions.since_release,
    "envs": envs.steps,
    "playing": playing.games,
}


def machine() -> dict[str, Any]:
    """Describe the machine and the programs of the measurement."""
    return {
        "python": platform.python_version(),
        "grpcio": grpc.__version__,
        "cores": len(cores.ALL),
        "processor": platform.machine(),
        "system": platform.system(),
    }


def main() -> None:
    """Measure the chosen groups."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(GROUPS), help="groups, separated by commas: " + ", ".join(GROUPS))
    parser.add_argument("--quick", action="store_true", help="a few seconds, nothing is written")
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        parser.error(f"no such group: {', '.join(unknown)}")
    try:
        load.require()
    except load.Missing as missing:
        sys.exit(str(missing))
    console = Console() if sys.stdout.isatty() else Console(width=WIDE)
    cores.pin(os.getpid(), cores.BACK)
    found = measured(console, names, quick=arguments.quick)
    report.show_goals(console, {"groups": found})
    if arguments.quick:
        return
    for name, group in found.items():
        group["images"] = plots.draw(name, group)
    earlier = report.read().get("groups", {})
    groups = {name: found.get(name) or earlier.get(name) for name in GROUPS}
    report.keep({"machine": machine(), "groups": {name: group for name, group in groups.items() if group}})
    scale_model.write()
    console.print(f"written: {report.RESULTS.relative_to(report.ROOT)}, {report.PAGE.relative_to(report.ROOT)}")


def measured(console: Console, names: Iterable[str], *, quick: bool) -> dict[str, dict[str, Any]]:
    """Measure the groups, and show each one as soon as it is measured."""
    found: dict[str, dict[str, Any]] = {}
    columns = (TextColumn("{task.completed}/{task.total}"), BarColumn(), TimeElapsedColumn())
    chosen = [name for name in GROUPS if name in names]
    with Progress(*columns, TextColumn("{task.description}"), console=console, transient=True) as progress:
        task = progress.add_task("", total=len(chosen))
        for name in chosen:
            began = time.monotonic()
            effort = Effort(quick, lambda what: progress.update(task, description=what))
            group = GROUPS[name](effort).kept()
            group["measured"] = datetime.now(UTC).isoformat(timespec="seconds")
            group["seconds"] = round(time.monotonic() - began, 1)
            found[name] = group
            progress.advance(task)
            report.show(console, group)
    return found


if __name__ == "__main__":
    main()
