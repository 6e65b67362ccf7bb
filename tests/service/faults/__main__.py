"""kill -9 for as long as you like: the long form of the fault tests.

python -m tests.service.faults [--minutes 5] [--seed 1]

Rounds alternate between an embedded store and a cluster of three masters; then masters with replicas are killed. The
run is bounded, ends with an error if an acknowledged move is lost that was promised to be kept, and names the seed
that began it.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ..store.servers import RealCluster
from .failover import Failover, a_load_goes_on, a_lost_commit_is_visible
from .house import House, housed
from .scenario import Report, Tell, one_round

KINDS = ("worker", "worker", "store", "store", "service")
KILLS_OF_A_ROUND = 6
ROUNDS_AT_ONE_HOUSE = 3
FAILOVER_SHARE = 0.25
"""So much of the time is kept for fail-over."""


def main() -> int:
    """Kills until the time is up; prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="about so long; a round is always finished")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="chooses moves and victims")
    arguments = parser.parse_args()
    began, seconds = time.monotonic(), 60 * arguments.minutes
    report, failovers = Report(), list[Failover]()
    console = Console()
    console.print(f"seed {arguments.seed}; processes are killed for about {arguments.minutes:g} minutes")
    columns = (BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("starting", total=seconds)

        def tell(text: str) -> None:
            spent = time.monotonic() - began
            words = f"round {report.rounds + 1}: {text}; lost {report.lost}"
            progress.update(task, completed=min(spent, seconds), description=words)

        seed = arguments.seed
        while not report.rounds or time.monotonic() - began < seconds * (1 - FAILOVER_SHARE):
            _some_rounds(seed, report, tell, began + seconds * (1 - FAILOVER_SHARE))
            seed += ROUNDS_AT_ONE_HOUSE
        failovers.append(a_lost_commit_is_visible(tell))
        while len(failovers) < 3 or time.monotonic() - began < seconds:
            replicated = len(failovers) % 2 == 0
            failovers.append(a_load_goes_on(seed + len(failovers), tell, replicated=replicated))
        progress.update(task, completed=seconds, description="done")
    console.print(str(report))
    for one in failovers:
        console.print(str(one))
    return 1 if report.lost else 0


def _some_rounds(seed: int, report: Report, tell: Tell, until: float) -> None:
    """A few rounds with an embedded store, or with a cluster."""
    if report.rounds % (2 * ROUNDS_AT_ONE_HOUSE) < ROUNDS_AT_ONE_HOUSE:
        with housed() as house:
            _rounds(house, seed, report, tell, until)
        return
    cluster = RealCluster()
    try:
        with housed(cluster.masters, cluster.url) as house:
            _rounds(house, seed, report, tell, until)
    finally:
        cluster.stop()


def _rounds(house: House, seed: int, report: Report, tell: Tell, until: float) -> None:
    for number in range(seed, seed + ROUNDS_AT_ONE_HOUSE):
        kills = Random(number).choices(KINDS, k=KILLS_OF_A_ROUND)
        one_round(house, kills, number, report, tell)
        if time.monotonic() > until:
            return


if __name__ == "__main__":
    sys.exit(main())
