"""A store behind TLS, without a password: every start works, although TLS 1.3 sends tickets nobody asked for."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from alhambra_service.store.connection import wire
from alhambra_service.store.connection.client import connect

from .conftest import OpenStore
from .samples import assert_intact, await_version, created
from .servers import RealServer
from .tls import TlsDoor


@pytest.fixture
def door(server: RealServer, tmp_path: Path) -> Iterator[TlsDoor]:
    one = TlsDoor(server.port, tmp_path)
    yield one
    one.stop()


def test_every_new_connection_over_tls_can_be_used(door: TlsDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(connection: wire.Connection) -> bool:
        """Looks whether a fresh connection has something to read when the tickets have certainly come."""
        time.sleep(0.02)
        return bool(can_read(connection))

    can_read = wire._library.SSLConnection.can_read
    monkeypatch.setattr(wire._library.SSLConnection, "can_read", late)
    for _ in range(10):
        client = connect(door.url)
        try:
            assert client.read("alh:nothing", "GET", "alh:nothing") is None
        finally:
            client.close()


def test_games_are_created_played_and_heard_of_over_tls(door: TlsDoor, open_store: OpenStore) -> None:
    here, there = open_store(door.url), open_store(door.url)
    game = created(here)
    there.load(game)
    here.commit(game, here.load(game), ["0 pass"])
    await_version(there, game, 1)
    assert here.unready() is None
    assert len(assert_intact(here, game)) == 1
