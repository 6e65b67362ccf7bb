"""A store that is full, read-only, short of replicas, slow or gone: clients are told why, and nothing is lost."""

import logging
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import cast

import grpc
import pytest
from grpc_health.v1 import health_pb2
from redis.exceptions import ResponseError

from alhambra_api.v1 import moves_pb2
from alhambra_service import limits
from alhambra_service.rpc.health import NOT_SERVING, SERVING, Health
from alhambra_service.store import EmbeddedStore, Trouble, keys
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.connection.wire import Server, trouble_of

from .playing import Game, Host, failure, play, random_move, refused
from .serving import GameServer
from .store.servers import RealServer, await_true
from .whole_games import assert_whole

NOTICED_WITHIN = 5.0
GONE = "gonegonegonegone"


class Place:
    """A server of games on a store of its own, with its readiness."""

    def __init__(self, store_url: str) -> None:
        self.server = GameServer(store_url)
        self.host = Host(self.server.address)
        self.health = Health(self.server.store.unready, every=0.05)
        self.health.start()

    @property
    def serving(self) -> bool:
        answer = self.health.servicer.Check(health_pb2.HealthCheckRequest(), cast(grpc.ServicerContext, None))
        assert answer.status in (SERVING, NOT_SERVING)
        return bool(answer.status == SERVING)

    def await_red(self) -> None:
        await_true(lambda: not self.serving, "readiness turns red", NOTICED_WITHIN)

    def await_green(self) -> None:
        await_true(lambda: self.serving, "readiness turns green", NOTICED_WITHIN)

    def stop(self) -> None:
        self.health.drain()
        self.health._thread.join()
        self.host.close()
        self.server.stop()


@pytest.fixture
def store() -> Iterator[RealServer]:
    one = RealServer()
    yield one
    one.stop()


@pytest.fixture
def place(store: RealServer) -> Iterator[Place]:
    one = Place(store.url)
    yield one
    one.stop()


def next_move(game: Game, request_id: str) -> tuple[int, Callable[[], moves_pb2.ApplyMoveResponse]]:
    """The version before a move, and the call that makes it."""
    view = game.view()
    seat = game.seats[view.decision.seat]
    move, version = random_move(seat, view.version, Random(4))
    return view.version, lambda: seat.apply(move, version, request_id=request_id)


# -- Full -------------------------------------------------------------------------------------------------------------


def fill(server: Server) -> None:
    """Writes until the store takes no more, and then takes some room away: buffers come and go."""
    for number in range(10_000):
        try:
            server.ask("SET", f"alh:ballast:{number}", b"x" * (1 << 16))
        except ResponseError as refusal:
            assert trouble_of(refusal) is Trouble.FULL
            server.ask("CONFIG", "SET", "maxmemory", "5mb")
            return
    raise AssertionError("the store is not bounded")


def test_a_full_store_refuses_changes_with_the_true_reason_and_goes_on_when_it_has_room(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "store", memory_mib=6) as embedded:
        client, place = connect(embedded.url), Place(embedded.url)
        server = client.servers()[0]
        try:
            place.await_green()
            game, doomed = place.host.create(2), place.host.create(2)
            play(game, Random(3), moves=5)
            version, move = next_move(game, "kept")
            fill(server)
            assert refused(move) == "STORE_FULL"
            assert refused(place.host.create) == "STORE_FULL"
            place.await_red()
            assert game.view().version == version  # out of memory
            assert len(place.server.store.log(game.id)) == version  # and nothing of the move is in the store
            place.server.store.forget(doomed.id, "local")  # deleting makes room and must be possible
            assert refused(doomed.view) == "GAME_NOT_FOUND"
            server.ask("CONFIG", "SET", "maxmemory", "12mb")
            place.await_green()
            assert move().version == version + 1
            assert move().version == version + 1  # the same request again: made once
            assert len(assert_whole(place.server.store, game.id)) == version + 1
            assert place.host.create(2).view().version == 0
        finally:
            place.stop()
            client.close()


def test_a_game_whose_deadline_is_over_is_read_from_a_full_store_and_goes_on_later(
    place: Place, store: RealServer
) -> None:
    game = place.host.create(2, turn_seconds=1)
    store.ask("CONFIG", "SET", "maxmemory", 1)
    deadline = game.created.view.decision.deadline.ToMilliseconds()
    await_true(lambda: place.server.commands.now() > deadline, "the time of the decision is over")
    assert game.view().version == 0
    store.ask("CONFIG", "SET", "maxmemory", 0)
    await_true(lambda: game.view().version >= 1, "the decision is taken")


def test_a_process_that_starts_on_a_full_store_reads_games(place: Place, store: RealServer) -> None:
    game = place.host.create(2)
    play(game, Random(3), moves=2)
    store.ask("CONFIG", "SET", "maxmemory", 1)
    later = Place(store.url)
    try:
        assert later.host.game(game.id, {}).view().version == 2
        assert not later.serving
    finally:
        later.stop()


