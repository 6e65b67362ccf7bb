"""Attacks the product as `make run` starts it, and prints how long plain calls take with and without each attack.

    python -m tests.gateway.attacks [--sockets 1000] [--calls 200] [--rounds 3] [NAME …]

Each attack is made twice: from one address, and spread over many addresses behind a trusted proxy. Rounds with and
without the attack take turns. Exits with 1 if a call was not answered, or if the 99th percentile of calls during the
attack is more than twice that without it in the best round.
"""

from __future__ import annotations

import argparse
import sys

from ..product import running
from ..tables import RestGame
from .calls import Calls
from .horde import NAMES, horde

RATIO = 2.0


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.gateway.attacks")
    words.add_argument("--sockets", type=int, default=1_000)
    words.add_argument("--calls", type=int, default=200)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("names", nargs="*", choices=[*NAMES, []], default=[])
    asked = words.parse_args()
    print(f"{asked.sockets} sockets, {asked.rounds} rounds of {asked.calls} calls; milliseconds")
    print(f"{'attack':<20}{'from':<12}{'p99 before':>11}{'p99 during':>11}{'ratio':>7}{'health':>9}{'refused':>9}")
    failed = False
    for spread in (False, True):
        variables = {"ALHAMBRA_GATEWAY_TRUSTED_PROXIES": "127.0.0.1/32"} if spread else {}
        with running("--pin", "--reflection", variables=variables) as product:
            path = RestGame(product.client()).path
            Calls().make(product.http, path, asked.calls)
            for name in asked.names or NAMES:
                ratios, worst, refused = [], 0.0, 0
                before, during = Calls(), Calls()
                for _ in range(asked.rounds):
                    quiet, loud = Calls(), Calls()
                    quiet.make(product.http, path, asked.calls)
                    with horde(name, product.http, asked.sockets, spread=spread):
                        loud.make(product.http, path, asked.calls)
                    ratios.append(loud.p99 / quiet.p99)
                    refused += loud.refused
                    worst = max(worst, *loud.health)
                    before.seconds += quiet.seconds
                    during.seconds += loud.seconds
                bad = refused > 0 or min(ratios) > RATIO
                failed = failed or bad
                print(
                    f"{name:<20}{'many' if spread else 'one':<12}{1000 * before.p99:>11.1f}{1000 * during.p99:>11.1f}"
                    f"{during.p99 / before.p99:>7.2f}{1000 * worst:>9.1f}{refused:>9}{'  FAILED' if bad else ''}",
                    flush=True,
                )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
