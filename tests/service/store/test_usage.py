"""What a tenant has: counted in the store by all processes together, and repaired when something got lost."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from alhambra_service import limits
from alhambra_service.store import (
    GameStore,
    Quota,
    QuotaExceeded,
    StoredGame,
    StoreUnavailable,
    Usage,
    keys,
    new_game,
    rebuild,
)
from alhambra_service.store import usage as counting
from alhambra_service.store.connection.connect import StoreClient

from .conftest import OpenStore
from .samples import asked, blank, commit
from .servers import RealServer
from .test_index import tenant

ANY = Quota()


def usage(store: GameStore[StoredGame], whose: str) -> Usage:
    return counting.of(store.client, whose)


def create(store: GameStore[StoredGame], whose: str, quota: Quota = ANY, request: str = "") -> str:
    game = new_game()
    store.create(game, blank(whose), asked(0, request) if request else None, quota=quota)
    return game


def finish(store: GameStore[StoredGame], game: str) -> None:
    record = store.read_game(game)
    store.count(game, record.tenant, record.created, running=False)


def test_a_new_game_is_counted_as_running_with_the_bytes_of_a_usual_one(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    assert usage(store, whose) == Usage(0, 0)
    create(store, whose)
    create(store, whose, Quota(5, 0))
    assert usage(store, whose) == Usage(2, 2 * limits.GAME_BYTES)


def test_a_game_that_ended_is_counted_with_the_bytes_that_it_takes(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    game = create(store, whose)
    finish(store, game)
    found = usage(store, whose)
    assert found == Usage(0, counting.size(store.client, game))
    assert 0 < found.stored_bytes < limits.GAME_BYTES


def test_a_game_that_grew_counts_for_what_it_takes(store: GameStore[StoredGame]) -> None:
    whose, game = tenant(), new_game()
    record = replace(blank(whose), service={"much": [f"{number:x}" for number in range(40_000)]})
    store.create(game, record)
    store.count(game, whose, record.created, running=True)
    assert usage(store, whose) == Usage(1, counting.size(store.client, game))
    assert usage(store, whose).stored_bytes > limits.GAME_BYTES


def test_a_game_that_is_deleted_counts_for_nothing(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    games = [create(store, whose) for _ in range(3)]
    finish(store, games[1])
    for game in games:
        store.forget(game, whose)
    assert usage(store, whose) == Usage(0, 0)


def test_one_game_more_than_the_quota_is_refused_and_nothing_of_it_is_stored(store: GameStore[StoredGame]) -> None:
    whose, quota = tenant(), Quota(running_games=2)
    first = create(store, whose, quota)
    create(store, whose, quota)
    game = new_game()
    with pytest.raises(QuotaExceeded) as refusal:
        store.create(game, blank(whose), quota=quota)
    assert (refusal.value.quota, refusal.value.limit, refusal.value.used) == ("running_games", 2, 2)
    assert [store.client.read(key, "EXISTS", key) for key in keys.game_keys(game)] == [0, 0, 0]
    assert usage(store, whose).running_games == 2
    assert len(store.list(whose).games) == 2
    finish(store, first)
    create(store, whose, quota)
    assert usage(store, whose).running_games == 2


def test_more_bytes_than_the_quota_are_refused(store: GameStore[StoredGame]) -> None:
    whose, quota = tenant(), Quota(stored_bytes=3 * limits.GAME_BYTES - 1)
    create(store, whose, quota)
    create(store, whose, quota)
    with pytest.raises(QuotaExceeded) as refusal:
        create(store, whose, quota)
    assert (refusal.value.quota, refusal.value.used) == ("stored_bytes", 2 * limits.GAME_BYTES)


def test_tenants_do_not_count_for_each_other(store: GameStore[StoredGame]) -> None:
    quota = Quota(running_games=1)
    for _ in range(3):
        create(store, tenant(), quota)


def test_a_creation_repeated_at_the_quota_is_the_first_one(store: GameStore[StoredGame]) -> None:
    whose, game, request = tenant(), new_game(), asked(0, "a")
    quota = Quota(running_games=1)
    assert not store.create(game, blank(whose), request, quota=quota).repeated
    assert store.create(game, blank(whose), request, quota=quota).repeated
    store.client.write(keys.sizes_key(whose), "DEL", keys.sizes_key(whose))  # as for a game of an older service
    assert store.create(game, blank(whose), request, quota=quota).repeated
    assert usage(store, whose).running_games == 1


def test_processes_together_admit_no_more_than_the_quota(url: str, open_store: OpenStore) -> None:
    whose, quota = tenant(), Quota(running_games=5)
    stores = [open_store(url) for _ in range(4)]

    def tried(number: int) -> bool:
        try:
            create(stores[number % 4], whose, quota)
        except QuotaExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(tried, range(40))) == 5
    assert usage(stores[0], whose).running_games == 5
    assert len(stores[0].list(whose).games) == 5


def test_a_game_that_is_created_while_its_tenant_is_swept_stays_counted(
    store: GameStore[StoredGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    whose, game = tenant(), new_game()
    counting.admit(store.client, whose, game, ANY)
    look = counting._missing

    def look_and_create(client: StoreClient, games: list[str]) -> list[str]:
        """Look for the games, after which another process creates the one that was admitted."""
        found = look(client, games)
        if found == [game]:
            store.create(game, blank(whose))
        return found

    monkeypatch.setattr(counting, "_missing", look_and_create)
    counting.sweep(store.client, whose, limits.QUOTA_SWEEP, running=True)
    assert usage(store, whose).running_games == 1


def test_a_creation_that_the_store_refuses_is_not_counted(open_store: OpenStore) -> None:
    server = RealServer()
    try:
        store, whose = open_store(server.url), tenant()
        counting.admit(store.client, whose, new_game(), Quota(running_games=9))  # the script is known to the store
        before = usage(store, whose)
        refuse = store._script
        store._script = _Refusing()  # type: ignore[assignment]
        with pytest.raises(StoreUnavailable):
            create(store, whose, Quota(running_games=9))
        store._script = refuse
        assert usage(store, whose) == before
    finally:
        server.stop()


class _Refusing:
    def run(self, *_: object) -> None:
        raise StoreUnavailable("the store is full")


def test_a_game_that_is_about_to_be_created_keeps_its_place(
    store: GameStore[StoredGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    whose, quota = tenant(), Quota(running_games=1)
    assert counting.admit(store.client, whose, new_game(), quota)
    with pytest.raises(QuotaExceeded):
        create(store, whose, quota)
    monkeypatch.setattr(limits, "ADMITTED_SECONDS", 0)  # it was never created
    create(store, whose, quota)
    assert usage(store, whose) == Usage(1, limits.GAME_BYTES)


def test_games_whose_time_was_up_make_room_when_the_quota_is_met(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    games = [create(store, whose, Quota(running_games=3)) for _ in range(3)]
    for game in games[:2]:
        store.client.write(keys.state_key(game), "UNLINK", *keys.game_keys(game))  # as if it had expired
    create(store, whose, Quota(running_games=3))
    assert usage(store, whose) == Usage(2, 2 * limits.GAME_BYTES)
    store.client.write(keys.state_key(games[2]), "UNLINK", *keys.game_keys(games[2]))
    create(store, whose, Quota(stored_bytes=3 * limits.GAME_BYTES - 1))
    assert usage(store, whose).stored_bytes <= 3 * limits.GAME_BYTES - 1


def test_what_was_counted_wrongly_is_put_right_by_rebuilding(store: GameStore[StoredGame]) -> None:
    whose = tenant()
    running, over, gone = (create(store, whose) for _ in range(3))
    store.client.write(keys.state_key(gone), "UNLINK", *keys.game_keys(gone))
    store.client.write(keys.sizes_key(whose), "HSET", keys.sizes_key(whose), "total", 7)
    commit(store, over, replace(store.read_game(over), service={"over": True}))
    set(rebuild(store.client, lambda record: bool(record.service.get("over"))))
    assert usage(store, whose) == Usage(1, limits.GAME_BYTES + counting.size(store.client, over))
    assert {one.game for one in store.list(whose).games} == {running, over}
