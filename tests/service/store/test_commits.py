"""What one commit does, on one server and on a cluster alike."""

import time
from dataclasses import replace

import pytest
from redis.exceptions import ResponseError

from alhambra_service import limits
from alhambra_service.store import (
    DamagedGame,
    GameExists,
    GameNotFound,
    GameStore,
    RequestReused,
    Stale,
    StoredGame,
    game_for_request,
    keys,
    new_game,
)
from alhambra_service.store.commit import replica_waits, replicas_reached

from .conftest import OpenStore
from .samples import asked, assert_intact, blank, commit, created, moved
from .servers import RealServer


def test_a_commit_writes_the_state_and_lengthens_the_log(store: GameStore[StoredGame]) -> None:
    game = created(store)
    outcome = commit(store, game, moved(store.load(game), b"one"), ["0 pass", "1 pass"], asked(0, "a"), note="noted")
    assert (outcome.first, outcome.version, outcome.revision) == (0, 2, 2)
    record = store.load(game)
    assert (record.version, record.revision, record.state) == (2, 2, b"one")
    assert [entry.text for entry in assert_intact(store, game)] == ["0 pass", "1 pass"]
    assert [entry.text for entry in store.log(game, 1)] == ["1 pass"]
    assert store.log(game, 2) == []


def test_a_commit_without_entries_changes_the_revision_only(store: GameStore[StoredGame]) -> None:
    game = created(store)
    before = store.load(game)
    outcome = commit(store, game, replace(before, service={"seat": "taken"}))
    assert (outcome.version, outcome.revision) == (0, 2)
    with pytest.raises(Stale):
        commit(store, game, replace(before, service={"seat": "taken by another"}))
    assert store.load(game).service == {"seat": "taken"}


def test_the_same_request_again_gives_the_first_outcome(store: GameStore[StoredGame]) -> None:
    game = created(store)
    before = store.load(game)
    first = commit(store, game, moved(before, b"one"), ["0 pass"], asked(0, "a"), note="noted")
    commit(store, game, moved(store.load(game), b"two"), ["1 pass"], asked(1, "b"))
    again = commit(store, game, moved(before, b"one"), ["0 pass"], asked(0, "a"), note="noted")
    assert not first.repeated
    assert again == replace(first, repeated=True)
    assert store.outcome(game, asked(0, "a")) == again
    assert store.outcome(game, asked(0, "never")) is None
    assert store.load(game).state == b"two"
    assert len(assert_intact(store, game)) == 2


def test_a_request_id_belongs_to_one_seat_and_one_content(store: GameStore[StoredGame]) -> None:
    game = created(store)
    before = store.load(game)
    commit(store, game, before, ["0 pass"], asked(0, "a", b"pass"))
    with pytest.raises(RequestReused):
        commit(store, game, before, ["0 resign"], asked(0, "a", b"resign"))
    with pytest.raises(Stale):
        commit(store, game, before, ["1 pass"], asked(1, "a", b"pass"))


def test_a_stale_commit_is_told_where_the_game_is_and_changes_nothing(store: GameStore[StoredGame]) -> None:
    game = created(store)
    before = store.load(game)
    commit(store, game, moved(before, b"one"), ["0 pass", "1 pass"])
    with pytest.raises(Stale) as refusal:
        commit(store, game, moved(before, b"other"), ["0 resign"], asked(0, "late"))
    assert (refusal.value.version, refusal.value.revision) == (2, 2)
    assert store.load(game).state == b"one"
    assert len(assert_intact(store, game)) == 2
    assert store.outcome(game, asked(0, "late")) is None


def test_a_game_is_created_once(store: GameStore[StoredGame]) -> None:
    game = new_game()
    store.create(game, blank(service={"by": "first"}))
    with pytest.raises(GameExists):
        store.create(game, blank(service={"by": "second"}))
    assert store.load(game).service == {"by": "first"}


def test_a_creation_may_be_repeated(store: GameStore[StoredGame]) -> None:
    game = game_for_request("tests", new_game())
    request = asked(0, "create")
    first = store.create(game, blank(), request)
    commit(store, game, store.load(game), ["0 pass"])
    again = store.create(game, blank(), request)
    assert again == replace(first, repeated=True)
    assert store.load(game).version == 1


def test_what_does_not_exist_is_neither_loaded_nor_committed(store: GameStore[StoredGame]) -> None:
    game = new_game()
    with pytest.raises(GameNotFound):
        store.load(game)
    with pytest.raises(GameNotFound):
        store.read_game(game)
    with pytest.raises(GameNotFound):
        commit(store, game, replace(blank(), revision=1), ["0 pass"])
    assert store.log(game) == []


def test_a_forgotten_game_leaves_nothing_behind(store: GameStore[StoredGame]) -> None:
    game = created(store)
    commit(store, game, store.load(game), ["0 pass"], asked(0, "a"))
    assert store.forget(game, "tests")
    assert not store.forget(game, "tests")
    with pytest.raises(GameNotFound):
        store.load(game)
    names = keys.game_keys(game)
    assert store.client.read(names[0], "EXISTS", *names) == 0
    store.create(game, blank())
    assert store.load(game).version == 0


