"""Runs a load test from beginning to end: product, prepared games, Locust, report.

Time and users are limited, and only this machine is tested. The exit code is 1 if an answer was wrong or missing.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from rich.console import Console

from . import docs_section, known_answers, limits, report
from .product import Product, started
from .run import prepare, run
from .scenarios import SCENARIOS, SHAPES
from .trace import stages

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
@click.option("--pin/--no-pin", default=True, show_default=True, help="Keep each process of the product on a core.")
@click.option("--trace", is_flag=True, help="Record where each call spends its time, and show the slowest hundredth.")
@click.option("--docs", is_flag=True, help="Write what was found into docs/performance.md.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("loadtest-report"), show_default=True)
def main(**given: Any) -> None:
    """Load the product and check its answers."""
    console = Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="alhambra-load-")))
        if bool(given["http"]) != bool(given["grpc"]):
            raise click.UsageError("--http and --grpc go together.")
        if given["http"] and given["trace"]:
            raise click.UsageError("--trace needs a product that is started here.")
        trace = Path(stack.enter_context(tempfile.TemporaryDirectory())) if given["trace"] else None
        if given["http"]:
            product = Product(given["grpc"], given["http"], None)
            _only_this_machine(product)
        else:
            console.print("Starting the product …")
            pin = "--pin" if given["pin"] else "--no-pin"
            product = stack.enter_context(started(pin, trace=trace))
        console.print(f"REST at {product.http}, gRPC at {product.grpc}")
        games = folder / "games.json"
        known_answers.save(prepare(console, product, given), games)
        found = run(console, product, games, folder, given, trace)
        page = report.write(found, given["out"])
        traced = stages.markdown(stages.read(trace)) if trace is not None else ""
        if given["docs"] and not docs_section.write(found, traced):
            console.print("docs/performance.md keeps its figures: those of this run are not settled.")
    calls = int(found.total["Request Count"])
    console.print(f"[bold]{calls:,}[/] calls, {found.failed} of them wrong or missing.")
    for line in found.found.sentences() if found.found else ():
        console.print(line)
    if traced:
        console.print(traced)
    if given["shape"] == "soak":
        grown = report.not_flat(found)
        console.print(
            "Not flat: " + "; ".join(grown) if grown else "Memory, threads, descriptors and latency are flat."
        )
    console.print(f"The report is {page}")
    if found.failed or not calls:
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


if __name__ == "__main__":
    main()
