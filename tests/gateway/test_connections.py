"""Connections: how a request may come in and an answer go out, what an address may hold, and how a connection ends."""

from __future__ import annotations

import json
import re
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from gunicorn.config import Config

from alhambra_gateway import limits as usual
from alhambra_gateway.connections.connection import Connection, State
from alhambra_gateway.connections.poller import PollingWorker
from tests.service.store.servers import await_true

from .http import Client
from .product import Product, Running, gateway
from .raw import PATIENCE, RawAnswer, connect, exchange

FEW = 4
LIMITS = {
    "HEAD_SECONDS": 0.5,
    "BODY_SECONDS": 0.5,
    "SILENT_SECONDS": 0.5,
    "STALLED_SECONDS": 1,
    "DEADLINE_TICK_SECONDS": 0.05,
}
FEW_OF_EVERYTHING = {"UNFINISHED_PER_ADDRESS": FEW, "IDLE_PER_ADDRESS": FEW, "STREAMS_PER_ADDRESS": FEW}
PROXY = ("--trusted-proxies", "127.0.0.1/32")
UNFINISHED = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def hurried(product: Product) -> Iterator[Running]:
    """A gateway that waits for its clients for a moment only."""
    with gateway(product.grpc, limits=LIMITS) as found:
        yield found


@pytest.fixture(scope="module")
def narrow(product: Product) -> Iterator[Running]:
    """A gateway behind a proxy, which keeps a few connections for each address."""
    with gateway(product.grpc, *PROXY, limits=FEW_OF_EVERYTHING) as found:
        yield found


@pytest.fixture(scope="module")
def direct(product: Product) -> Iterator[Running]:
    """The same without a proxy."""
    with gateway(product.grpc, limits=FEW_OF_EVERYTHING) as found:
        yield found


def read_answer(connection: socket.socket) -> RawAnswer:
    """The next answer on a connection that may have more."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(1)
        assert part, received
        received += part
    lines = received.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
    body = b""
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(int(headers["content-length"]) - len(body))
    return RawAnswer(int(lines[0].split()[1]), headers, body)


def has_ended(connection: socket.socket) -> bool:
    """Whether the other side has hung up. Reads what is there."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    return True


# -- How a request may come in -----------------------------------------------------------------------------------------


def test_a_request_may_come_in_byte_by_byte(product: Product) -> None:
    body = b'{"seats":[{},{}]}'
    head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert exchange(product.http, *(whole[i : i + 1] for i in range(len(whole)))).status == 200


@pytest.mark.parametrize("in_chunks", [False, True])
def test_the_largest_body_is_read(product: Product, in_chunks: bool) -> None:
    with connect(product.http) as connection:
        body = json.dumps({"seats": [{}, {}]}).encode().ljust(usual.BODY_BYTES)
        head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        if in_chunks:
            parts = [body[i : i + 10_000] for i in range(0, len(body), 10_000)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])
            head += b"Transfer-Encoding: chunked\r\n\r\n"
        else:
            head += b"Content-Length: %d\r\n\r\n" % len(body)
        connection.sendall(head + body)
        assert read_answer(connection).status == 200


def test_requests_that_come_in_together_are_answered_in_their_order(product: Product) -> None:
    body = b"3\r\n{} \r\n0\r\n\r\n"
    chunked = b"POST /v1/nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    with connect(product.http) as connection:
        connection.sendall(GET + chunked + UNFINISHED + b'\r\n{"a": 1} ' + GET + GET[:10])
        assert [read_answer(connection).status for _ in range(4)] == [200, 404, 400, 200]
        connection.sendall(GET[10:])
        assert read_answer(connection).status == 200


