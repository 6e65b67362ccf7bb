"""Fuzzes the service: many chapters of ten examples of every RPC. Ends with an error if anything is wrong.

python -m tests.service.fuzz [--examples 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import grpc
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .fuzzer import EXAMPLES, Report, calls_of, run
from .world import serving

KINDS = 20
"""After so many different failures there is enough to do."""


def main() -> int:
    """Runs chapter after chapter, tells of each kind of failure once, and sums up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=1_000, help="of each RPC, rounded up to tens")
    parser.add_argument("--seed", type=int, default=1, help="of the first chapter")
    arguments = parser.parse_args()
    chapters = max(1, -(-arguments.examples // EXAMPLES))
    report = Report()
    told: set[str] = set()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with serving() as server, Progress(*columns) as progress:
        task = progress.add_task("calls", total=chapters * calls_of(EXAMPLES))
        for chapter in range(arguments.seed, arguments.seed + chapters):
            try:
                run(server, chapter, report, lambda: progress.advance(task))
            except grpc.RpcError as error:
                print(f"A good call failed; again: python -m tests.service.fuzz --seed {chapter} --examples {EXAMPLES}")
                raise SystemExit(str(error)) from error
            for kind, failure in report.kinds().items():
                if kind not in told:
                    told.add(kind)
                    progress.console.print(str(failure), markup=False, highlight=False, soft_wrap=True)
            progress.update(task, description=f"calls, {len(told)} failures")
            if len(told) >= KINDS or any("hangs" in kind for kind in told):
                break
    summarise(report)
    return 1 if report.failures else 0


def summarise(report: Report) -> None:
    """How the calls of each RPC ended."""
    methods = sorted({method for method, _, _ in report.answers})
    for method in methods:
        codes: Counter[str] = Counter()
        for (name, _, code), count in report.answers.items():
            if name == method:
                codes[code] += count
        print(f"{method:24} {'  '.join(f'{code} {count}' for code, count in codes.most_common())}")
    print(
        f"{report.calls:,} calls, {len([one for one in report.reasons if one])} reasons, "
        f"{len(report.kinds())} kinds of failures"
    )


if __name__ == "__main__":
    sys.exit(main())
