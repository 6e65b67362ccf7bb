"""What every later version must be able to do with a stored game.

`make compat` does all of it with every game. A run of the tests plays on in every game, and finishes a sample.
"""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from alhambra import Game, export_game, export_view, history, verify_export
from alhambra.players import Peer, Table
from alhambra_service.games.game_commands import GameCommands
from alhambra_service.games.loaded_game import OVER, WAITING, LoadedGame, decode
from alhambra_service.process.backup import restore
from alhambra_service.store import EmbeddedStore, GameStore

from .corpus import STORE, read_corpus, setup_of
from .store_games import MOVES_OF_A_GAME, play_stored

MOVES_ON = 5
"""Moves that are made in a game that is not played to its end."""


class Broken(AssertionError):
    """A stored game that this version cannot go on with. The message names the file and the game."""


def check_corpus(
    path: Path,
    *,
    finished: Callable[[str], bool],
    checked: Callable[[str], bool] = lambda _name: True,
    told: Callable[[str, int], None] = lambda _name, _games: None,
) -> int:
    """Load every game of a file, or those for which `checked` holds by name; show it, play on in it and export it; play
    those to the end for which `finished` holds. Return the number of games; raise Broken at the first that fails.
    `told` hears of each setup that is done, and how many games it had."""
    count = 0
    for setup, members in groupby(read_corpus(path), key=lambda member: setup_of(member[0])):
        before = count
        for name, data in members:
            if not checked(name):
                continue
            try:
                count += _check(name, data, to_the_end=finished(name))
            except Exception as fault:
                raise Broken(f"{path.name}: {name}: {type(fault).__name__}: {fault}") from fault
        told(setup, count - before)
    return count


def _check(name: str, data: bytes, *, to_the_end: bool) -> int:
    """Check what is kept under a name; how many games that was."""
    if name == STORE:
        with TemporaryDirectory() as folder, EmbeddedStore(Path(folder) / "store", fsync="always") as store:
            return len(finish_stored(store, data.decode()))
    (finish if to_the_end else play_on)(data)
    return 1


def play_on(data: bytes) -> Game:
    """Load a game, show it, make some moves, export it and read it again."""
    game = _loaded(data)
    chance = Random(1)
    for _ in range(MOVES_ON):
        if not game.over:
            game.apply(game.random_move(chance))
    _checked(game)
    return game


def finish(data: bytes) -> Game:
    """Load a game, show it, play it to its end, export it and read it again."""
    game = _loaded(data)
    Table([Peer()] * len(game.state.seats)).play(game, Random(1))
    _checked(game)
    return game


def _loaded(data: bytes) -> Game:
    game = Game.from_bytes(data)
    for viewer in (None, *range(len(game.state.seats))):
        assert game.view(viewer)
    return game


def _checked(game: Game) -> None:
    """The story of the game has no gap, and the game as bytes and as an export says the same. A game of the same
    version must replay byte by byte: if it does not, the rules have changed, and the version of a module must grow."""
    told = history(game)
    assert {event.version for event in told} == set(range(game.version + 1))
    assert Game.from_bytes(game.to_bytes()) == game
    if game.over:
        report = verify_export(export_game(game, replay=False))
        assert report.ok or report.unchecked, report.findings
    else:
        assert export_view(game, 0, told)["events"]


def finish_stored(store: EmbeddedStore, backup: str) -> list[str]:
    """Puts the games of a backup into a store, plays them to the end and exports them; how each was found."""
    games: GameStore[LoadedGame] = GameStore.open(store.url, decode)
    found = []
    try:
        commands = GameCommands(games)
        for step in restore(games.client, StringIO(backup)):
            assert not step.fault, step.fault
            loaded = commands.load(step.game)
            found.append(loaded.status)
            if loaded.status == WAITING:
                continue
            play_stored(commands, step.game, MOVES_OF_A_GAME)
            loaded = commands.load(step.game)
            assert loaded.status == OVER
            events = commands.replay.events(step.game, loaded, 0, loaded.version)
            assert {event.version for event in events} == set(range(loaded.version + 1))
            assert commands.exports.document(step.game, loaded, None)
    finally:
        games.close()
    return sorted(found)
