"""Stored games outlive a version of the service: the next one goes on with them, and the older one steps back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import grpc
import pytest

from alhambra import Event, Module, register, verify_export
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service.process.backup import check
from alhambra_service.store.keys import log_key, state_key
from tests.compat.lamps import KEY, V1, V2, V3, forget

from .conftest import StartServer
from .playing import Game, Host, failure, play, random_move
from .serving import GameServer


@pytest.fixture(autouse=True)
def first_version_again() -> Iterator[None]:
    register(V1)
    yield
    forget()


class Deployed:
    """A server of one version of the rules. All servers are in this process, so only the last one may be used."""

    def __init__(self, start: StartServer, module: Module) -> None:
        register(module)
        self.server: GameServer = start()
        self.host = Host(self.server.address)

    def find(self, game: Game) -> Game:
        """Return a game that another server created, to be played at this server."""
        return self.host.game(game.id, {number: seat.token for number, seat in game.seats.items()})

    def told(self, game: Game) -> list[Event]:
        """Everything that has happened in a game."""
        table = self.server.tables.load(game.id)
        return self.server.tables.replay.events(game.id, table, 0, table.version)

    def check_store(self, game: Game) -> None:
        """Record and log belong together, and the chain over the log holds."""
        client = self.server.store.client
        key, log = state_key(game.id), log_key(game.id)
        check(client.read(key, "GET", key), client.read(log, "LRANGE", log, 0, -1))


def begun(start: StartServer, module: Module = V1, moves: int = 12) -> Game:
    """A game of one version, after a few moves."""
    game = Deployed(start, module).host.create(3, modules=[KEY], seed="lamps")
    if moves:
        play(game, Random(5), moves=moves)
    return game


def move_once(game: Game) -> tuple[views_pb2.View, list[str]]:
    """Makes any move; the view after it, and the kinds of events."""
    view = game.view()
    seat = game.seats[view.decision.seat]
    move, version = random_move(seat, view.version, Random(1))
    answer = seat.apply(move, version)
    return answer.view, [event.kind for event in answer.events]


def test_reading_a_game_of_an_older_version_changes_nothing(start_server: StartServer) -> None:
    older = begun(start_server)
    before = older.view()
    later = Deployed(start_server, V2)
    view = later.find(older).view()
    assert (view.version, view.decision) == (before.version, before.decision)
    assert later.server.store.record(older.id).ruleset == before.ruleset != view.ruleset


def test_the_first_move_under_the_next_version_is_preceded_by_an_entry_that_says_so(start_server: StartServer) -> None:
    older = begun(start_server)
    before = older.view()
    later = Deployed(start_server, V2)
    game = later.find(older)
    view, kinds = move_once(game)
    assert kinds[0] == "engine_changed"
    assert view.version == before.version + 2
    record = later.server.store.record(game.id)
    assert record.seams == ((before.version + 1, before.ruleset),)
    assert record.ruleset == game.view().ruleset
    later.check_store(game)


def test_a_game_over_three_versions_is_played_to_its_end_exported_and_verified(start_server: StartServer) -> None:
    game = begun(start_server)
    later = Deployed(start_server, V2)
    play(later.find(game), Random(2), moves=20)
    latest = Deployed(start_server, V3)
    game = latest.find(game)
    view = play(game, Random(3))
    assert view.status == views_pb2.GAME_STATUS_OVER
    latest.check_store(game)
    report = verify_export(game.export())
    assert report.ok, report.findings
    assert [event.kind for event in latest.told(game)].count("engine_changed") == 2


def test_events_from_before_are_told_again_or_said_to_be_untold(start_server: StartServer) -> None:
    game = begun(start_server, V2, moves=0)
    early = Deployed(start_server, V3)
    assert next(event.kind for event in early.told(game)) == "game_created"
    for verb, untold in (("pass", False), ("light", True)):
        game = begun(start_server, V2, moves=0)
        for wanted in ("take_money", verb, "take_money"):
            seat = game.seats[game.view().decision.seat]
            moves = seat.moves(page_size=100)
            seat.apply(next(one.move for one in moves.moves if one.move.verb == wanted), moves.version)
        later = Deployed(start_server, V3)
        game = later.find(game)
        assert ("not_retold" in [event.kind for event in later.told(game)]) is untold
        move_once(game)
        told = later.told(game)
        assert ("not_retold" in [event.kind for event in told]) is untold
        versions = [event.version for event in told]
        assert sorted(set(versions)) == list(range(game.view().version + 1))


def test_an_undo_after_the_change_of_version_works_and_none_goes_back_across_it(start_server: StartServer) -> None:
    register(V1)
    game = Deployed(start_server, V1).host.create(3, modules=[KEY], seed="lamps", options={"confirm_turn": True})
    view, _ = move_once(game)
    seat = view.decision.seat
    assert game.seats[seat].view().can_undo
    later = Deployed(start_server, V2)
    game = later.find(game)
    assert failure(lambda: game.seats[seat].undo(view.version)).reason == "UNDO_REFUSED"
    after, _ = move_once(game)
    assert after.decision.seat == seat
    answer = game.seats[seat].undo(after.version)
    assert answer.view.decision.kind == view.decision.kind
    later.check_store(game)


def test_the_older_version_answers_that_it_cannot_serve_what_the_newer_one_wrote(start_server: StartServer) -> None:
    game = begun(start_server)
    move_once(Deployed(start_server, V2).find(game))
    older = Deployed(start_server, V1)
    found = failure(older.find(game).view)
    assert (found.code, found.reason) == (grpc.StatusCode.UNAVAILABLE, "ENGINE_TOO_OLD")
    assert found.info.metadata["known"] == f"{KEY} 1"


def test_a_list_of_games_shows_those_that_cannot_be_read_with_the_reason(start_server: StartServer) -> None:
    game = begun(start_server)
    other = Deployed(start_server, V1).host.create(2)
    move_once(Deployed(start_server, V2).find(game))
    older = Deployed(start_server, V1)
    found = older.host.stub.ListGames(games_pb2.ListGamesRequest(page_size=100), timeout=20).games
    listed = {one.game: one for one in found if one.game in (game.id, other.id)}
    assert listed[other.id].unreadable == ""
    unreadable = listed[game.id]
    assert (unreadable.unreadable, list(unreadable.modules), unreadable.status) == ("ENGINE_TOO_OLD", [KEY], 0)
    assert unreadable.version > 12
    running = games_pb2.ListGamesRequest(page_size=100, status=views_pb2.GAME_STATUS_RUNNING)
    assert game.id not in {one.game for one in older.host.stub.ListGames(running, timeout=20).games}


def test_a_finished_game_is_exported_by_later_versions_as_it_was_by_the_one_that_ended_it(
    start_server: StartServer,
) -> None:
    game = begun(start_server, V2, moves=5_000)
    view, document = game.view(), game.export()
    later = Deployed(start_server, V3)
    game = later.find(game)
    assert game.export() == document
    assert game.view().seats == view.seats
    later.server.tables.exports.forget(game.id)
    assert Deployed(start_server, V3).find(game).export()["entries"] == document["entries"]
