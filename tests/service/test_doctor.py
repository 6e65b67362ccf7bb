"""`alhambra doctor` says what is wrong with a store and its games, and what to do about it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from alhambra_service import limits
from alhambra_service.process.doctor import Finding, examine
from alhambra_service.store import Durability, EmbeddedStore
from alhambra_service.store.connection.connect import StoreClient, connect
from alhambra_service.store.keys import DEFAULT_TENANT, index_key, state_key
from alhambra_service.store.stored_game import write_stored_game

from .commands import command
from .playing import Host
from .serving import GameServer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "store", fsync="always") as found:
        yield found


@pytest.fixture
def server(store: EmbeddedStore) -> Iterator[GameServer]:
    found = GameServer(store.url)
    yield found
    found.stop()


@pytest.fixture
def client(store: EmbeddedStore) -> Iterator[StoreClient]:
    found = connect(store.url)
    yield found
    found.close()


def findings(client: StoreClient, durability: Durability = Durability.ALWAYS) -> list[Finding]:
    return list(examine(client, durability))


def wrong(client: StoreClient) -> list[Finding]:
    return [finding for finding in findings(client) if finding.good is False]


def test_a_sound_store_has_nothing_wrong(server: GameServer, client: StoreClient) -> None:
    Host(server.address).create(2)
    assert wrong(client) == []
    assert "Every game can be read: 1." in [finding.text for finding in findings(client)]


def test_games_of_newer_versions_and_damaged_ones_are_named_with_what_to_do(
    server: GameServer, client: StoreClient
) -> None:
    host = Host(server.address)
    newer, damaged = host.create(2).id, host.create(2).id
    record = server.store.read_game(newer)
    written = write_stored_game(replace(record, options={**record.options, "version": 99}))
    client.write(state_key(newer), "SET", state_key(newer), written)
    client.write(state_key(damaged), "SET", state_key(damaged), b"nonsense")
    found = {finding.text: finding.advice for finding in wrong(client)}
    assert f"Games that are written by a newer version: 1 ({newer})." in found
    assert "ENGINE_TOO_OLD" in found[f"Games that are written by a newer version: 1 ({newer})."]
    assert "backup" in found[f"Games that are damaged: 1 ({damaged})."]


def test_a_game_that_is_missing_in_the_list_is_found(server: GameServer, client: StoreClient) -> None:
    game = Host(server.address).create(2).id
    client.write(index_key(DEFAULT_TENANT), "ZREM", index_key(DEFAULT_TENANT), game)
    (found,) = wrong(client)
    assert found.text == f"Games that no list shows: 1 ({game})."
    assert "alhambra reindex" in found.advice


def test_a_promise_that_the_store_does_not_keep_and_a_wrong_clock_are_told(
    client: StoreClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alhambra_service.process.doctor.time.time", lambda: 5.0)
    assert any("differ by" in finding.text and "NTP" in finding.advice for finding in wrong(client))
    assert any("replica" in finding.text for finding in examine(client, Durability.REPLICATED, 1) if not finding.good)
    assert limits.DOCTOR_CLOCK_SECONDS > 0


def test_the_command_prints_its_findings_and_fails_if_something_is_wrong(
    server: GameServer, store: EmbeddedStore, client: StoreClient
) -> None:
    game = Host(server.address).create(2).id
    run = subprocess.run(command("doctor", "--store", store.url), capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "fine   Every game can be read: 1." in run.stdout
    client.write(state_key(game), "SET", state_key(game), b"nonsense")
    run = subprocess.run(command("doctor", "--store", store.url), capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert f"WRONG  Games that are damaged: 1 ({game})." in run.stdout
