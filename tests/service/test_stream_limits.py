"""Streams of events: many watchers, those who do not read, and those who are turned away."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import events_pb2, games_pb2, service_pb2_grpc
from alhambra_service import limits

from .store.servers import await_true
from .watchers import PATIENCE, Place, Reader, Seats, refusal

# -- Many watchers, and lazy ones --------------------------------------------------------------------------------------


@contextmanager
def lazy(seats: Seats, count: int) -> Iterator[list[Any]]:
    """Streams of which only the snapshot is read, over a connection that does not take in more by itself."""
    with grpc.insecure_channel(f"127.0.0.1:{seats.place.port}", options=[("grpc.http2.bdp_probe", 0)]) as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        request = events_pb2.WatchEventsRequest(game=seats.game, snapshots=True)
        calls = [stub.WatchEvents(request, timeout=60) for _ in range(count)]
        assert all(next(call).HasField("snapshot") for call in calls)
        yield calls


def test_500_watchers_leave_plain_calls_their_threads(place: Place) -> None:
    seats = Seats(place)
    command = [sys.executable, "-m", "tests.service.crowd", str(place.port), seats.game, "500"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdin is not None and crowd.stdout is not None
        assert json.loads(crowd.stdout.readline()) == {"watchers": 500}
        assert place.watching.streams == 500
        for _ in range(3):
            seats.play()
            for _ in range(20):
                place.stub.GetGame(games_pb2.GetGameRequest(game=seats.game), timeout=PATIENCE)
        expected = [event.id for event in seats.past(first=1)]
        crowd.stdin.write(expected[-1] + "\n")
        crowd.stdin.flush()
        assert json.loads(crowd.stdout.readline()) == {"alike": True, "seen": expected}
        crowd.kill()
    await_true(lambda: place.watching.streams == 0, "the streams end with their watchers")


def test_a_watcher_that_does_not_read_disturbs_nobody_and_is_told_to_resume(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCHER_QUEUE", 100)
    seats = Seats(place, seats=[games_pb2.SeatSetup(claim=True)] * 6)
    with lazy(seats, 4) as idle, seats.watched() as reader:
        reader.snapshot()
        play_in_step(seats, reader, 120)
        assert place.watching.streams == 5, "nobody waits for those who do not read, and nobody hangs up on them"
        for call in idle:
            messages = list(call)
            assert messages[-1].resume.because == "fell_behind"
            assert call.code() is grpc.StatusCode.OK
            seen = [message.event for message in messages if message.HasField("event")]
            assert messages[-1].resume.after == seen[-1].id
            rest = seats.read(after=seen[-1].id, past_only=True)[1:]
            assert seen + [message.event for message in rest] == seats.past(first=1)


def play_in_step(seats: Seats, reader: "Reader", moves: int) -> None:
    """Each move is made when somebody who reads has seen the one before."""
    for _ in range(moves):
        version = seats.play()
        while reader.next().event.version != version:
            pass


def test_a_watcher_that_does_not_even_read_that_is_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHER_QUEUE", 100)
    monkeypatch.setattr(limits, "WATCHER_LINGER_SECONDS", 0.5)
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.3)
    seats = Seats(place, seats=[games_pb2.SeatSetup(claim=True)] * 6)
    with lazy(seats, 1) as (call,), seats.watched() as reader:
        play_in_step(seats, reader, 120)
        await_true(lambda: place.watching.streams == 1, "only who reads is left")
        with pytest.raises(grpc.RpcError):
            list(call)
        assert call.code() is grpc.StatusCode.CANCELLED


def test_more_watchers_than_the_limit_are_turned_away(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHERS", 3)
    with seats.watched() as one, seats.watched() as two, seats.watched() as three:
        for reader in (one, two, three):
            reader.snapshot()
        exceeded = (grpc.StatusCode.RESOURCE_EXHAUSTED, "WATCHERS_EXCEEDED", {"limit": "3"})
        assert refusal(seats.read) == exceeded
    await_true(lambda: seats.place.watching.streams == 0, "all streams are closed")
    assert seats.read(past_only=True)
    monkeypatch.setattr(limits, "WATCHERS_PER_SEAT", 1)
    with seats.watched(0) as own:
        own.snapshot()
        assert refusal(lambda: seats.read(0))[1:] == ("WATCHERS_EXCEEDED", {"limit": "1"})
        assert seats.read(1, past_only=True)


def test_spectators_cannot_keep_players_out(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHERS", 4)
    monkeypatch.setattr(limits, "WATCHERS_SPECTATING", 2)
    with seats.watched() as one, seats.watched() as two:
        for reader in (one, two):
            reader.snapshot()
        for _ in range(20):
            assert refusal(seats.read)[1:] == ("WATCHERS_EXCEEDED", {"limit": "2"})
        with seats.watched(0) as player, seats.watched(1) as other:
            for reader in (player, other):
                reader.snapshot()


def test_a_game_has_a_bounded_number_of_spectators(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHERS_PER_GAME", 1)
    another = Seats(seats.place)
    with seats.watched() as one:
        one.snapshot()
        assert refusal(seats.read)[1:] == ("WATCHERS_EXCEEDED", {"limit": "1"})
        assert seats.read(0, past_only=True)
        assert another.read(past_only=True)


def test_spectators_with_a_ticket_count_as_spectators(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = events_pb2.CreateEventTicketRequest(game=seats.game)
    ticket = seats.place.stub.CreateEventTicket(ask, timeout=PATIENCE).ticket
    monkeypatch.setattr(limits, "WATCHERS_SPECTATING", 0)
    assert refusal(lambda: seats.read(ticket=ticket))[1:] == ("WATCHERS_EXCEEDED", {"limit": "0"})


def test_an_old_stream_is_told_to_resume(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its connection is closed, which would tell it nothing."""
    with seats.watched() as reader:
        reader.snapshot()
        monkeypatch.setattr(limits, "WATCHING_SECONDS", 0)
        assert reader.next().resume.because == "stopping"


def test_streams_are_counted(seats: Seats) -> None:
    counted = seats.place.counted
    await_true(lambda: sum(counted) == 0, "everybody else is gone")
    with seats.watched() as reader:
        reader.snapshot()
        assert sum(counted) == 1
    await_true(lambda: sum(counted) == 0, "the stream has ended")
