"""Stored games outlive a version of the service: the next one goes on with them, and the older one steps back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import grpc
import pytest

from alhambra import Event, Module, register, verify_export
from alhambra_api.v1 import events_pb2, games_pb2, views_pb2
from alhambra_service.process import backup
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.keys import final_key, log_key, state_key, views_key
from alhambra_service.store.stored_game import check
from tests.compat.lamps import KEY, V1, V2, V3, forget

from .conftest import StartServer
from .playing import PATIENCE, Game, Host, failure, play, random_move
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
        loaded = self.server.commands.load(game.id)
        return self.server.commands.replay.events(game.id, loaded, 0, loaded.version)

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
    assert later.server.store.read_game(older.id).ruleset == before.ruleset != view.ruleset


def test_the_first_move_under_the_next_version_is_preceded_by_an_entry_that_says_so(start_server: StartServer) -> None:
    older = begun(start_server)
    before = older.view()
    later = Deployed(start_server, V2)
    game = later.find(older)
    view, kinds = move_once(game)
    assert kinds[0] == "engine_changed"
    assert view.version == before.version + 2
    record = later.server.store.read_game(game.id)
    assert record.rules_upgrades == ((before.version + 1, before.ruleset),)
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
    later.server.commands.exports.forget(game.id)
    assert Deployed(start_server, V3).find(game).export()["entries"] == document["entries"]


# -- Spectators who see a game with a delay ----------------------------------------------------------------------------


def begun_with_delay(start: StartServer, module: Module, *verbs: str) -> Game:
    """A game of one version whose spectators are two entries behind, after a move with each of these verbs."""
    wanted = {"visibility": views_pb2.VISIBILITY_SPECTATORS_DELAYED, "spectator_delay": 2}
    game = Deployed(start, module).host.create(3, modules=[KEY], seed="lamps", **wanted)
    for verb in verbs:
        move_with(game, verb)
    return game


def move_with(game: Game, verb: str) -> None:
    view = game.seats[0].view()
    seat = game.seats[view.decision.seat]
    moves = seat.moves(page_size=100)
    seat.apply(next(one.move for one in moves.moves if one.move.verb == verb), moves.version)


def test_delayed_spectators_stay_behind_across_a_change_of_version(start_server: StartServer) -> None:
    game = begun_with_delay(start_server, V2, "take_money", "pass", "take_money")
    before = game.view()
    assert before.version == 1
    game = Deployed(start_server, V3).find(game)
    assert (game.view().version, game.view().seats) == (1, before.seats)
    for version in (3, 4):  # the first change writes two entries
        move_with(game, "pass" if version == 3 else "take_money")
        assert game.view().version == version
    told = game.stub.WatchEvents(
        events_pb2.WatchEventsRequest(game=game.id, from_version=0, past_only=True), timeout=PATIENCE
    )
    assert max(message.event.version for message in told) == 4


def test_delayed_spectators_see_nothing_rather_than_the_present_if_their_version_cannot_be_told_again(
    start_server: StartServer,
) -> None:
    game = begun_with_delay(start_server, V2, "take_money", "light", "take_money")
    game = Deployed(start_server, V3).find(game)
    assert failure(game.view).reason == "RULES_CHANGED"
    assert game.seats[0].view().version == 3


# -- Finished games whose rules are gone -------------------------------------------------------------------------------


def finished_and_forgotten(start: StartServer, **wanted: Any) -> tuple[Game, Game, dict[int | None, views_pb2.View]]:
    """A finished game at the server that ended it, the same game at a server without its module, and what everybody
    saw at the end."""
    game = Deployed(start, V1).host.create(3, modules=[KEY], seed="lamps", **wanted)
    play_with_seats(game)
    seen: dict[int | None, views_pb2.View] = {number: seat.view() for number, seat in game.seats.items()}
    if not wanted:
        seen[None] = game.view()
    forget()
    server = start()
    return game, Host(server.address).game(game.id, {number: seat.token for number, seat in game.seats.items()}), seen


def play_with_seats(game: Game) -> None:
    """Plays to the end with the eyes of the seats."""
    for number in (0, 1):
        view = game.seats[number].view()
        seat = game.seats[view.decision.seat]
        seat.apply(*random_move(seat, view.version, Random(4)))
        game.seats[number].resign()


def test_a_finished_game_is_shown_listed_and_exported_without_its_rules(start_server: StartServer) -> None:
    _, game, seen = finished_and_forgotten(start_server)
    assert game.view() == seen[None]
    assert {number: seat.view() for number, seat in game.seats.items()} == {
        number: view for number, view in seen.items() if number is not None
    }
    assert [entry["kind"] for entry in game.export()["entries"]].count("resign") == 2
    listed = game.stub.ListGames(games_pb2.ListGamesRequest(page_size=100), timeout=PATIENCE).games
    (row,) = [one for one in listed if one.game == game.id]
    assert (row.status, row.unreadable, row.version) == (views_pb2.GAME_STATUS_OVER, "", seen[None].version)
    assert [seat.score for seat in row.seats] == [seat.score for seat in seen[None].seats]


def test_its_last_version_can_be_asked_for_and_no_other(start_server: StartServer) -> None:
    _, game, seen = finished_and_forgotten(start_server)
    last = seen[None].version
    ask = partial(games_pb2.GetGameRequest, game=game.id)
    assert game.stub.GetGame(ask(at_version=last, min_version=last), timeout=PATIENCE).view == seen[None]
    earlier = failure(lambda: game.stub.GetGame(ask(at_version=last - 1), timeout=PATIENCE))
    assert earlier.reason == "ENGINE_TOO_OLD"
    ahead = failure(lambda: game.stub.GetGame(ask(min_version=last + 1), timeout=PATIENCE))
    assert (ahead.reason, ahead.info.metadata["version"]) == ("VERSION_STALE", str(last))


def test_a_closed_game_without_its_rules_stays_closed_also_to_wrong_tokens(start_server: StartServer) -> None:
    _, game, seen = finished_and_forgotten(start_server, visibility=views_pb2.VISIBILITY_SEATS)
    assert failure(game.view).reason == failure(game.export).reason == "GAME_NOT_FOUND"
    assert game.seats[1].view() == seen[1]
    stranger = game.host.game(game.id, {0: "alh_seat_" + 43 * "A"}).seats[0]
    assert failure(stranger.view).reason == "GAME_NOT_FOUND"


def test_a_running_game_without_its_rules_is_refused_as_before(start_server: StartServer) -> None:
    game = begun(start_server)
    forget()
    found = Host(start_server().address).game(game.id, {})
    assert failure(found.view).reason == failure(found.export).reason == "ENGINE_TOO_OLD"


def test_a_restored_finished_game_is_shown_without_its_rules(
    start_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, game, seen = finished_and_forgotten(start_server)
    file = StringIO()
    with EmbeddedStore(tmp_path_factory.mktemp("restored"), fsync="always") as store:
        source = start_server()
        list(backup.write(source.store.client, file))
        file.seek(0)
        client = connect(store.url)
        assert game.id in {step.game for step in backup.restore(client, file) if step.restored}
        client.close()
        restored = GameServer(store.url)
        host = Host(restored.address)
        try:
            found = host.game(game.id, {0: game.seats[0].token})
            assert (found.view(), found.seats[0].view()) == (seen[None], seen[0])
            assert found.export() == game.export()
        finally:
            host.close()
            restored.stop()


def test_the_documents_of_a_deleted_game_are_gone(start_server: StartServer) -> None:
    game = begun(start_server, moves=5_000)
    server = start_server()
    game.stub.DeleteGame(games_pb2.DeleteGameRequest(game=game.id), timeout=PATIENCE)
    for key in (final_key(game.id), views_key(game.id)):
        assert not server.store.client.read(key, "EXISTS", key)
