"""Fail-over: what a master acknowledged and its replica never heard of is lost when the replica takes its place.

That is the window of asynchronous replication, and with the mode `always` nobody promises more than one disk. It is
never silent: who was acknowledged a version is refused that version, and when the game comes there again its link is
another one. With the mode `replicated` the answer waits for the replica's disk: nothing acknowledged is lost.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import grpc

from alhambra.record import read_entry
from alhambra.replay import Retracing
from alhambra_api.v1 import events_pb2, views_pb2
from alhambra_service.games.table import Table
from alhambra_service.messages.translate import event_to
from alhambra_service.store import GameStore
from alhambra_service.store.keys import state_key

from ..playing import Failure, Game, failure, play, random_move
from ..store.servers import RealServer, await_true
from .house import House, housed
from .load import PASSING, Load, PatientHost
from .replicas import ReplicatedCluster, about
from .scenario import Tell
from .verdict import assert_whole, judge

MOVES_BEFORE, MOVES_LOST = 8, 4
LOAD_MOVES = 30
PATIENCE = 60.0
REPLICATED = ("--durability", "replicated", "--replicas", "1")


@dataclass
class Failover:
    """What a fail-over has cost."""

    mode: str
    acknowledged: int
    lost: int
    window: float = 0.0
    """Seconds between the first lost acknowledgement and the death of the master."""

    def __str__(self) -> str:
        window = f", acknowledged up to {self.window:.3f} s before the master died" if self.lost else ""
        return f"fail-over, {self.mode}: {self.acknowledged} acknowledged moves, {self.lost} lost{window}"


@contextmanager
def _setting(*more: str) -> Iterator[tuple[ReplicatedCluster, House]]:
    cluster = ReplicatedCluster()
    try:
        with housed((), cluster.url, *more) as house:
            yield cluster, house
    finally:
        cluster.stop()


# -- The window, opened on purpose -------------------------------------------------------------------------------------


def a_lost_commit_is_visible(tell: Tell) -> Failover:
    """Moves that the replica cannot hear of are acknowledged and lost; every way to notice notices."""
    with _setting() as (cluster, house):
        host = PatientHost(house.address)
        try:
            game, master = _game_on_first_master(house, cluster, host)
            before = play(game, Random(1), moves=MOVES_BEFORE)
            await_true(lambda: _caught_up(cluster, master), "the replica has heard everything")
            cluster.cut_off(master)
            began = time.monotonic()
            lost = play(game, Random(2), moves=MOVES_LOST)
            assert _told(game)[-1].version == lost.version  # and the service has it at hand
            master.kill()
            window = time.monotonic() - began
            cluster.let_go(master)
            tell(f"acknowledged version {lost.version}, the replica knows {before.version}, the master is dead")
            cluster.await_promotion(master)
            tell("the replica is promoted")
            _await_version(game, before)
            found = failure(lambda: game.view(min_version=lost.version))
            assert found.reason == "VERSION_STALE", found.reason
            assert int(found.info.metadata["version"]) == before.version
            _go_on_until(game, lost.version, Random(3))
            with house.opened() as store:
                log = assert_whole(store, game.id)
                assert log[before.version - 1].link == before.fairness.link
                assert log[lost.version - 1].link != lost.fairness.link
                assert _told(game) == _from_log(store, game.id), "events of lost moves are told"
            return Failover("always, replica cut off", lost.version, lost.version - before.version, window)
        finally:
            host.close()


def _game_on_first_master(house: House, cluster: ReplicatedCluster, host: PatientHost) -> tuple[Game, RealServer]:
    master = cluster.masters[0]
    with house.opened() as store:
        for _ in range(100):
            game = host.create(2)
            if store.client.server(state_key(game.id)).name.endswith(f":{master.port}"):
                return game, master
    raise AssertionError("no game falls to the first master")


def _caught_up(cluster: ReplicatedCluster, master: RealServer) -> bool:
    return about(master)["master_repl_offset"] == about(cluster.replicas[master])["slave_repl_offset"]


def _await_version(game: Game, wanted: views_pb2.View) -> None:
    """Waits until the service reads the game from the new master."""

    def there() -> bool:
        try:
            view = game.view()
        except grpc.RpcError as error:
            assert _code(error) in PASSING, error
            return False
        return (view.version, view.fairness.link) == (wanted.version, wanted.fairness.link)

    await_true(there, "the service sees what is left", PATIENCE)


def _code(error: grpc.RpcError) -> grpc.StatusCode:
    status: Any = error
    code: grpc.StatusCode = status.code()
    return code


def _go_on_until(game: Game, version: int, rng: Random) -> None:
    """Plays other moves than before, until the game is as far again."""
    deadline = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < deadline
        try:
            view = game.view()
            if view.version >= version:
                return
            seat = game.seats[view.decision.seat]
            move, seen = random_move(seat, view.version, rng)
            seat.apply(move, seen)
        except grpc.RpcError as error:
            if _code(error) not in PASSING:
                assert Failure(error).reason == "VERSION_STALE", error


def _told(game: Game) -> list[events_pb2.Event]:
    """The events of the game as a spectator is told who comes now."""
    request = events_pb2.WatchEventsRequest(game=game.id, from_version=1, past_only=True, page_size=1_000)
    stream = game.stub.WatchEvents(request, timeout=PATIENCE)
    return [message.event for message in stream if message.HasField("event")]


def _from_log(store: GameStore[Table], game: str) -> list[events_pb2.Event]:
    """The events that follow from the log."""
    path = Retracing(store.load(game, fresh=True).options)
    return [event_to(event, None) for entry in store.log(game) for event in path.step(read_entry(entry.text))]


# -- Fail-over in the middle of a load ---------------------------------------------------------------------------------


def a_load_goes_on(seed: int, tell: Tell, *, replicated: bool) -> Failover:
    """A master dies under load and its replica takes its place; returns what was lost."""
    mode = "replicated" if replicated else "always"
    with _setting(*(REPLICATED if replicated else ())) as (cluster, house):
        load = Load(house.address, seed=seed, losing=not replicated)
        try:
            load.set_up(8)
            while not house.everywhere(load.games):
                load.set_up(1)
            with load.playing():
                load.await_more(LOAD_MOVES)
                master = Random(seed).choice(cluster.masters)
                master.kill()
                died = time.monotonic()
                tell(f"{mode}: a master is dead, {len(load.acknowledged)} moves acknowledged")
                cluster.await_promotion(master)
                tell(f"{mode}: promoted after {time.monotonic() - died:.1f} s")
                cluster.return_as_replica(master)
                load.await_more(LOAD_MOVES)
            with house.opened() as store:
                missing = judge(store, load, answered=replicated)
            window = max((died - one.at for one in missing), default=0.0)
            assert not (replicated and missing), "a move that replicas had on disk is lost"
            return Failover(f"{mode}, under load", len(load.acknowledged), len(missing), window)
        finally:
            load.close()
