"""An embedded store without room on its disk, descriptors or memory: it is named, games are read, nothing is lost."""

from __future__ import annotations

import errno
import logging
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from redis.exceptions import ConnectionError as BrokenConnection

from alhambra_service import limits
from alhambra_service.process.doctor import examine, examine_files
from alhambra_service.rpc.health import FAULT_METADATA, Health
from alhambra_service.store import Durability, EmbeddedStore, StoreMisconfigured, StoreUnavailable, Trouble
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.connection.wire import Server
from alhambra_service.store.embedded import capacity, embedded_store

from ..playing import Game, Host, failure, play, random_move, refused
from ..serving import GameServer
from ..whole_games import assert_whole
from .servers import await_true

HUGE = 1 << 60
"""More bytes than a disk has."""


class Called:
    """The context of a call, as far as health uses it."""

    def __init__(self) -> None:
        self.metadata: dict[str, bytes] = {}

    def set_trailing_metadata(self, metadata: tuple[tuple[str, bytes], ...]) -> None:
        self.metadata = dict(metadata)


class Place:
    """An embedded store, a service on it with its health, and a game."""

    def __init__(self, folder: Path) -> None:
        self.store = EmbeddedStore(folder)
        self.store.start()
        self.server = GameServer(self.store.url)
        self.health = Health(self.server.store.unready, every=0.1)
        self.health.start()
        self.host = Host(self.server.address)
        self.game = self.host.create(2)
        play(self.game, Random(3), moves=5)

    def fault(self) -> str:
        """What the health service says is wrong."""
        from grpc_health.v1 import health_pb2

        called = Called()
        answer = self.health.servicer.Check(health_pb2.HealthCheckRequest(), called)  # type: ignore[arg-type]
        told = called.metadata.get(FAULT_METADATA, b"").decode()
        assert (answer.status == health_pb2.HealthCheckResponse.SERVING) is (told == "")
        return told

    def await_fault(self, words: str) -> None:
        await_true(lambda: words in self.fault(), f"health says: {words}")

    def await_green(self) -> None:
        await_true(lambda: not self.fault(), "health is good", 60)

    def next_move(self, request_id: str) -> tuple[int, Callable[[], object]]:
        return next_move(self.game, request_id)

    def stop(self) -> None:
        self.health.drain()
        self.health._thread.join()
        self.host.close()
        self.server.stop()
        self.store.stop()


