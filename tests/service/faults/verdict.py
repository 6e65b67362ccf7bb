"""What is true of every store after every death, and which acknowledged moves it lacks."""

import time

from alhambra import Game as RulesGame
from alhambra.record import read_entry
from alhambra_service.games.automatic.progress import waits
from alhambra_service.games.table import Table
from alhambra_service.store import GameStore, LogEntry, first_broken

from .load import Acknowledged, Load


def judge(store: GameStore[Table], load: Load, *, answered: bool) -> list[Acknowledged]:
    """Every game is whole; returns the acknowledged moves that are missing. `answered`: everybody got an answer."""
    missing = []
    for game in load.games:
        log = assert_whole(store, game)
        told = [one for one in load.acknowledged if one.game == game]
        lost = [one for one in told if not stands(one, log)]
        missing += lost
        versions = [one.first for one in told if one not in lost]
        assert len(versions) == len(set(versions)), "two moves were told the same version"
        if answered:
            people = load.games[game]
            made = {entry.version for entry in log if read_entry(entry.text).seat in people}
            assert made == set(versions), "a move was made that nobody was told of"
    return missing


def stands(one: Acknowledged, log: list[LogEntry]) -> bool:
    """Whether the move stands in the log as it was acknowledged, under the link that was told."""
    return len(log) >= one.version and log[one.first - 1].text == one.text and log[one.version - 1].link == one.link


def assert_whole(store: GameStore[Table], game: str) -> list[LogEntry]:
    """No gap, no broken link, no half-applied move, and nobody waits for a seat that the server plays."""
    table = store.load(game, fresh=True)
    log = whole_log(store, game)
    assert [entry.version for entry in log] == list(range(1, table.version + 1))
    opening = table.record.dealt(RulesGame.new(table.options)).link
    assert first_broken(table.record.secret, opening, log) is None
    assert table.record.link == (log[-1].link if log else opening)
    replayed = RulesGame.replay(table.options, [read_entry(entry.text) for entry in log])
    assert replayed.state_bytes() == table.record.state
    assert not waits(table, int(1000 * time.time()))
    return log


def whole_log(store: GameStore[Table], game: str) -> list[LogEntry]:
    log: list[LogEntry] = []
    while page := store.log(game, len(log)):
        log += page
    return log
