"""A store that stalls: what needs it waits, what does not is answered all the same."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import games_pb2, service_pb2_grpc
from alhambra_service import limits, metrics
from alhambra_service.config import Settings
from alhambra_service.process.service import Service

from .attacks.peers import a_placement
from .store.servers import RealServer

PATIENCE = 30.0
STALL_MS = 1_500
"""Shorter than the service waits for an answer."""
SEATS = [games_pb2.SeatSetup(claim=True)] * 3


@pytest.fixture
def store() -> Iterator[RealServer]:
    server = RealServer()
    yield server
    server.stop()


@contextmanager
def service(store: RealServer) -> Iterator[Any]:
    """The games of a process of its own, as far as its memory goes."""
    settings = Settings(listen="127.0.0.1:0", durability="always")
    found = Service(settings, store.socket_url)
    port = found.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
        yield service_pb2_grpc.GameServiceStub(channel)
    found.stop(0.0, 0.2)


def create(stub: Any) -> str:
    found: str = stub.CreateGame(games_pb2.CreateGameRequest(seats=SEATS), timeout=PATIENCE).game
    return found


def get(stub: Any, game: str) -> Any:
    return stub.GetGame(games_pb2.GetGameRequest(game=game), timeout=PATIENCE)


def test_reads_from_memory_are_answered_while_everything_that_needs_the_store_waits(store: RealServer) -> None:
    """More calls hang in the store than any pool has threads: changes, and reads of games that are not in memory."""
    count = limits.THREADS + limits.QUICK_THREADS
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        known, unknown = create(stub), [create(other) for _ in range(count)]
        get(stub, known)
        stub.ValidatePlacement(a_placement(known), timeout=PATIENCE)
        pool = stack.enter_context(ThreadPoolExecutor(3 * count))
        store.ask("CLIENT", "PAUSE", STALL_MS, "ALL")
        hanging: list[Future[Any]] = []
        for game in unknown:
            hanging.append(pool.submit(create, stub))
            hanging.append(pool.submit(get, stub, game))
            hanging.append(pool.submit(stub.ValidatePlacement, a_placement(game), timeout=PATIENCE))
        for _ in range(10):
            get(stub, known)
            stub.ValidatePlacement(a_placement(known), timeout=PATIENCE)
        assert not any(one.done() for one in hanging), "the store still stalls"
        for one in hanging:
            one.result(PATIENCE)


def test_a_read_that_is_handed_over_is_counted_once(store: RealServer) -> None:
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        game = create(other)
        before = _counted()
        get(stub, game)
        assert _counted() == {**before, "OK": before["OK"] + 1}


def _counted() -> dict[str, float]:
    metrics.tell_calls()
    return {code: metrics.CALLS.labels("GetGame", code)._value.get() for code in ("OK", "UNKNOWN")}


def test_reads_from_the_store_are_answered_while_changes_wait(store: RealServer) -> None:
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        unknown = [create(other) for _ in range(5)]
        pool = stack.enter_context(ThreadPoolExecutor(2 * limits.THREADS))
        store.ask("CLIENT", "PAUSE", STALL_MS, "WRITE")
        hanging = [pool.submit(create, stub) for _ in range(2 * limits.THREADS)]
        for game in unknown:
            assert get(stub, game).view.game == game
        assert not any(one.done() for one in hanging), "the store still takes no change"
        for one in hanging:
            one.result(PATIENCE)
