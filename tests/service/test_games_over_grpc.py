"""Complete games played over gRPC only, and what comes of them afterwards."""

import json
from random import Random

import pytest

from alhambra import Game as RulesGame
from alhambra import Options, read_export, verify_export
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service.games.loaded_game import decode
from alhambra_service.messages.events import event_to
from alhambra_service.messages.translate import move_from

from .playing import Host, play, random_move
from .serving import GameServer

SEVERAL = ["change", "city_gates", "thieves", "viziers_favour", "characters"]
OTHERS = ["squares", "watchtowers", "major_construction_projects", "power_of_the_sultan"]


@pytest.mark.parametrize(
    ("seats", "modules"),
    [(2, []), (6, []), (2, SEVERAL), (6, OTHERS)],
    ids=["two players", "six players", "two players and modules", "six players and modules"],
)
def test_a_game_played_over_grpc_verifies_and_ends_as_in_the_library(
    host: Host, game_server: GameServer, seats: int, modules: list[str]
) -> None:
    game = host.create(seats, modules=modules)
    commitment = game.created.view.fairness.commitment
    view = play(game, Random(seats))
    assert view.status == views_pb2.GAME_STATUS_OVER
    document = game.export()
    report = verify_export(document, commitment)
    assert report.ok, report
    entries = read_export(document).log
    replayed = RulesGame.replay(read_export(document).options, entries)
    loaded = decode(game_server.store.read_game(game.id))
    assert loaded.game is not None
    assert loaded.stored.state == replayed.state_bytes()
    assert loaded.version == len(entries) == view.version
    assert [seat.score for seat in view.seats] == list(replayed.scores[:seats])
    assert document["fairness"]["chain"][-1] == view.fairness.link


def test_a_game_with_a_given_seed_is_the_librarys_game_move_by_move(host: Host, game_server: GameServer) -> None:
    game = host.create(3, seed="the same for all", modules=SEVERAL)
    view = game.view()
    assert view.fairness.seed_given
    seats = [{"name": seat.name, "colour": seat.colour} for seat in view.seats]
    shadow = RulesGame.new(Options(seats, "the same for all", modules=SEVERAL))
    rng = Random(5)
    for _ in range(80):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        answer = seat.apply(move, version)
        happened = shadow.apply(move_from(move), seat.number)
        view = answer.view
        assert list(answer.events) == [event_to(event, seat.number, view.fairness.link) for event in happened]
        assert not view.fairness.seed
        assert not view.fairness.secret
    assert game_server.store.read_game(game.id).state == shadow.state_bytes()
    assert game.export()["format"] == "alhambra-view/1"


def test_a_running_game_is_exported_as_the_caller_has_seen_it(host: Host) -> None:
    game = host.create(2)
    play(game, Random(2), moves=10)
    seat = game.seats[1]
    body = seat.call("ExportGame", games_pb2.ExportGameRequest(game=game.id))
    own = json.loads(body.data)
    others = game.export()
    assert own["viewer"] == 1
    assert "hand" in own["view"]["seats"][1]
    assert "hand" not in own["view"]["seats"][0]
    assert all("hand" not in seat for seat in others["view"]["seats"])
    assert [event["id"] for event in own["events"]] == [event["id"] for event in others["events"]]


def test_the_tail_of_the_log_ends_with_the_latest_event(host: Host) -> None:
    game = host.create(2)
    last = []
    view = play(game, Random(3), moves=8, watch=lambda answer: last.append(answer.events[-1].id))
    request = games_pb2.GetGameRequest(game=game.id, min_version=view.version, log_tail=5)
    tail = game.stub.GetGame(request).log_tail
    assert len(tail) == 5
    assert tail[-1].id == last[-1]
