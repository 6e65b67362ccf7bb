"""A store that loses its newest moves, as after a fail-over to a replica that had not received them."""

from collections.abc import Callable

from alhambra_service.games.game_commands import SeatProof
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.store import GameStore
from alhambra_service.store.keys import log_key, state_key

from .watchers import Seats


def keep_for_later(store: GameStore[LoadedGame], game: str) -> Callable[[], None]:
    """Remember a game as the store has it; the returned function brings the store back there."""
    client, keys = store.client, (state_key(game), log_key(game))
    kept = [client.read(key, "DUMP", key) for key in keys]

    def go_back() -> None:
        for key, dump in zip(keys, kept, strict=True):
            client.write(key, "RESTORE", key, 0, dump, "REPLACE")
        store.cache.changed(game)

    return go_back


def play_otherwise(seats: Seats, moves: int) -> None:
    """Make the last legal move instead of the first one, which `Seats.play` makes."""
    for _ in range(moves):
        loaded = seats.loaded
        assert loaded.game is not None and loaded.decision is not None
        proof = SeatProof(loaded.decision.seat, loaded.tokens[loaded.decision.seat])
        seats.place.commands.apply(seats.game, proof, loaded.game.legal_moves()[-1], loaded.version)
