"""A long game is replayed from the nearest good checkpoint; exports replay nothing."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from alhambra import Event, verify_export
from alhambra.replay import LogReplay
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service import current_call, limits
from alhambra_service.auth.access import Access
from alhambra_service.events.checkpoints import Checkpoint, Checkpoints
from alhambra_service.events.replay import Replay
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.keys import checkpoints_key

from .playing import Game, Host, failure, play, random_move, refused
from .serving import GameServer
from .small import key_file

EVERY = 4
MOVES = 60


@pytest.fixture(autouse=True)
def near_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint every few versions."""
    monkeypatch.setattr(limits, "CHECKPOINT_VERSIONS", EVERY)


def told(events: list[Event]) -> list[tuple[object, ...]]:
    """Events as they can be compared."""
    return [(event.id, event.kind, event.public, event.private) for event in events]


def loaded_game(server: GameServer, game: Game) -> LoadedGame:
    return server.store.load(game.id, fresh=True)


def with_undos(game: Game, rng: Random, moves: int) -> None:
    """Plays, and takes a move back now and then."""
    view = game.view()
    undone = 0
    for _ in range(moves):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
        if view.status != views_pb2.GAME_STATUS_RUNNING:
            break
        if view.can_undo and rng.random() < 0.5:
            view = seat.undo(view.version).view
            undone += 1
    assert undone > 3


