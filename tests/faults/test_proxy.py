"""Lines do to connections what the faults are named after."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.small_server import SmallServer

from .proxy import HOST, Network, Proxy, Weather

SOON, LATER = 0.3, 10.0


class Echo(SmallServer):
    """A server that sends back what it gets, each piece behind a mark."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        while data := client.recv(1 << 16):
            self.heard.append(data)
            client.sendall(b">" + data)
        self.heard.append(b"end")
        client.sendall(b"bye")


@pytest.fixture
def echo() -> Iterator[Echo]:
    found = Echo()
    yield found
    found.stop()


@pytest.fixture
def line(echo: Echo) -> Iterator[Proxy]:
    network = Network()
    yield network.line(echo.port, [(b"REPLCONF", "replica")])
    network.close()


@pytest.fixture
def client(line: Proxy) -> Iterator[socket.socket]:
    """A client that has been heard once."""
    with dial(line) as found:
        assert asked(found, b"hello") == b">hello"
        yield found


def dial(line: Proxy) -> socket.socket:
    return socket.create_connection((HOST, line.port), LATER)


def asked(client: socket.socket, words: bytes, patience: float = LATER) -> bytes:
    """What comes back for some words; empty if the connection is closed or broken."""
    client.settimeout(patience)
    try:
        client.sendall(words)
        return client.recv(1 << 16)
    except ConnectionError:
        return b""


def test_a_cut_resets_connections_and_new_ones_work(line: Proxy, client: socket.socket) -> None:
    line.cut()
    assert asked(client, b"again") == b""
    with dial(line) as other:
        assert asked(other, b"new") == b">new"


def test_a_stalled_line_passes_everything_later(line: Proxy, client: socket.socket) -> None:
    line.change("test", Weather(blocked=True))
    with pytest.raises(TimeoutError):
        asked(client, b"late", SOON)
    line.clear("test")
    client.settimeout(LATER)
    assert client.recv(100) == b">late"


def test_a_partition_loses_what_was_sent(line: Proxy, client: socket.socket, echo: Echo) -> None:
    line.change("test", Weather(blocked=True))
    with pytest.raises(TimeoutError):
        asked(client, b"gone", SOON)
    line.clear("test", reset=True)
    assert asked(client, b"more") == b""
    assert b"gone" not in echo.heard


def test_a_request_whose_answer_is_lost_has_arrived(line: Proxy, client: socket.socket, echo: Echo) -> None:
    line.change("test", Weather(lose_answers=True))
    assert asked(client, b"do it") == b""
    assert b"do it" in echo.heard


def test_a_line_that_refuses_has_no_connections(line: Proxy, client: socket.socket) -> None:
    line.change("test", Weather(refuse=True))
    assert asked(client, b"old") == b""
    with suppress(ConnectionError), dial(line) as other:
        assert asked(other, b"new") == b""


def test_a_half_closed_connection_still_works_the_other_way(line: Proxy, client: socket.socket, echo: Echo) -> None:
    line.half_close(towards_client=False)
    client.settimeout(LATER)
    assert client.recv(100) == b"bye"
    assert echo.heard[-1] == b"end"


@pytest.mark.parametrize("weather", [Weather(delay=0.05), Weather(reorder=True), Weather(trickle=True)])
def test_bytes_of_a_connection_keep_their_order(line: Proxy, client: socket.socket, weather: Weather) -> None:
    line.change("test", weather)
    sent = b"".join(b"%04d" % number for number in range(200))
    client.sendall(sent)
    client.settimeout(LATER)
    found = b""
    while len(found.replace(b">", b"")) < len(sent):
        found += client.recv(1 << 16)
    assert found.replace(b">", b"") == sent


def test_a_fault_hits_only_the_speakers_that_are_meant(line: Proxy, client: socket.socket) -> None:
    with dial(line) as replica:
        assert asked(replica, b"REPLCONF listening-port 1") != b""
        line.change("test", Weather(refuse=True, hits=frozenset({"replica"})))
        assert asked(replica, b"more") == b""
        assert asked(client, b"more") == b">more"


def test_the_end_of_one_cause_leaves_the_other(line: Proxy, client: socket.socket) -> None:
    line.change("one", Weather(blocked=True))
    line.change("other", Weather(blocked=True))
    line.clear("one")
    with pytest.raises(TimeoutError):
        asked(client, b"late", SOON)
    line.clear("other")
    client.settimeout(LATER)
    assert client.recv(100) == b">late"
