"""`/readyz` says in the service's own words why games are not served."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from alhambra_gateway.config import Settings
from alhambra_gateway.process.health import Readiness
from alhambra_gateway.upstream.client import Upstream
from alhambra_gateway.upstream.service_channels import ServiceChannels
from alhambra_service.rpc.health import Health
from tests.service.serving import GameServer
from tests.service.store.servers import RealServer, await_true


class OneService:
    """The upstream of a gateway with one service."""

    def __init__(self, address: str) -> None:
        self.services = ServiceChannels(Settings(service=address))


@pytest.fixture
def store() -> Iterator[RealServer]:
    one = RealServer()
    yield one
    one.stop()


def test_a_store_in_trouble_is_named_by_the_gateway(store: RealServer) -> None:
    server = GameServer(store.url)
    service = OneService(server.address)
    readiness = Readiness(cast(Upstream, service))

    def told() -> str:
        problem = readiness.fault()
        return "" if problem is None else problem.detail

    try:
        await_true(lambda: told() == "", "the service serves")
        store.ask("CONFIG", "SET", "maxmemory", 1)
        await_true(lambda: "is full: raise its maxmemory" in told(), "the reason arrives")
        assert told().startswith("The service is there but does not serve games: The store at ")
        store.ask("CONFIG", "SET", "maxmemory", 0)
        await_true(lambda: told() == "", "the service serves again")
    finally:
        service.services.close()
        server.stop()


def test_a_reason_is_told_for_services_that_need_the_store_only() -> None:
    health = Health(lambda: "The disk of /x is full.", every=60)
    health.start()
    try:
        assert health.servicer.fault == "The disk of /x is full."
    finally:
        health.drain()
        health._thread.join()
