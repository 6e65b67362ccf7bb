"""`rediss://` against a real server that speaks TLS itself, with and without a password."""

import time
from collections.abc import Iterator

import pytest

from alhambra_service.store.checks import Durability, require
from alhambra_service.store.connection import wire
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.errors import StoreUnavailable

from .conftest import OpenStore
from .samples import assert_intact, await_version, commit, created
from .tls import TlsServer

STARTS = 40
"""One of four starts failed before tickets were expected: this many starts find that with certainty."""
PASSWORD = "a-word-of-passage"


@pytest.fixture(scope="module", params=["", PASSWORD], ids=["no password", "password"])
def tls_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServer]:
    one = TlsServer(tmp_path_factory.mktemp("tls"), request.param)
    yield one
    one.stop()


def test_every_start_over_tls_succeeds(tls_server: TlsServer) -> None:
    for _ in range(STARTS):
        client = connect(tls_server.url)
        try:
            require(client, Durability.ALWAYS)
        finally:
            client.close()


def test_every_start_succeeds_when_tickets_come_before_the_first_command(
    tls_server: TlsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(connection: wire.Connection) -> bool:
        """Look whether a new connection has something to read when the tickets have certainly come."""
        time.sleep(0.02)
        return bool(can_read(connection))

    can_read = wire._library.SSLConnection.can_read
    monkeypatch.setattr(wire._library.SSLConnection, "can_read", late)
    for _ in range(5):
        client = connect(tls_server.url)
        try:
            assert client.read("alh:nothing", "GET", "alh:nothing") is None
        finally:
            client.close()


def test_games_are_played_over_tls_and_other_processes_hear_of_it(tls_server: TlsServer, open_store: OpenStore) -> None:
    here, there = open_store(tls_server.url), open_store(tls_server.url)
    game = created(here)
    there.load(game)
    commit(here, game, here.load(game), ["0 pass"])
    await_version(there, game, 1)
    assert here.unready() is None
    assert len(assert_intact(here, game)) == 1


def test_a_server_whose_authority_is_not_trusted_is_not_used(tls_server: TlsServer) -> None:
    stranger = tls_server.url.partition("?")[0]
    client = connect(stranger)
    try:
        with pytest.raises(StoreUnavailable, match=r"(?i)certificate"):
            client.servers()[0].ask("PING")
    finally:
        client.close()


def test_a_wrong_password_is_told_as_such(tls_server: TlsServer) -> None:
    address = tls_server.url.rpartition("@")[2].removeprefix("rediss://")
    client = connect(f"rediss://:wrong@{address}")
    try:
        with pytest.raises(StoreUnavailable, match=r"(?i)password|auth"):
            client.servers()[0].ask("PING")
    finally:
        client.close()
