"""A move that names the link of the version it was chosen for is made in no other history of the game.

The store loses moves when a replica takes over that had not received them; then others get their versions.
"""

from __future__ import annotations

import grpc
import pytest

from alhambra_api.v1 import games_pb2, moves_pb2

from .lost_moves import keep_for_later
from .watchers import PATIENCE, Seats, refusal

OTHER = "0" * 64


def listed(seats: Seats) -> moves_pb2.ListLegalMovesResponse:
    """The moves of the seat that is asked."""
    request = moves_pb2.ListLegalMovesRequest(game=seats.game)
    answer: moves_pb2.ListLegalMovesResponse = seats.place.stub.ListLegalMoves(
        request, metadata=seats.headers(asked(seats)), timeout=PATIENCE
    )
    return answer


def asked(seats: Seats) -> int:
    decision = seats.loaded.decision
    assert decision is not None
    return decision.seat


def applied(
    seats: Seats, seat: int, legal: moves_pb2.ListLegalMovesResponse, link: str | None = None, **more: object
) -> moves_pb2.ApplyMoveResponse:
    """Make the first move of a list, with its link or another one."""
    request = moves_pb2.ApplyMoveRequest(
        game=seats.game,
        move=legal.moves[0].move,
        version=legal.version,
        link=legal.link if link is None else link,
        **more,  # type: ignore[arg-type]
    )
    answer: moves_pb2.ApplyMoveResponse = seats.place.stub.ApplyMove(
        request, metadata=seats.headers(seat), timeout=PATIENCE
    )
    return answer


def resign(seats: Seats, seat: int) -> None:
    request = games_pb2.ResignRequest(game=seats.game)
    seats.place.stub.Resign(request, metadata=seats.headers(seat), timeout=PATIENCE)


def undo(seats: Seats, seat: int, version: int, link: str) -> games_pb2.UndoResponse:
    request = games_pb2.UndoRequest(game=seats.game, version=version, link=link)
    answer: games_pb2.UndoResponse = seats.place.stub.Undo(request, metadata=seats.headers(seat), timeout=PATIENCE)
    return answer


def stale(version: int) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    return grpc.StatusCode.ABORTED, "VERSION_STALE", {"version": str(version)}


def test_a_list_of_moves_has_the_link_that_every_view_of_its_version_shows(seats: Seats) -> None:
    seats.play(2)
    view = seats.place.stub.GetGame(games_pb2.GetGameRequest(game=seats.game), timeout=PATIENCE).view
    assert listed(seats).link == view.fairness.link != ""


@pytest.mark.parametrize("digits", [0, 6, 64])
def test_a_move_with_the_link_of_its_version_is_made(seats: Seats, digits: int) -> None:
    seats.play(2)
    legal = listed(seats)
    assert applied(seats, asked(seats), legal, legal.link[:digits]).version > legal.version


@pytest.mark.parametrize("dry", [False, True])
def test_a_move_that_was_chosen_for_a_lost_state_is_refused_when_its_version_is_reached_again(
    seats: Seats, dry: bool
) -> None:
    seats.play(3)
    go_back = keep_for_later(seats.place.store, seats.game)
    seats.play(2)
    lost, seat = listed(seats), asked(seats)
    go_back()
    for _ in range(2):
        other = listed(seats)
        del other.moves[0]  # `Seats.play` has made the first one
        applied(seats, asked(seats), other)
    assert (seats.loaded.version, asked(seats)) == (lost.version, seat)
    assert refusal(lambda: applied(seats, seat, lost, validate_only=dry)) == stale(lost.version)
    assert seats.loaded.version == lost.version
    assert applied(seats, seat, listed(seats), validate_only=dry).version >= lost.version


@pytest.mark.parametrize("before", [0, 2])
def test_a_decision_that_is_still_open_is_answered_with_the_link_of_the_version_that_was_seen(
    seats: Seats, before: int
) -> None:
    """Another seat has resigned since."""
    seats.play(before)
    legal, seat = listed(seats), asked(seats)
    resign(seats, (seat + 1) % 3)
    newest = seats.loaded
    assert newest.version > legal.version == before
    assert refusal(lambda: applied(seats, seat, legal, newest.stored.link)) == stale(newest.version)
    assert applied(seats, seat, legal).version > newest.version


def test_a_move_is_not_taken_back_in_another_history(seats: Seats) -> None:
    seats.play(2)
    seat, version = asked(seats), seats.play()
    link = seats.loaded.stored.link
    assert refusal(lambda: undo(seats, seat, version, OTHER)) == stale(version)
    assert refusal(lambda: undo(seats, seat, version, link))[1] == "UNDO_REFUSED", "a card has been shown"


def test_a_repeated_request_gets_its_first_outcome_whatever_happened_since(seats: Seats) -> None:
    legal, seat = listed(seats), asked(seats)
    first = applied(seats, seat, legal, request_id="once")
    seats.play(2)
    assert applied(seats, seat, legal, request_id="once").version == first.version


@pytest.mark.parametrize("link", ["12345", "ABCDEF", "0" * 65, "no link"])
def test_what_cannot_be_a_link_is_refused(seats: Seats, link: str) -> None:
    code, reason, about = refusal(lambda: applied(seats, asked(seats), listed(seats), link))
    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_MALFORMED")
    assert about["field"] == "link"
