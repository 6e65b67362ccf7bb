"""The threads of a server: health has its own, and every method has the pool that its work needs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from alhambra_api.v1 import games_pb2, service_pb2
from alhambra_service import limits
from alhambra_service.rpc.health import SERVING, Health
from alhambra_service.rpc.server import FETCH, QUICK, WRITE

from .small import PATIENCE, SETTINGS, SmallGames, failure, running
from .store.servers import await_true

ASK = games_pb2.GetGameRequest(game="gameaaaaaaaaaaaa")


def status(channel: grpc.Channel) -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    found: int = stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE).status
    return found


def test_health_is_answered_while_every_other_thread_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = {"ListGames": games_pb2.ListGamesRequest(), "GetGame": ASK, "CreateGame": games_pb2.CreateGameRequest()}
    answers = {"GetGame": games_pb2.GetGameResponse(), "CreateGame": games_pb2.CreateGameResponse()}

    def wait(name: str) -> Any:
        def held(self: SmallGames, request: object, context: object) -> object:
            self.entered.release()
            assert self.go_on.wait(PATIENCE)
            return answers[name]

        return held

    for name in answers:
        monkeypatch.setattr(SmallGames, name, wait(name))
    with running(settings=replace(SETTINGS, threads=1)) as here, ThreadPoolExecutor(6) as pool:
        busy = [pool.submit(here.call, name, request) for name, request in pools.items() for _ in range(2)]
        for _ in pools:
            assert here.games.entered.acquire(timeout=PATIENCE), "each pool has a thread of its own"
        assert not here.games.entered.acquire(blocking=False)
        assert status(here.channel) == SERVING
        here.games.go_on.set()
        for one in busy:
            one.result(PATIENCE)


def test_streams_of_health_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEALTH_WATCHERS", 2)
    with running(health=Health(lambda: None)) as here:
        stub: Any = health_pb2_grpc.HealthStub(here.channel)
        open_streams = [stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE) for _ in range(2)]
        assert [next(one).status for one in open_streams] == [SERVING] * 2
        fault = failure(next, stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE))
        assert (fault.reason, fault.metadata) == ("WATCHERS_EXCEEDED", {"limit": "2"})
        assert status(here.channel) == SERVING
        open_streams[0].cancel()

        def has_room() -> bool:
            again = stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
            try:
                return bool(next(again).status == SERVING)
            except grpc.RpcError:
                return False

        await_true(has_room, "a stream that ends makes room")


def test_every_method_of_the_contract_has_the_pool_that_its_work_needs() -> None:
    names = {method.name for service in service_pb2.DESCRIPTOR.services_by_name.values() for method in service.methods}
    assert names >= QUICK | FETCH | WRITE
    assert not QUICK & FETCH and not (QUICK | FETCH) & WRITE
    assert {name for name in names if not name.startswith(("Get", "List", "Validate", "Batch", "Score"))} == WRITE | {
        "ExportGame",
        "WatchEvents",
        "WatchNotices",
    }
