"""Many streams on one process of the gateway: everybody is told, and plain calls are answered as ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import psutil
import pytest

from alhambra_gateway import limits
from tests.service.store.servers import await_true

from .crowd import Crowd
from .http import Client
from .product import Product, Running, gateway
from .tables import RestGame
from .test_streams import open_streams

STREAMS = 500
GAMES = 20
OF_SEATS = 4
"""So many of the streams of each game are those of a seat; a seat may have 16."""
STREAM_BYTES = 40 << 10
"""The memory of a quiet stream, at most."""


@pytest.fixture(scope="module")
def front(product: Product) -> Iterator[Running]:
    """One process that holds exactly as many streams."""
    with gateway(product.grpc, "--streams", str(STREAMS)) as found:
        yield found


class Caller(threading.Thread):
    """Makes plain calls as long as it is told to, one after the other."""

    def __init__(self, front: Running, path: str) -> None:
        super().__init__(daemon=True)
        self._front = front
        self._path = path
        self._enough = threading.Event()
        self.statuses: list[int] = []
        self.fault = ""

    def run(self) -> None:
        with Client(self._front.http) as client:
            while not self._enough.wait(0.02):
                try:
                    self.statuses.append(client.get(self._path).status)
                except OSError as fault:
                    self.fault = repr(fault)
                    return

    def stop(self) -> None:
        self._enough.set()
        self.join()


def test_five_hundred_streams_are_told_while_plain_calls_are_answered(front: Running) -> None:
    with Client(front.http) as client, Crowd(front.http) as crowd:
        games = [RestGame(client) for _ in range(GAMES)]
        caller = Caller(front, games[0].path)
        caller.start()
        (worker,) = map(psutil.Process, front.gateway_workers())
        for number in range(STREAMS):
            if number == GAMES:  # each game has a stream, and everything that streams share is there
                crowd.until(lambda member: member.begun)
                threads, memory = worker.num_threads(), worker.memory_info().rss
            game = games[number % GAMES]
            token = game.tokens[0] if number < OF_SEATS * GAMES else ""
            crowd.join(f"{game.path}/events", token)
        crowd.until(lambda member: member.begun)
        assert open_streams(client) == STREAMS

        # One more is refused at once, and nobody else notices.
        late = crowd.join(f"{games[0].path}/events")
        crowd.until(lambda member: b"WATCHERS_EXCEEDED" in member.received, [late])
        assert late.status == 429
        assert b"Retry-After: " in late.received
        assert client.get(f"{games[0].path}/events", {"Accept": "application/json"}).status == 200

        # Something happens in every game, and everybody who watches it hears of it.
        last = {}
        for game in games:
            last[game.id] = game.play()["events"][-1]["id"]
        watchers = [member for member in crowd.members if member is not late]
        told = {id(member): last[games[number % GAMES].id] for number, member in enumerate(watchers)}
        crowd.until(lambda member: told[id(member)] in member.events(), watchers)
        for number, member in enumerate(watchers):
            assert member.events() == watchers[number % GAMES].events()
            assert member.status == 200
        caller.stop()
        assert not caller.fault
        assert caller.statuses
        assert set(caller.statuses) == {200}

        # No stream has a thread, and a quiet one takes little memory.
        assert worker.num_threads() <= threads + 2 * limits.THREADS
        assert worker.memory_info().rss - memory < STREAMS * STREAM_BYTES

    # They hang up, all at once: their places are free again.
    with Client(front.http) as client:
        await_true(lambda: open_streams(client) == 0, "all streams are given up")
        with Crowd(front.http) as crowd:
            crowd.join(f"{games[0].path}/events")
            crowd.until(lambda member: member.begun)
