"""Who the masters are: the newest word of several servers counts, and a demoted master is left."""

import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from redis.crc import key_slot

from alhambra_service import limits
from alhambra_service.store import GameStore, StoredGame, StoreUnavailable, keys
from alhambra_service.store.connection.connect import Cluster, connect

from .conftest import OpenStore
from .samples import assert_intact, commit, created
from .scripted import Answer, ScriptedServer
from .servers import PATIENCE, RealCluster, RealSentinel, RealServer, await_true, free_port, free_port_with_bus

Start = Callable[[dict[str, Any]], ScriptedServer]
LEFT_WITHIN = 5.0


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts servers, and lets clients wait for the answers of all of them, however busy the machine is."""
    monkeypatch.setattr(limits, "QUORUM_SECONDS", PATIENCE)
    started: list[ScriptedServer] = []

    def starter(script: dict[str, Any]) -> ScriptedServer:
        started.append(ScriptedServer(script))
        return started[-1]

    yield starter
    for server in started:
        server.stop()


# -- Cluster ------------------------------------------------------------------------------------------------------


def sees(port: int, *, state: str = "ok", epoch: int) -> dict[str, Answer]:
    """A server of a cluster that takes the master at this port for the owner of all slots."""
    info = f"cluster_state:{state}\r\ncluster_slots_ok:16384\r\ncluster_current_epoch:{epoch}\r\n"
    return {"CLUSTER INFO": info.encode(), "CLUSTER SLOTS": [[0, 16383, [b"127.0.0.1", port, b"id"]]]}


def master_by(*witnesses: ScriptedServer, **settings: float) -> int:
    """The port of the master that a client of these servers finds."""
    client = Cluster([("127.0.0.1", one.port) for one in witnesses], settings)
    try:
        return int(client.server("key").name.rpartition(":")[2])
    finally:
        client.close()


def test_the_highest_epoch_tells_the_masters_whoever_answers_first(start: Start) -> None:
    stale, fresh = start(sees(7001, epoch=3)), start(sees(7002, epoch=4))
    assert master_by(stale, fresh) == 7002
    assert master_by(fresh, stale) == 7002


def test_with_equal_epochs_the_majority_tells_the_masters(start: Start) -> None:
    odd, *others = start(sees(7001, epoch=3)), start(sees(7002, epoch=3)), start(sees(7002, epoch=3))
    assert master_by(odd, *others) == 7002
    assert master_by(*others, odd) == 7002


def test_a_server_that_lost_its_cluster_is_not_believed_however_high_its_epoch(start: Start) -> None:
    lonely = start(sees(7001, state="fail", epoch=9))  # a replica cut off raises its epoch with each election it loses
    assert master_by(lonely, start(sees(7002, epoch=4))) == 7002


def test_a_server_that_lost_its_cluster_is_better_than_nobody(start: Start) -> None:
    assert master_by(start(sees(7001, state="fail", epoch=1))) == 7001


def test_a_server_that_says_nothing_holds_nobody_up(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUORUM_SECONDS", 0.1)
    silent = ScriptedServer({})
    stuck = partial(_wait_for_ever, silent)
    silent.script = {"CLUSTER": stuck}
    began = time.monotonic()
    try:
        assert master_by(silent, start(sees(7002, epoch=4)), socket_timeout=2 * PATIENCE) == 7002
        assert time.monotonic() - began < PATIENCE
    finally:
        silent.stop()


def _wait_for_ever(server: ScriptedServer) -> Answer:
    await_true(lambda: server._listener.fileno() < 0, "the test is over")
    return None


def test_a_stale_real_server_named_first_is_left_and_games_are_found(open_store: OpenStore) -> None:
    cluster = RealCluster()
    stale: RealServer | None = None
    try:
        before = open_store(cluster.url)
        game = created(before)
        commit(before, game, before.load(game), ["0 pass"])
        stale = _twin_cut_off(cluster.masters[0])
        _give_away(cluster, game, before)
        store = open_store(cluster.url.replace("redis+cluster://", f"redis+cluster://127.0.0.1:{stale.port},"))
        seen = store.load(game)
        commit(store, game, seen, ["1 pass"])
        assert len(assert_intact(store, game)) == 2
        names = {server.name for server in store.client.servers()}
        assert names == {f"127.0.0.1:{master.port}" for master in cluster.masters}
    finally:
        cluster.stop()
        if stale is not None:
            stale.stop()


def _twin_cut_off(master: RealServer) -> RealServer:
    """A server that remembers the cluster as the master does now, and hears nobody of it any more."""
    sample = RealServer("--cluster-enabled", "yes", "--cluster-node-timeout", "500", port=free_port_with_bus())
    sample.kill()
    nobody = free_port()
    lines = (master.folder / "nodes.conf").read_text("ascii").splitlines()
    text = "\n".join(_elsewhere(line, nobody) for line in lines) + "\n"
    (sample.folder / "nodes.conf").write_text(text, "ascii")
    shutil.rmtree(sample.folder / "appendonlydir", ignore_errors=True)
    sample.start()
    slots = sample.ask("CLUSTER", "SLOTS")
    assert isinstance(slots, list)
    assert len(slots) == 3
    return sample


def _elsewhere(line: str, bus: int) -> str:
    """A line about a server, with a bus where nobody listens."""
    words = line.split(" ")
    if "@" in line and "myself" not in line:
        address, _, rest = words[1].partition("@")
        words[1] = f"{address}@{bus},{rest.partition(',')[2]}"
    return " ".join(words)


def _give_away(cluster: RealCluster, game: str, store: GameStore[StoredGame]) -> None:
    """Moves the slot of a game to another master."""
    slot = key_slot(keys.state_key(game).encode())
    port = int(store.client.server(keys.state_key(game)).name.rpartition(":")[2])
    source = [master.port for master in cluster.masters].index(port)
    old, new = cluster.masters[source], cluster.masters[(source + 1) % 3]
    new_id, old_id = _bytes(new.ask("CLUSTER", "MYID")), _bytes(old.ask("CLUSTER", "MYID"))
    new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", old_id)
    old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new_id)
    old.ask("MIGRATE", "127.0.0.1", new.port, "", 0, 5000, "KEYS", *keys.game_keys(game))
    for master in (new, old, *cluster.masters):
        master.ask("CLUSTER", "SETSLOT", slot, "NODE", new_id)


def _bytes(reply: object) -> bytes:
    assert isinstance(reply, bytes)
    return reply


# -- Sentinel -----------------------------------------------------------------------------------------------------


def names(port: int, epoch: int) -> dict[str, Answer]:
    """A Sentinel that names the server at this port."""
    facts = {b"name": b"games", b"ip": b"127.0.0.1", b"port": b"%d" % port, b"config-epoch": b"%d" % epoch}
    return {"SENTINEL MASTER": [word for pair in facts.items() for word in pair]}


def role(word: str) -> dict[str, Answer]:
    """A server that says this about its role."""
    return {"INFO": f"# Replication\r\nrole:{word}\r\n".encode()}


def named_by(*sentinels: ScriptedServer) -> int:
    client = connect("redis+sentinel://" + ",".join(f"127.0.0.1:{one.port}" for one in sentinels) + "/games")
    try:
        return int(client.servers()[0].name.rpartition(":")[2])
    finally:
        client.close()


def test_the_sentinel_with_the_newest_configuration_names_the_master(start: Start) -> None:
    old, new = start(role("master")), start(role("master"))
    stale, fresh = start(names(old.port, epoch=1)), start(names(new.port, epoch=2))
    assert named_by(stale, fresh) == new.port
    assert named_by(fresh, stale) == new.port


def test_among_equal_sentinels_the_majority_names_the_master(start: Start) -> None:
    one, other = start(role("master")), start(role("master"))
    odd, *most = (start(names(port, epoch=1)) for port in (one.port, other.port, other.port))
    assert named_by(odd, *most) == other.port


def test_a_server_that_calls_itself_a_replica_is_no_master_whoever_names_it(start: Start) -> None:
    demoted, master = start(role("slave")), start(role("master"))
    assert named_by(start(names(demoted.port, epoch=2)), start(names(master.port, epoch=1))) == master.port
    with pytest.raises(StoreUnavailable, match="no Sentinel knows a master"):
        named_by(start(names(demoted.port, epoch=2)))


def test_a_demoted_master_is_left_within_seconds(open_store: OpenStore) -> None:
    old, new, sentinel = RealServer(), RealServer(), RealSentinel()
    try:
        sentinel.ask("SENTINEL", "MONITOR", "games", "127.0.0.1", old.port, 1)
        store = open_store(f"redis+sentinel://127.0.0.1:{sentinel.port}/games")
        game = created(store)
        new.ask("REPLICAOF", "127.0.0.1", old.port)
        await_true(lambda: new.ask("EXISTS", keys.state_key(game)) == 1, "the replica has the game")
        new.ask("REPLICAOF", "NO", "ONE")
        old.ask("REPLICAOF", "127.0.0.1", new.port)
        for connection in ("normal", "pubsub"):
            old.ask("CLIENT", "KILL", "TYPE", connection)  # as Sentinel does to whom it demotes
        with pytest.raises(StoreUnavailable):
            store.read_game(game)  # Sentinel has not noticed yet: the old one is not read from any more
        sentinel.ask("SENTINEL", "REMOVE", "games")
        sentinel.ask("SENTINEL", "MONITOR", "games", "127.0.0.1", new.port, 1)
        await_true(lambda: _master_of(store) == new.port, "the new master is found", LEFT_WITHIN)
        assert store.read_game(game).version == 0
    finally:
        for server in (sentinel, old, new):
            server.stop()


def _master_of(store: GameStore[StoredGame]) -> int:
    try:
        return int(store.client.servers()[0].name.rpartition(":")[2])
    except StoreUnavailable:
        return 0
