"""Stored games of a version, kept for ever: every later version must load them, play them to the end and export them.

A released version has a folder in `tests/compat/games/`. It holds games of the base game, of each module and of mixes:
at the first decision of every kind, and finished (`*.game`, `Game.to_bytes` compressed), and a few games as a store
holds them (`store.jsonl`, as `alhambra backup` writes them): waiting for seats, running, finished.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from alhambra import BASE, Game, Options, known_modules, load_module
from alhambra.options import PRESETS, preset_modules
from alhambra.players import NoveltySeeker, Table, perform
from alhambra_api.v1 import games_pb2
from alhambra_service.games import seating
from alhambra_service.games.table import Table as Tabled
from alhambra_service.games.table import decode
from alhambra_service.games.tables import SeatProof, Tables
from alhambra_service.process.backup import write
from alhambra_service.store import DEFAULT_TENANT, EmbeddedStore, GameStore

GAMES = Path(__file__).with_name("games")
TRIES = 60
"""Games that are played to meet every decision of a module."""
SEATS = (3, 4, 2)
MOVES_OF_A_GAME = 5_000
STORED: tuple[tuple[list[games_pb2.SeatSetup], int], ...] = (
    ([games_pb2.SeatSetup(claim=True), games_pb2.SeatSetup()], 0),
    ([games_pb2.SeatSetup(claim=True, name="Ada", age=36), games_pb2.SeatSetup(claim=True)], 40),
    ([games_pb2.SeatSetup(claim=True)] * 3, MOVES_OF_A_GAME),
)
"""The seats of games as a store holds them, and how many moves are made: one game waits, one runs, one is over."""


def released() -> list[Path]:
    """The folders of all released versions."""
    return sorted(path for path in GAMES.glob("*") if path.is_dir())


def setups() -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is played: a name, and modules."""
    yield "base", ()
    for key in own_modules():
        yield key, (key,)
    for preset in PRESETS:
        yield f"mix_{preset}", preset_modules(preset)


def own_modules() -> list[str]:
    """The modules of this library."""
    return [key for key in known_modules() if not key.startswith("example_")]


def games_of(name: str, modules: tuple[str, ...]) -> Iterator[tuple[str, Game]]:
    """Games with these modules: one at the first decision of each kind, named after it, and one that is over."""
    wanted = {kind.name for key in modules for kind in load_module(key).decisions} if modules else set()
    met: set[str] = set()
    seeker = NoveltySeeker()
    for number in range(TRIES):
        game = Game.new(Options(seats=SEATS[number % len(SEATS)], seed=f"compat {name} {number}", modules=modules))
        table, chance = Table([seeker] * len(game.state.seats)), Random(number)
        while (decision := game.decision) is not None:
            if decision.kind not in met and game.version:
                met.add(decision.kind)
                yield decision.kind, game.clone()
            perform(game, table.next(game, chance))
        if number == 0:
            yield "finished", game
        if wanted <= met:
            return


def pack(game: Game) -> bytes:
    """A game as it is kept in a folder."""
    return zlib.compress(game.to_bytes(), 9)


def unpack(data: bytes) -> bytes:
    """The bytes of a game that `pack` was given."""
    return zlib.decompress(data)


def write_games(folder: Path) -> int:
    """Writes the games of the present version into a folder; how many."""
    folder.mkdir(parents=True)
    count = 0
    met = set()
    for name, modules in setups():
        for kind, game in games_of(name, modules):
            (folder / f"{name}-{kind}.game").write_bytes(pack(game))
            met.add(kind)
            count += 1
        print(f"{name}: {count} games so far", file=sys.stderr)
    missing = {kind.name for record in (BASE, *map(load_module, own_modules())) for kind in record.decisions} - met
    if missing:
        print(f"No game stands at {', '.join(sorted(missing))}.", file=sys.stderr)
    (folder / "store.jsonl").write_text(store_games(), encoding="utf-8")
    return count


def store_games() -> str:
    """Games as a store holds them: waiting for seats, running, finished."""
    found = StringIO()
    with TemporaryDirectory() as folder, EmbeddedStore(Path(folder) / "store", fsync="always") as store:
        games: GameStore[Tabled] = GameStore.open(store.url, decode)
        try:
            tables = Tables(games)
            for number, (seats, moves) in enumerate(STORED):
                sent = games_pb2.CreateGameRequest(seats=seats, modules=["thieves", "city_gates"][:number])
                play_stored(tables, seating.create(tables, sent, DEFAULT_TENANT, "").game, moves)
            for step in write(games.client, found):
                assert not step.fault, step.fault
        finally:
            games.close()
    return found.getvalue()


def play_stored(tables: Tables, game: str, moves: int) -> None:
    """Makes random moves in a stored game, at most this many."""
    chance = Random(game)
    for _ in range(moves):
        table = tables.load(game)
        if table.game is None or table.decision is None:
            break
        proof = SeatProof(table.decision.seat, table.tokens[table.decision.seat])
        tables.apply(game, proof, table.game.clone().random_move(chance), table.version)
