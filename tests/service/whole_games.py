"""What is true of every game in a store, whatever has happened to its processes."""

import time

from alhambra import Game as RulesGame
from alhambra.export import read_entry
from alhambra_service.games.game_change import has_due_decision
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.store import GameStore, LogEntry, first_broken


def assert_whole(store: GameStore[LoadedGame], game: str) -> list[LogEntry]:
    """Fail if the log of a game has a gap or a broken link, if the state does not follow from it, or if the game waits
    for a seat that the server plays. Returns the log."""
    loaded = store.load(game, fresh=True)
    log = whole_log(store, game)
    assert [entry.version for entry in log] == list(range(1, loaded.version + 1))
    opening = loaded.stored.dealt(RulesGame.new(loaded.options)).link
    assert first_broken(loaded.stored.secret, opening, log) is None
    assert loaded.stored.link == (log[-1].link if log else opening)
    replayed = RulesGame.replay(loaded.options, [read_entry(entry.text) for entry in log])
    assert replayed.state_bytes() == loaded.stored.state
    assert not has_due_decision(loaded, int(1000 * time.time()))
    return log


def whole_log(store: GameStore[LoadedGame], game: str) -> list[LogEntry]:
    """Return all entries of a log."""
    log: list[LogEntry] = []
    while page := store.log(game, len(log)):
        log += page
    return log
