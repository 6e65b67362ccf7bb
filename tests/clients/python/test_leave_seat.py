"""Leaving a seat and cancelling a game with the client library, against a real server."""

import pytest

from alhambra_client import Client, Conflict, Game, NotFound, SeatSetup


def running_game(client: Client) -> Game:
    """Return the game of the first of two seats that this program plays."""
    return client.create_game([SeatSetup(claim=True), SeatSetup(claim=True)], contribute=False).seats[0]


def test_a_seat_that_is_left_is_open_to_its_invitation_again(client: Client) -> None:
    made = client.create_game([SeatSetup(claim=True), SeatSetup(), SeatSetup()], contribute=False)
    ben = client.join(made.id, made.invitations[1], contribute=False)
    left = ben.leave_seat()
    assert left.view is not None
    assert left.view.seats[1].occupancy == "open"
    assert (ben.seat, ben.credentials["token"], ben.read().viewer) == (None, "", None)
    assert client.join(made.id, made.invitations[1], contribute=False).seat == 1


def test_a_seat_of_a_private_game_that_is_left_sees_nothing(client: Client) -> None:
    made = client.create_game([SeatSetup(claim=True), SeatSetup()], visibility="seats", contribute=False)
    left = made.seats[0].leave_seat()
    assert left.view is None
    assert made.seats[0].seat is None
    with pytest.raises(RuntimeError):
        _ = made.seats[0].view


def test_an_organiser_gives_the_seat_of_another_player_to_the_server(client: Client) -> None:
    made = client.create_game([SeatSetup(claim=True), SeatSetup()], contribute=False)
    left = made.seats[0].leave_seat(seat=1, server_player="random")
    assert left.view is not None
    assert (left.view.status, left.view.viewer) == ("running", 0)
    assert made.seats[0].view.seats[1].server_player == "random"


def test_a_player_who_leaves_a_game_that_runs_keeps_the_token(client: Client) -> None:
    game = running_game(client)
    game.leave_seat(server_player="random")
    assert (game.seat, game.read().viewer) == (0, 0)
    assert game.view.seats[0].occupancy == "server"


def test_an_organiser_cancels_a_game_once_or_twice(client: Client) -> None:
    made = client.create_game([SeatSetup(claim=True), SeatSetup()], contribute=False)
    made.seats[0].cancel()
    with pytest.raises(NotFound):
        made.seats[0].read()
    made.seats[0].cancel()


def test_a_game_that_runs_is_neither_opened_nor_cancelled(client: Client) -> None:
    game = running_game(client)
    with pytest.raises(Conflict) as refused:
        game.cancel()
    assert (refused.value.reason, refused.value.facts["because"]) == ("SEAT_REFUSED", "begun")
    with pytest.raises(Conflict):
        game.leave_seat()