def test_requests_are_remembered_for_a_while_and_never_too_many(store: GameStore[StoredGame]) -> None:
    game = created(store)
    key, turns = keys.requests_key(game), 5 * limits.REQUESTS_KEPT
    most = 0
    for turn in range(turns):
        commit(store, game, store.load(game), [f"{turn % 2} pass"], asked(turn % 2, f"request {turn}"))
        most = max(most, store.client.read(key, "HLEN", key))
    counted = 3  # owners: two seats, and the service that created the game
    assert most <= 2 * 2 * limits.REQUESTS_KEPT + 1 + counted
    for seat in (0, 1):
        own = range(seat, turns, 2)
        remembered = [store.outcome(game, asked(seat, f"request {turn}")) is not None for turn in own]
        assert all(remembered[-limits.REQUESTS_KEPT :])
        assert not any(remembered[: -2 * limits.REQUESTS_KEPT])


def test_a_seat_that_asks_very_often_flushes_no_request_of_another(store: GameStore[StoredGame]) -> None:
    game = created(store)
    mine = commit(store, game, store.load(game), ["0 pass"], asked(0, "mine"))
    for turn in range(10 * limits.REQUESTS_KEPT):
        commit(store, game, store.load(game), [], asked(1, f"request {turn}"))
        commit(store, game, store.load(game), [])
    found = store.outcome(game, asked(0, "mine"))
    assert found is not None and found.version == mine.version


def test_requests_of_an_earlier_version_of_the_service_are_forgotten_in_time(store: GameStore[StoredGame]) -> None:
    game = created(store)
    key = keys.requests_key(game)
    store.client.write(key, "HSET", key, "AbcdefghijklmnopqrsT", "1:0:0:digest:")
    for turn in range(2 * limits.REQUESTS_KEPT + 1):
        commit(store, game, store.load(game), [], asked(1, f"request {turn}"))
    assert not store.client.read(key, "HEXISTS", key, "AbcdefghijklmnopqrsT")


def test_an_abandoned_game_is_forgotten_wholly_and_a_living_one_is_not(store: GameStore[StoredGame]) -> None:
    game = new_game()
    store.create(game, blank(), ttl=100)
    commit(store, game, store.load(game), ["0 pass"], ttl=50)
    lives = [store.client.read(key, "PTTL", key) for key in keys.game_keys(game)]
    assert all(49_000 < life <= 50_000 for life in lives)
    assert max(lives) - min(lives) < 100
    commit(store, game, store.load(game), ["1 pass"])
    assert [store.client.read(key, "PTTL", key) for key in keys.game_keys(game)] == [-1, -1, -1]


def test_an_expired_game_is_gone_from_the_store_and_from_the_list(server: RealServer, open_store: OpenStore) -> None:
    store = open_store(server.socket_url)
    game, whose = new_game(), f"tenant-{new_game()}"
    store.create(game, blank(whose), ttl=1)
    store.load(game)
    assert [one.game for one in store.list(whose).games] == [game]
    time.sleep(1.05)
    with pytest.raises(GameNotFound):
        store.load(game, fresh=True)
    with pytest.raises(GameNotFound):
        commit(store, game, replace(blank(whose), revision=1), ["0 pass"])
    assert store.list(whose).games == ()


def test_state_and_log_that_do_not_belong_together_are_noticed(store: GameStore[StoredGame]) -> None:
    game = created(store)
    store.client.write(keys.log_key(game), "RPUSH", keys.log_key(game), "from elsewhere")
    with pytest.raises(DamagedGame, match="the log has 1 entries"):
        commit(store, game, store.load(game), ["0 pass"])


def test_a_commit_is_limited_in_size(store: GameStore[StoredGame]) -> None:
    game = created(store)
    most = limits.ENTRIES_PER_COMMIT
    assert commit(store, game, store.load(game), ["0 pass"] * most).version == most
    with pytest.raises(ValueError, match="at most"):
        commit(store, game, store.load(game), ["0 pass"] * (most + 1))
    with pytest.raises(ValueError, match="at most"):
        commit(store, game, store.load(game), [], note="x" * 300)


def test_the_script_is_loaded_where_it_is_not_known(store: GameStore[StoredGame]) -> None:
    for server in store.client.servers():
        server.ask("SCRIPT", "FLUSH")
    assert store.load(created(store)).revision == 1


def test_a_commit_waits_for_the_disks_of_its_replicas() -> None:
    """First until they have received it, then until it is on their disks."""
    assert replica_waits(0) == []
    assert [words[:3] for words in replica_waits(2)] == [
        ("WAIT", 2, limits.REPLICA_RECEIVE_MS),
        ("WAITAOF", 1, 2),
    ]
    assert replicas_reached([1, 2], 2)
    assert replicas_reached([1, 3], 2)
    assert not replicas_reached([1, 1], 2), "a replica is missing"
    assert not replicas_reached([0, 2], 2), "it is not on the master's own disk"
    assert not replicas_reached(ResponseError("WAITAOF cannot be used"), 2)
