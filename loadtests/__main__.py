"""Runs a load test from beginning to end: product, prepared games, Locust, report.

Time and users are limited, and only this machine is tested. The exit code is 1 if an answer was wrong or missing.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import docs_section, known_answers, limits, report
from .found_rate import found_in, progress_of
from .product import Product, end, started
from .sampling import sampled
from .scenarios import SCENARIOS, SHAPES

LOCUSTFILE = Path(__file__).parent / "locustfile.py"
WRONG = 1


@click.command()
@click.option(
    "--scenario", type=click.Choice(list(SCENARIOS)), default="platform", show_default=True, help="Kinds of users."
)
@click.option("--shape", type=click.Choice(SHAPES), default="search", show_default=True, help="How many come when.")
@click.option("--users", default=limits.SEARCH_USERS, show_default=True, help="All, or those of a search's first step.")
@click.option("--seconds", type=float, help="How long; a search ends by itself.")
@click.option("--pace", type=float, help=f"Calls a second of each user; {limits.PACE:g} in a search, else no limit.")
@click.option("--think", default=0.0, show_default=True, help="Seconds that a user waits between two calls.")
@click.option("--limit-ms", default=limits.LIMIT_MS, show_default=True, help="99th percentile that a search keeps.")
@click.option("--turn-limit", default=0, help="Turns after which games of tables end; 0 for none.")
@click.option("--weights", default="", help="Users in proportion, RestBots=3,GrpcBots=1: above the scenario.")
@click.option("--seats", default=3, show_default=True, help="Seats of the games.")
@click.option("--modules", default="", help="Modules of the games, separated by commas.")
@click.option("--edition", default="", help="Edition of the games that bots play.")
@click.option("--games", default=limits.PREPARED_GAMES, show_default=True, help="Prepared games.")
@click.option("--processes", default=0, help="Processes that make the load; 0 for one on each core.")
@click.option("--http", default="", help="An installation on this machine that runs already: its gateway …")
@click.option("--grpc", default="", help="… and its service.")
@click.option("--page", is_flag=True, help="Show Locust's page instead of starting at once.")
@click.option("--docs", is_flag=True, help="Write what was found into docs/performance.md.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("loadtest-report"), show_default=True)
def main(**given: Any) -> None:
    """Load the product and check its answers."""
    console = Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="alhambra-load-")))
        if bool(given["http"]) != bool(given["grpc"]):
            raise click.UsageError("--http and --grpc go together.")
        if given["http"]:
            product = Product(given["grpc"], given["http"], None)
            _only_this_machine(product)
        else:
            console.print("Starting the product …")
            product = stack.enter_context(started("--pin"))
        console.print(f"REST at {product.http}, gRPC at {product.grpc}")
        games = folder / "games.json"
        known_answers.save(_prepare(console, product, given), games)
        run = _run(console, product, games, folder, given)
        page = report.write(run, given["out"])
        if given["docs"] and not docs_section.write(run):
            console.print("docs/performance.md keeps its figures: those of this run are not settled.")
    calls = int(run.total["Request Count"])
    console.print(f"[bold]{calls:,}[/] calls, {run.failed} of them wrong or missing.")
    for line in run.found.sentences() if run.found else ():
        console.print(line)
    if given["shape"] == "soak":
        grown = report.not_flat(run)
        console.print(
            "Not flat: " + "; ".join(grown) if grown else "Memory, threads, descriptors and latency are flat."
        )
    console.print(f"The report is {page}")
    if run.failed or not calls:
        sys.exit(WRONG)


def _only_this_machine(product: Product) -> None:
    """Refuse addresses of other machines: a load test is only for your own installation."""
    for host in (urlsplit(product.http).hostname or "", product.grpc.rpartition(":")[0].strip("[]")):
        try:
            near = host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            near = False
        if not near:
            raise click.UsageError(f"{host} is not this machine: load tests aim at loopback only.")


def _prepare(console: Console, product: Product, given: dict[str, Any]) -> list[known_answers.KnownGame]:
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


def _run(console: Console, product: Product, games: Path, folder: Path, given: dict[str, Any]) -> report.Run:
    seconds = given["seconds"] or (limits.SOAK_SECONDS if given["shape"] == "soak" else limits.SECONDS)
    processes = given["processes"] or len(os.sched_getaffinity(0))
    port, steps = _free_port(), folder / "search.json"
    pace = given["pace"] if given["pace"] is not None else limits.PACE if given["shape"] == "search" else 0.0
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
            command, stdout=output, stderr=subprocess.STDOUT, cwd=LOCUSTFILE.parent.parent, start_new_session=True
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


if __name__ == "__main__":
    main()
