"""Every shape of store behind its address."""

from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from alhambra_service.store import GameStore, StoredGame, StoreMisconfigured, StoreUnavailable, keys
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.connection.wire import settings_of

from .conftest import OpenStore
from .samples import assert_intact, await_version, commit, created
from .servers import RealCluster, RealSentinel, RealServer, await_true, free_port

BAD = {
    "": "begins with ''",
    "http://localhost": "begins with 'http'",
    "localhost:6379": "begins with 'localhost'",
    "redis+sentinel://localhost:26379": "name of the service is missing",
    "redis+sentinel:///mymaster": "a host is missing",
    "redis+cluster://localhost:7000/3": "only database 0",
    "redis+cluster://": "a host is missing",
    "redis://localhost:port": "cannot be read",
    "redis://localhost?db=x": "cannot be read",
}


@pytest.mark.parametrize("url", BAD)
def test_an_address_that_means_nothing_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(StoreMisconfigured, match=BAD[url]) as refusal:
        connect(url)
    assert "embedded:PATH" in str(refusal.value)


def test_tls_is_an_s(server: RealServer) -> None:
    assert settings_of("rediss://host?ssl_ca_certs=ca.pem")["ssl_ca_certs"] == "ca.pem"
    client = connect(
        f"rediss://127.0.0.1:{server.port}?socket_timeout=0.1&socket_connect_timeout=0.1"
    )  # this server does not speak it
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        client.read("key", "GET", "key")
    client.close()


# -- Sentinel -----------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded() -> Iterator[tuple[RealServer, RealServer, str]]:
    """Two servers, of which the first is the master, and the address of a Sentinel that says so."""
    master, other = RealServer(), RealServer()
    sentinel = RealSentinel()
    sentinel.ask("SENTINEL", "MONITOR", "games", "127.0.0.1", master.port, 1)
    nobody = free_port()
    yield master, other, f"redis+sentinel://127.0.0.1:{nobody},127.0.0.1:{sentinel.port}/games/0"
    for server in (sentinel, master, other):
        server.stop()


def test_the_master_is_whom_a_sentinel_names(
    guarded: tuple[RealServer, RealServer, str], open_store: OpenStore
) -> None:
    master, other, url = guarded
    store = open_store(url)
    game = created(store)
    commit(store, game, store.load(game), ["0 pass"])
    assert len(assert_intact(store, game)) == 1
    assert master.ask("EXISTS", keys.state_key(game)) == 1
    sentinel_port = int(url.rpartition("/games")[0].rpartition(":")[2])
    sentinel = connect(f"redis://127.0.0.1:{sentinel_port}").servers()[0]
    sentinel.ask("SENTINEL", "REMOVE", "games")
    sentinel.ask("SENTINEL", "MONITOR", "games", "127.0.0.1", other.port, 1)
    sentinel.close()
    master.kill()
    later = created(store)
    assert other.ask("EXISTS", keys.state_key(later)) == 1
    await_true(lambda: store.load(later) is store.load(later), "the new master is heard", 5)


def test_a_service_that_no_sentinel_knows_is_unavailable(guarded: tuple[RealServer, RealServer, str]) -> None:
    client = connect(guarded[2].replace("/games/0", "/others"))
    with pytest.raises(StoreUnavailable, match="no Sentinel knows a master of 'others'"):
        client.servers()
    client.close()


# -- Cluster ------------------------------------------------------------------------------------------------------


@pytest.fixture
def own_cluster() -> Iterator[RealCluster]:
    three = RealCluster()
    yield three
    three.stop()


def test_games_are_spread_over_the_cluster(cluster: RealCluster, open_store: OpenStore) -> None:
    store = open_store(cluster.url)
    games = [created(store) for _ in range(30)]
    servers = {store.client.server(keys.state_key(game)).name for game in games}
    assert servers == {f"127.0.0.1:{master.port}" for master in cluster.masters}
    assert len({store.client.server(key).name for key in keys.game_keys(games[0])}) == 1


def test_a_game_that_moves_to_another_server_is_followed_and_a_dead_master_is_missed(
    own_cluster: RealCluster, open_store: OpenStore
) -> None:
    here, there = open_store(own_cluster.url), open_store(own_cluster.url)
    game = created(here)
    commit(here, game, here.load(game), ["0 pass"])
    here.load(game)
    _move(own_cluster, game, here, there)
    _lose_a_master(own_cluster, game, here)


def _move(cluster: RealCluster, game: str, here: GameStore[StoredGame], there: GameStore[StoredGame]) -> None:
    """Moves the game's slot in the usual steps, with commits in between."""
    slot = key_slot(keys.state_key(game).encode())
    ports = [master.port for master in cluster.masters]
    source = ports.index(int(here.client.server(keys.state_key(game)).name.rpartition(":")[2]))
    old, new = cluster.masters[source], cluster.masters[(source + 1) % 3]
    old_id, new_id = old.ask("CLUSTER", "MYID"), new.ask("CLUSTER", "MYID")
    assert isinstance(old_id, bytes)
    assert isinstance(new_id, bytes)
    new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", old_id)
    old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new_id)
    assert commit(here, game, here.load(game), ["1 pass"]).version == 2  # still on the old server
    old.ask("MIGRATE", "127.0.0.1", new.port, "", 0, 5000, "KEYS", *keys.game_keys(game))
    assert commit(there, game, there.load(game, 2), ["0 pass"]).version == 3  # asked for at the new one
    for master in (new, old, cluster.masters[(source + 2) % 3]):
        master.ask("CLUSTER", "SETSLOT", slot, "NODE", new_id)
    assert commit(here, game, here.load(game, 3), ["1 pass"]).version == 4  # moved
    for version in range(5, 10):
        there.load(game)
        assert commit(here, game, here.load(game), ["0 pass"]).version == version
        await_version(there, game, version)
    assert here.client.server(keys.state_key(game)).name.endswith(f":{new.port}")
    assert_intact(here, game)


def _lose_a_master(cluster: RealCluster, game: str, store: GameStore[StoredGame]) -> None:
    before = store.read_game(game)
    name = store.client.server(keys.state_key(game)).name
    (master,) = [one for one in cluster.masters if name.endswith(f":{one.port}")]
    master.kill()
    await_true(lambda: not len(store.cache), "what was kept is dropped", 5)
    with pytest.raises(StoreUnavailable):
        commit(store, game, before, ["0 pass"])
    assert store.unready() is not None
    master.start()
    await_true(lambda: store.unready() is None, "the cluster is whole again")
    assert store.read_game(game) == before
    commit(store, game, before, ["0 pass"])
    assert_intact(store, game)
