"""The judge of the fault tests is no friend: it misses what is missing, and sees what is half done."""

from collections.abc import Iterator

import pytest

from alhambra_service.games.table import Table
from alhambra_service.store import GameStore
from alhambra_service.store.keys import game_keys, log_key

from ..serving import GameServer
from .load import Load
from .verdict import judge


@pytest.fixture
def load(game_server: GameServer) -> Iterator[Load]:
    """Three clients and their game, some moves into it."""
    load = Load(game_server.address, seed=99, clients=3)
    load.set_up(1)
    _play(load, 4)
    yield load
    load.close()


def _play(load: Load, moves: int) -> None:
    with load.playing():
        load.await_more(moves)


def test_whatever_was_acknowledged_and_is_not_there_is_missing(game_server: GameServer, load: Load) -> None:
    store = game_server.store
    (game,) = load.games
    kept = [(key, store.client.read(key, "DUMP", key)) for key in game_keys(game)]
    before = list(load.acknowledged)
    _play(load, 4)
    assert judge(store, load, answered=True) == []
    for key, dump in kept:
        store.client.write(key, "RESTORE", key, 0, dump, "REPLACE")
    assert judge(store, load, answered=False) == load.acknowledged[len(before) :]


def test_a_log_without_its_last_entry_is_half_a_move(game_server: GameServer, load: Load) -> None:
    store: GameStore[Table] = game_server.store
    assert judge(store, load, answered=True) == []
    (game,) = load.games
    store.client.write(log_key(game), "RPOP", log_key(game))
    with pytest.raises(AssertionError):
        judge(store, load, answered=False)
