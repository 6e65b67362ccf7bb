"""Requests in a loop, over a few sockets of one address, in a process of its own, which does not measure itself.

    python -m tests.gateway.costs.loops http://127.0.0.1:8080 "expensive scores" 4

Goes on until its input ends; then says how many answers of each status there were.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException

from alhambra_gateway.routing.routes import compile_routes

from ..attacks.process import attacking
from .installation import connection
from .shapes import BODIES, LARGEST, Request

ATTACKER = "127.0.0.2"
JSON = {"Content-Type": "application/json"}
SETTLE_SECONDS = 6.0
"""What an address may use at once is used up by then. Measured is what comes after it."""
ROUTES = {route.descriptor.name: route for route in compile_routes()}


def _body(operation: str, shape: str) -> Request:
    route = ROUTES[operation]
    return Request("POST", route.path.replace("{game}", "nosuchgamehere"), JSON, BODIES[shape](route))


LOOPS: dict[str, Request] = {
    "one member twice": _body("ScoreBoard", "many members, one of them twice"),
    "empty objects": _body("ScoreBoard", "empty objects"),
    "a text of escapes": _body("ClaimSeat", "a text of escapes"),
    "no credentials": _body("CreateGame", "empty objects"),
    "wrong credentials": Request(
        "POST",
        "/v1/games",
        {**JSON, "Authorization": "Bearer alh_key_wrong"},
        BODIES["a text of escapes"](ROUTES["CreateGame"]),
    ),
    "expensive scores": Request(
        "POST", "/v1/boards:score", JSON, json.dumps(LARGEST["ScoreBoard"]["six boards of 256 tiles"]).encode()
    ),
    "no such address": Request("GET", "/no/such/address", {}),
    "the API document": Request("GET", "/openapi.json", {"Accept-Encoding": "gzip"}),
    "the catalogue": Request("GET", "/v1/catalog/components", {"Accept-Encoding": "gzip"}),
    "a page": Request("GET", "/problems/", {"Accept-Encoding": "gzip"}),
}
"""What is asked for in a loop, by name."""


@contextmanager
def looping(base: str, name: str, sockets: int, statuses: Counter[str]) -> Iterator[None]:
    """The loop goes on while the block runs. What it was answered is added to `statuses`."""
    with attacking(f"{__package__}.loops", (base, name, str(sockets)), lambda told: statuses.update(json.loads(told))):
        yield


def main(base: str, name: str, sockets: int) -> None:
    """Ask in a loop until the input ends."""
    request, ended, statuses = LOOPS[name], threading.Event(), Counter[str]()

    def ask() -> None:
        client = connection(base, ATTACKER)
        while not ended.is_set():
            try:
                client.request(request.method, request.path, request.body, dict(request.headers))
                answer = client.getresponse()
                answer.read()
                statuses[str(answer.status)] += 1
            except (OSError, HTTPException):
                client.close()
                statuses["none"] += 1
                time.sleep(0.01)
        client.close()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(sockets)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until and not statuses["429"]:
        time.sleep(0.05)
    print("ready", flush=True)
    sys.stdin.read()
    ended.set()
    for thread in threads:
        thread.join(5.0)
    print(json.dumps(statuses), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
