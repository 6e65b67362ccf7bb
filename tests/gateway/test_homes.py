"""Calls and streams of a game go to one process of the services, its home, whichever gateway passes them on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import Any, cast

import grpc
import pytest

from alhambra_api.v1 import events_pb2, games_pb2
from alhambra_gateway import limits
from alhambra_gateway.upstream.homes import Homes, Spread
from alhambra_gateway.upstream.service_addresses import Target
from alhambra_gateway.upstream.service_channels import PROCESS_METADATA, PROCESSES_METADATA, ServiceChannel
from alhambra_service.rpc import health
from tests.service.store.servers import await_true

from .http import Client
from .product import gateway
from .scripted import SERVING, Scripted
from .sse import Stream

GAMES = [f"game{number:08}" for number in range(200)]


class Led:
    """Stands in for a channel that leads to a process."""

    def __init__(self, process: str) -> None:
        self.process = process


def homes(*processes: str) -> Homes:
    return Homes(cast("Iterable[ServiceChannel]", map(Led, processes)))


def test_service_and_gateway_mean_the_same_metadata() -> None:
    assert (PROCESS_METADATA, PROCESSES_METADATA) == (health.PROCESS_METADATA, health.PROCESSES_METADATA)


def test_gateways_that_know_the_same_processes_agree_whatever_the_order_of_their_channels() -> None:
    one, other = homes("a", "b", "c", "a"), homes("c", "a", "b")
    assert [one.home(game) for game in GAMES] == [other.home(game) for game in GAMES]


def test_every_process_is_the_home_of_its_share_of_the_games() -> None:
    shares = Counter(map(homes("a", "b", "c").home, GAMES))
    assert all(len(GAMES) / 5 < shares[name] < len(GAMES) / 2 for name in "abc"), shares


def test_only_the_games_of_a_lost_process_move() -> None:
    before, after = homes("a", "b", "c"), homes("a", "c")
    assert {before.home(game) for game in GAMES if before.home(game) != after.home(game)} == {"b"}


def test_a_home_is_reached_over_all_channels_that_lead_to_it() -> None:
    found = homes("a", "b", "a").channels(GAMES[0])
    assert {channel.process for channel in found} == {homes("a", "b").home(GAMES[0])}
    assert sum(len(homes("a", "b", "a").channels(game)) == 2 for game in GAMES) > 0


@pytest.mark.parametrize("processes", [(), ("",), ("", "")])
def test_without_names_there_are_no_homes(processes: tuple[str, ...]) -> None:
    found = homes(*processes)
    assert (found.home(GAMES[0]), found.channels(GAMES[0])) == ("", ())


class Drawn(Scripted):
    """A service whose first connections lead to one process, all later ones to another."""

    def __init__(self, first: int) -> None:
        self.connections: dict[str, str] = {}
        """By connection: the process that it leads to."""
        self._drawing = Lock()
        super().__init__()
        self._first = first
        self.say = lambda context, request: games_pb2.GetGameResponse()
        self.say_health = self._say_health

    def _say_health(self, context: grpc.ServicerContext, request: bytes) -> Any:
        with self._drawing:
            name = "one" if len(self.connections) < self._first else "two"
            process = self.connections.setdefault(context.peer(), name)
        context.set_trailing_metadata(((PROCESS_METADATA, process), (PROCESSES_METADATA, "2")))
        return SERVING

    def reached(self, client: Client) -> set[str]:
        """Ask for many games, and return the processes that were asked."""
        self.peers.clear()
        ask_all(client, GAMES[:40])
        return {self.connections.get(peer, "") for peer in self.peers}


@pytest.mark.parametrize("first", [limits.CHANNELS - 1, limits.CHANNELS, limits.CHANNELS + 2])
def test_connections_are_opened_anew_until_they_lead_to_all_processes(first: int) -> None:
    service = Drawn(first)
    with gateway(service.address) as running, Client(running.http) as client:
        await_true(lambda: service.reached(client) == {"one", "two"}, "no connection leads to the other process")
        assert len(service.connections) == max(limits.CHANNELS, first + 1)
    service.stop()


class Known(Led):
    """Stands in for a channel to the only service, which says that it has three processes."""

    target = Target("127.0.0.1:1")
    processes = 3


def superfluous(spread: Spread, *processes: str) -> list[str]:
    channels = cast("Iterable[ServiceChannel]", map(Known, processes))
    return [channel.process for channel in spread.superfluous(channels)]


def test_channels_are_replaced_one_by_one_and_not_for_ever() -> None:
    spread = Spread()
    assert superfluous(spread, "a", "b", "a", "a") == ["a"]
    assert superfluous(spread, "b", "a", "a") == [], "the new one has not answered"
    assert superfluous(spread, "b", "a", "a", "c") == [], "all processes are reached"
    rounds = [superfluous(spread, "a", "a", "b", "b") for _ in range(limits.SPREAD_TRIES + 5)]
    assert rounds == [["a"]] * limits.SPREAD_TRIES + [[]] * 5
    superfluous(spread, "a", "b", "c", "c")
    assert superfluous(spread, "a", "a", "b", "b") == ["a"], "tries are counted anew"


class Named(Scripted):
    """A service whose process tells its name, and which remembers the games that it was asked for."""

    def __init__(self, name: str) -> None:
        self.games: list[str] = []
        super().__init__()
        self._name = name
        self.say, self.say_health = self._say, self._say_health

    def _say(self, context: grpc.ServicerContext, request: bytes) -> Any:
        self.games.append(games_pb2.GetGameRequest.FromString(request).game)
        if self.method == "GetGame":
            return games_pb2.GetGameResponse()
        return events_pb2.WatchEventsResponse(snapshot=events_pb2.Snapshot())

    def _say_health(self, context: grpc.ServicerContext, request: bytes) -> Any:
        context.set_trailing_metadata(((PROCESS_METADATA, self._name),))
        return SERVING


@contextmanager
def named(*names: str) -> Iterator[list[Named]]:
    """Services whose processes tell these names."""
    with ExitStack() as stack:
        found = [Named(name) for name in names]
        for one in found:
            stack.callback(one.stop)
        yield found


def ask_all(client: Client, games: Iterable[str]) -> None:
    for game in games:
        assert client.get(f"/v1/games/{game}").status == 200


def test_calls_about_a_game_go_to_its_home_from_every_gateway() -> None:
    games, where = GAMES[:20], homes("one", "two")
    with named("one", "two") as services, ExitStack() as stack:
        address = ",".join(one.address for one in services)
        for _ in range(2):
            client = stack.enter_context(Client(stack.enter_context(gateway(address)).http))
            await_homes(client, services)
            for one in services:
                one.games.clear()
            ask_all(client, games * 2)
            for one, name in zip(services, ("one", "two"), strict=True):
                assert sorted(one.games) == sorted(2 * [game for game in games if where.home(game) == name])


def await_homes(client: Client, services: list[Named]) -> None:
    """Wait until a gateway knows all processes."""
    await_true(lambda: _reached(client, services), "calls do not go to the homes of their games")


def _reached(client: Client, services: list[Named]) -> bool:
    for one in services:
        one.games.clear()
    ask_all(client, GAMES[20:60])
    asked = [set(one.games) for one in services]
    return all(asked) and not asked[0] & asked[1]


def test_a_stream_of_a_game_comes_from_its_home() -> None:
    where = homes("one", "two")
    with named("one", "two") as services, gateway(",".join(one.address for one in services)) as running:
        with Client(running.http) as client:
            await_homes(client, services)
        for one in services:
            one.games.clear()
        for game in GAMES[:8]:
            with Stream(running.http, f"/v1/games/{game}/events") as stream:
                assert stream.status == 200
        for one, name in zip(services, ("one", "two"), strict=True):
            assert one.games, "streams of some games come from each of them"
            assert {where.home(game) for game in one.games} == {name}


def test_calls_go_elsewhere_when_the_home_of_their_game_has_died() -> None:
    with ExitStack() as stack:
        services = stack.enter_context(named("one", "two"))
        running = stack.enter_context(gateway(",".join(one.address for one in services)))
        client = stack.enter_context(Client(running.http))
        await_homes(client, services)
        services[0].stop()
        ask_all(client, GAMES[:20])
