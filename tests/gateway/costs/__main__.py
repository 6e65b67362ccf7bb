"""Measures what requests cost, and what others notice of a caller that sends the dearest of them in a loop.

    python -m tests.gateway.costs [--repeats 3] [--sockets 4] [--calls 200] [--rounds 2]

The first table has a line for each operation: the CPU time of its dearest request in each process. The second one has a
line for each loop: how long the calls of another address take with and without it, how much CPU time both processes
took meanwhile, and what the loop was answered. Ends with an error if a request costs too much, or if a call of another
address was not answered, or if in the best round its slowest calls take more than twice as long as both without the
loop and with a sink: the same sockets then send the same requests to a plain server in a process of its own, which
answers as many of them and uses the CPU time that an address has. That is what attackers cost others who share two
processors with them, whatever the product does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from http.client import HTTPConnection

from rich.console import Console
from rich.table import Table

from tests.budget import calibration

from ..http import Client
from ..product import running
from ..rest import Table as Game
from .campaign import GATEWAY, SERVICE, STORE, Cost, dearest_of, everything, most_seconds, processes
from .installation import keyed
from .loops import LOOPS, looping
from .meter import Meter
from .shapes import MODULES
from .sink import sink

RATIO = 2.0
NOISE_SECONDS = 0.02
"""Less than that nobody blames on an attack: the scheduler of a busy machine takes as long."""
OTHER = "127.0.0.3"
PAUSE_SECONDS = 0.01
"""Between two calls of the other address, which stays within its rate."""


def single(repeats: int) -> bool:
    """Send every shape to every operation; whether all of them were cheap enough."""
    most, dearest, dear = most_seconds(calibration()), dict[str, Cost](), []
    count = 0
    with running("--workers", "1") as product, Game.create(product.http, 6, modules=MODULES) as game:
        meter = Meter(processes(product))
        with Client(product.http) as client:
            for one in everything(game.id, game.seats[0].token):
                cost = dearest_of(client, meter, *one, repeats=repeats, most=most)
                count += 1
                if cost.worst > most or cost.status >= 500:
                    dear.append(cost)
                if cost.operation not in dearest or cost.worst > dearest[cost.operation].worst:
                    dearest[cost.operation] = cost
    table = Table(title=f"CPU time of the dearest of {count} requests, by operation; at most {1000 * most:.0f} ms")
    for name in ("operation", "shape", "status", "gateway ms", "service ms", "store ms"):
        table.add_column(name, justify="right" if name.endswith("ms") else "left")
    for cost in sorted(dearest.values(), key=lambda cost: -cost.worst):
        figures = (f"{1000 * cost.seconds[process]:.1f}" for process in (GATEWAY, SERVICE, STORE))
        table.add_row(cost.operation, cost.shape, str(cost.status), *figures)
    Console(width=140).print(table)
    for cost in dear:
        print(f"too dear: {cost}")
    return not dear


def calls(client: HTTPConnection, count: int) -> tuple[list[float], int]:
    """Return how long calls of another address take, sorted, and how many were not answered."""
    seconds, unanswered = [], 0
    for _ in range(count):
        began = time.perf_counter()
        client.request("GET", "/v1/games/nosuchgamehere")
        answer = client.getresponse()
        answer.read()
        seconds.append(time.perf_counter() - began)
        unanswered += answer.status != 404
        time.sleep(PAUSE_SECONDS)
    return sorted(seconds), unanswered


def loops(sockets: int, count: int, rounds: int) -> bool:
    """Run every loop; whether others noticed little of each."""
    table = Table(title=f"calls of another address, {rounds} rounds of {count}, while {sockets} sockets ask in a loop")
    for name in ("loop", "p50 ms", "p99 ms", "without", "sink", "ratio", "CPU gateway", "CPU service", "answers", ""):
        table.add_column(name, justify="left" if name in ("loop", "answers", "") else "right")
    good = True
    with keyed() as installation:
        other, meter = installation.connection(OTHER), Meter(installation.processes())
        calls(other, count)
        for name in LOOPS:
            ratios, quiet, loud, refused, statuses = [], list[float](), list[float](), 0, Counter[str]()
            floor = list[float]()
            used, took = Counter[str](), 0.0
            for _ in range(rounds):
                without, _ = calls(other, count)
                started = time.monotonic()
                told = Counter[str]()
                with looping(installation.front.http, name, sockets, told):
                    meter.start()
                    began = time.monotonic()
                    during, unanswered = calls(other, count)
                    took += time.monotonic() - began
                    used.update(meter.used())
                statuses.update(told)
                answered = max(1, round(told.total() / (time.monotonic() - started)))
                with sink(answered) as base, looping(base, name, sockets, Counter()):
                    beside, _ = calls(other, count)
                slow, *others = (times[int(0.99 * len(times))] for times in (during, without, beside))
                usual = max(others)
                ratios.append(slow / usual if slow - usual > NOISE_SECONDS else min(slow / usual, RATIO))
                refused += unanswered
                quiet, loud, floor = sorted(quiet + without), sorted(loud + during), sorted(floor + beside)
            bad = refused > 0 or min(ratios) > RATIO
            good = good and not bad
            p99 = [times[int(0.99 * len(times))] for times in (loud, quiet, floor)]
            table.add_row(
                name,
                f"{1000 * loud[len(loud) // 2]:.1f}",
                *(f"{1000 * seconds:.1f}" for seconds in p99),
                f"{p99[0] / max(p99[1:]):.2f}",
                *(f"{100 * used[process] / took:.0f} %" for process in (GATEWAY, SERVICE)),
                ", ".join(f"{status}: {times}" for status, times in statuses.most_common()),
                "too slow" if bad else "",
            )
        other.close()
    Console(width=140).print(table)
    return good


def main() -> int:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="how often each request is sent")
    parser.add_argument("--sockets", type=int, default=4, help="of a loop")
    parser.add_argument("--calls", type=int, default=200, help="of another address in each round")
    parser.add_argument("--rounds", type=int, default=2, help="with and without each loop, in turn")
    asked = parser.parse_args()
    cheap = single(asked.repeats)
    return int(not (loops(asked.sockets, asked.calls, asked.rounds) and cheap))


if __name__ == "__main__":
    sys.exit(main())
