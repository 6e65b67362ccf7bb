"""Clocks: each seat has a time for all its decisions, and turns add some. A seat without time is played by the server,
or resigns."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.games.automatic.clocks import Clocks
from alhambra_service.games.automatic.deadlines import reopened

from .playing import Game, Host, Seat, failure, random_move, refused
from .serving import GameServer

START = 1_000_000


class Time:
    """The time of a server, which passes only when a test says so."""

    def __init__(self) -> None:
        self.now = float(START)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def timed(start_server: Callable[..., GameServer], connect: Callable[[str], Host], time: Time) -> Host:
    return connect(start_server(clock=time).address)


def asked(game: Game) -> Seat:
    return game.seats[game.view().decision.seat]


def move(game: Game, rng: Random) -> None:
    seat = asked(game)
    seat.apply(*random_move(seat, game.view().version, rng))


def left(game: Game) -> list[float]:
    return [milliseconds / 1000 for milliseconds in game.view().clocks.left_milliseconds]


def leave(caller: Seat, seat: int) -> None:
    caller.call("LeaveSeat", games_pb2.LeaveSeatRequest(game=caller.game.id, seat=seat, server_player="greedy"))


def at_version(seat: Seat, version: int) -> views_pb2.View:
    answer: games_pb2.GetGameResponse = seat.call(
        "GetGame", games_pb2.GetGameRequest(game=seat.game.id, at_version=version)
    )
    return answer.view


def until_turn_changes(game: Game, rng: Random) -> None:
    turn = game.view().turn.number
    while game.view().turn.number == turn:
        move(game, rng)


def test_only_the_clock_of_the_seat_that_is_asked_runs(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=600)
    first = asked(game).number
    shown = game.view().clocks
    assert (shown.running, shown.since) == (first, Timestamp(seconds=START))
    assert left(game) == [600, 600]
    time.now += 20.5
    until_turn_changes(game, Random(1))
    expected = [600.0, 600.0]
    expected[first] -= 20.5
    assert left(game) == expected
    assert game.view().clocks.running == 1 - first
    assert game.view().clocks.since == Timestamp(seconds=START + 20, nanos=500_000_000)


def test_each_turn_adds_the_increment_when_it_begins(timed: Host, time: Time) -> None:
    game, rng = timed.create(2, clock_seconds=600, clock_increment_seconds=10), Random(2)
    first = asked(game).number
    assert left(game)[first] == 610
    assert left(game)[1 - first] == 600
    time.now += 30
    until_turn_changes(game, rng)
    assert (left(game)[first], left(game)[1 - first]) == (580, 610)
    until_turn_changes(game, rng)
    assert left(game)[first] == 590


def test_a_turn_that_begins_again_after_an_undo_adds_nothing() -> None:
    clocks = Clocks(60_000, 10_000, left=(60_000, 60_000)).begun(3, 1, ("", ""))
    assert clocks.left == (60_000, 70_000)
    assert clocks.begun(3, 1, ("", "")) == clocks.begun(2, 0, ("", "")) == clocks
    assert clocks.begun(4, 0, ("", "")).left == (70_000, 70_000)


def test_the_deadline_is_when_the_clock_has_no_time_left(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=90)
    assert game.view().decision.deadline == Timestamp(seconds=START + 90)
    time.now += 30
    until_turn_changes(game, Random(4))
    until_turn_changes(game, Random(4))
    assert game.view().decision.deadline == Timestamp(seconds=START + 90)


def test_the_server_plays_on_for_a_seat_without_time(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=60)
    late = asked(game).number
    time.now += 59
    assert game.view().version == 0
    time.now += 1
    view = game.view()
    assert view.seats[late].server_player == "greedy"
    assert view.decision.seat != late
    assert list(view.clocks.left_milliseconds)[late] == 0
    assert view.clocks.running == 1 - late
    assert not view.seats[late].resigned
    until_turn_changes(game, Random(5))
    assert game.view().decision.seat != late, "the server answers its next turn as well"


def test_a_player_who_comes_back_has_the_time_that_turns_add(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=60, clock_increment_seconds=15)
    late = asked(game)
    time.now += 100
    assert game.view().seats[late.number].server_player
    until_turn_changes(game, Random(6))
    assert left(game)[late.number] == 0, "turns of the server add nothing"
    token = late.call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=late.number)).token
    back = timed.game(game.id, {late.number: token, 1 - late.number: game.seats[1 - late.number].token})
    while asked(back).number != late.number:
        move(back, Random(7))
    assert left(back)[late.number] == 15
    move(back, Random(8))


def test_a_seat_without_time_resigns_if_the_host_says_so(timed: Host, time: Time) -> None:
    game = timed.create(3, clock_seconds=60, flag_fall=views_pb2.FLAG_FALL_RESIGNS)
    late = asked(game).number
    time.now += 61
    view = game.view()
    assert view.seats[late].resigned
    assert view.status == views_pb2.GAME_STATUS_RUNNING
    assert view.clocks.left_milliseconds[late] == 0
    time.now += 61
    view = game.view()
    assert view.status == views_pb2.GAME_STATUS_OVER
    assert not view.clocks.HasField("running")


def test_a_move_that_comes_after_the_flag_fell_is_refused(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=60)
    seat = asked(game)
    found = random_move(seat, 0, Random(9))
    time.now += 60
    assert refused(lambda: seat.apply(*found)) == "VERSION_STALE"


def test_a_decision_that_is_late_by_turn_seconds_costs_no_more_than_them(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=600, turn_seconds=60)
    late = asked(game).number
    time.now += 5_000
    view = game.view()
    assert view.version > 0
    assert not view.seats[late].server_player
    assert view.clocks.left_milliseconds[late] == 540_000


def test_a_seat_given_to_the_server_stops_its_clock(timed: Host, time: Time) -> None:
    game = timed.create(2, clock_seconds=600)
    seat = asked(game)
    time.now += 100
    leave(seat, seat.number)
    time.now += 100
    assert left(game)[seat.number] == 500


def test_another_seat_that_resigns_does_not_touch_the_clock_that_runs(timed: Host, time: Time) -> None:
    game = timed.create(3, clock_seconds=600)
    before = game.view()
    time.now += 100
    game.seats[(before.decision.seat + 1) % 3].resign()
    after = game.view()
    assert after.decision == before.decision
    assert after.clocks.left_milliseconds[before.decision.seat] == 500_000
    assert after.clocks.since == Timestamp(seconds=START + 100)


def test_seats_of_the_server_have_no_running_clock(timed: Host, time: Time) -> None:
    game = timed.create([{"claim": True}, {"server_player": "greedy"}], clock_seconds=60)
    for _ in range(3):
        time.now += 5
        until_turn_changes(game, Random(10))
    person, server = left(game)
    assert (person, server) == (45, 60)


def test_a_seat_of_the_server_that_is_asked_for_a_while_uses_no_time(
    timed: Host, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AUTOMATIC_SECONDS", 0.0)  # each call takes one decision of the server
    game = timed.create([{"server_player": "greedy"}, {"server_player": "greedy"}], clock_seconds=60)
    for _ in range(6):
        time.now += 30
        assert not game.view().clocks.HasField("running")
    assert game.view().version > 0
    assert left(game) == [60, 60]


def test_a_player_who_comes_back_while_the_seat_is_asked_has_the_time_left_from_then_on(
    start_server: Callable[..., GameServer], connect: Callable[[str], Host], time: Time
) -> None:
    server = start_server(clock=time)
    loaded = server.commands.load(connect(server.address).create(2, clock_seconds=60).id)
    later = 1000 * START + 50_000
    found = reopened(loaded, later)
    assert found.clocks is not None
    assert (found.clocks.since, found.deadline) == (later, later + 60_000)


def test_clocks_begin_with_the_deal(timed: Host, time: Time) -> None:
    game = timed.create([{"claim": True}, {}], clock_seconds=600)
    assert not game.view().HasField("clocks")
    assert game.view().setup.clock_seconds == 600
    time.now += 1_000
    game.claim(1)
    assert left(game) == [600, 600]
    assert game.view().clocks.since == Timestamp(seconds=START + 1_000)


def test_views_of_the_past_and_of_delayed_spectators_have_no_clocks(timed: Host) -> None:
    delayed = views_pb2.VISIBILITY_SPECTATORS_DELAYED
    game = timed.create(2, clock_seconds=600, visibility=delayed, spectator_delay=1)
    for _ in range(4):
        view = game.seats[0].view()
        seat = game.seats[view.decision.seat]
        seat.apply(*random_move(seat, view.version, Random(11)))
    assert game.seats[0].view().HasField("clocks")
    assert not game.view().HasField("clocks")
    past = at_version(game.seats[0], 1)
    assert not past.HasField("clocks")
    assert past.setup.clock_seconds == 600


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"clock_seconds": -1}, "clock_seconds"),
        ({"clock_seconds": 604_801}, "clock_seconds"),
        ({"clock_seconds": 60, "clock_increment_seconds": 86_401}, "clock_increment_seconds"),
        ({"clock_increment_seconds": 5}, "clock_increment_seconds"),
        ({"flag_fall": views_pb2.FLAG_FALL_RESIGNS}, "flag_fall"),
        ({"clock_seconds": 60, "flag_fall": 9}, "flag_fall"),
    ],
)
def test_a_time_control_that_cannot_be_had_is_refused(timed: Host, wrong: dict[str, int], field: str) -> None:
    found = failure(lambda: timed.create(2, **wrong))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", field)


def test_a_clock_never_has_more_than_two_weeks(timed: Host) -> None:
    game, rng = timed.create(2, clock_seconds=604_800, clock_increment_seconds=86_400), Random(12)
    for _ in range(20):
        until_turn_changes(game, rng)
    assert max(left(game)) == 14 * 86_400


def test_the_host_cannot_replace_a_player_whose_clock_runs(timed: Host, time: Time) -> None:
    game = timed.create([{"claim": True}, {"claim": True}], clock_seconds=3_600)
    other = asked(game).number
    time.now += 1_000
    assert refused(lambda: leave(game.seats[1 - other], other)) == "SEAT_REFUSED"
