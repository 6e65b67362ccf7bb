"""What every later version must be able to do with a stored game."""

from __future__ import annotations

from io import StringIO
from random import Random

from alhambra import Game, export_game, history, verify_export
from alhambra_service.games.table import OVER, WAITING, Table, decode
from alhambra_service.games.tables import Tables
from alhambra_service.process.backup import restore
from alhambra_service.store import EmbeddedStore, GameStore
from tests.compat.corpus import MOVES_OF_A_GAME, play_stored


def finish(data: bytes) -> Game:
    """Loads a game, shows it, plays it to the end, tells its story and exports it. A game of the same version must
    replay byte by byte: if it does not, the rules have changed, and the version of a module must grow."""
    game = Game.from_bytes(data)
    for viewer in (None, *range(len(game.state.seats))):
        assert game.view(viewer)
    chance = Random(1)
    while not game.over:
        game.apply(game.random_move(chance))
    assert {event.version for event in history(game)} == set(range(game.version + 1))
    report = verify_export(export_game(game))
    assert report.ok or report.unchecked, report.findings
    return game


def finish_stored(store: EmbeddedStore, backup: str) -> list[str]:
    """Puts the games of a backup into a store, plays them to the end and exports them; how each was found."""
    games: GameStore[Table] = GameStore.open(store.url, decode)
    found = []
    try:
        tables = Tables(games)
        for step in restore(games.client, StringIO(backup)):
            assert not step.fault, step.fault
            table = tables.load(step.game)
            found.append(table.status)
            if table.status == WAITING:
                continue
            play_stored(tables, step.game, MOVES_OF_A_GAME)
            table = tables.load(step.game)
            assert table.status == OVER
            events = tables.replay.events(step.game, table, 0, table.version)
            assert {event.version for event in events} == set(range(table.version + 1))
            assert tables.exports.document(step.game, table, None)
    finally:
        games.close()
    return sorted(found)
