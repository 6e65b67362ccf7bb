"""The past is what the log says: each entry is played once, room for events is bounded, a log that went back is
noticed."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from alhambra import Event
from alhambra_service import limits
from alhambra_service.events.replay import Replay
from alhambra_service.games.answers.game_answer import Viewer
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.store import DamagedGame, WentBack
from alhambra_service.store.keys import log_key
from alhambra_service.streams.followed_game import FollowedGame
from alhambra_service.streams.watcher import Watcher

from .lost_moves import keep_for_later
from .playing import Game, Host, play
from .serving import GameServer

MOVES = 12


@pytest.fixture
def game(host: Host) -> Game:
    # The same deal every time: two ways on from here could else happen to be the same moves.
    found = host.create(2, seed="past")
    play(found, Random(5), moves=MOVES)
    return found


def loaded_game(server: GameServer, game: Game) -> LoadedGame:
    return server.store.load(game.id, fresh=True)


class Reading:
    """A past that counts the entries it reads."""

    def __init__(self, server: GameServer, monkeypatch: pytest.MonkeyPatch, **bounds: Any) -> None:
        self.past = Replay(server.store, **bounds)
        self.entries = 0
        read = server.store.log

        def log(*asked: Any) -> Any:
            found = read(*asked)
            self.entries += len(found)
            return found

        monkeypatch.setattr(server.store, "log", log)


def ids(events: list[Event]) -> list[str]:
    return [event.id for event in events]


def test_as_many_games_are_followed_as_can_be_watched() -> None:
    assert limits.FOLLOWED_GAMES >= limits.WATCHERS


def test_an_entry_that_was_played_is_not_played_again(
    game_server: GameServer, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(game_server, monkeypatch)
    loaded = loaded_game(game_server, game)
    whole = reading.past.events(game.id, loaded, 0, loaded.version)
    assert reading.entries == loaded.version
    assert reading.past.events(game.id, loaded, 0, loaded.version) == whole
    assert [event.version for event in whole] == sorted(event.version for event in whole)
    play(game, Random(6), moves=3)
    later = loaded_game(game_server, game)
    reading.past.events(game.id, later, loaded.version + 1, later.version)
    assert reading.entries == later.version
    assert reading.past.events(game.id, later, later.version + 1, later.version) == []


def test_without_room_only_the_newest_events_are_kept_and_following_goes_on(
    game_server: GameServer, game: Game, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(game_server, monkeypatch, events=1)
    loaded = loaded_game(game_server, game)
    whole = reading.past.events(game.id, loaded, 0, loaded.version)
    other = host.create(2)
    reading.past.events(other.id, loaded_game(game_server, other), 0, 0)
    assert ids(reading.past.events(game.id, loaded, loaded.version, loaded.version)) == ids(
        [event for event in whole if event.version == loaded.version]
    )
    play(game, Random(7), moves=2)
    later = loaded_game(game_server, game)
    assert reading.past.events(game.id, later, loaded.version + 1, later.version, after=loaded.stored.link)
    assert reading.entries == later.version
    assert ids(reading.past.events(game.id, later, 0, loaded.version)) == ids(whole)
    assert reading.entries == 2 * later.version - (later.version - loaded.version)


def test_games_that_are_no_longer_followed_are_followed_anew(
    game_server: GameServer, game: Game, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(game_server, monkeypatch, size=1)
    loaded = loaded_game(game_server, game)
    whole = reading.past.events(game.id, loaded, 0, loaded.version)
    other = host.create(2)
    reading.past.events(other.id, loaded_game(game_server, other), 0, 0)
    assert ids(reading.past.events(game.id, loaded, 0, loaded.version)) == ids(whole)
    assert reading.entries == 2 * loaded.version


def test_a_game_that_nobody_looks_at_is_not_followed_for_long(
    game_server: GameServer, game: Game, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    reading = Reading(game_server, monkeypatch, clock=lambda: now)
    loaded, other = loaded_game(game_server, game), host.create(2)

    def look_elsewhere() -> None:
        reading.past.events(other.id, loaded_game(game_server, other), 0, 0)

    reading.past.events(game.id, loaded, 0, loaded.version)
    now += limits.FOLLOWED_SECONDS - 1
    look_elsewhere()
    reading.past.events(game.id, loaded, 0, loaded.version)
    assert reading.entries == loaded.version, "it was still at hand"
    now += limits.FOLLOWED_SECONDS + 1
    look_elsewhere()
    reading.past.events(game.id, loaded, 0, loaded.version)
    assert reading.entries == 2 * loaded.version


# -- A store that lost its newest commits ------------------------------------------------------------------------------


def test_of_games_that_are_over_only_those_looked_at_last_are_kept(
    game_server: GameServer, host: Host, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FOLLOWED_GAMES_OVER", 1)
    reading = Reading(game_server, monkeypatch)
    over = [host.create(2, turn_limit=1) for _ in range(2)]
    for each in over:
        play(each, Random(1))

    def looked_at(each: Game) -> int:
        """How many entries are read to see a game."""
        loaded = loaded_game(game_server, each)
        before = reading.entries
        reading.past.events(each.id, loaded, 0, loaded.version)
        return reading.entries - before

    for each in (game, *over):
        assert looked_at(each) > 0
    assert looked_at(over[1]) == 0
    assert looked_at(over[0]) > 0
    assert looked_at(game) == 0, "it goes on, so it is kept"


def test_a_log_that_took_another_way_is_followed_anew(game_server: GameServer, game: Game) -> None:
    past = Replay(game_server.store)
    back = keep_for_later(game_server.store, game.id)
    play(game, Random(1), moves=2)
    lost = loaded_game(game_server, game)
    before = past.events(game.id, lost, 0, lost.version)
    for seed in range(2, 50):  # another way, not by chance the same again
        back()
        play(game, Random(seed), moves=2)
        if loaded_game(game_server, game).stored.link != lost.stored.link:
            break
    play(game, Random(2), moves=1)
    found = loaded_game(game_server, game)
    assert found.version >= lost.version
    assert found.stored.link != lost.stored.link
    with pytest.raises(WentBack):
        past.events(game.id, found, lost.version + 1, found.version, after=lost.stored.link)
    events = past.events(game.id, found, 0, found.version)
    assert ids(events) == ids(Replay(game_server.store).events(game.id, found, 0, found.version))
    assert events != before
    with pytest.raises(WentBack):
        past.events(game.id, lost, 0, lost.version)


def test_a_log_that_is_shorter_than_what_was_seen_went_back(game_server: GameServer, game: Game) -> None:
    back = keep_for_later(game_server.store, game.id)
    left = loaded_game(game_server, game).version
    play(game, Random(1), moves=2)
    lost = loaded_game(game_server, game)
    back()
    with pytest.raises(WentBack) as went:
        Replay(game_server.store).events(game.id, lost, 0, lost.version)
    assert went.value.version == left


def test_a_log_that_is_shorter_than_its_record_says_is_damaged(game_server: GameServer, game: Game) -> None:
    key = log_key(game.id)
    game_server.store.client.write(key, "RPOP", key)
    loaded = loaded_game(game_server, game)
    with pytest.raises(DamagedGame):
        Replay(game_server.store).events(game.id, loaded, 0, loaded.version)


def test_a_state_that_does_not_belong_to_its_log_is_damaged(
    game_server: GameServer, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = loaded_game(game_server, game)
    wrong = replace(loaded, stored=replace(loaded.stored, link="00" * 32))
    monkeypatch.setattr(game_server.store, "read_game", lambda _: wrong.stored)
    with pytest.raises(DamagedGame):
        Replay(game_server.store).events(game.id, wrong, 0, loaded.version)


class Silent(Watcher):
    """A watcher of whom only the end is of interest."""

    def __init__(self) -> None:
        self.viewer, self.reader, self.snapshots = None, Viewer(None), False
        self.ended: list[str] = []

    def tell(self, messages: Any) -> None: ...

    def end(self, because: str = "", status: Any = None) -> None:
        self.ended.append(status.reason)


@pytest.mark.parametrize("moves", [0, 2, 3])
def test_who_watched_what_was_lost_is_told_to_read_again_and_newcomers_are_let_in(
    game_server: GameServer, game: Game, moves: int
) -> None:
    following = FollowedGame(game.id, game_server.commands)
    back = keep_for_later(game_server.store, game.id)
    play(game, Random(1), moves=2)
    watcher = Silent()
    following.join(watcher, 0)
    back()
    if moves:
        play(game, Random(2), moves=moves)
    newcomer = Silent()
    loaded, _ = following.join(newcomer, 0)
    assert loaded.version == loaded_game(game_server, game).version
    assert (watcher.ended, newcomer.ended) == (["VERSION_STALE"], [])
