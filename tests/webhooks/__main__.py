"""Runs the senders and receivers, and prints what was found."""

import argparse
import sys
import tempfile
from pathlib import Path

from .run import Plan, run


def main() -> int:
    """Run it; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.webhooks", description=__doc__)
    parser.add_argument("--deliveries", type=int, default=10_000, help="deliveries, of all receivers together")
    parser.add_argument("--kills", type=int, default=20, help="how often a sender is killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=900.0, help="seconds until all must have arrived")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(given.deliveries, given.kills, given.seed, patience=given.patience)
        found = run(plan, Path(folder))
    print(
        f"{found.arrived} of {found.sent} notices arrived, {found.repeated} of them again; "
        f"{found.kills} senders were killed; {found.seconds:.0f} s."
    )
    for fault in found.faults:
        print(fault)
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
