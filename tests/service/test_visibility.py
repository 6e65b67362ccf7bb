"""A game that only its seats see: for everybody else there is no such game."""

from collections.abc import Callable
from functools import partial
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import boards_pb2, events_pb2, games_pb2, moves_pb2, nouns_pb2, service_pb2, views_pb2
from alhambra_service.auth.access import Access
from alhambra_service.store import EmbeddedStore

from .playing import PATIENCE, Game, Host, refused
from .serving import GameServer
from .small import key_file

SEATS = views_pb2.VISIBILITY_SEATS
READS: dict[str, Callable[[Game], Any]] = {
    "GetGame": lambda game: games_pb2.GetGameRequest(game=game.id),
    "GetBoardPicture": lambda game: boards_pb2.GetBoardPictureRequest(game=game.id, seat=0),
    "GetTablePicture": lambda game: boards_pb2.GetTablePictureRequest(game=game.id),
    "ExportGame": lambda game: games_pb2.ExportGameRequest(game=game.id),
    "CreateEventTicket": lambda game: events_pb2.CreateEventTicketRequest(game=game.id),
}


@pytest.mark.parametrize("method", READS)
def test_spectators_find_no_such_game_and_seats_do(host: Host, method: str) -> None:
    game = host.create(2, visibility=SEATS)
    request = READS[method](game)
    assert refused(lambda: getattr(game.stub, method)(request, timeout=PATIENCE)) == "GAME_NOT_FOUND"
    game.seats[0].call(method, request)


def test_spectators_cannot_follow_it(host: Host) -> None:
    game = host.create(2, visibility=SEATS)
    request = events_pb2.WatchEventsRequest(game=game.id, from_version=0, past_only=True)
    assert refused(lambda: list(game.stub.WatchEvents(request, timeout=PATIENCE))) == "GAME_NOT_FOUND"
    told = list(game.stub.WatchEvents(request, timeout=PATIENCE, metadata=game.seats[0].metadata))
    assert told[0].snapshot.view.setup.visibility == SEATS


def test_a_spectators_ticket_of_another_game_opens_none(host: Host) -> None:
    game, other = host.create(2, visibility=SEATS), host.create(2)
    ticket = other.stub.CreateEventTicket(events_pb2.CreateEventTicketRequest(game=other.id), timeout=PATIENCE).ticket
    request = events_pb2.WatchEventsRequest(game=game.id, ticket=ticket)
    assert refused(lambda: list(game.stub.WatchEvents(request, timeout=PATIENCE))) == "GAME_NOT_FOUND"


ANSWERS: dict[str, Callable[[str], Any]] = {
    "GetGame": lambda game: games_pb2.GetGameRequest(game=game),
    "ListLegalMoves": lambda game: moves_pb2.ListLegalMovesRequest(game=game),
    "ApplyMove": lambda game: moves_pb2.ApplyMoveRequest(game=game, move=nouns_pb2.Move(verb="pass")),
    "Undo": lambda game: games_pb2.UndoRequest(game=game),
    "Resign": lambda game: games_pb2.ResignRequest(game=game),
    "SetOrders": lambda game: games_pb2.SetOrdersRequest(game=game),
    "ClaimSeat": lambda game: games_pb2.ClaimSeatRequest(game=game, seat=0),
    "RevealEntropy": lambda game: games_pb2.RevealEntropyRequest(game=game, entropy="00" * 16),
    "LeaveSeat": lambda game: games_pb2.LeaveSeatRequest(game=game),
    "CancelGame": lambda game: games_pb2.CancelGameRequest(game=game),
    "CreateEventTicket": lambda game: events_pb2.CreateEventTicketRequest(game=game),
    "ExportGame": lambda game: games_pb2.ExportGameRequest(game=game),
    "GetBoardPicture": lambda game: boards_pb2.GetBoardPictureRequest(game=game, seat=0),
    "GetTablePicture": lambda game: boards_pb2.GetTablePictureRequest(game=game),
    "ValidatePlacement": lambda game: boards_pb2.ValidatePlacementRequest(game=game, seat=0),
    "BatchValidatePlacements": lambda game: boards_pb2.BatchValidatePlacementsRequest(game=game, seat=0),
    "ListLegalPlacements": lambda game: boards_pb2.ListLegalPlacementsRequest(game=game, seat=0, tile="garden-8-ne"),
    "WatchEvents": lambda game: events_pb2.WatchEventsRequest(game=game, past_only=True),
}
"""Every call of GameService that names a game, but those of hosts."""


def told(host: Host, method: str, request: Any) -> tuple[Any, ...]:
    """Everything that somebody with a token of no seat is told."""
    with pytest.raises(grpc.RpcError) as found:
        answer = getattr(host.stub, method)(request, timeout=PATIENCE, metadata=_bearer("alh_seat_of-no-game"))
        list(answer)
    refused: Any = found.value
    return refused.code(), refused.details(), refused.trailing_metadata()


def test_the_list_of_calls_is_complete() -> None:
    service = service_pb2.DESCRIPTOR.services_by_name["GameService"]
    of_a_game = {method.name for method in service.methods if "game" in method.input_type.fields_by_name}
    assert set(ANSWERS) == of_a_game - {"DeleteGame", "ListAuditEntries"}


@pytest.mark.parametrize("method", ANSWERS)
def test_a_token_of_no_seat_is_answered_as_if_there_were_no_such_game(host: Host, method: str) -> None:
    private, make = host.create([{"claim": True}, {}], visibility=SEATS), ANSWERS[method]
    missing = told(host, method, make("nosuchgamehere"))
    assert missing[0] is grpc.StatusCode.NOT_FOUND
    assert told(host, method, make(private.id)) == missing
    assert told(host, method, make(host.create(2).id))[0] is not grpc.StatusCode.NOT_FOUND, "others are not hidden"


def test_neither_an_invitation_nor_a_ticket_that_is_wrong_tells_that_a_game_exists(host: Host) -> None:
    private = host.create([{"claim": True}, {}], visibility=SEATS)
    for method, make in (
        ("ClaimSeat", lambda game: games_pb2.ClaimSeatRequest(game=game, invitation="alh_invitation_wrong")),
        ("WatchEvents", lambda game: events_pb2.WatchEventsRequest(game=game, ticket="alh_ticket_wrong")),
    ):
        assert told(host, method, make(private.id)) == told(host, method, make("nosuchgamehere")), method


def test_an_invited_player_takes_the_seat(host: Host) -> None:
    game = host.create([{"claim": True}, {}], visibility=SEATS)
    assert game.claim(1).view().setup.visibility == SEATS


def test_other_games_are_open_to_everybody(host: Host) -> None:
    assert host.create(2).view().setup.visibility == views_pb2.VISIBILITY_PUBLIC


def test_the_key_that_created_it_sees_it_and_the_key_of_another_tenant_does_not(embedded: EmbeddedStore) -> None:
    with key_file() as keys:
        own, other = (_bearer(keys.add(name, "games.create")) for name in ("own", "other"))
        server = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0))
        host = Host(server.address)
        try:
            wanted = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2, visibility=SEATS)
            made = host.stub.CreateGame(wanted, timeout=PATIENCE, metadata=own)
            request = games_pb2.GetGameRequest(game=made.game)
            assert host.stub.GetGame(request, timeout=PATIENCE, metadata=own).view.game == made.game
            for stranger in (other, ()):
                look = partial(host.stub.GetGame, request, timeout=PATIENCE, metadata=stranger)
                assert refused(look) == "GAME_NOT_FOUND"
        finally:
            host.close()
            server.stop()


def _bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)
