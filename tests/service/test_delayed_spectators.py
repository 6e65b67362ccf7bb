"""A game whose spectators see it some entries of the log later: one law over every call that names a game.

What a spectator is answered does not change when a move is made, until that move is old enough. It holds for answers,
for refusals and their facts, and for streams, whatever the spectator asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import (
    boards_pb2,
    events_pb2,
    games_pb2,
    hints_pb2,
    moves_pb2,
    nouns_pb2,
    reactions_pb2,
    reviews_pb2,
    service_pb2,
    views_pb2,
)
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.auth.api_keys import known_scopes
from alhambra_service.auth.tickets import Tickets
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.connection.connect import connect

from .playing import PATIENCE, Failure, Game, Host, failure, play, random_move, refused
from .serving import GameServer
from .small import Keys, key_file
from .watchers import Place, Seats

DELAYED = views_pb2.VISIBILITY_SPECTATORS_DELAYED
DELAY = 3
FAR = 5_000
"""A version that no game of these tests reaches."""
MANY_CALLS = "calls_per_second = 1_000_000"
Metadata = tuple[tuple[str, str], ...]


def bearer(secret: str) -> Metadata:
    return (("authorization", f"Bearer {secret}"),)


class Spied:
    """A game with a delay on a server with keys, its host, its seats, and callers who may only watch."""

    def __init__(self, url: str, keys: Keys) -> None:
        scopes = sorted(known_scopes())
        self.own = bearer(keys.add("own", *scopes, more=MANY_CALLS))
        self.strangers: dict[str, Metadata] = {
            "without credentials": (),
            "with the key of another tenant": bearer(keys.add("other", *scopes, more=MANY_CALLS)),
            "with a wrong token": bearer("alh_seat_" + 43 * "A"),
        }
        self._client = connect(url)
        self.server = GameServer(url, access=Access(keys.ring(), Tickets(self._client), calls_per_second=0))
        self.host = Host(self.server.address)
        wanted = games_pb2.CreateGameRequest(
            seats=[games_pb2.SeatSetup(claim=True)] * 2, visibility=DELAYED, spectator_delay=DELAY, seed="spied"
        )
        self.game = Game(self.host, self.host.stub.CreateGame(wanted, timeout=PATIENCE, metadata=self.own))
        self.live = [self.look()]
        """What the host has seen, by version."""

    def look(self) -> views_pb2.View:
        """The game as its host sees it."""
        request = games_pb2.GetGameRequest(game=self.game.id)
        answer: games_pb2.GetGameResponse = self.host.stub.GetGame(request, timeout=PATIENCE, metadata=self.own)
        return answer.view

    def move(self) -> None:
        seat = self.game.seats[self.live[-1].decision.seat]
        seat.apply(*random_move(seat, self.live[-1].version, Random(1)))
        self.live.append(self.look())
        assert self.live[-1].version == len(self.live) - 1

    def questions(self) -> dict[str, list[Any]]:
        """By method of every call that names a game: what a spectator can think of asking it."""
        game, tile = self.game.id, self.live[0].table.market[0].tile
        versions = (0, 1, 2, DELAY, DELAY + 1, FAR)
        place = boards_pb2.Placement(tile=tile, cell=nouns_pb2.Cell(x=1, y=0))
        move = nouns_pb2.Move(verb="take_money", display=self.live[0].table.display[:1])
        watch = events_pb2.WatchEventsRequest
        names = [None, *versions]
        return {
            "GetGame": [
                *(games_pb2.GetGameRequest(game=game, min_version=version) for version in versions),
                *(games_pb2.GetGameRequest(game=game, at_version=version) for version in versions),
                games_pb2.GetGameRequest(game=game, log_tail=200),
            ],
            "ListAuditEntries": [games_pb2.ListAuditEntriesRequest(game=game)],
            "DeleteGame": [],  # it is gone afterwards, or was another tenant's
            "ListLegalMoves": [moves_pb2.ListLegalMovesRequest(game=game, min_version=one) for one in versions],
            "ApplyMove": [
                moves_pb2.ApplyMoveRequest(game=game, move=move, version=version, validate_only=dry)
                for version in versions
                for dry in (False, True)
            ],
            "Undo": [games_pb2.UndoRequest(game=game, version=version) for version in versions],
            "Resign": [games_pb2.ResignRequest(game=game)],
            "ClaimSeat": [
                games_pb2.ClaimSeatRequest(game=game, invitation="alh_invitation_" + 43 * "A"),
                games_pb2.ClaimSeatRequest(game=game, seat=0),
            ],
            "RevealEntropy": [games_pb2.RevealEntropyRequest(game=game, entropy="00")],
            "SetOrders": [games_pb2.SetOrdersRequest(game=game)],
            "LeaveSeat": [
                games_pb2.LeaveSeatRequest(game=game),
                games_pb2.LeaveSeatRequest(game=game, seat=1, server_player="random"),
            ],
            "CancelGame": [games_pb2.CancelGameRequest(game=game)],
            "SuggestMoves": [hints_pb2.SuggestMovesRequest(game=game, min_version=version) for version in versions],
            "GetReview": [reviews_pb2.GetReviewRequest(game=game, min_version=version) for version in versions],
            "React": [reactions_pb2.ReactRequest(game=game, phrase=reactions_pb2.PHRASE_HELLO)],
            "WatchEvents": [
                watch(game=game, past_only=True),
                *(watch(game=game, past_only=True, from_version=version) for version in versions),
                *(watch(game=game, past_only=True, after=f"{version}.0") for version in versions),
                *(
                    watch(game=game, past_only=True, after=f"{version}.0", ticket="alh_ticket_A")
                    for version in versions
                ),
            ],
            "CreateEventTicket": [events_pb2.CreateEventTicketRequest(game=game)],
            "ExportGame": [games_pb2.ExportGameRequest(game=game, min_version=version) for version in versions],
            "GetBoardPicture": [
                boards_pb2.GetBoardPictureRequest(game=game, seat=seat, at_version=version, min_version=least)
                for seat in (0, 1)
                for version in names
                for least in (0, DELAY)
            ],
            "GetTablePicture": [boards_pb2.GetTablePictureRequest(game=game, min_version=one) for one in versions],
            "ValidatePlacement": [
                boards_pb2.ValidatePlacementRequest(game=game, seat=seat, placement=place, min_version=version)
                for seat in (0, 1)
                for version in versions
            ],
            "BatchValidatePlacements": [
                boards_pb2.BatchValidatePlacementsRequest(game=game, seat=seat, placements=[place], min_version=version)
                for seat in (0, 1)
                for version in versions
            ],
            "ListLegalPlacements": [
                boards_pb2.ListLegalPlacementsRequest(game=game, seat=seat, tile=tile, min_version=version)
                for seat in (0, 1)
                for version in versions
            ],
        }

    def ask(self, method: str, request: Any, metadata: Metadata) -> object:
        """What comes back: every byte of the answer, or everything that a refusal tells."""
        try:
            stub = self.host.stub if hasattr(self.host.stub, method) else self.host.tables
            answer = getattr(stub, method)(request, timeout=PATIENCE, metadata=metadata)
            if method == "WatchEvents":
                return [message.SerializeToString() for message in answer]
            if method == "CreateEventTicket":
                opened = events_pb2.WatchEventsRequest(game=self.game.id, past_only=True, ticket=answer.ticket)
                return [message.SerializeToString() for message in self.host.stub.WatchEvents(opened, timeout=PATIENCE)]
            return answer.SerializeToString()
        except grpc.RpcError as error:
            found = Failure(error)
            return found.code, found.message, found.reason, dict(found.info.metadata), str(found.refusal)

    def answers(self, method: str) -> list[object]:
        asked = self.questions()[method]
        return [self.ask(method, request, who) for who in self.strangers.values() for request in asked]

    def stop(self) -> None:
        self.host.close()
        self.server.stop()
        self._client.close()


@pytest.fixture
def spied(embedded: EmbeddedStore) -> Iterator[Spied]:
    with key_file() as keys:
        found = Spied(embedded.url, keys)
        try:
            yield found
        finally:
            found.stop()


def named_calls() -> set[str]:
    """Every method whose request names a game."""
    services = service_pb2.DESCRIPTOR.services_by_name
    methods = [*services["GameService"].methods, *services["TableService"].methods]
    return {method.name for method in methods if "game" in method.input_type.fields_by_name}


def test_no_call_that_names_a_game_changes_its_answer_to_a_spectator_before_the_delay(spied: Spied) -> None:
    assert spied.questions().keys() == named_calls()
    before = {method: spied.answers(method) for method in spied.questions()}
    for _ in range(DELAY):
        spied.move()
        for method, first in before.items():
            assert spied.answers(method) == first, (method, spied.live[-1].version)
    spied.move()
    changed = {method for method, first in before.items() if spied.answers(method) != first}
    assert changed >= {"GetGame", "WatchEvents", "CreateEventTicket", "GetTablePicture", "ValidatePlacement"}
    assert changed >= {"BatchValidatePlacements", "ListLegalPlacements", "GetBoardPicture"}


def test_spectators_see_each_version_exactly_as_the_host_saw_it_before(spied: Spied) -> None:
    request = games_pb2.GetGameRequest(game=spied.game.id)
    for _ in range(12):
        spied.move()
        shown = spied.host.stub.GetGame(request, timeout=PATIENCE).view
        assert shown == spied.live[max(0, len(spied.live) - 1 - DELAY)]


def test_a_refusal_tells_spectators_the_version_that_they_see(spied: Spied) -> None:
    for _ in range(DELAY + 2):
        spied.move()
    for wanted in (DELAY, DELAY + 2, FAR):
        for field in ("min_version", "at_version"):
            request = games_pb2.GetGameRequest(game=spied.game.id)
            setattr(request, field, wanted)
            found = failure(partial(spied.host.stub.GetGame, request, timeout=PATIENCE))
            assert (found.reason, found.info.metadata["version"]) == ("VERSION_STALE", "2")
            assert "2" in found.message


def test_seats_see_the_present(spied: Spied) -> None:
    spied.move()
    view = spied.game.seats[0].view()
    assert (view.version, view.setup.visibility, view.setup.spectator_delay) == (1, DELAYED, DELAY)


def test_everything_is_shown_when_the_game_is_over(spied: Spied) -> None:
    for _ in range(DELAY + 2):
        spied.move()
    spied.game.seats[0].resign()
    over = spied.look()
    assert over.status == views_pb2.GAME_STATUS_OVER
    assert spied.game.view() == over
    assert len(spied.game.export()["entries"]) == over.version


def test_who_has_taken_a_seat_is_shown_while_seats_are_open(host: Host) -> None:
    game = host.create([{"claim": True}, {}], visibility=DELAYED)
    assert game.view().seats[1].occupancy == views_pb2.OCCUPANCY_OPEN
    game.claim(1)
    assert game.view().seats[1].occupancy == views_pb2.OCCUPANCY_CLAIMED


# -- Choosing it -------------------------------------------------------------------------------------------------------


def test_the_delay_is_ten_entries_unless_the_host_says_otherwise(host: Host) -> None:
    assert host.create(2, visibility=DELAYED).view().setup.spectator_delay == limits.SPECTATOR_DELAY == 10


@pytest.mark.parametrize("delay", [-1, 201])
def test_a_delay_beyond_the_bounds_is_refused(host: Host, delay: int) -> None:
    assert refused(lambda: host.create(2, visibility=DELAYED, spectator_delay=delay)) == "REQUEST_MALFORMED"


def test_a_delay_without_its_visibility_is_refused(host: Host) -> None:
    assert refused(lambda: host.create(2, spectator_delay=5)) == "REQUEST_MALFORMED"


def test_a_visibility_that_the_server_does_not_know_is_refused_and_not_taken_for_public(host: Host) -> None:
    assert refused(lambda: host.create(2, visibility=77)) == "REQUEST_MALFORMED"


# -- A server without keys: everybody has the same tenant, and that says nothing ---------------------------------------


def listed(host: Host, game: str) -> games_pb2.GameSummary | None:
    found = host.stub.ListGames(games_pb2.ListGamesRequest(page_size=100), timeout=PATIENCE).games
    return next((one for one in found if one.game == game), None)


def test_a_list_of_games_shows_no_more_than_a_spectator_sees(host: Host) -> None:
    game = host.create(2, visibility=DELAYED, spectator_delay=2)
    before = listed(host, game.id)
    assert before is not None and not before.HasField("update_time")
    play(game, Random(2), moves=1)
    assert listed(host, game.id) == before
    version = play_blind(game, 3)
    shown = listed(host, game.id)
    assert shown is not None and shown.version == version - 2


def test_a_list_of_games_leaves_out_games_that_only_their_seats_see(host: Host) -> None:
    game = host.create(2, visibility=views_pb2.VISIBILITY_SEATS)
    assert listed(host, game.id) is None


def test_a_running_game_is_exported_as_far_as_a_spectator_sees_it(host: Host) -> None:
    game = host.create(2, visibility=DELAYED, spectator_delay=2)
    play_blind(game, 1)
    before = game.export()
    play_blind(game, 1)
    assert game.export() == before
    assert before["view"]["turn"]["number"] == 1 and all(event["id"].startswith("0.") for event in before["events"])


def play_blind(game: Game, moves: int) -> int:
    """Plays with the eyes of the seats; returns the version."""
    view = game.seats[0].view()
    for _ in range(moves):
        seat = game.seats[view.decision.seat]
        view = seat.apply(*random_move(seat, view.version, Random(2))).view
    return view.version


# -- Streams -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def delayed(place: Place) -> Seats:
    return Seats(place, visibility=DELAYED, spectator_delay=2)


def test_a_stream_delivers_events_when_they_are_old_enough(delayed: Seats) -> None:
    with delayed.watched() as spectator, delayed.watched(0) as seat:
        assert spectator.snapshot().view.version == seat.snapshot().view.version == 0
        for version in range(1, 6):
            delayed.play()
            told = seat.events(1)
            while told[-1].version < version:
                told += seat.events(1)
            due = delayed.past(first=version - 2) if version > 2 else []
            assert spectator.events(len(due)) == due
        assert spectator.quiet()


def test_a_stream_tells_the_rest_when_the_game_is_over(delayed: Seats) -> None:
    with delayed.watched() as spectator:
        spectator.snapshot()
        delayed.play(2)
        for seat in (0, 1):
            request = games_pb2.ResignRequest(game=delayed.game)
            delayed.place.stub.Resign(request, metadata=delayed.headers(seat), timeout=PATIENCE)
        found = spectator.events(1)
        while found[-1].kind != "game_ended":
            found += spectator.events(1)
        assert {event.version for event in found} == {1, 2, 3, 4}


def test_a_move_does_not_shift_the_signs_of_life_of_a_delayed_stream(delayed: Seats) -> None:
    with delayed.watched() as spectator:
        spectator.snapshot()
        followed = delayed.place.watching.open._following[delayed.game, True]
        due = followed.due
        delayed.play()
        followed.check()
        assert followed.due == due


def test_a_sign_of_life_tells_the_version_that_spectators_see(delayed: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    with delayed.watched() as spectator:
        spectator.snapshot()
        delayed.play()
        monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.0)
        alive = spectator.until("keep_alive")[-1]
        assert alive.keep_alive.version == 0
