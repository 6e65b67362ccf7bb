"""What the games of one tenant may take: over its quota a platform creates no more games, and others are left alone."""

from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import games_pb2
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.store import EmbeddedStore, Usage
from alhambra_service.store import usage as counting

from .playing import Failure, Game, Host, failure, play
from .serving import GameServer
from .small import PATIENCE, Keys, key_file

SEATS = [games_pb2.SeatSetup(claim=True)] * 2


class Platform:
    """A host with a key, and its games."""

    def __init__(self, server: GameServer, host: Host, keys: Keys, name: str, more: str = "") -> None:
        self._server = server
        self._host = host
        self.tenant = f"tenant-{name}"
        secret = keys.add(name, "games.create", "games.delete", more=more)
        self._metadata = (("authorization", f"Bearer {secret}"),)
        assert server.access.keys is not None
        server.access.keys.reload()

    def create(self, request_id: str = "", **fields: Any) -> Game:
        request = games_pb2.CreateGameRequest(seats=SEATS, request_id=request_id, **fields)
        return Game(self._host, self._host.stub.CreateGame(request, timeout=PATIENCE, metadata=self._metadata))

    def delete(self, game: Game) -> None:
        request = games_pb2.DeleteGameRequest(game=game.id)
        self._host.stub.DeleteGame(request, timeout=PATIENCE, metadata=self._metadata)

    def refused(self) -> Failure:
        found = failure(self.create)
        assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
        return found

    @property
    def usage(self) -> Usage:
        return counting.of(self._server.store.client, self.tenant)


@pytest.fixture
def keys() -> Iterator[Keys]:
    with key_file() as found:
        found.add("first", "games.create")
        yield found


@pytest.fixture
def server(embedded: EmbeddedStore, keys: Keys) -> Iterator[GameServer]:
    one = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0))
    yield one
    one.stop()


@pytest.fixture
def open_host(server: GameServer) -> Iterator[Host]:
    one = Host(server.address)
    yield one
    one.close()


def test_a_game_over_the_quota_is_refused_until_one_ends_or_is_deleted(
    server: GameServer, open_host: Host, keys: Keys
) -> None:
    platform = Platform(server, open_host, keys, "small", "running_games = 2")
    first, second = platform.create(), platform.create()
    found = platform.refused()
    assert dict(found.info.metadata) == {"quota": "running_games", "limit": "2", "used": "2"}
    assert platform.usage.running_games == 2
    seat = next(iter(first.seats.values()))
    seat.resign()  # with two seats the game is over
    assert platform.usage.running_games == 1
    third = platform.create()
    platform.refused()
    platform.delete(second)
    platform.create()
    assert platform.usage.running_games == 2
    play(third, Random(1), moves=2)  # the quota is about new games: those that run go on


def test_bytes_are_bounded_and_measured_as_a_game_grows(server: GameServer, open_host: Host, keys: Keys) -> None:
    platform = Platform(server, open_host, keys, "tight", f"stored_bytes = {2 * limits.GAME_BYTES - 1}")
    game = platform.create()
    found = platform.refused()
    assert found.info.metadata["quota"] == "stored_bytes"
    assert platform.usage == Usage(1, limits.GAME_BYTES)
    next(iter(game.seats.values())).resign()
    assert platform.usage == Usage(0, counting.size(server.store.client, game.id))
    platform.create()


def test_the_quota_of_one_platform_leaves_others_alone(server: GameServer, open_host: Host, keys: Keys) -> None:
    small = Platform(server, open_host, keys, "lone", "running_games = 1")
    small.create()
    small.refused()
    Platform(server, open_host, keys, "free", "running_games = 0\nstored_bytes = 0").create()


def test_a_creation_that_is_repeated_over_the_quota_is_answered_with_its_game(
    server: GameServer, open_host: Host, keys: Keys
) -> None:
    platform = Platform(server, open_host, keys, "insisting", "running_games = 1")
    first = platform.create("the same")
    assert platform.create("the same").id == first.id
    platform.refused()


def test_a_long_game_is_measured_while_it_runs(
    server: GameServer, open_host: Host, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GAME_BYTES", 1)
    monkeypatch.setattr(limits, "MEASURED_EVERY", 4)
    platform = Platform(server, open_host, keys, "long")
    game = platform.create()
    assert platform.usage.stored_bytes == 1
    play(game, Random(1), moves=4)
    assert platform.usage == Usage(1, counting.size(server.store.client, game.id))


def test_a_key_has_the_quotas_of_the_limits_unless_the_file_says_otherwise(keys: Keys) -> None:
    keys.add("usual", "games.create")
    secret = keys.add("special", "games.create", more="running_games = 7\nstored_bytes = 8")
    ring = keys.ring()
    usual = ring.find(next(iter(ring._by_digest)))
    assert usual is not None
    assert (usual.running_games, usual.stored_bytes) == (limits.KEY_RUNNING_GAMES, limits.KEY_STORED_BYTES)
    special = ring.holder(secret)
    assert special is not None
    assert (special.quota.running_games, special.quota.stored_bytes) == (7, 8)
