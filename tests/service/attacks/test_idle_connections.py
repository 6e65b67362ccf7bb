"""Connections that do nothing, or hold on to what they have: each is closed in the end."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from alhambra_service import limits
from alhambra_service.rpc import server

from ..small import running
from ..store.servers import await_true
from .frames import Connection, message
from .peers import GAMES

SOON_MS = 500
PATIENCE = 60.0


@contextmanager
def listening(monkeypatch: pytest.MonkeyPatch, **changed: int) -> Iterator[int]:
    """The port of a server with other options than usual."""
    options = {name: changed.get(name.rpartition(".")[2], value) for name, value in server.OPTIONS}
    assert changed.keys() <= {name.rpartition(".")[2] for name in options}, "the server sets these options"
    monkeypatch.setattr(server, "OPTIONS", tuple(options.items()))
    with running() as here:
        yield here.port


def closed(connection: Connection) -> bool:
    connection.read(0.05)
    return connection.closed


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        listening(monkeypatch, server_handshake_timeout_ms=SOON_MS) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as silent,
    ):
        while silent.recv(1 << 16):
            pass  # the server may say what it speaks before it closes


def test_a_connection_is_closed_after_its_age_and_its_grace_whatever_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MESSAGE_SECONDS", 60.0)
    with (
        listening(monkeypatch, max_connection_age_ms=SOON_MS, max_connection_age_grace_ms=SOON_MS) as port,
        Connection(port) as peer,
    ):
        peer.call(f"{GAMES}/GetGame")
        await_true(lambda: closed(peer), "the connection is closed")


def test_a_connection_whose_peer_is_not_there_any_more_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        listening(monkeypatch, keepalive_time_ms=1_000, ping_timeout_ms=SOON_MS) as port,
        Connection(port) as peer,
    ):
        peer.answering = False
        peer.call(f"{GAMES}/GetGame", message(b"\x0a\x03abc"), end=True)
        await_true(lambda: closed(peer), "the connection is closed")


def test_a_peer_that_asks_all_the_time_is_warned_and_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(monkeypatch) as port, Connection(port) as peer:

        def asked() -> bool:
            peer.ping()
            return closed(peer)

        await_true(asked, "the connection is closed")
