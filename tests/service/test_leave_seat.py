"""Players leave their seats, organisers replace players who are absent, and cancel games that have not begun."""

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service import limits

from .playing import PATIENCE, Game, Host, Seat, failure, play, refused
from .serving import GameServer

WAITING, RUNNING = views_pb2.GAME_STATUS_WAITING, views_pb2.GAME_STATUS_RUNNING
OPEN, CLAIMED, SERVER = views_pb2.OCCUPANCY_OPEN, views_pb2.OCCUPANCY_CLAIMED, views_pb2.OCCUPANCY_SERVER
ENTROPY = b"some bytes of a seat"


def leave(player: Seat, **fields: Any) -> games_pb2.LeaveSeatResponse:
    request = games_pb2.LeaveSeatRequest(game=player.game.id, **fields)
    answer: games_pb2.LeaveSeatResponse = player.call("LeaveSeat", request)
    return answer


def because(player: Seat, **fields: Any) -> str:
    """Why a seat cannot be left."""
    found = failure(lambda: leave(player, **fields))
    assert found.reason == "SEAT_REFUSED"
    return str(found.info.metadata["because"])


def cancel(player: Seat) -> None:
    player.call("CancelGame", games_pb2.CancelGameRequest(game=player.game.id))


def because_not_cancelled(player: Seat) -> str:
    """Why a game cannot be cancelled."""
    found = failure(lambda: cancel(player))
    assert found.reason == "SEAT_REFUSED"
    return str(found.info.metadata["because"])


def waiting(host: Host, friends: int = 1, **fields: Any) -> Game:
    """A game of an organiser that waits for friends."""
    return host.create([{"name": "Ann", "claim": True}, *[{"name": "Bob"}] * friends], **fields)


# -- Before the deal ---------------------------------------------------------------------------------------------------


def test_a_seat_that_is_left_is_open_again_and_its_invitation_is_valid_again(host: Host) -> None:
    game = waiting(host, friends=2)
    bob = game.claim(1, name="Robert")
    bob.view()  # the token is used: the invitation becomes invalid
    answer = leave(bob)
    assert answer.view.seats[1].occupancy == OPEN
    assert answer.view.seats[1].name == "Player 2"
    assert not answer.view.HasField("viewer")
    assert refused(bob.view) == "TOKEN_INVALID"
    assert game.claim(1).view().seats[1].occupancy == CLAIMED


def test_the_server_plays_in_place_of_an_absent_friend_and_the_game_begins(host: Host) -> None:
    game = waiting(host)
    answer = leave(game.seats[0], seat=1, server_player="random")
    assert answer.view.status == RUNNING
    assert (answer.view.seats[1].occupancy, answer.view.seats[1].server_player) == (SERVER, "random")
    assert answer.view.decision.seat == 0  # the server has answered if it was asked first


def test_a_friend_who_comes_late_takes_the_seat_over_from_the_server(host: Host) -> None:
    game = waiting(host)
    leave(game.seats[0], seat=1, server_player="random")
    bob = game.claim(1)
    seen = bob.view()
    assert (seen.viewer, seen.seats[1].occupancy, seen.seats[1].server_player) == (1, CLAIMED, "")


def test_a_seat_of_the_server_from_the_beginning_cannot_be_claimed(host: Host) -> None:
    game = host.create([{"claim": True}, {"server_player": "random"}])
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=1)
    assert refused(lambda: game.stub.ClaimSeat(request, timeout=PATIENCE)) == "TOKEN_INVALID"


def test_an_organiser_opens_the_seat_of_another_player_and_nobody_else_does(host: Host) -> None:
    game = waiting(host, friends=2)
    bob = game.claim(1)
    assert because(bob, seat=0) == "not_organiser"
    assert leave(game.seats[0], seat=1).view.seats[1].occupancy == OPEN
    assert refused(bob.view) == "TOKEN_INVALID"


