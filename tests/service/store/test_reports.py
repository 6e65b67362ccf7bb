"""Reads from memory, while the thread that listens to the store is held back: never older than acknowledged."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from alhambra_service.store import GameStore, StoredGame
from alhambra_service.store.memory.reports import ReportReader

from .conftest import OpenStore
from .samples import commit, created
from .servers import RealServer, await_true

COMMITS = 20
PLAIN_WAIT = ReportReader.wait


def advance(store: GameStore[StoredGame], game: str) -> int:
    return commit(store, game, store.load(game), ["0 pass"]).version


def kept(store: GameStore[StoredGame], game: str) -> None:
    """The game is in the memory of this process, and the next read would not ask the store."""
    await_true(lambda: store.load(game) is store.load(game), "the game is kept")


class Listeners:
    """The threads of this process that listen to the store: held back or not."""

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()

    def hold_back(self) -> None:
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    def wait_method(self) -> Callable[[ReportReader, float], bool]:
        def wait(reader: ReportReader, seconds: float) -> bool:
            return self._free.wait(seconds) and PLAIN_WAIT(reader, seconds) and self._free.is_set()

        return wait


@pytest.fixture
def listeners(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listeners]:
    """Listeners that apply nothing while they are held back, however many reports arrive."""
    found = Listeners()
    monkeypatch.setattr(ReportReader, "wait", found.wait_method())
    yield found
    found.release()


def test_a_read_applies_the_reports_that_its_listener_has_not(
    url: str, open_store: OpenStore, listeners: Listeners
) -> None:
    here, there = open_store(url), open_store(url)
    game = created(there)
    kept(here, game)
    listeners.hold_back()
    for version in range(1, COMMITS):
        assert advance(there, game) == version
        assert here.load(game).version == version
        assert here.load(game) is here.load(game)


def test_a_read_without_the_store_is_refused_rather_than_older(
    url: str, open_store: OpenStore, listeners: Listeners
) -> None:
    here, there = open_store(url), open_store(url)
    game = created(there)
    kept(here, game)
    listeners.hold_back()
    advance(there, game)
    assert here.cached(game) is None


def test_a_read_waits_for_reports_that_another_thread_has_taken_and_not_applied(
    server: RealServer, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = open_store(server.socket_url), open_store(server.socket_url)
    game = created(there)
    kept(here, game)
    taken, go_on = threading.Event(), threading.Event()
    changed = here.cache.changed

    def slowly(name: str) -> None:
        taken.set()
        assert go_on.wait(10)
        changed(name)

    monkeypatch.setattr(here.cache, "changed", slowly)
    assert advance(there, game) == 1
    assert taken.wait(10)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(here.load, game)
        wait([read], 0.1)  # a reader that does not wait has its old game by now
        go_on.set()
        assert read.result(10).version == 1


def test_a_connection_that_breaks_leaves_nothing_in_memory_for_the_next_read(
    server: RealServer, open_store: OpenStore, listeners: Listeners
) -> None:
    here, there = open_store(server.socket_url), open_store(server.socket_url)
    game = created(there)
    kept(here, game)
    listeners.hold_back()
    server.ask("CLIENT", "KILL", "TYPE", "pubsub")
    assert here.cached(game) is None
    listeners.release()
    await_true(lambda: here.load(game) is here.load(game), "changes are heard again")
