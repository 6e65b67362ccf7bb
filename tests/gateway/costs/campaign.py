"""Sends expensive requests to a running product, and reads what each has cost in every process."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psutil

from alhambra_gateway.routing.routes import compile_routes

from ..http import Client
from ..product import Product
from .meter import Meter
from .shapes import ADDRESSES, Request, requests

GATEWAY, SERVICE, STORE = "gateway", "service", "store"
SECONDS = 0.05
LOOPS = 8
"""What a request may cost in any process: CPU seconds, or loops of the calibration if they are more."""
TRIES = 3
SETTLED_SECONDS = 0.01
"""What a process does behind an answer, such as freeing memory, is over by then."""


@dataclass(frozen=True)
class Cost:
    """What a request has cost on average."""

    operation: str
    shape: str
    status: int
    seconds: dict[str, float]
    """CPU seconds of each process."""

    @property
    def worst(self) -> float:
        """The CPU seconds of the process that it has cost most."""
        return max(self.seconds.values())


def processes(product: Product) -> dict[str, int]:
    """Return the ids of the processes that answer requests: one of the gateway, one of the service, the store."""
    (gateway,) = product.gateway_workers()
    found = {GATEWAY: gateway}
    master = product.gateway().pid
    for process in psutil.Process(product.process.pid).children(recursive=True):
        if process.pid in (gateway, master):
            continue
        words = process.cmdline()
        if any("valkey" in word or "redis-server" in word for word in words):
            found[STORE] = process.pid
        elif not process.children():
            found[SERVICE] = process.pid
    return found


def everything(game: str, token: str, only: Iterable[str] = ()) -> Iterator[tuple[str, str, Request]]:
    """Generate the name of an operation, the name of a shape, and the request, for all of them."""
    wanted = set(only)
    for route in compile_routes():
        if wanted and route.descriptor.name not in wanted:
            continue
        for name, request in requests(route, game, token):
            yield route.descriptor.name, name, request
    if not wanted or "none" in wanted:
        for name, path in ADDRESSES.items():
            yield "none", name, Request("GET", path, {"Accept": "*/*"})


def measured(client: Client, meter: Meter, operation: str, shape: str, request: Request, repeats: int) -> Cost:
    """Send a request so often, and return what it has cost each time."""
    answer = client.send(request.method, request.path, request.body, request.headers)
    time.sleep(SETTLED_SECONDS)
    meter.start()
    for _ in range(repeats):
        client.send(request.method, request.path, request.body, request.headers)
    time.sleep(SETTLED_SECONDS)
    used = {name: seconds / repeats for name, seconds in meter.used().items()}
    return Cost(operation, shape, answer.status, used)


def most_seconds(calibration: float) -> float:
    """Return what a request may cost in any process. `calibration` is that of tests/budget.py: on a slower machine all
    work takes longer."""
    return max(SECONDS, LOOPS * calibration)


def dearest_of(
    client: Client, meter: Meter, operation: str, shape: str, request: Request, *, repeats: int, most: float
) -> Cost:
    """Return what a request has cost. If that seems to be too much it is measured again, because other work of the
    process, or of the machine, may have been counted with it."""
    cost = measured(client, meter, operation, shape, request, repeats)
    for _ in range(TRIES - 1):
        if cost.worst <= most:
            break
        cost = measured(client, meter, operation, shape, request, repeats)
    return cost