def test_an_organiser_who_has_left_is_one_no_more(host: Host) -> None:
    game = waiting(host, friends=2)
    bob = game.claim(1)
    leave(game.seats[0])
    request = games_pb2.ClaimSeatRequest(game=game.id, invitation="")
    assert refused(lambda: game.stub.ClaimSeat(request, timeout=PATIENCE)) == "REQUEST_MALFORMED"
    assert because_not_cancelled(bob) == "not_organiser"


def test_no_seat_is_left_once_a_seat_has_revealed_its_entropy(host: Host) -> None:
    game = host.create([{"claim": True}, {}, {}])
    sealed = sha256(ENTROPY).hexdigest()
    bob = game.claim(1, entropy_commitment=sealed)
    game.claim(2, entropy_commitment=sha256(b"another").hexdigest())
    assert leave(game.seats[0], seat=2).view.seats[2].occupancy == OPEN
    game.claim(2, entropy_commitment=sha256(b"another").hexdigest())
    bob.call("RevealEntropy", games_pb2.RevealEntropyRequest(game=game.id, entropy=ENTROPY.hex()))
    assert because(game.seats[0], seat=2) == "revealed"
    assert because(game.seats[0], seat=2, server_player="random") == "revealed"
    assert because(bob) == "revealed"


def test_the_entropy_of_a_seat_that_was_left_does_not_count(host: Host) -> None:
    game = waiting(host, friends=2)
    game.claim(1, entropy_commitment=sha256(ENTROPY).hexdigest())
    leave(game.seats[0], seat=1)
    game.claim(1)
    assert game.claim(2).view().status == RUNNING


# -- Cancelling --------------------------------------------------------------------------------------------------------


def test_a_game_that_is_cancelled_is_gone_and_its_invitations_with_it(host: Host) -> None:
    game = waiting(host)
    cancel(game.seats[0])
    assert refused(game.view) == "GAME_NOT_FOUND"
    assert refused(lambda: game.claim(1)) == "GAME_NOT_FOUND"


def test_only_an_organiser_cancels_a_game(host: Host) -> None:
    game = waiting(host, friends=2)
    assert because_not_cancelled(game.claim(1)) == "not_organiser"
    assert game.view().status == WAITING


def test_a_game_that_has_begun_is_not_cancelled(host: Host) -> None:
    game = host.create(2)
    assert because_not_cancelled(game.seats[0]) == "begun"
    assert because(game.seats[0]) == "begun"


