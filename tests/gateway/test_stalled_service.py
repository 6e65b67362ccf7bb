"""A service that does not answer takes nothing else with it: health is answered, calls are refused, work ends."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import grpc
import pytest
from google.protobuf.message import Message

from alhambra_api.v1 import catalog_pb2
from tests.service.store.servers import await_true

from .http import Client
from .product import Running, gateway
from .raw import connect
from .scripted import SERVING, Scripted

PATH = "/v1/catalog/editions"
CALL = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
RELIEVED = 6
THREADS = 2


class Stalled:
    """Says nothing until it is told to, and counts who has given up."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.waiting = 0
        self.given_up: list[float] = []

    def __call__(self, context: grpc.ServicerContext, request: bytes) -> Message:
        self.waiting += 1
        context.add_callback(lambda: None if self.go_on.is_set() else self.given_up.append(time.monotonic()))
        while context.is_active() and not self.go_on.wait(0.005):
            pass
        self.waiting -= 1
        return catalog_pb2.ListEditionsResponse()

    def health(self, context: grpc.ServicerContext, request: bytes) -> Message:
        """Says that all is well until a call waits; then nothing either."""
        while self.waiting and context.is_active() and not self.go_on.wait(0.005):
            pass
        return SERVING


@pytest.fixture
def stalled() -> Stalled:
    return Stalled()


NEVER = 1_000
"""Seconds that no test waits for."""


@pytest.fixture
def front(stalled: Stalled) -> Iterator[Running]:
    service = Scripted()
    service.say, service.say_health = stalled, stalled.health
    limits = {"REPLACED_THREADS": RELIEVED, "SERVICE_SILENT_SECONDS": 0.3, "CALL_SECONDS": NEVER}
    with gateway(service.address, "--threads", str(THREADS), limits=limits) as found:
        yield found
        stalled.go_on.set()
    service.stop()


def test_a_client_that_hangs_up_ends_its_call_of_the_service(front: Running, stalled: Stalled) -> None:
    with connect(front.http) as connection:
        connection.sendall(CALL)
        await_true(lambda: stalled.waiting == 1, "the service is asked")
        assert not stalled.given_up
    await_true(lambda: stalled.given_up, "the call is cancelled")
    await_true(lambda: stalled.waiting == 0, "the service has noticed")
    await_true(lambda: "The client disconnected" in front.log, "the gateway has noticed")
    (line,) = [json.loads(line) for line in front.log.splitlines() if PATH in line]
    assert (line["status"], line["level"]) == (499, "info")
    assert "reason" not in line, "the service is not to blame"


def test_health_has_threads_of_its_own(stalled: Stalled) -> None:
    service = Scripted()
    service.say, service.say_health = stalled, stalled.health
    limits = {"HELD_UP_SECONDS": NEVER, "SERVICE_SILENT_SECONDS": 0.3, "CALL_SECONDS": NEVER}  # no thread is replaced
    with gateway(service.address, "--threads", "1", limits=limits) as front:
        with connect(front.http) as connection, Client(front.http) as client:
            connection.sendall(CALL)
            await_true(lambda: stalled.waiting == 1, "the only thread for plain calls waits")
            assert client.get("/healthz").status == 200
            await_true(lambda: client.get("/readyz").status == 503, "the service is found to be silent")
            assert client.get("/healthz").status == 200
        stalled.go_on.set()
    service.stop()


def test_a_service_that_stalls_takes_no_health_and_no_more_than_some_threads(front: Running, stalled: Stalled) -> None:
    with ExitStack() as stack:
        callers = [stack.enter_context(connect(front.http)) for _ in range(3 * (RELIEVED + THREADS))]
        for connection in callers:
            connection.sendall(CALL)
        with Client(front.http) as client:
            assert client.get("/healthz").status == 200
            refused = client.get(PATH)
            assert (refused.status, refused.reason) == (503, "STORE_UNAVAILABLE")
            assert refused.headers["retry-after"] == "1"
            assert client.get("/healthz").status == 200
            await_true(lambda: client.get("/readyz").status == 503, "the service is found to be silent")
            assert client.get("/readyz").reason == "STORE_UNAVAILABLE"
            assert client.get("/openapi.json").status == 200
            stalled.go_on.set()
            await_true(lambda: client.get(PATH).status == 200, "calls are made again")
