"""SIGTERM under load: everything that was sent is answered, over HTTP and over gRPC. A client that cannot connect any
more has sent nothing.

ALHAMBRA_STOPS=50 python -m pytest tests/gateway/test_stopping.py      that many rounds instead of a few
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from google.protobuf.message import Message

from alhambra_api.v1 import catalog_pb2, games_pb2, service_pb2_grpc
from alhambra_gateway.upstream.failures import is_stopping
from alhambra_gateway.upstream.grpc_parts import was_not_sent
from alhambra_service.store import EmbeddedStore
from tests.faults.processes import Program, alhambra
from tests.faults.world import SAYS_GRPC
from tests.service.store.servers import await_true, free_port

from .product import PATIENCE, Product, gateway
from .scripted import Scripted

ROUNDS = int(os.environ.get("ALHAMBRA_STOPS", "2"))
CLIENTS = 12
WARM = 5
"""Answers that every client has before the signal comes."""


class Load:
    """Clients that send one request after the other until nobody listens."""

    def __init__(self) -> None:
        self.answered: Counter[int] = Counter()
        """Answers by client."""
        self.unanswered: list[str] = []
        self.kept_open = 0
        """Answers after the signal that did not say that the connection is closed."""
        self.stopping = threading.Event()
        """Set when the signal was sent and the server may have noticed."""

    def is_warm(self) -> bool:
        return len(self.answered) == CLIENTS and min(self.answered.values()) >= WARM


@contextmanager
def clients(load: Load, work: Any) -> Iterator[None]:
    """Clients at work until they have nobody to ask."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        futures = [pool.submit(work, load, number) for number in range(CLIENTS)]
        await_true(lambda: load.is_warm() or any(one.done() for one in futures), "every client is answered", PATIENCE)
        yield
        for future in futures:
            future.result(PATIENCE)


# -- HTTP --------------------------------------------------------------------------------------------------------------


def ask_over_http(load: Load, number: int, base: str) -> None:
    parts = urlsplit(base)
    while True:
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
        try:
            connection.connect()
        except ConnectionError:
            return
        try:
            closed = False
            while not closed:
                late = load.stopping.is_set()
                connection.request("GET", "/v1/catalog/editions")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200
                load.answered[number] += 1
                closed = answer.headers["connection"] == "close"
                load.kept_open += late and not closed
        except (OSError, http.client.HTTPException) as fault:
            load.unanswered.append(repr(fault))
        finally:
            connection.close()


@pytest.mark.parametrize("drain", ["0", "0.5"])
def test_a_gateway_that_stops_answers_every_request_that_was_sent(product: Product, drain: str) -> None:
    for _ in range(ROUNDS):
        load = Load()
        with gateway(product.grpc, "--drain-seconds", drain) as front:
            with clients(load, lambda load, number, base=front.http: ask_over_http(load, number, base)):
                front.send(signal.SIGTERM)
                if drain != "0":
                    time.sleep(float(drain) / 2)
                    load.stopping.set()
            assert front.process.wait(PATIENCE) == 0
        assert load.unanswered == []
        assert load.kept_open == 0


def is_closed(base: str) -> bool:
    """Whether a server listens no longer."""
    parts = urlsplit(base)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), 0.1).close()
    except ConnectionRefusedError:
        return True
    except TimeoutError:
        return False
    return False


def test_a_connection_that_was_promised_to_stay_open_takes_one_more_request() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def say(context: grpc.ServicerContext, request: bytes) -> Message:
        asked.set()
        assert go_on.wait(PATIENCE)
        return catalog_pb2.ListEditionsResponse()

    service = Scripted()
    service.say = say
    with gateway(service.address, limits={"LAST_REQUEST_SECONDS": PATIENCE}) as front:
        parts = urlsplit(front.http)
        client = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
        client.request("GET", "/v1/catalog/editions")
        assert asked.wait(PATIENCE)
        front.send(signal.SIGTERM)
        await_true(lambda: is_closed(front.http), "the gateway listens no longer", PATIENCE)
        go_on.set()
        for kept in ("keep-alive", "close"):
            answer = client.getresponse()
            answer.read()
            assert (answer.status, answer.headers["connection"]) == (200, kept)
            if kept == "keep-alive":
                client.request("GET", "/v1/catalog/editions")
        client.close()
        assert front.process.wait(PATIENCE) == 0
    service.stop()


# -- gRPC --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="everysec") as found:
        yield found


@contextmanager
def serving(folder: Path, store: EmbeddedStore) -> Iterator[tuple[Program, str]]:
    """A service, and its address."""
    address = f"127.0.0.1:{free_port()}"
    words = ("--workers", "1", "--drain-seconds", "0.2", "--durability", "everysec", "--log-level", "warning")
    command = alhambra("serve", "--listen", address, "--store", store.url, *words)
    program = Program("service", folder, None, command, SAYS_GRPC)
    program.start()
    try:
        yield program, address
    finally:
        program.kill()


def ask_over_grpc(load: Load, number: int, address: str) -> None:
    """Creates games, which are changes, and reads."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(address, options) as channel:
        catalog, games = service_pb2_grpc.CatalogServiceStub(channel), service_pb2_grpc.GameServiceStub(channel)
        create = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(), games_pb2.SeatSetup()])
        try:
            while True:
                games.CreateGame(create, timeout=PATIENCE)
                for _ in range(5):
                    catalog.ListEditions(catalog_pb2.ListEditionsRequest(), timeout=PATIENCE)
                    load.answered[number] += 1
        except grpc.RpcError as error:
            failed: Any = error
            if not was_not_sent(error) and not is_stopping(error):
                load.unanswered.append(f"{failed.code()} {failed.details()}")


def test_a_service_that_stops_answers_every_call_that_was_sent(store: EmbeddedStore, tmp_path: Path) -> None:
    for number in range(ROUNDS):
        load = Load()
        (tmp_path / str(number)).mkdir()
        with (
            serving(tmp_path / str(number), store) as (service, address),
            clients(load, lambda load, number, at=address: ask_over_grpc(load, number, at)),
        ):
            os.kill(service.pid, signal.SIGTERM)
        assert load.unanswered == []