def test_a_client_that_waits_for_a_sign_before_its_body_gets_one_sign(product: Product) -> None:
    body = b'{"seats":[{},{}]}'
    head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
    with connect(product.http) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body))
        assert read_answer(connection).status == 100
        connection.sendall(body)
        assert read_answer(connection).status == 200
        connection.sendall(GET)
        assert read_answer(connection).status == 200


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(product: Product) -> None:
    head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    with connect(product.http) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % (usual.BODY_BYTES + 1))
        answer = read_answer(connection)
        assert (answer.problem["reason"], answer.headers["connection"]) == ("BODY_TOO_LARGE", "close")


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: %d\r\n\r\n" % (usual.BODY_BYTES + 1),
        b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        b"Content-Length: 3, 3\r\n\r\n",
        b"Transfer-Encoding: identity\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1\r\n  \r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffff\r\n",
    ],
)
def test_what_follows_a_doubtful_body_is_never_a_request(product: Product, framing: bytes) -> None:
    with connect(product.http) as connection:
        connection.sendall(b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\n" + framing + GET * 3)
        assert read_answer(connection).status in (400, 413)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""


def test_a_body_that_ends_early_is_refused(product: Product) -> None:
    with connect(product.http) as connection:
        connection.sendall(UNFINISHED + b"\r\n{")
        connection.shutdown(socket.SHUT_WR)
        answer = read_answer(connection)
        assert (answer.problem["reason"], answer.problem["detail"][:18]) == ("REQUEST_MALFORMED", "The body is shorte")


# -- Time --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [UNFINISHED, b"G", UNFINISHED + b"\r\n", UNFINISHED + b"\r\n{"])
def test_a_request_that_is_not_sent_in_time_is_answered_with_408(hurried: Running, begun: bytes) -> None:
    answer = exchange(hurried.http, begun)
    assert (answer.status, answer.problem["reason"]) == (408, "DEADLINE_PASSED")
    assert answer.headers["connection"] == "close"


def test_dribbling_does_not_give_more_time(hurried: Running) -> None:
    with connect(hurried.http) as connection:
        connection.sendall(UNFINISHED)
        began = time.monotonic()
        while not has_ended(connection):
            assert time.monotonic() - began < PATIENCE
            connection.setblocking(True)
            try:
                connection.sendall(b"X")
            except OSError:
                break
            time.sleep(0.02)


def test_a_connection_on_which_nothing_is_sent_is_closed_without_an_answer(hurried: Running) -> None:
    with connect(hurried.http) as connection:
        assert connection.recv(1) == b""


def test_a_client_that_does_not_read_its_answer_is_hung_up_on(hurried: Running) -> None:
    parts = urlsplit(hurried.http)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(PATIENCE)
        connection.connect((parts.hostname or "", parts.port or 0))
        request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.sendall(request * 20)
        worker = hurried.gateway_workers()[0]
        await_true(lambda: _connections(worker, connection) == 0, "the gateway has closed it")


def _connections(worker: int, connection: socket.socket) -> int:
    """How many sockets a process has to this one."""
    import psutil

    ours = connection.getsockname()
    return sum(
        found.raddr == ours and found.status == psutil.CONN_ESTABLISHED
        for found in psutil.Process(worker).net_connections("tcp")
    )


def test_a_slow_reader_gets_its_whole_answer(product: Product) -> None:
    with Client(product.http) as client:
        expected = client.get("/openapi.json").body
    parts = urlsplit(product.http)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(PATIENCE)
        connection.connect((parts.hostname or "", parts.port or 0))
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET)
        assert read_answer(connection).body == expected
        assert read_answer(connection).status == 200


# -- Number ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [b"", b"GET / HT", UNFINISHED + b"\r\n{"])
def test_the_oldest_unfinished_request_of_an_address_gives_way(direct: Running, begun: bytes) -> None:
    with ExitStack() as stack:
        opened = []
        for _ in range(FEW + 2):
            opened.append(stack.enter_context(connect(direct.http)))
            opened[-1].sendall(begun)
            with Client(direct.http) as client:  # by now the gateway has seen it
                assert client.get("/healthz").status == 200
        for connection in opened[:2]:
            answer = read_answer(connection)
            assert (answer.status, answer.problem["reason"]) == (429, "RATE_LIMITED")
            assert connection.recv(1) == b""
        assert not has_ended(opened[-1])  # those between may have given way to the clients that asked for health


