"""A store that stalls: what needs it waits, what does not is answered all the same."""

import time
from collections.abc import Callable, Iterator
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

PATIENCE = 60.0
STALL_MS = 1_500
"""Shorter than the service waits for an answer."""
ROUNDS = 10
"""How often it is tried until the reads take less time than the store stalls."""
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


@contextmanager
def stalled(store: RealServer, what: str) -> Iterator[Callable[[], bool]]:
    """Let the store stall; yields whether it certainly still does."""
    began = time.monotonic()
    store.ask("CLIENT", "PAUSE", STALL_MS, what)
    yield lambda: time.monotonic() - began < STALL_MS / 1_000


def test_reads_from_memory_are_answered_while_everything_that_needs_the_store_waits(store: RealServer) -> None:
    """More calls hang in the store than any pool has threads: changes, and reads of games that are not in memory."""
    count = limits.THREADS + limits.QUICK_THREADS
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        known = create(stub)
        pool = stack.enter_context(ThreadPoolExecutor(3 * count))

        def answered_in_time() -> bool:
            """On a busy machine the reads can take longer than the stall; then the round says nothing."""
            unknown = [create(other) for _ in range(count)]
            get(stub, known)
            stub.ValidatePlacement(a_placement(known), timeout=PATIENCE)
            hanging: list[Future[Any]] = []
            with stalled(store, "ALL") as still_stalls:
                for game in unknown:
                    hanging.append(pool.submit(create, stub))
                    hanging.append(pool.submit(get, stub, game))
                    hanging.append(pool.submit(stub.ValidatePlacement, a_placement(game), timeout=PATIENCE))
                for _ in range(10):
                    get(stub, known)
                    stub.ValidatePlacement(a_placement(known), timeout=PATIENCE)
                done = [one.done() for one in hanging]
                in_time = still_stalls()
            assert not (in_time and any(done)), "the store still stalls"
            for one in hanging:
                one.result(PATIENCE)
            return in_time

        assert any(answered_in_time() for _ in range(ROUNDS))


def test_a_read_that_is_handed_over_is_counted_once(store: RealServer) -> None:
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        game = create(other)
        before = _counted()
        get(stub, game)
        assert _counted() == {**before, "OK": before["OK"] + 1}


def _counted() -> dict[str, float]:
    metrics.flush_calls()
    return {code: metrics.CALLS.labels("GetGame", code)._value.get() for code in ("OK", "UNKNOWN")}


def test_reads_from_the_store_are_answered_while_changes_wait(store: RealServer) -> None:
    with ExitStack() as stack:
        stub, other = stack.enter_context(service(store)), stack.enter_context(service(store))
        pool = stack.enter_context(ThreadPoolExecutor(2 * limits.THREADS))

        def answered_in_time() -> bool:
            unknown = [create(other) for _ in range(5)]
            with stalled(store, "WRITE") as still_stalls:
                hanging = [pool.submit(create, stub) for _ in range(2 * limits.THREADS)]
                for game in unknown:
                    assert get(stub, game).view.game == game
                done = [one.done() for one in hanging]
                in_time = still_stalls()
            assert not (in_time and any(done)), "the store still takes no change"
            for one in hanging:
                one.result(PATIENCE)
            return in_time

        assert any(answered_in_time() for _ in range(ROUNDS))
