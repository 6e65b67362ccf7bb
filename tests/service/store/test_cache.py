"""Games kept in the process: right in the end whatever the order of things, and never older than demanded."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alhambra_service import limits
from alhambra_service.store import (
    EmbeddedStore,
    GameNotFound,
    GameStore,
    Stale,
    StoredGame,
    StoreUnavailable,
    VersionAhead,
    keys,
)
from alhambra_service.store.memory.cache import GameCache
from alhambra_service.store.stored_game import read_stored_game

from .conftest import OpenStore
from .samples import asked, await_version, commit, created, moved, same
from .servers import RealServer, await_true


def pair(url: str, open_store: OpenStore) -> tuple[GameStore[StoredGame], GameStore[StoredGame]]:
    """Two processes, as far as the store can tell."""
    return open_store(url), open_store(url)


def advance(store: GameStore[StoredGame], game: str) -> int:
    """Commits one move, whoever else commits."""
    for _ in range(1_000):
        with suppress(Stale):
            return commit(store, game, store.load(game, fresh=True), ["0 pass"]).version
    raise AssertionError("never accepted")


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Meanwhile the process stands still."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_second_read_does_not_go_to_the_store(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    await_true(lambda: store.load(game) is store.load(game), "the game is kept")
    hits = store.cache.hits
    assert store.load(game) is store.load(game)
    assert store.cache.hits == hits + 2
    assert store.load(game, fresh=True) is not None
    assert store.cache.hits == hits + 2


def test_a_change_by_another_process_is_heard(url: str, open_store: OpenStore) -> None:
    here, there = pair(url, open_store)
    game = created(here)
    for version in range(1, 30):
        here.load(game)
        assert advance(there, game) == version
        await_version(here, game, version)


def test_a_change_between_the_answer_of_the_store_and_its_keeping_wins(url: str, open_store: OpenStore) -> None:
    there = open_store(url)
    game = created(there)
    heard = threading.Event()
    versions: list[int] = []

    def decode(record: StoredGame) -> StoredGame:
        """Decoding takes so long that another process commits, and the change is heard, in the meantime."""
        versions.append(record.version)
        if len(versions) == 1:
            advance(there, game)
            assert heard.wait(10)
        return record

    here: GameStore[StoredGame] = GameStore.open(url, decode)
    try:
        here.watch(game, heard.set)
        assert here.load(game).version == 0  # the reader asked before the change
        assert len(here.cache) == 0
        assert here.load(game).version == 1
    finally:
        here.close()


class SlowReader:
    """Decodes games only when it is told to, and counts how often."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.decoded = 0
        self.fault: Exception | None = None
        """What becomes of whoever begins to read next."""

    def __call__(self, record: StoredGame) -> StoredGame:
        fault, self.fault = self.fault, None
        self.decoded += 1
        self.begun.set()
        assert self.go_on.wait(10)
        if fault is not None:
            raise fault
        return record


@pytest.fixture
def slow(url: str) -> Iterator[tuple[GameStore[StoredGame], SlowReader]]:
    """A store that hears of changes, with a reader that takes its time."""
    reader = SlowReader()
    here: GameStore[StoredGame] = GameStore.open(url, reader)
    try:
        await_true(lambda: here.cache.listening, "changes are heard")
        yield here, reader
    finally:
        here.close()


def test_a_game_that_many_ask_for_at_once_is_read_once(
    url: str, open_store: OpenStore, slow: tuple[GameStore[StoredGame], SlowReader]
) -> None:
    here, reader = slow
    game = created(open_store(url))
    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(here.load, game)
        assert reader.begun.wait(10)
        others = [pool.submit(here.load, game) for _ in range(7)]
        await_true(pool._work_queue.empty, "everybody asks")
        time.sleep(0.05)  # so that whoever would read for itself has begun to
        assert reader.decoded == 1
        reader.go_on.set()
        assert all(other.result(10) is first.result(10) for other in others)
    assert reader.decoded == 1


def test_who_wants_a_game_as_it_is_now_does_not_wait_for_an_earlier_reader(
    url: str, open_store: OpenStore, slow: tuple[GameStore[StoredGame], SlowReader]
) -> None:
    here, reader = slow
    there = open_store(url)
    game = created(there)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(here.load, game)
        assert reader.begun.wait(10)
        follower = pool.submit(here.load, game, 1)  # wants more than the first reader brings
        advance(there, game)
        fresh = pool.submit(here.load, game, fresh=True)
        await_true(lambda: reader.decoded >= 2, "it reads for itself")
        reader.go_on.set()
        assert first.result(10).version == 0
        assert fresh.result(10).version == 1
        assert follower.result(10).version == 1


def test_a_reader_that_fails_fails_nobody_else(
    url: str, open_store: OpenStore, slow: tuple[GameStore[StoredGame], SlowReader]
) -> None:
    here, reader = slow
    game = created(open_store(url))
    reader.fault = RuntimeError("not decoded")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(here.load, game)
        assert reader.begun.wait(10)
        other = pool.submit(here.load, game)
        time.sleep(0.05)
        reader.go_on.set()
        with pytest.raises(RuntimeError, match="not decoded"):
            first.result(10)
        assert other.result(10).version == 0


