"""Attacks the product as `make run` starts it, and shows what its good callers feel. Ends with an error if it is more
than they should.

python -m tests.service.attacks [--calls 1000] [--connections 10] [--seconds 4] [--rounds 3]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from contextlib import ExitStack
from statistics import median

import grpc
from rich.console import Console
from rich.table import Table

from .frames import Connection
from .installation import Callers, Product, p99, product
from .peers import ATTACKS, UNREAD, connected
from .strangers import crowd

MOST = 2.0
"""The slowest call in a hundred may take this many times as long as without the attack."""
NOISE_SECONDS = 0.02
"""Less than that nobody blames on an attack: the scheduler of a busy machine takes as long."""
ENDED_SECONDS = 12.0
"""Silent calls are ended by then."""
PORTIONS = 20
ENOUGH = 500
"""Of fewer calls the slowest in a hundred is chance: their median is compared instead."""
COUNTED = ("silent", "half a message")
"""Attacks whose calls must all be ended by the server."""


def main() -> int:
    """Runs every attack in turn, between measurements without one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long good callers call, with and without")
    parser.add_argument("--rounds", type=int, default=3, help="of calling with and without an attack, in turn")
    parser.add_argument("--only", action="append", choices=[*ATTACKS], help="an attack; by default all of them")
    arguments = parser.parse_args()
    table = Table(title=f"{arguments.calls} calls over {arguments.connections} connections, without credentials")
    for name in ("attack", "pool", "calls", "p50 ms", "p99 ms", "p99 without", "ratio", ""):
        table.add_column(name, justify="left" if name in ("attack", "pool", "") else "right")
    faults: list[str] = []
    with product() as here:
        callers = Callers(here.channel)
        callers.took(arguments.seconds / 2)  # nobody is measured cold
        for attack in arguments.only or ATTACKS:
            without, during = (defaultdict[str, list[float]](list) for _ in range(2))
            for _ in range(arguments.rounds):
                add(without, callers.took(arguments.seconds))
                with ExitStack() as stack:
                    peers = connected(stack, here.port, arguments.connections, attack)
                    try:
                        add(during, attacked(here, callers, peers, attack, arguments.calls, arguments.seconds))
                    except grpc.RpcError as refused:
                        faults.append(f"{attack}: a good call failed: {refused}")
                    if attack in COUNTED and (left := still_open(peers, arguments.calls)):
                        faults.append(f"{attack}: {left} calls were not ended within {ENDED_SECONDS:g} s")
            for pool, times in during.items():
                bad = compare(table, attack, pool, times, without[pool])
                if bad:
                    faults.append(bad)
        callers.close()
    if not arguments.only:
        with product("--workers", "1") as here:
            held, players = crowd(here, arguments.connections, arguments.calls)
        print(f"Strangers hold {held} of {arguments.calls} streams in one process; {players} of 10 players got theirs.")
        if players < 10:
            faults.append("strangers keep players out")
    Console().print(table)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def add(to: dict[str, list[float]], found: dict[str, list[float]]) -> None:
    """Adds what one round has measured."""
    for pool, times in found.items():
        to[pool] += times


def attacked(
    here: Product, callers: Callers, peers: list[Connection], attack: str, calls: int, seconds: float
) -> dict[str, list[float]]:
    """What good callers feel while the attack is on: its calls come in portions, and stay until they are ended."""
    felt: dict[str, list[float]] = {pool: [] for pool in callers.calls}
    if attack == UNREAD:  # these calls are answered: what they take to answer is not what is measured
        ATTACKS[attack](peers, calls, callers.game)
        callers.took(seconds / 4)
    for _ in range(PORTIONS):
        if attack != UNREAD:
            ATTACKS[attack](peers, calls // PORTIONS, callers.game)
        add(felt, callers.took(seconds / PORTIONS))
        for peer in peers:
            if attack != UNREAD:
                peer.read()
    assert here.process.poll() is None
    return felt


def still_open(peers: list[Connection], calls: int) -> int:
    """How many calls the server has not ended in time."""
    until = time.monotonic() + ENDED_SECONDS
    while time.monotonic() < until and sum(len(peer.ended) for peer in peers) < calls:
        for peer in peers:
            peer.read(0.05)
    return calls - sum(len(peer.ended) for peer in peers)


def compare(table: Table, attack: str, pool: str, times: list[float], without: list[float]) -> str:
    """Adds a row; returns what is wrong with it."""
    slow, usual, middle = p99(times), p99(without), median(times)
    ratio = slow / usual
    judged = ratio if len(times) >= ENOUGH else middle / median(without)
    bad = judged > MOST and slow - usual > NOISE_SECONDS
    figures = (f"{1000 * middle:.1f}", f"{1000 * slow:.1f}", f"{1000 * usual:.1f}", f"{ratio:.2f}")
    table.add_row(attack, pool, str(len(times)), *figures, "too slow" if bad else "")
    return f"{attack}: {pool} takes {ratio:.1f} times as long" if bad else ""


if __name__ == "__main__":
    sys.exit(main())