def next_move(game: Game, request_id: str) -> tuple[int, Callable[[], object]]:
    view = game.view()
    seat = game.seats[view.decision.seat]
    move, version = random_move(seat, view.version, Random(4))
    return view.version, lambda: seat.apply(move, version, request_id=request_id)


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="alh-test-") as name:
        yield Path(name) / "data"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A script of shell commands, which may be changed, that run before the server."""
    found = embedded_store.find_program()
    script = tmp_path / "valkey-server"
    before = tmp_path / "before.sh"
    before.write_text("")
    script.write_text(f'#!/bin/sh\ntrap "" XFSZ\n. {before}\nexec {found} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setattr(embedded_store, "find_program", lambda: script)
    return before


@pytest.fixture
def place(folder: Path) -> Iterator[Place]:
    one = Place(folder)
    yield one
    one.stop()


@pytest.fixture
def scripted(folder: Path, program: Path) -> Iterator[Place]:
    one = Place(folder)
    yield one
    one.stop()


class Reader:
    """Reads a game all the time."""

    def __init__(self, game: Game) -> None:
        self.reads = 0
        self.failures: list[BaseException] = []
        self._game = game
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read)

    def _read(self) -> None:
        while not self._ended.is_set():
            try:
                self._game.view()
                self.reads += 1
            except BaseException as fault:
                self.failures.append(fault)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *about: object) -> None:
        self._ended.set()
        self._thread.join()


# -- The disk ---------------------------------------------------------------------------------------------------------


def test_a_disk_that_is_nearly_full_stops_writes_before_the_store_dies(
    place: Place, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    place.await_green()
    pid = place.store.pid
    version, move = place.next_move("kept")
    with Reader(place.game) as reader:
        monkeypatch.setattr(limits, "EMBEDDED_FREE_BYTES", HUGE)
        place.await_fault(f"The disk of {folder} is full: make room on it.")
        for _ in range(3):
            found = failure(move)
            assert (found.reason, "cannot write to its disk" in found.message) == ("STORE_READ_ONLY", True)
        assert refused(lambda: place.host.create(2)) == "STORE_READ_ONLY"
        other = place.host.game(place.game.id, {})
        assert other.view().version == version
        monkeypatch.setattr(limits, "EMBEDDED_FREE_BYTES", 0)
        place.await_green()
    assert move() is not None
    assert len(assert_whole(place.server.store, place.game.id)) == version + 1
    assert (reader.failures, reader.reads > 0) == ([], True)
    assert place.store.pid == pid
    told = [record.getMessage() for record in caplog.records if f"The disk of {folder} is full" in record.getMessage()]
    assert len([line for line in told if "The embedded store takes no writes" in line]) == 1
    assert any("takes writes again" in record.getMessage() for record in caplog.records)


def test_a_service_starts_on_a_full_disk_and_reads_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(folder)
    place.stop()
    monkeypatch.setattr(limits, "EMBEDDED_FREE_BYTES", HUGE)
    with EmbeddedStore(folder) as store:
        server = GameServer(store.url)
        host = Host(server.address)
        try:
            assert host.game(place.game.id, {}).view().version == 5
            assert server.store.unready() == f"The disk of {folder} is full: make room on it."
            monkeypatch.setattr(limits, "EMBEDDED_FREE_BYTES", 0)
            await_true(lambda: server.store.unready() is None, "the store takes writes again", 60)
        finally:
            host.close()
            server.stop()


def test_doctor_names_the_disk(place: Place, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EMBEDDED_FREE_BYTES", HUGE)
    words = f"The disk of {folder} is full: make room on it."
    assert words in [finding.text for finding in examine_files(folder) if finding.good is False]
    place.await_fault(words)
    wrong = [finding.text for finding in examine(place.server.store.client, Durability.ALWAYS) if finding.good is False]
    assert wrong == [words]


def forbid_growth(store: EmbeddedStore, before: Path) -> None:
    """From now on the files of the store must not grow, also after a restart."""
    largest = max(path.stat().st_size for path in store.folder.glob("appendonlydir/*"))
    before.write_text(f"ulimit -S -f {largest // 512}\n")
    limit_of(store, resource.RLIMIT_FSIZE, largest)


def limit_of(store: EmbeddedStore, kind: int, soft: int) -> None:
    assert store.pid is not None
    _, hard = resource.prlimit(store.pid, kind)
    resource.prlimit(store.pid, kind, (soft, hard))


def test_a_store_that_cannot_write_comes_back_for_readers_and_loses_nothing(
    scripted: Place, program: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = scripted
    place.await_green()
    version, move = place.next_move("kept")
    with Reader(place.game) as reader:
        forbid_growth(place.store, program)
        reasons = {refused(move) for _ in range(5)}
        assert reasons <= {"STORE_READ_ONLY", "OUTCOME_UNKNOWN", "STORE_UNAVAILABLE"}
        place.await_fault(f"The files in {folder} have reached the file size limit")
        await_true(lambda: refused(move) == "STORE_READ_ONLY", "the reason is told")
        assert place.game.view().version == version
        program.write_text("")
        if place.store.pid is not None:
            limit_of(place.store, resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
        place.await_green()
    assert move() is not None
    assert len(assert_whole(place.server.store, place.game.id)) == version + 1
    assert (reader.failures, reader.reads > 0) == ([], True)
    assert place.store.restarts > 0
    assert any(
        f"The files in {folder} have reached the file size limit" in record.getMessage() for record in caplog.records
    )


@pytest.mark.check_only
def test_games_in_memory_are_read_while_the_store_cannot_start(scripted: Place, program: Path, folder: Path) -> None:
    place = scripted
    place.await_green()
    other = place.host.create(2)
    place.server.store.cache.changed(other.id)  # it is not in memory any more
    version, move = place.next_move("kept")
    program.write_text(f'echo "Can not open the file: {os.strerror(errno.EROFS)}"\nexit 1\n')
    assert place.store.pid is not None
    with Reader(place.game) as reader:
        os.kill(place.store.pid, signal.SIGKILL)
        await_true(
            lambda: place.store.trouble == f"The disk of {folder} is read-only: mount it for writing.", "it fails"
        )
        for _ in range(20):
            assert place.game.view().version == version
        assert refused(other.view) == "STORE_UNAVAILABLE"
        assert refused(move) == "STORE_UNAVAILABLE"
        program.write_text("")
        place.await_green()
    assert (reader.failures, reader.reads > 0) == ([], True)
    assert move() is not None
    assert place.game.view().version == version + 1


def test_a_game_is_not_read_from_memory_by_a_reader_who_needs_the_newest(scripted: Place, program: Path) -> None:
    place = scripted
    place.await_green()
    version = place.game.view().version
    program.write_text("exit 1\n")
    assert place.store.pid is not None
    os.kill(place.store.pid, signal.SIGKILL)
    await_true(lambda: place.store.restarts > 0, "it fails")
    assert place.game.view(version).version == version
    assert refused(lambda: place.game.view(version + 1)) == "STORE_UNAVAILABLE"
    with pytest.raises(StoreUnavailable):
        place.server.store.load(place.game.id, fresh=True)
    program.write_text("")


def test_a_store_that_cannot_begin_says_why(folder: Path, program: Path) -> None:
    program.write_text(f'echo "Can not create the folder: {os.strerror(errno.EROFS)}"\nexit 1\n')
    with pytest.raises(StoreMisconfigured, match=rf"does not start: The disk of {folder} is read-only"):
        EmbeddedStore(folder).start()


# -- Memory, descriptors ----------------------------------------------------------------------------------------------


def test_a_store_without_memory_is_named_and_comes_back(
    scripted: Place, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = scripted
    place.await_green()
    client = connect(place.store.url)
    version, move = place.next_move("kept")
    try:
        with Reader(place.game) as reader:
            assert place.store.pid is not None
            pages = int(Path(f"/proc/{place.store.pid}/statm").read_text("ascii").split()[0])
            limit_of(place.store, resource.RLIMIT_AS, pages * resource.getpagesize())
            for number in range(1_000):
                try:
                    client.servers()[0].ask("SET", f"alh:ballast:{number}", b"x" * (1 << 20))
                except Exception:
                    break
            await_true(
                lambda: any(
                    f"The machine has no more memory for the store in {folder}." in record.getMessage()
                    for record in caplog.records
                ),
                "it is named",
            )
            await_true(lambda: not place.store.trouble, "the store takes writes again", 60)
            await_true(lambda: place.server.store.unready() is None, "it can be written to")
        assert move() is not None
        assert len(assert_whole(place.server.store, place.game.id)) == version + 1
        assert (reader.failures, reader.reads > 0) == ([], True)
    finally:
        client.close()


def test_a_store_that_takes_no_more_connections_is_named(place: Place) -> None:
    place.await_green()
    client, lines = connect(place.store.url), []
    server = client.servers()[0]
    try:
        used = int(server.info("clients")["connected_clients"])
        server.ask("CONFIG", "SET", "maxclients", used)
        for _ in range(limits.STORE_CONNECTIONS):
            place.server.store.client.servers()[0].retire()  # connections of the service come and go
            lines.append(server.dial())
        place.await_fault("takes no more connections")
        place.server.store.cache.everything_changed()
        found = failure(place.game.view)
        assert found.reason == "STORE_UNAVAILABLE"
    finally:
        for line in lines:
            line.disconnect()
        client.close()
    place.await_green()
    assert place.game.view().version == 5


@pytest.mark.parametrize("words", ["max number of clients reached", "Error 24 connecting: Too many open files."])
def test_missing_descriptors_have_a_trouble_of_their_own(words: str) -> None:
    assert Server("store", {"path": "/nowhere"})._unreached(BrokenConnection(words)).trouble is Trouble.CROWDED


def test_errors_are_found_in_the_words_of_a_server() -> None:
    assert capacity.error_in(["# Error writing to the AOF file: No space left on device", "# Exiting"]) == errno.ENOSPC
    assert capacity.error_in(["Out Of Memory allocating 12 bytes!"]) == errno.ENOMEM
    assert capacity.error_in(["Ready to accept connections"]) == 0
    assert capacity.explain_error(errno.EPIPE, "/x") == "The store in /x cannot write: Broken pipe."
