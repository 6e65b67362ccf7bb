"""A game that only its seats see: for everybody else there is no such game."""

from collections.abc import Callable
from typing import Any

import pytest

from alhambra_api.v1 import boards_pb2, events_pb2, games_pb2

from .playing import PATIENCE, Game, Host, refused

READS: dict[str, Callable[[Game], Any]] = {
    "GetGame": lambda game: games_pb2.GetGameRequest(game=game.id),
    "GetBoardPicture": lambda game: boards_pb2.GetBoardPictureRequest(game=game.id, seat=0),
    "GetTablePicture": lambda game: boards_pb2.GetTablePictureRequest(game=game.id),
    "ExportGame": lambda game: games_pb2.ExportGameRequest(game=game.id),
    "CreateEventTicket": lambda game: events_pb2.CreateEventTicketRequest(game=game.id),
}


@pytest.mark.parametrize("method", READS)
def test_spectators_find_no_such_game_and_seats_do(host: Host, method: str) -> None:
    game = host.create(2, seats_only=True)
    request = READS[method](game)
    assert refused(lambda: getattr(game.stub, method)(request, timeout=PATIENCE)) == "GAME_NOT_FOUND"
    game.seats[0].call(method, request)


def test_spectators_cannot_follow_it(host: Host) -> None:
    game = host.create(2, seats_only=True)
    request = events_pb2.WatchEventsRequest(game=game.id, from_version=0, past_only=True)
    assert refused(lambda: list(game.stub.WatchEvents(request, timeout=PATIENCE))) == "GAME_NOT_FOUND"
    told = list(game.stub.WatchEvents(request, timeout=PATIENCE, metadata=game.seats[0].metadata))
    assert told[0].snapshot.view.setup.seats_only


def test_a_spectators_ticket_of_another_game_opens_none(host: Host) -> None:
    game, other = host.create(2, seats_only=True), host.create(2)
    ticket = other.stub.CreateEventTicket(events_pb2.CreateEventTicketRequest(game=other.id), timeout=PATIENCE).ticket
    request = events_pb2.WatchEventsRequest(game=game.id, ticket=ticket)
    assert refused(lambda: list(game.stub.WatchEvents(request, timeout=PATIENCE))) == "TOKEN_INVALID"


def test_an_invited_player_takes_the_seat(host: Host) -> None:
    game = host.create([{"claim": True}, {}], seats_only=True)
    assert game.claim(1).view().setup.seats_only


def test_other_games_are_open_to_everybody(host: Host) -> None:
    assert not host.create(2).view().setup.seats_only
