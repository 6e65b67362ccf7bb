"""The cost of a watcher: moves in a game without watchers, and moves in a game with many open streams."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import grpc

from alhambra_api.v1 import events_pb2

from .boards import Stored
from .calls import MOVES, Client, bearer
from .group import Effort, Group
from .processes import Processes
from .rounds import Contest, Figure, Run

STREAMS = 36
"""Streams of the three seats; each seat may have 16."""
NONE, MANY = "no stream", f"{STREAMS} streams"


@contextmanager
def watched(client: Client, game: Stored, count: int) -> Iterator[None]:
    """Open this number of streams of a game. A thread reads each of them."""
    with ExitStack() as stack:
        for number in range(count):
            request = events_pb2.WatchEventsRequest(game=game.game)
            token = game.tokens[number % len(game.tokens)]
            stream: Any = client.stub.WatchEvents(request, metadata=bearer(token))
            next(stream)
            reader = threading.Thread(target=_read, args=(stream,), daemon=True)
            reader.start()
            stack.callback(reader.join)
            stack.callback(stream.cancel)
        yield


def _read(stream: Any) -> None:
    with suppress(grpc.RpcError):
        for _ in stream:
            pass


def streams(effort: Effort) -> Group:
    """Measure moves with and without watchers."""
    count = 8 if effort.quick else MOVES
    with Processes() as processes:
        client = Client(processes, "everysec", 4 + 4 * effort.few)

        def with_streams() -> Run:
            with watched(client, client.coming, STREAMS):
                return client.apply(count)

        entrants = {NONE: lambda: client.apply(count), MANY: with_streams}
        found = effort.contest("streams", Contest(entrants, rounds=effort.few, attempts=1))
        client.channel.close()
    floor = [(one + other) / 2 for one, other in zip(found.cost(NONE), found.cost(f"{NONE} (again)"), strict=True)]
    each = Figure.of([(many - one) / STREAMS for many, one in zip(found.cost(MANY), floor, strict=True)])
    rows = [*found.rows(), {"what": "one move for one watcher", "server µs": round(each.value, 1)}]
    how = (
        f"The moves of one game, made by one client. All {STREAMS} streams watch this game with the tokens of its "
        "seats, and threads of the same client read them. The last line is the difference, divided by the streams."
    )
    return Group("Watchers", how, rows, found.verdict())