def test_a_process_sees_its_own_commits_at_once(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    for version in range(1, 40):
        seen = store.load(game)
        assert commit(store, game, moved(seen, b"%d" % version), ["0 pass"]).version == version
        assert store.load(game).version == version


def test_a_reader_is_never_given_less_than_it_demands(url: str, open_store: OpenStore) -> None:
    here, there = pair(url, open_store)
    game = created(here)
    for _ in range(40):
        here.load(game)
        version = advance(there, game)
        assert here.load(game, version).version >= version
    with pytest.raises(VersionAhead) as refusal:
        here.load(game, 1_000)
    assert refusal.value.version == 40


def test_a_forgotten_game_is_forgotten_by_others_too(url: str, open_store: OpenStore) -> None:
    here, there = pair(url, open_store)
    game = created(here)
    here.load(game)
    there.forget(game)

    def gone() -> bool:
        try:
            here.load(game)
        except GameNotFound:
            return True
        return False

    await_true(gone, "the game is gone here")


def fail() -> None:
    raise RuntimeError("one that fails disturbs nobody")


def test_watchers_are_woken_by_every_commit_until_they_leave(url: str, open_store: OpenStore) -> None:
    here, there = pair(url, open_store)
    game, other = created(here), created(here)
    woken = threading.Event()
    end = here.watch(game, woken.set)
    here.watch(game, fail)
    for _ in range(3):
        woken.clear()
        advance(there, game)
        assert woken.wait(5)
    end()
    end()
    time.sleep(0.05)
    woken.clear()
    advance(there, game)
    advance(there, other)
    time.sleep(0.1)
    assert not woken.is_set()


def test_no_more_games_are_kept_than_allowed(server: RealServer, open_store: OpenStore) -> None:
    store = open_store(server.url)
    small = GameCache(store.client, read_stored_game, size=3)
    small.connected(store.client.servers()[0].name)
    games = [created(store) for _ in range(5)]
    for game in games:
        small.load(game)
    assert len(small) == 3
    misses = small.misses
    small.load(games[2])
    small.load(games[0])
    small.load(games[2])
    assert small.misses == misses + 1  # the one used last stays


def test_of_games_that_are_over_only_a_few_are_kept(
    server: RealServer, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CACHED_GAMES_OVER", 2)
    store = open_store(server.url)
    cache = GameCache(store.client, read_stored_game, over=lambda record: record.version > 0)
    cache.connected(store.client.servers()[0].name)
    running = [created(store) for _ in range(3)]
    ended = [created(store) for _ in range(5)]
    for game in ended:
        advance(store, game)
    for game in [*running, *ended]:
        cache.load(game)
    assert [cache.cached(game) is not None for game in running] == [True] * 3
    assert [cache.cached(game) is not None for game in ended] == [False, False, False, True, True]
    cache.changed(ended[4])  # whoever is gone takes up no room
    cache.load(ended[0])
    assert [cache.cached(game) is not None for game in ended] == [True, False, False, True, False]


def test_a_game_that_is_asked_for_stays_however_many_others_come(server: RealServer, open_store: OpenStore) -> None:
    store = open_store(server.url)
    small = GameCache(store.client, read_stored_game, size=3)
    small.connected(store.client.servers()[0].name)
    favourite, *others = (created(store) for _ in range(12))
    small.load(favourite)
    misses = small.misses
    for game in others:
        small.load(game)
        assert small.load(favourite).version == 0
        assert len(small) <= 3
    assert small.misses == misses + len(others)


def test_what_is_at_hand_is_given_without_asking_the_store(server: RealServer, open_store: OpenStore) -> None:
    store = open_store(server.url)
    game = created(store)
    assert store.cached(game) is None  # nobody has read it yet
    assert store.cached("no id of a game") is None
    await_true(lambda: store.load(game) is store.load(game), "the game is kept")
    assert store.cached(game) is store.load(game)
    assert store.cached(game, min_version=1) is None
    advance(store, game)
    assert store.cached(game) is None


def test_nothing_is_kept_before_the_store_is_heard(server: RealServer, open_store: OpenStore) -> None:
    store = open_store(server.url)
    game = created(store)
    unheard = GameCache(store.client, read_stored_game)
    assert unheard.load(game).version == unheard.load(game).version
    assert len(unheard) == 0


def test_a_listener_whose_line_breaks_flushes_and_comes_back(server: RealServer, open_store: OpenStore) -> None:
    here, there = open_store(server.url), open_store(server.url)
    game = created(here)
    woken = threading.Event()
    here.watch(game, woken.set)
    for _ in range(3):
        await_true(lambda: here.cache.listening and here.load(game) is here.load(game), "the game is kept")
        woken.clear()
        server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        assert woken.wait(5)  # watchers look for themselves
        version = advance(there, game)
        await_version(here, game, version)
    await_true(lambda: here.load(game) is here.load(game), "games are kept again")


def test_a_line_that_is_silent_counts_as_broken(open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRACKING_PING_SECONDS", 0.2)
    monkeypatch.setattr(limits, "TRACKING_ECHO_SECONDS", 1.5)
    monkeypatch.setattr(limits, "TRACKING_TICK_SECONDS", 0.05)
    lonely = RealServer()
    try:
        store = open_store(lonely.url)
        game = created(store)

        def stays_kept() -> bool:
            """A quiet store that answers is no reason to forget. On a busy machine an answer may come too late."""
            await_true(lambda: store.load(game) is store.load(game), "the game is kept")
            time.sleep(1.8)
            return len(store.cache) == 1

        assert any(stays_kept() for _ in range(5))
        with stopped(lonely.pid):
            await_true(lambda: len(store.cache) == 0 and not store.cache.listening, "the silence is noticed")
        await_true(lambda: store.cache.listening, "it is heard again")
    finally:
        lonely.stop()


def test_a_store_that_may_not_be_listened_to_is_read_every_time(server: RealServer, open_store: OpenStore) -> None:
    server.ask("ACL", "SETUSER", "mute", "on", ">word", "~*", "&*", "+@all", "-client|tracking")
    store = open_store(f"redis://mute:word@127.0.0.1:{server.port}")
    game = created(store)
    assert not store.cache.listening
    assert store.load(game) is not store.load(game)
    assert advance(store, game) == 1
    assert store.load(game).version == 1


def test_the_address_cannot_talk_the_listener_into_a_protocol_it_does_not_hear(
    server: RealServer, open_store: OpenStore
) -> None:
    store = open_store(f"{server.url}?protocol=3&decode_responses=yes")
    assert store.cache.listening
    assert store.load(created(store)).version == 0


def test_an_emptied_store_is_noticed(open_store: OpenStore) -> None:
    lonely = RealServer()
    try:
        store = open_store(lonely.url)
        game = created(store)
        store.load(game)
        lonely.ask("FLUSHALL")
        await_true(lambda: len(store.cache) == 0, "nothing is kept")
        with pytest.raises(GameNotFound):
            store.load(game)
    finally:
        lonely.stop()


# -- Several processes -------------------------------------------------------------------------------------------------

WRITERS = 2
GAMES = 4
COMMITS = 150


def keep_writing(url: str, games: list[str], acknowledged: Any, writer: int) -> None:
    """A process of its own that commits to all games in turn."""
    store: GameStore[StoredGame] = GameStore.open(url, same)
    try:
        for number in range(COMMITS):
            place = (number + writer) % len(games)
            version = advance(store, games[place])
            with acknowledged.get_lock():
                acknowledged[place] = max(acknowledged[place], version)
    finally:
        store.close()


@pytest.mark.check_only
def test_no_read_is_older_than_what_another_process_has_acknowledged(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    games = [created(store) for _ in range(GAMES)]
    spawn = multiprocessing.get_context("spawn")
    acknowledged = spawn.Array("i", GAMES)
    writers = [spawn.Process(target=keep_writing, args=(url, games, acknowledged, writer)) for writer in range(WRITERS)]
    for process in writers:
        process.start()
    reads = [0, 0]
    done = threading.Event()

    def keep_reading(reader: int) -> None:
        while not done.is_set():
            for place, game in enumerate(games):
                due = acknowledged[place]
                assert store.load(game, due if reader == 0 else 0).version >= due
                reads[reader] += 1

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(keep_reading, reader) for reader in range(2)]
        try:
            for process in writers:
                process.join(60)
                assert process.exitcode == 0
        finally:
            done.set()
        for reader in readers:
            reader.result(10)
    assert min(reads) > COMMITS
    reached: list[int] = acknowledged[:]
    assert sum(reached) == WRITERS * COMMITS
    for game, version in zip(games, reached, strict=True):
        await_version(store, game, version)
        assert store.load(game).version == store.read_game(game).version


def test_a_record_that_was_kept_is_as_good_as_one_from_the_store(url: str, open_store: OpenStore) -> None:
    store = open_store(url)
    game = created(store)
    commit(store, game, replace(store.load(game), service={"a": [1, 2]}), ["0 pass"], asked(0, "a"))
    kept = store.load(game)
    assert kept == store.read_game(game)
    assert keys.is_game(game)


def test_while_the_only_store_on_this_machine_is_away_its_games_are_read_from_memory(
    tmp_path: Path, open_store: OpenStore
) -> None:
    with EmbeddedStore(tmp_path, fsync="always") as embedded:
        store = open_store(embedded.url)
        game = created(store)
        version = advance(store, game)
        await_true(lambda: store.load(game) is store.load(game), "the game is kept")
    await_true(lambda: not store.cache.listening, "it is noticed that the store is away")
    store.cache.disconnected("a server that was away before")
    assert store.load(game, version).version == version
    with pytest.raises(StoreUnavailable):
        store.load(game, version + 1)