def without_marks(server: GameServer, game: Game, monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Everything that happened, played from the beginning."""
    loaded = loaded_game(server, game)
    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, "before", lambda *_: None)
        return Replay(server.store).events(game.id, loaded, 0, loaded.version)


@pytest.fixture
def read(game_server: GameServer, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Tells how many entries of logs were read since it was asked last."""
    count = 0
    log = game_server.store.log

    def counted(*asked: Any) -> Any:
        nonlocal count
        found = log(*asked)
        count += len(found)
        return found

    def since() -> int:
        nonlocal count
        found, count = count, 0
        return found

    monkeypatch.setattr(game_server.store, "log", counted)
    return since


@pytest.fixture
def game(host: Host) -> Game:
    found = host.create(3, seed="marks", modules=["thieves", "characters"])
    with_undos(found, Random(4), MOVES)
    return found


# -- Reading the past --------------------------------------------------------------------------------------------------


def test_the_newest_events_cost_only_the_entries_near_the_end(
    host: Host, game_server: GameServer, game: Game, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = without_marks(game_server, game, monkeypatch)
    loaded = loaded_game(game_server, game)
    for count in (1, 5, 9):
        read()
        assert told(Replay(game_server.store).tail(game.id, loaded, count).events) == told(whole[-count:])
        assert read() <= count + 3 * EVERY
    assert told(Replay(game_server.store).tail(game.id, loaded, 10_000).events) == told(whole)
    warm = Replay(game_server.store)
    warm.tail(game.id, loaded, 5)
    read()
    assert told(warm.tail(game.id, loaded, 3).events) == told(whole[-3:])
    assert read() == 0
    answer = host.stub.GetGame(games_pb2.GetGameRequest(game=game.id, log_tail=7))
    assert [event.id.rpartition(".")[0] for event in answer.log_tail] == [event.id for event in whole[-7:]]


def test_events_from_anywhere_are_those_of_the_whole_log(
    game_server: GameServer, game: Game, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = without_marks(game_server, game, monkeypatch)
    loaded = loaded_game(game_server, game)
    for first in range(loaded.version + 1):
        last = min(first + 2, loaded.version)
        read()
        found = Replay(game_server.store).events(game.id, loaded, first, last)
        assert told(found) == told([event for event in whole if first <= event.version <= last])
        assert read() <= 3 + (limits.CHECKPOINTS_LOOKED_AT + 1) * EVERY


def test_a_reader_who_jumps_back_and_on_again_is_told_the_truth(
    game_server: GameServer, game: Game, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = without_marks(game_server, game, monkeypatch)
    loaded, past, rng = loaded_game(game_server, game), Replay(game_server.store), Random(1)
    for _ in range(60):
        first = rng.randrange(loaded.version + 1)
        last = min(first + rng.randrange(4), loaded.version)
        read()
        found = past.events(game.id, loaded, first, last)
        assert told(found) == told([one for one in whole if first <= one.version <= last])
        assert read() <= 4 + (limits.CHECKPOINTS_LOOKED_AT + 3) * EVERY


def test_a_game_is_taken_back_from_a_mark_as_from_the_beginning(
    game_server: GameServer, game: Game, read: Callable[[], int]
) -> None:
    loaded = loaded_game(game_server, game)
    read()
    path = game_server.commands.replay.retraced(game.id, loaded)
    assert read() < loaded.version
    assert loaded.game is not None and path.game.state_bytes() == loaded.game.state_bytes()
    for version in range(1, loaded.version):
        earlier = game_server.commands.replay.at_version(game.id, loaded, version)
        assert earlier.game is not None
        assert earlier.game.state_bytes() == Retraced(game_server, game, version).state


class Retraced:
    """A game as it was with a version, from the beginning."""

    def __init__(self, server: GameServer, game: Game, version: int) -> None:
        from alhambra.export import read_entry

        path = LogReplay(loaded_game(server, game).options)
        for entry in server.store.log(game.id, 0, version):
            path.step(read_entry(entry.text))
        self.state = path.game.state_bytes()


def test_with_consent_to_undo_too_no_undo_crosses_a_mark(
    host: Host, game_server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = host.create(3, options={"undo": "by_consent"}, modules=["thieves"], seed="consent")
    view, rng, undone = game.view(), Random(6), 0
    while undone < 12:
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
        loaded = loaded_game(game_server, game)
        assert loaded.game is not None and not loaded.game.over
        across = loaded.game.can_undo(seat.number) is not None
        if across and loaded.game.can_undo(seat.number, consent=True) is None:
            seat.undo(view.version)
            for other in (one for one in game.seats.values() if one is not seat):
                consent = games_pb2.UndoRequest(game=game.id, version=view.version, seat=seat.number, consent=True)
                other.call("Undo", consent)
            view = game.view()
            undone += 1
            view = play(game, rng, moves=1)
    whole = without_marks(game_server, game, monkeypatch)
    last = loaded_game(game_server, game)
    for first in range(last.version + 1):
        found = Replay(game_server.store).events(game.id, last, first, last.version)
        assert told(found) == told([event for event in whole if event.version >= first])


# -- Marks that are not good -------------------------------------------------------------------------------------------


def spoilt(server: GameServer, game: Game, loaded: LoadedGame) -> Iterator[str]:
    """The checkpoints of a game, spoilt in one way after the other."""
    client, key = server.store.client, checkpoints_key(game.id)
    fields = client.read(key, "HKEYS", key)
    assert len(fields) > MOVES // EVERY // 2
    good = {field: client.read(key, "HGET", key, field) for field in fields}
    for field in fields:
        client.write(key, "HSET", key, field, b"nonsense")
    yield "nonsense"
    for field in fields:
        client.write(key, "HSET", key, field, good[field][:-1] + bytes([good[field][-1] ^ 1]))
    yield "one bit is wrong"
    checkpoints = Checkpoints(server.store)
    assert loaded.game is not None
    for field in fields:
        checkpoints.save(game.id, loaded, Checkpoint(int(field) * EVERY, "another-link", loaded.game), None)
    yield "of a log that was lost"
    client.write(key, "UNLINK", key)
    yield "gone"


def test_a_mark_that_is_not_good_is_passed_over(
    game_server: GameServer, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = without_marks(game_server, game, monkeypatch)
    loaded = loaded_game(game_server, game)
    monkeypatch.setattr(Checkpoints, "wanted", lambda *_: False)
    for how in spoilt(game_server, game, loaded):
        past = Replay(game_server.store)
        assert told(past.tail(game.id, loaded, 3).events) == told(whole[-3:]), how
        path = past.retraced(game.id, loaded)
        assert path.game.state_bytes() == loaded.stored.state, how


def test_whoever_reads_a_long_log_leaves_a_mark_for_the_next(
    game_server: GameServer, game: Game, read: Callable[[], int]
) -> None:
    key, loaded = checkpoints_key(game.id), loaded_game(game_server, game)
    game_server.store.client.write(key, "UNLINK", key)
    Replay(game_server.store).tail(game.id, loaded, 1)
    assert read() >= loaded.version
    Replay(game_server.store).tail(game.id, loaded, 1)
    assert read() < loaded.version // 2


def test_a_deleted_game_leaves_no_marks(host: Host, game_server: GameServer, game: Game) -> None:
    key = checkpoints_key(game.id)
    assert game_server.store.client.read(key, "EXISTS", key)
    assert 0 < game_server.store.client.read(key, "TTL", key) <= limits.CHECKPOINT_SECONDS
    host.stub.DeleteGame(games_pb2.DeleteGameRequest(game=game.id))
    assert not game_server.store.client.read(key, "EXISTS", key)


def test_a_replay_ends_when_its_caller_has_gone_and_the_next_goes_on(
    game_server: GameServer, game: Game, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def is_active(self) -> bool:
            return False

    monkeypatch.setattr(Checkpoints, "before", lambda *_: None)
    monkeypatch.setattr(limits, "LOG_PAGE", limits.REPLAY_CHECK_ENTRIES)
    past, loaded = Replay(game_server.store), loaded_game(game_server, game)
    call: Any = Gone()
    current_call.THREAD.call = call
    try:
        with pytest.raises(current_call.CallerGone):
            past.tail(game.id, loaded, 1)
    finally:
        current_call.THREAD.call = None
    gone_after = read()
    assert gone_after < loaded.version
    past.tail(game.id, loaded, 1)
    assert read() <= loaded.version - limits.REPLAY_CHECK_ENTRIES


# -- Exports -----------------------------------------------------------------------------------------------------------


def test_a_finished_game_is_exported_without_playing_it_again(
    host: Host, game_server: GameServer, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = host.create(2)
    play(game, Random(3))

    def never(*_: object) -> None:
        raise AssertionError("the game was played again")

    with monkeypatch.context() as patch:
        patch.setattr(LogReplay, "step", never)
        document = game.export()
        read()
        assert game.export() == document
        assert read() == 0, "a finished game is exported once"
    assert verify_export(document).ok


def test_a_running_game_is_exported_to_its_seats_and_its_host_alone(
    embedded: EmbeddedStore, connect: Callable[[str], Host]
) -> None:
    with key_file() as keys:
        owner, stranger = keys.add("one", "games.create"), keys.add("two", "games.create")
        server = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0.0))
        try:
            stub = connect(server.address).stub
            setup = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2)
            made = stub.CreateGame(setup, metadata=bearer(owner))
            ask = games_pb2.ExportGameRequest(game=made.game)
            for metadata in ((), bearer(stranger)):
                assert refused(partial(stub.ExportGame, ask, metadata=metadata)) == "TOKEN_INVALID"
            seats = [key.token for key in made.seat_keys]
            assert len({stub.ExportGame(ask, metadata=bearer(who)).data for who in (owner, *seats)}) == 3
            stub.Resign(games_pb2.ResignRequest(game=made.game), metadata=bearer(seats[0]))
            assert stub.ExportGame(ask).data == stub.ExportGame(ask, metadata=bearer(seats[1])).data
        finally:
            server.stop()


def bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def test_the_export_of_a_long_running_game_takes_several_calls_and_plays_each_entry_once(
    host: Host, game_server: GameServer, game: Game, read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, seat = loaded_game(game_server, game), game.seats[0]
    assert loaded.game is not None and not loaded.game.over
    ask = partial(seat.call, "ExportGame", games_pb2.ExportGameRequest(game=game.id))
    monkeypatch.setattr(game_server.commands.replay, "_followed", type(game_server.commands.replay._followed)())
    monkeypatch.setattr(limits, "LOG_PAGE", limits.CPU_BUDGET_STEPS)
    monkeypatch.setattr(limits, "EXPORT_SECONDS", 0.0)
    read()
    calls = 0
    while calls < loaded.version // limits.CPU_BUDGET_STEPS:
        found = failure(ask)
        assert (found.reason, found.info.metadata["retry_after"]) == ("RATE_LIMITED", "1")
        calls += 1
    assert ask().content_type == "application/json"
    assert read() <= loaded.version + limits.CPU_BUDGET_STEPS
