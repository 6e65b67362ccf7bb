"""Games as a store holds them: waiting for seats, running, with a seat that the server plays, finished.

Ids, secrets and times are fixed, so that two runs of one version write the same bytes.
"""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest import mock

from alhambra_api.v1 import games_pb2
from alhambra_service.games import create_game
from alhambra_service.games.game_commands import GameCommands, SeatProof
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.process.backup import write
from alhambra_service.store import DEFAULT_TENANT, EmbeddedStore, GameStore

NEW_YEAR_2026 = 1_767_225_600.0
"""When all games were created and played, in seconds of Unix time."""
MOVES_OF_A_GAME = 5_000
CLAIMED = games_pb2.SeatSetup(claim=True)
STORED: tuple[tuple[list[games_pb2.SeatSetup], list[str], int], ...] = (
    ([CLAIMED, games_pb2.SeatSetup()], [], 0),
    ([games_pb2.SeatSetup(claim=True, name="Ada", age=36), CLAIMED], ["thieves"], 40),
    ([CLAIMED, CLAIMED, games_pb2.SeatSetup(server_player="random")], ["handymen"], 20),
    ([CLAIMED] * 3, ["thieves", "city_gates"], MOVES_OF_A_GAME),
)
"""The seats, the modules, and how many moves are made at most: one game waits, two run, one is over."""


def store_games() -> str:
    """Return the games of STORED as `alhambra backup` writes them."""
    found = StringIO()
    with TemporaryDirectory() as folder, EmbeddedStore(Path(folder) / "store", fsync="always") as store:
        games: GameStore[LoadedGame] = GameStore.open(store.url, decode)
        try:
            with mock.patch("secrets.token_bytes", Random("compat").randbytes):
                commands = GameCommands(games, key=bytes(32), clock=lambda: NEW_YEAR_2026)
                for seats, modules, moves in STORED:
                    sent = games_pb2.CreateGameRequest(seats=seats, modules=modules)
                    play_stored(commands, create_game.create(commands, sent, DEFAULT_TENANT, "").game, moves)
            for step in write(games.client, found):
                assert not step.fault, step.fault
        finally:
            games.close()
    return _ordered(found.getvalue())


def _ordered(backup: str) -> str:
    """The backup with its games in the order of their ids; a store lists them in any order."""
    first, *games, last = backup.splitlines(keepends=True)
    return "".join((first, *sorted(games, key=lambda line: str(json.loads(line)["game"])), last))


def play_stored(commands: GameCommands, game: str, moves: int) -> None:
    """Makes random moves in a stored game, at most this many."""
    chance = Random(game)
    for _ in range(moves):
        loaded = commands.load(game)
        if loaded.game is None or loaded.decision is None:
            break
        proof = SeatProof(loaded.decision.seat, loaded.tokens[loaded.decision.seat])
        commands.apply(game, proof, loaded.game.clone().random_move(chance), loaded.version)