def test_a_game_that_is_being_cancelled_cannot_begin(
    host: Host, game_server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the process dies before the game is removed."""
    game = waiting(host)
    monkeypatch.setattr(game_server.commands.store, "forget", lambda game, tenant: None)
    cancel(game.seats[0])
    assert refused(lambda: game.claim(1)) == "TOKEN_INVALID"


# -- Open games --------------------------------------------------------------------------------------------------------


def listed(host: Host) -> set[str]:
    answer = host.stub.ListGames(games_pb2.ListGamesRequest(open=True, page_size=100), timeout=PATIENCE)
    return {game.game for game in answer.games}


def test_an_open_game_is_listed_again_when_a_seat_is_left(host: Host) -> None:
    game = waiting(host, open=True)
    sealed = sha256(ENTROPY).hexdigest()
    bob = game.claim(1, entropy_commitment=sealed)
    assert game.id not in listed(host)
    leave(bob)
    assert game.id in listed(host)


def test_an_open_game_that_is_cancelled_or_begun_is_listed_no_more(host: Host) -> None:
    first, second = waiting(host, open=True), waiting(host, open=True)
    assert {first.id, second.id} <= listed(host)
    cancel(first.seats[0])
    leave(second.seats[0], seat=1, server_player="random")
    assert not {first.id, second.id} & listed(host)


# -- In a game that runs -----------------------------------------------------------------------------------------------


def test_a_player_who_has_to_go_lets_the_server_play_on_and_comes_back(host: Host) -> None:
    game = host.create(2)
    view = game.view()
    seat = game.seats[view.decision.seat]
    answer = leave(seat, server_player="random")
    assert answer.version > 0
    assert answer.view.decision.seat != seat.number
    assert answer.view.seats[seat.number].server_player == "random"
    assert len(answer.events) > 0
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=seat.number)
    back = seat.call("ClaimSeat", request)
    assert (back.view.seats[seat.number].occupancy, back.view.seats[seat.number].server_player) == (CLAIMED, "")


def test_a_game_with_a_stand_in_runs_to_its_end(host: Host) -> None:
    game = host.create(3)
    leave(game.seats[1], server_player="random")
    del game.seats[1]
    assert play(game, Random(3)).status == views_pb2.GAME_STATUS_OVER


def test_an_organiser_replaces_a_player_who_has_not_answered_for_long_and_not_before(
    start_server: Callable[..., GameServer], connect: Callable[[str], Host]
) -> None:
    server = start_server()
    now = server.commands.now()
    later = [0]
    server.commands._clock = lambda: now / 1000 + later[0]
    game = connect(server.address).create([{"claim": True}, {}])
    bob = game.claim(1)
    ann = game.seats[0]
    while game.view().decision.seat == ann.number:
        found = ann.moves()
        ann.apply(found.moves[0].move, found.version)
    assert because(ann, seat=1, server_player="random") == "present"
    later[0] = limits.ABSENT_SECONDS
    assert because(bob, seat=0, server_player="random") == "not_organiser"
    assert leave(ann, seat=1, server_player="random").view.seats[1].server_player == "random"


def test_nobody_is_replaced_in_a_game_with_deadlines(host: Host) -> None:
    game = host.create([{"claim": True}, {}], turn_seconds=3600)
    game.claim(1)
    assert because(game.seats[0], seat=1, server_player="random") == "clock"


def test_a_seat_that_has_resigned_or_is_played_by_the_server_is_not_replaced(host: Host) -> None:
    game = host.create(3)
    game.seats[1].resign()
    assert because(game.seats[0], seat=1, server_player="random") == "resigned"
    leave(game.seats[2], server_player="random")
    assert because(game.seats[2], server_player="greedy") == "resigned"


@pytest.mark.parametrize("fields", [{"server_player": "search_easy"}, {"seat": 2, "server_player": "random"}])
def test_what_cannot_be_understood_is_refused(host: Host, fields: dict[str, Any]) -> None:
    assert refused(lambda: leave(host.create(2).seats[0], **fields)) == "REQUEST_MALFORMED"


def test_a_repeated_request_is_answered_again(host: Host) -> None:
    game = waiting(host)
    first = leave(game.seats[0], seat=1, server_player="random", request_id="once")
    again = leave(game.seats[0], seat=1, server_player="random", request_id="once")
    assert again.version == first.version


def test_a_seat_whose_answer_is_lost_is_left_once_although_its_token_is_revoked(host: Host) -> None:
    game = waiting(host, friends=2)
    bob = game.claim(1)
    first = leave(bob, request_id="once")
    game.claim(1, name="Eve")
    again = leave(bob, request_id="once")
    assert (again.version, again.view.HasField("viewer")) == (first.version, False)
    assert again.view.seats[1].name == "Eve"  # the seat is not opened a second time
    assert refused(lambda: leave(bob, request_id="twice")) == "TOKEN_INVALID"
    assert refused(lambda: leave(bob, request_id="once", server_player="random")) == "REQUEST_ID_REUSED"
    assert refused(bob.view) == "TOKEN_INVALID"


def test_a_request_id_of_a_seat_that_was_left_belongs_to_its_token(host: Host) -> None:
    game = waiting(host, friends=2)
    leave(game.claim(1), request_id="once")
    eve = game.claim(1)
    leave(eve, request_id="once")
    assert game.seats[0].view().seats[1].occupancy == OPEN


def test_a_repeated_call_tells_a_delayed_spectator_nothing_of_a_game_that_has_begun(host: Host) -> None:
    game = waiting(host, visibility=views_pb2.VISIBILITY_SPECTATORS_DELAYED, spectator_delay=100)
    bob = game.claim(1, entropy_commitment=sha256(ENTROPY).hexdigest())
    assert leave(bob, request_id="once").HasField("view")
    game.claim(1)
    assert game.seats[0].view().status == RUNNING
    assert not leave(bob, request_id="once").HasField("view")
