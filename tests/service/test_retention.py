"""Games that nobody needs any more are removed: finished ones sooner, abandoned ones later, running ones never."""

from collections.abc import Iterator

import pytest

from alhambra_api.v1 import games_pb2
from alhambra_service.config import Settings
from alhambra_service.games.retention import Retention
from alhambra_service.store import EmbeddedStore, keys

from .playing import PATIENCE, Game, Host
from .serving import GameServer

DAY = 24 * 3600
FINISHED, ABANDONED = 30 * DAY, 90 * DAY


@pytest.fixture
def server(embedded: EmbeddedStore) -> Iterator[GameServer]:
    one = GameServer(embedded.url)
    one.commands.retention = Retention(FINISHED, ABANDONED)
    yield one
    one.stop()


@pytest.fixture
def own_host(server: GameServer) -> Iterator[Host]:
    one = Host(server.address)
    yield one
    one.close()


def left(server: GameServer, game: Game) -> set[int]:
    """Seconds until each key of the game is removed, rounded up to minutes; -1 for never."""
    found = {int(server.store.client.read(key, "TTL", key)) for key in keys.game_keys(game.id)}
    no_log_yet = -2
    return {-(-seconds // 60) * 60 if seconds > 0 else seconds for seconds in found - {no_log_yet}}


def test_the_usual_times_are_thirty_and_ninety_days_and_zero_is_for_ever() -> None:
    assert Retention.chosen(Settings()) == Retention(FINISHED, ABANDONED)
    assert Retention.chosen(Settings(forget_finished_days=0, forget_abandoned_days=0)) == Retention(0, 0)


def test_a_new_game_and_a_running_one_are_kept_for_the_time_of_abandoned_ones(
    server: GameServer, own_host: Host
) -> None:
    waiting, running = own_host.create([{}, {}]), own_host.create(2)
    assert left(server, waiting) == left(server, running) == {ABANDONED}


def test_a_game_that_ends_is_kept_for_the_time_of_finished_ones(server: GameServer, own_host: Host) -> None:
    game = own_host.create(2)
    game.seats[0].resign()
    assert left(server, game) == {FINISHED}
    loaded = server.commands.load(game.id)
    assert loaded.expires == loaded.updated + 1000 * FINISHED


def test_the_time_for_a_decision_is_added(server: GameServer, own_host: Host) -> None:
    assert left(server, own_host.create(2, turn_seconds=10 * DAY)) == {ABANDONED + 10 * DAY}


def test_a_change_of_the_settings_reaches_a_game_with_its_next_change(server: GameServer, own_host: Host) -> None:
    game = own_host.create(3)
    server.commands.retention = Retention(0, 0)
    game.seats[0].resign()
    assert left(server, game) == {-1}
    server.commands.retention = Retention(FINISHED, ABANDONED)
    game.seats[1].resign()
    assert left(server, game) == {FINISHED}


def test_the_documents_of_a_finished_game_are_kept_as_long_as_the_game(server: GameServer, own_host: Host) -> None:
    game, client = own_host.create(2), server.store.client
    documents = keys.final_key(game.id), keys.views_key(game.id)
    game.seats[0].resign()
    for key in documents:
        client.write(key, "EXPIRE", key, DAY)
    own_host.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=game.id, seat=1), timeout=PATIENCE)
    assert left(server, game) == {FINISHED}
    assert all(client.read(key, "TTL", key) > FINISHED - DAY for key in documents)
    server.commands.retention = Retention(0, 0)
    own_host.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=game.id, seat=1), timeout=PATIENCE)
    assert all(client.read(key, "TTL", key) == -1 for key in documents)
