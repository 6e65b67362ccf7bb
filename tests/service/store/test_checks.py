"""A store that cannot keep the promise is refused at the start, with one sentence about each fault."""

from collections.abc import Iterator

import pytest

from alhambra_service import limits
from alhambra_service.store import (
    Durability,
    GameStore,
    OutcomeUnknown,
    StoredGame,
    StoreMisconfigured,
    StoreUnavailable,
    faults,
)
from alhambra_service.store.checks import cluster_faults, warnings
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.connection.wire import Command, Server

from .samples import asked, assert_intact, commit, created, same
from .servers import RealCluster, RealServer, await_true


@pytest.fixture(scope="module")
def careless() -> Iterator[RealServer]:
    """A server as it comes, without a thought about games."""
    one = RealServer("--maxmemory-policy", "allkeys-lru", append=False)
    yield one
    one.stop()


def faults_of(url: str, durability: Durability = Durability.ALWAYS, replicas: int = 0) -> list[str]:
    client = connect(url)
    try:
        return list(faults(client, durability, replicas))
    finally:
        client.close()


def _set(server: RealServer, **settings: str) -> None:
    """Change settings of a server, one by one: Redis 6.2 takes no more at once."""
    for name, value in settings.items():
        server.ask("CONFIG", "SET", name.replace("_", "-"), value)


def test_a_good_store_has_no_faults(url: str) -> None:
    assert faults_of(url) == []
    assert faults_of(url, Durability.EVERYSEC) == []


def test_all_faults_are_told_at_once_each_with_its_remedy(careless: RealServer) -> None:
    where = f"127.0.0.1:{careless.port}"
    found = [
        f"The store at {where} deletes games when memory is short (allkeys-lru): set `maxmemory-policy noeviction`.",
        f"The store at {where} keeps games in memory only: set `appendonly yes` and `appendfsync always`, "
        "or use embedded:PATH.",
    ]
    assert faults_of(careless.url) == found
    with pytest.raises(StoreMisconfigured) as refusal:
        GameStore.open(careless.url, same)
    assert str(refusal.value) == "\n".join(found)


def test_a_store_without_a_bound_for_its_memory_is_warned_about(careless: RealServer) -> None:
    client = connect(careless.url)
    try:
        (warning,) = warnings(client)
        assert warning == (
            f"The store at 127.0.0.1:{careless.port} has no memory limit and may use all memory of the machine: "
            "set `maxmemory`, or --store-memory for an embedded one."
        )
        careless.ask("CONFIG", "SET", "maxmemory", "100mb")
        assert list(warnings(client)) == []
    finally:
        client.close()


def test_the_promise_about_the_disk_is_compared_with_the_settings(careless: RealServer) -> None:
    _set(careless, maxmemory_policy="noeviction", appendonly="yes", appendfsync="everysec")
    _set(careless, no_appendfsync_on_rewrite="yes")
    where = f"127.0.0.1:{careless.port}"
    assert faults_of(careless.url) == [
        f"The store at {where} has appendfsync `everysec` although `always` is promised: "
        "set `appendfsync always`, or promise only `everysec`.",
        f"The store at {where} stops syncing to disk while it rewrites its file: set `no-appendfsync-on-rewrite no`.",
    ]
    assert faults_of(careless.url, Durability.EVERYSEC) == []
    _set(careless, appendfsync="no", no_appendfsync_on_rewrite="no")
    (fault,) = faults_of(careless.url, Durability.EVERYSEC)
    assert fault.endswith("has appendfsync `no` although `everysec` is promised: set `appendfsync everysec`.")


def test_replicas_that_are_promised_must_be_there(server: RealServer) -> None:
    (fault,) = faults_of(server.url, Durability.REPLICATED, 2)
    assert fault.endswith("has 0 of the 2 replicas promised: start the others, or promise only `always`.")