def test_behind_a_proxy_unfinished_bodies_are_counted_by_the_forwarded_address(narrow: Running) -> None:
    def begun(address: str) -> bytes:
        return UNFINISHED + f"X-Forwarded-For: {address}\r\n\r\n".encode() + b"{"

    with ExitStack() as stack:
        opened = []
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "2001:db8::4", "2001:db8::5"]:
            opened.append(stack.enter_context(connect(narrow.http)))
            opened[-1].sendall(begun(address))
            with Client(narrow.http) as client:
                assert client.get("/healthz").status == 200
        assert read_answer(opened[0]).status == 429
        assert not any(has_ended(connection) for connection in opened[1:])


def test_the_oldest_idle_connection_of_an_address_gives_way(direct: Running) -> None:
    with ExitStack() as stack:
        opened = []
        for _ in range(FEW + 2):
            opened.append(stack.enter_context(connect(direct.http)))
            opened[-1].sendall(GET)
            assert read_answer(opened[-1]).status == 200
        for connection in opened[:2]:
            assert connection.recv(1) == b""
        for connection in opened[-2:]:
            connection.sendall(GET)
            assert read_answer(connection).status == 200


def test_unfinished_requests_have_bounded_memory(product: Product) -> None:
    with gateway(product.grpc, limits={"UNFINISHED_BYTES": 100_000}) as front, ExitStack() as stack:
        head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
        first, second = (stack.enter_context(connect(front.http)) for _ in range(2))
        first.sendall(head + b" " * 55_000)
        with Client(front.http) as client:
            assert client.get("/healthz").status == 200
        second.sendall(head + b" " * 55_000)
        assert read_answer(first).problem["reason"] == "RATE_LIMITED"
        second.sendall(b" " * 5_000)
        assert read_answer(second).status == 415  # it is complete


def test_a_full_process_closes_connections_of_whoever_has_most(product: Product) -> None:
    few = {"CONNECTIONS_BESIDE": 40, "CONNECTIONS_SPARE": 16}
    with gateway(product.grpc, "--streams", "0", limits=few) as front, ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(connect(front.http))
        with Client(front.http) as client:
            assert client.get("/healthz").status == 200


def test_streams_are_counted_by_address(narrow: Running) -> None:
    with Client(narrow.http) as client:
        made = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}]}).json()
    path = f"/v1/games/{made['game']}/events"

    def status(address: str) -> int:
        opened.append(stack.enter_context(connect(narrow.http)))
        headers = f"Host: localhost\r\nAccept: text/event-stream\r\nX-Forwarded-For: {address}\r\n"
        opened[-1].sendall(f"GET {path} HTTP/1.1\r\n{headers}\r\n".encode())
        said = opened[-1].recv(1 << 12)
        found = re.match(rb"HTTP/1.1 ([0-9]+)", said)
        assert found is not None, said
        while int(found[1]) != 200 and b"WATCHERS_EXCEEDED" not in said:
            said += opened[-1].recv(1 << 12)
        return int(found[1])

    with ExitStack() as stack:
        opened: list[socket.socket] = []
        assert [status(f"2001:db8:5::{number}") for number in range(FEW + 1)] == [200] * FEW + [429]
        assert status("2001:db8:6::1") == 200
        opened[0].close()
        await_true(lambda: status("2001:db8:5::9") == 200, "another one may come when one has gone")


# -- Where gunicorn and the scanner disagree ---------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "kept"), [(b"hello", True), (b"hel", False)])
def test_a_connection_whose_request_turns_out_to_be_longer_is_closed(sent: bytes, kept: bool) -> None:
    """Whatever the scanner may have thought: the parser wanted more, so the next bytes cannot be a request."""
    theirs, ours = socket.socketpair()
    with theirs:
        worker: Any = PollingWorker(0, 0, [], Any, 0, Config(), Any)
        worker.alive, worker.nr_conns, worker.poller = True, 1, selectors.DefaultSelector()
        connection = Connection(Config(), ours, ("192.0.2.1", 1), ("192.0.2.2", 2), usual.BODY_BYTES)
        connection.received += b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n" + sent
        connection.hand_over()
        parser: Any = connection.parser
        assert next(parser).body.read() == sent
        connection.keep = parser.finish_body()
        worker._answered(connection)
        assert (connection.state is State.IDLE) == kept
        worker._drop(connection)
        assert worker.nr_conns == 0
        worker.poller.close()
        worker.tmp.close()
