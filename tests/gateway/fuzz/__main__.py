"""Fuzzes the gateway: many requests to every operation. Ends with an error if anything is wrong.

python -m tests.gateway.fuzz [--examples 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..product import running
from .campaign import ROUTES, Report, run
from .world import World


def main() -> int:
    """Sends the requests, and sums up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=200, help="of each operation")
    parser.add_argument("--seed", type=int, default=1, help="another one makes other requests")
    arguments = parser.parse_args()
    report = Report()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with running("--workers", "1") as product, Progress(*columns) as progress:
        task = progress.add_task("requests", total=len(ROUTES) * arguments.examples)
        world = World(product.http)
        try:
            run(world, arguments.examples, report, start=arguments.seed, tick=lambda: progress.advance(task))
        finally:
            world.close()
    for fault in report.kinds().values():
        print(fault)
    summarise(report)
    return 1 if report.faults else 0


def summarise(report: Report) -> None:
    """How the requests to each operation were answered."""
    for name in ROUTES:
        found = sorted((status, count) for (operation, status), count in report.answers.items() if operation == name)
        print(f"{name:24} {'  '.join(f'{status}: {count}' for status, count in found)}")
    print(f"{report.calls:,} requests, {len(report.reasons)} reasons, {len(report.kinds())} kinds of faults")


if __name__ == "__main__":
    sys.exit(main())