# -- Read-only, too few replicas --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("break_it", "repair", "reason", "words"),
    [
        (
            ("REPLICAOF", "127.0.0.1", 1),
            ("REPLICAOF", "NO", "ONE"),
            "STORE_READ_ONLY",
            "You can't write against a read only replica",
        ),
        (
            ("CONFIG", "SET", "min-replicas-to-write", 1),
            ("CONFIG", "SET", "min-replicas-to-write", 0),
            "STORE_REPLICAS_MISSING",
            "NOREPLICAS Not enough good replicas to write",
        ),
    ],
)
def test_a_store_that_takes_no_writes_says_why_and_games_are_read_from_memory(
    place: Place,
    store: RealServer,
    caplog: pytest.LogCaptureFixture,
    break_it: tuple[str | int, ...],
    repair: tuple[str | int, ...],
    reason: str,
    words: str,
) -> None:
    caplog.set_level(logging.INFO)
    game = place.host.create(2)
    play(game, Random(3), moves=3)
    version, move = next_move(game, "later")
    place.await_green()
    store.ask(*break_it)
    place.await_red()
    for _ in range(3):
        assert refused(move) == reason
        assert game.view().version == version
    said = [record for record in caplog.records if words in record.getMessage()]
    told_by = [record.name.rpartition(".")[2] for record in said]
    assert set(told_by) <= {"health", "store_client"}
    assert told_by.count("store_client") <= 1
    # The service of the test before may still check the store once, in a thread of its own.
    reports: defaultdict[object, list[str]] = defaultdict(list)
    for record in caplog.records:
        if record.name.endswith(".health"):
            reports[record.thread].append(record.getMessage())
    assert "health" in told_by
    for told in reports.values():
        assert all(one != other for one, other in pairwise(told)), "once per change, not per call"
    store.ask(*repair)
    place.await_green()
    assert move().version == version + 1


@pytest.mark.parametrize(
    ("words", "trouble"),
    [
        ("MISCONF Errors writing to the AOF file: No space left on device", Trouble.READ_ONLY),
        ("Error running script (call to f_1): @user_script: 9: -OOM command not allowed when …", Trouble.FULL),
        ("NOREPLICAS Not enough good replicas to write. script: 1, on @user_script:9.", Trouble.REPLICAS_MISSING),
        ("NOPERM this user has no permissions to run the 'set' command", Trouble.UNREACHABLE),
    ],
)
def test_the_code_of_a_refusal_is_found_wherever_a_script_puts_it(words: str, trouble: Trouble) -> None:
    assert trouble_of(ResponseError(words)) is trouble


def test_a_store_that_cannot_save_takes_no_writes_and_says_so(place: Place, store: RealServer) -> None:
    store.ask("CONFIG", "SET", "save", "3600 1")
    shutil.rmtree(store.folder)  # the file that it appends to is open; a new one cannot be made
    store.ask("BGSAVE")
    place.await_red()
    assert "takes no writes" in str(place.server.store.unready())
    assert "MISCONF" in str(place.server.store.unready())
    assert refused(lambda: place.host.create(2)) == "STORE_READ_ONLY"
    store.folder.mkdir()
    store.ask("CONFIG", "SET", "save", "")
    place.await_green()


# -- Slow, gone -------------------------------------------------------------------------------------------------------


def test_writes_that_stall_turn_readiness_red_although_reads_are_answered(place: Place, store: RealServer) -> None:
    game = place.host.create(2)
    place.await_green()
    store.ask("CLIENT", "PAUSE", 60_000, "WRITE")
    place.await_red()
    assert "needs more than 1 s" in str(place.server.store.unready())
    assert game.view().version == 0
    store.ask("CLIENT", "UNPAUSE")
    place.await_green()


def test_a_store_that_stands_still_is_called_slow_and_nothing_is_lost_or_done_twice(
    place: Place, store: RealServer
) -> None:
    game, other = place.host.create(2), place.host.create(2)
    play(game, Random(3), moves=3)
    version, move = next_move(game, "insisted")
    place.await_green()
    place.server.store.cache.changed(other.id)
    with ThreadPoolExecutor(1) as pool:
        os.kill(store.pid, signal.SIGSTOP)
        try:
            moving = pool.submit(refused, move)
            place.await_red()
            found = failure(other.view)
            assert found.reason == "STORE_SLOW"
            assert "in time" in found.message
            assert moving.result() == "OUTCOME_UNKNOWN"  # it was sent; only the store knows what became of it
            assert refused(move) == "STORE_SLOW"  # by now the game must be read first
        finally:
            os.kill(store.pid, signal.SIGCONT)
    place.await_green()
    assert move().version == version + 1
    assert len(assert_whole(place.server.store, game.id)) == version + 1


def test_a_store_that_is_gone_cannot_be_reached(place: Place, store: RealServer) -> None:
    place.await_green()
    store.kill()
    place.await_red()
    assert refused(lambda: place.host.create(2)) == "STORE_UNAVAILABLE"
    store.start()
    place.await_green()
    assert place.host.create(2).view().version == 0


def test_a_probe_leaves_nothing_behind_but_a_key_that_expires(place: Place, store: RealServer) -> None:
    place.await_green()
    found = store.ask("KEYS", "alh:probe:*")
    assert isinstance(found, list)
    assert len(found) == 1
    left = store.ask("PTTL", found[0])
    assert isinstance(left, int)
    assert 0 < left <= limits.PROBE_EXPIRES_MS
    assert keys.game_of(found[0]) is None
