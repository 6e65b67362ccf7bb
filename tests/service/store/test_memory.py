"""A stored game with 200 moves takes at most 24 KiB, whatever the seats and modules."""

import random
from dataclasses import replace

import pytest

from alhambra import Game, Options, known_modules
from alhambra.notation import write_entry
from alhambra_service.store import GameStore, Request, StoredGame, keys, new_game

from .conftest import OpenStore
from .samples import blank, commit
from .servers import RealServer

BUDGET = 24 * 1024
MOVES = 200


def played(store: GameStore[StoredGame], options: Options) -> str:
    """A game of random moves, each committed with a request id as clients make them."""
    game, name = Game.new(options), new_game()
    seats = [{"token": "ab" * 32, "invitation": "cd" * 32, "name": f"Player {n}"} for n in range(len(options.seats))]
    store.create(name, replace(blank(), service={"seats": seats}).dealt(game))
    rng = random.Random(7)
    while game.version < MOVES and not game.over:
        game.apply(game.random_move(rng))
        entry = game.log[-1]
        request = Request.of(f"seat-{entry.seat}", f"{rng.getrandbits(128):032x}", b"a move")
        commit(store, name, replace(store.load(name), state=game.state_bytes()), [write_entry(entry)], request)
    assert game.version >= MOVES, "a longer game is needed"
    return name


def memory(store: GameStore[StoredGame], game: str) -> int:
    return sum(store.client.read(key, "MEMORY", "USAGE", key, "SAMPLES", 0) for key in keys.game_keys(game))


@pytest.mark.parametrize(
    ("seats", "modules"),
    [(2, ()), (6, ()), (4, "many")],
    ids=["2 seats", "6 seats", "4 seats and many modules"],
)
def test_a_game_with_200_moves_stays_within_its_memory(
    server: RealServer, open_store: OpenStore, seats: int, modules: tuple[str, ...] | str
) -> None:
    chosen = tuple(sorted(known_modules()))[:12] if modules == "many" else ()
    store = open_store(server.socket_url)
    game = played(store, Options(seats=seats, seed="memory", modules=chosen))
    taken = memory(store, game)
    parts = [store.client.read(key, "MEMORY", "USAGE", key, "SAMPLES", 0) for key in keys.game_keys(game)]
    print(f"{seats} seats, {len(chosen)} modules: {taken} bytes, state/log/requests {parts}")
    assert taken <= BUDGET
