"""The store's clock decides about deadlines, whatever a process believes."""

import time
from collections.abc import Callable

import pytest

from alhambra_service import limits
from alhambra_service.store import GameStore, StoredGame, StoreUnavailable, TooEarly
from alhambra_service.store.clock import StoreClock, seconds_of
from alhambra_service.store.connection.connect import connect

from .conftest import OpenStore
from .samples import assert_intact, commit, created, moved
from .servers import RealServer

DAY = 24 * 3600
TOLERANCE = 2.0


def store_time(store: GameStore[StoredGame]) -> float:
    return min(seconds_of(server.ask("TIME")) for server in store.client.servers())


def clock_of(store: GameStore[StoredGame], local: Callable[[], float]) -> StoreClock:
    return StoreClock(store.client, local)


@pytest.mark.parametrize("wrong_by", [-DAY, 0, DAY])
def test_the_time_is_that_of_the_store_however_wrong_the_clock_of_the_process(
    store: GameStore[StoredGame], wrong_by: float
) -> None:
    clock = clock_of(store, lambda: time.monotonic() + wrong_by)
    assert abs(clock.now() - store_time(store)) < TOLERANCE


def test_a_reading_is_never_ahead_of_the_store(store: GameStore[StoredGame]) -> None:
    clock = clock_of(store, time.monotonic)
    for _ in range(20):
        clock.synchronize({server.name: seconds_of(server.ask("TIME")) for server in store.client.servers()})
        assert clock.now() <= max(seconds_of(server.ask("TIME")) for server in store.client.servers())


def test_the_master_furthest_behind_is_believed(store: GameStore[StoredGame]) -> None:
    clock = clock_of(store, time.monotonic)
    clock.synchronize({"one": 5_000.0, "other": 4_000.0})
    assert abs(clock.now() - 4_000.0) < TOLERANCE


def test_a_clock_that_jumped_is_put_right_by_the_next_probe(store: GameStore[StoredGame]) -> None:
    jump = [0.0]
    store.clock._local = lambda: time.monotonic() + jump[0]
    assert store.unready() is None
    jump[0] = DAY
    assert store.now() > store_time(store) + DAY - TOLERANCE  # nothing has told it yet
    assert store.unready() is None
    assert abs(store.now() - store_time(store)) < TOLERANCE


def test_an_old_reading_is_renewed_and_survives_a_store_that_is_away(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = RealServer()
    try:
        clock = StoreClock(open_store(server.url).client)
        began = clock.now()
        monkeypatch.setattr(limits, "CLOCK_SECONDS", 0.0)
        server.kill()
        assert 0 <= clock.now() - began < 10 * TOLERANCE
        fresh = StoreClock(connect(server.url))
        with pytest.raises(StoreUnavailable):
            fresh.now()
        fresh._client.close()
    finally:
        server.stop()


# -- Commits --------------------------------------------------------------------------------------------------------


def test_a_commit_before_its_time_changes_nothing_and_tells_the_store_s_time(store: GameStore[StoredGame]) -> None:
    game = created(store)
    record = store.load(game)
    now = 1000 * store_time(store)
    with pytest.raises(TooEarly) as early:
        commit(store, game, moved(record, b"timed out"), ["0 pass"], not_before=int(now) + 1000 * DAY)
    assert abs(early.value.now - now) < 1000 * TOLERANCE
    assert store.read_game(game).revision == record.revision
    assert assert_intact(store, game) == []


def test_a_commit_after_its_time_is_made(store: GameStore[StoredGame]) -> None:
    game = created(store)
    commit(store, game, store.load(game), ["0 pass"], not_before=int(1000 * store_time(store)) - 1)
    assert len(assert_intact(store, game)) == 1
