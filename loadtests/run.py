"""One run of Locust against a product: prepares games, starts the users, samples the processes, reads the results."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import known_answers, limits, report
from .found_rate import found_in, progress_of
from .product import Product, end
from .sampling import sampled
from .scenarios import MEASURED
from .trace.records import FOLDER_VARIABLE

LOCUSTFILE = Path(__file__).parent / "locustfile.py"
Options = dict[str, Any]
"""The options of the command line, by name."""


def prepare(console: Console, product: Product, given: Options) -> list[known_answers.KnownGame]:
    """Prepare games with known answers."""
    modules = [name.strip() for name in given["modules"].split(",") if name.strip()]
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bar, console=console) as progress:
        task = progress.add_task("Preparing games", total=given["games"])
        return known_answers.prepare(
            product.grpc,
            games=given["games"],
            seats=given["seats"],
            modules=modules,
            done=lambda number: progress.update(task, completed=number),
        )


def run(
    console: Console, product: Product, games: Path, folder: Path, given: Options, trace: Path | None = None
) -> report.Run:
    """Let the users of Locust load a product until their shape ends. `folder` gets what Locust writes; with `trace`,
    the users record their calls there."""
    seconds = given["seconds"] or (limits.SOAK_SECONDS if given["shape"] == "soak" else limits.SECONDS)
    processes = given["processes"] or len(os.sched_getaffinity(0))
    port, steps = _free_port(), folder / "search.json"
    pace = given["pace"] if given["pace"] is not None else limits.PACE if given["shape"] in MEASURED else 0.0
    command = [
        *(sys.executable, "-m", "locust", "-f", str(LOCUSTFILE), "--host", product.http, "--grpc", product.grpc),
        *("--games-file", str(games), "--scenario", given["scenario"], "--shape", given["shape"]),
        *("--weights", given["weights"], "--peak", str(given["users"]), "--seconds", str(seconds)),
        *("--think", str(given["think"]), "--limit-ms", str(given["limit_ms"]), "--seats", str(given["seats"])),
        *("--modules", given["modules"], "--edition", given["edition"], "--turn-limit", str(given["turn_limit"])),
        *("--pace", str(pace), "--search-file", str(steps)),
        *("--csv", str(folder / "run"), "--csv-full-history", "--only-summary", "--stop-timeout", "2"),
        *("--processes", str(processes), "--master-bind-host", "127.0.0.1"),
        *("--master-bind-port", str(port), "--master-port", str(port)),
        *(("--web-host", "127.0.0.1") if given["page"] else ("--headless",)),
    ]
    log = folder / "locust.log"
    with log.open("wb") as output, ExitStack() as stack:
        locust = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=LOCUSTFILE.parent.parent,
            start_new_session=True,
            env={**os.environ, FOLDER_VARIABLE: str(trace)} if trace is not None else None,
        )
        stack.callback(end, locust)
        if given["page"]:
            console.print("Locust's page is at http://127.0.0.1:8089; Ctrl-C ends it and writes the report.")
        sampler = stack.enter_context(sampled(product.pid, locust.pid))
        try:
            _wait(console, locust, folder, f"{given['scenario']}, {given['shape']}")
        except KeyboardInterrupt:
            console.print("Stopping …")
    said = log.read_text(encoding="utf-8", errors="replace")
    counted = report.rows(folder / "run_stats.csv")
    if not counted or not int(counted[-1]["Request Count"]):
        raise click.ClickException(f"Locust did not run:\n{said[-2_000:]}")
    facts = {
        "users": f"{given['users']} at first" if given["shape"] == "search" else str(given["users"]),
        "calls of a user": f"{pace:g} a second" if pace else "one after the other",
        "games": f"{given['seats']} seats, {given['modules'] or 'no modules'}; {given['games']} prepared",
        "load made by": f"{processes} processes",
        "machine": f"{len(os.sched_getaffinity(0))} cores, shared by product and load",
    }
    return report.Run(
        title=f"Load test: {given['scenario']}, {given['shape']}",
        facts=facts,
        calls=report.rows(folder / "run_stats.csv"),
        history=report.rows(folder / "run_stats_history.csv"),
        failures=report.rows(folder / "run_failures.csv"),
        processes=sampler.series,
        found=found_in(steps, sampler, given["limit_ms"]),
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(console: Console, locust: subprocess.Popen[bytes], folder: Path, title: str) -> None:
    """Shows how it goes until Locust ends; a shape ends by itself, and this would not wait for ever."""
    told = 0
    with console.status(title) as status:
        while locust.poll() is None:
            steps, coming = progress_of(folder / "search.json")
            for line in steps[told:]:
                console.print(line)
            told = len(steps)
            history = report.rows(folder / "run_stats_history.csv")
            latest = next((row for row in reversed(history) if row["Name"] == report.AGGREGATED), None)
            if latest:
                status.update(
                    f"{title}{coming}: {latest['User Count']} users, {float(latest['Requests/s']):.0f} calls a second, "
                    f"99 % within {latest['99%']} ms, {latest['Total Failure Count']} wrong"
                )
            time.sleep(limits.SAMPLE_SECONDS)