def test_an_old_server_is_refused(server: RealServer, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Server.info
    old = {"redis_version": "6.0.16"}
    monkeypatch.setattr(Server, "info", lambda self, part: old if part == "server" else real(self, part))
    (fault,) = faults_of(server.url)
    assert fault.endswith("is Redis 6.0: use Redis 6.2 or newer, or Valkey.")
    old["redis_version"] = "7.0.15"
    assert faults_of(server.url) == []
    assert "cannot wait for the disks of replicas" in faults_of(server.url, Durability.REPLICATED)[0]


def test_a_member_of_a_cluster_is_no_single_store_and_the_other_way_round(
    server: RealServer, cluster: RealCluster
) -> None:
    (fault,) = faults_of(cluster.masters[0].url)
    assert fault.endswith("is part of a cluster: use redis+cluster:// in its address.")
    with pytest.raises(StoreMisconfigured, match=r"is no cluster .*: use redis:// in its address"):
        faults_of(f"redis+cluster://127.0.0.1:{server.port}")


@pytest.mark.parametrize(
    ("state", "served", "told"),
    [
        ("fail", 10_922, "sees only 10922 of 16384 slots of its cluster served: bring the missing masters back"),
        ("ok", 10_922, "sees only 10922 of 16384 slots of its cluster served: bring the missing masters back"),
        ("fail", 16_384, "was cut off from its cluster and does not serve yet: wait a few seconds"),
    ],
)
def test_a_cluster_that_does_not_serve_every_game_is_refused(
    cluster: RealCluster, monkeypatch: pytest.MonkeyPatch, state: str, served: int, told: str
) -> None:
    real = Server.ask
    answer = f"cluster_state:{state}\r\ncluster_slots_ok:{served}\r\n".encode()

    def ask(self: Server, *words: str | bytes | int) -> object:
        return answer if words == ("CLUSTER", "INFO") else real(self, *words)

    monkeypatch.setattr(Server, "ask", ask)
    client = connect(cluster.masters[0].url)
    try:
        (fault,) = cluster_faults(client.servers()[0], expected=True)
    finally:
        client.close()
    assert told in fault


def test_a_user_who_may_not_look_is_told_what_is_missing(server: RealServer) -> None:
    server.ask("ACL", "SETUSER", "blind", "on", ">word", "~*", "&*", "+@all", "-config")
    (fault,) = faults_of(f"redis://blind:word@127.0.0.1:{server.port}")
    assert fault.endswith("allow its user INFO, CONFIG GET and CLUSTER INFO.")


def test_a_wrong_password_is_told_without_the_password(server: RealServer) -> None:
    server.ask("ACL", "SETUSER", "somebody", "on", ">right")
    with pytest.raises(StoreUnavailable) as refusal:
        faults_of(f"redis://somebody:wrong-word@127.0.0.1:{server.port}")
    assert "wrong-word" not in str(refusal.value)
    assert "invalid username-password pair" in str(refusal.value)


# -- Replicas -----------------------------------------------------------------------------------------------------


def test_a_replica_is_refused_and_a_replicated_commit_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPLICA_RECEIVE_MS", 100)
    monkeypatch.setattr(limits, "REPLICA_WAIT_MS", 300)
    master = RealServer("--repl-diskless-sync-delay", "0")
    replica = RealServer("--replicaof", f"127.0.0.1 {master.port}")
    try:
        client = connect(master.url)
        written: list[Command] = [("SET", "any", "thing"), ("WAITAOF", 1, 1, 300)]
        await_true(lambda: client.follow("any", written)[1][1] == 1, "the replica has a first write on disk")
        client.close()
        assert faults_of(replica.url)[0].endswith(
            "is a replica and takes no writes: name its master, or use redis+sentinel:// in the address."
        )
        store: GameStore[StoredGame] = GameStore.open(master.url, same, durability=Durability.REPLICATED, replicas=1)
        try:
            game = created(store)
            seen = store.load(game)
            commit(store, game, seen, ["0 pass"], asked(0, "a"))
            assert b"0 pass" in _bytes(replica.ask("LINDEX", f"alh:log:{{{game}}}", 0))
            assert store.unready() is None
            _unconfirmed(store, replica, game)
        finally:
            store.close()
    finally:
        replica.stop()
        master.stop()


def _unconfirmed(store: GameStore[StoredGame], replica: RealServer, game: str) -> None:
    """Without its replica a commit is not confirmed, nor is its repetition, until the replica is back."""
    seen = store.load(game)
    replica.kill()
    assert "too few replicas to take writes" in str(store.unready())
    for _ in range(2):
        with pytest.raises(OutcomeUnknown, match="0 of 1 replicas"):
            commit(store, game, seen, ["1 pass"], asked(1, "b"))
    replica.start()

    def confirmed() -> bool:
        try:
            return commit(store, game, seen, ["1 pass"], asked(1, "b")).repeated
        except OutcomeUnknown:
            return False

    await_true(confirmed, "the replica has it on disk")
    assert b"1 pass" in _bytes(replica.ask("LINDEX", f"alh:log:{{{game}}}", 1))
    assert len(assert_intact(store, game)) == 2


def _bytes(reply: object) -> bytes:
    assert isinstance(reply, bytes)
    return reply


# -- Readiness ----------------------------------------------------------------------------------------------------


def test_readiness_says_what_is_missing() -> None:
    lonely = RealServer()
    store: GameStore[StoredGame] = GameStore.open(lonely.url, same)
    try:
        assert store.unready() is None
        lonely.ask("REPLICAOF", "127.0.0.1", 1)
        assert "is a replica now" in str(store.unready())
        lonely.kill()
        assert "does not answer" in str(store.unready())
        lonely.start()
        lonely.ask("REPLICAOF", "NO", "ONE")
        assert store.unready() is None
    finally:
        store.close()
        lonely.stop()


def test_modes_are_named_as_the_operator_writes_them() -> None:
    assert [mode.value for mode in Durability] == ["always", "everysec", "replicated"]
