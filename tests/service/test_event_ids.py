"""Ids of events show to which history of a game an event belongs, so that a watcher is told if the store lost it.

The store loses moves when a replica takes over that had not received them. The game goes on from an earlier version,
and other moves get the versions of the lost ones.
"""

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, views_pb2
from alhambra_service.messages.event_ids import LINK_DIGITS, EventId, event_id
from alhambra_service.messages.translate import move_to

from .lost_moves import keep_for_later, play_otherwise
from .watchers import PATIENCE, Place, Reader, Seats, reason_of, refusal

WENT_BACK = events_pb2.Resume(after="", because="went_back")
LINK = "9f3c1a" + "5" * 58


def told_that_it_went_back(reader: Reader, version: int) -> bool:
    """Whether a stream shows the game at a version, says that events were taken back, and ends."""
    assert reader.snapshot().view.version == version
    assert reader.next().resume == WENT_BACK
    assert reader.at_end() is grpc.StatusCode.ABORTED
    return reason_of(reader.call)[1:] == ("VERSION_STALE", {"version": str(version)})


@pytest.fixture
def lose(seats: Seats) -> Callable[[int], list[events_pb2.Event]]:
    """Plays three moves that last, two that the store loses, then other moves; returns the events before the loss."""

    def lost(moves: int) -> list[events_pb2.Event]:
        seats.play(3)
        go_back = keep_for_later(seats.place.store, seats.game)
        seats.play(2)
        events = seats.past()
        go_back()
        play_otherwise(seats, moves)
        return events

    return lost


# -- What an id says ---------------------------------------------------------------------------------------------------


def test_an_id_has_version_place_and_the_first_digits_of_the_link() -> None:
    assert event_id(17, 2, LINK) == "17.2.9f3c1a"
    assert EventId.read("17.2.9f3c1a") == EventId(17, 2, "9f3c1a")
    assert EventId.read("17.2") == EventId(17, 2, "")


def test_an_id_belongs_to_links_that_begin_with_its_digits() -> None:
    other = "0" + LINK[1:]
    assert [EventId(1, 0, "9f3c1a").is_under(link) for link in (LINK, other, None)] == [True, False, False]
    assert [EventId(1, 0, LINK).is_under(link) for link in (LINK, other)] == [True, False]
    assert all(EventId(1, 0).is_under(link) for link in (LINK, other, None))


def test_the_digits_are_those_of_the_link_that_every_view_of_the_version_shows(seats: Seats) -> None:
    seats.play(4)
    for event in seats.past():
        request = games_pb2.GetGameRequest(game=seats.game, at_version=event.version)
        link = seats.place.stub.GetGame(request, timeout=PATIENCE).view.fairness.link
        assert event.id == f"{event.version}.{event.index}.{link[:LINK_DIGITS]}"


def test_every_process_gives_the_same_ids_also_to_moves_of_the_server_after_a_move(
    place: Place, store_url: str
) -> None:
    players = [games_pb2.SeatSetup(claim=True), *[games_pb2.SeatSetup(server_player="random")] * 2]
    seats = Seats(place, seats=players)
    first = seats.loaded.version
    loaded = seats.loaded
    assert loaded.game is not None
    request = moves_pb2.ApplyMoveRequest(
        game=seats.game, version=first, move=move_to(loaded.game.legal_moves()[0]), request_id="once"
    )
    answers = [place.stub.ApplyMove(request, metadata=seats.headers(0), timeout=PATIENCE) for _ in range(2)]
    assert answers[0].version > first + 1
    assert list(answers[0].events) == list(answers[1].events) == seats.past(0, first + 1)
    seats.place = Place(store_url)
    assert seats.past(0, first + 1) == list(answers[0].events)
    seats.place.stop()


# -- Watchers that resume ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 1])
@pytest.mark.parametrize("past_only", [False, True])
@pytest.mark.parametrize("moves", [0, 1, 2, 4])
def test_a_watcher_that_resumes_after_a_lost_event_is_told_and_begins_anew(
    seats: Seats, lose: Callable[[int], list[events_pb2.Event]], moves: int, past_only: bool, viewer: int | None
) -> None:
    """Whether the game is still behind the lost version, has reached it again or is past it."""
    last = lose(moves)[-1].id
    with seats.watched(viewer, after=last, past_only=past_only) as reader:
        assert told_that_it_went_back(reader, 3 + moves)
    with seats.watched(viewer, after=WENT_BACK.after) as reader:
        assert reader.snapshot().view.version == 3 + moves
        seats.play()
        expected = seats.past(viewer, first=4 + moves)
        assert reader.events(len(expected)) == expected


def test_a_watcher_that_has_seen_only_what_is_left_goes_on(
    seats: Seats, lose: Callable[[int], list[events_pb2.Event]]
) -> None:
    left = [event for event in lose(4) if event.version <= 3]
    with seats.watched(after=left[-1].id) as reader:
        reader.snapshot()
        expected = seats.past(first=4)
        assert reader.events(len(expected)) == expected
        assert reader.quiet()


def test_an_id_without_digits_is_taken_as_it_is(seats: Seats, lose: Callable[[int], list[events_pb2.Event]]) -> None:
    lost = lose(4)[-1]
    told = seats.read(after=f"{lost.version}.{lost.index}", past_only=True)
    assert [message.event for message in told[1:]] == [
        event for event in seats.past(first=5) if (event.version, event.index) > (lost.version, lost.index)
    ]
    assert refusal(lambda: seats.read(after="8.0", past_only=True))[1:] == ("VERSION_STALE", {"version": "7"})


def test_digits_of_another_game_or_changed_ones_are_those_of_no_event(seats: Seats, place: Place) -> None:
    other = Seats(place, seed="another seed")
    other.play(5)
    seats.play(5)
    version, index, digits = seats.past()[-1].id.split(".")
    changed = f"{version}.{index}.{'0' if digits[0] != '0' else '1'}{digits[1:]}"
    for strange in (other.past()[-1].id, changed, f"999999999.999999999.{digits}", f"0.0.{digits}"):
        with seats.watched(after=strange) as reader:
            assert told_that_it_went_back(reader, 5)
    for malformed in (f"5.0.{digits[:5]}", "5.0.", "5.0.ABCDEF", f"5.0.{'0' * 65}", f"5.0.{digits}.0", f"..{digits}"):
        assert refusal(lambda: seats.read(after=malformed, past_only=True))[1] == "REQUEST_MALFORMED"  # noqa: B023


def test_more_digits_of_the_link_are_compared_as_well(seats: Seats) -> None:
    seats.play(2)
    link = seats.loaded.stored.link
    assert len(seats.read(after=f"2.99.{link}", past_only=True)) == 1
    with seats.watched(after=f"2.99.{link[:-1]}{'0' if link[-1] != '0' else '1'}") as reader:
        assert told_that_it_went_back(reader, 2)


def test_an_event_of_a_game_that_has_not_been_dealt_any_more_was_taken_back(place: Place) -> None:
    seats = Seats(place, seats=[games_pb2.SeatSetup()] * 2)
    with seats.watched(after=f"0.0.{LINK[:6]}") as reader:
        assert told_that_it_went_back(reader, 0)


# -- Watchers of that moment -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [0, 2, 4])
def test_a_watcher_of_that_moment_is_told_in_the_same_way(seats: Seats, moves: int) -> None:
    seats.play(3)
    go_back = keep_for_later(seats.place.store, seats.game)
    with seats.watched() as reader:
        reader.snapshot()
        seats.play(2)
        assert reader.events(len(seats.past(first=4))) == seats.past(first=4)
        go_back()
        play_otherwise(seats, moves)
        with seats.watched():  # whoever joins looks at the store, and finds out
            found = reader.until("resume")
        assert found[-1].resume == WENT_BACK
        assert reader.at_end() is grpc.StatusCode.ABORTED
        assert reason_of(reader.call)[1] == "VERSION_STALE"


def test_a_watcher_is_told_if_moves_are_lost_before_they_reach_it(
    seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service knows the moves, and the store has lost them when their events are to be read from the log."""
    seats.play(3)
    store = seats.place.store
    go_back = keep_for_later(store, seats.game)
    with seats.watched() as reader:
        reader.snapshot()
        following: Any = next(iter(seats.place.watching.open._following.values()))
        with following._lock:  # the watcher is told of nothing for a while
            seats.play(2)
            lost = seats.loaded
            go_back()
        monkeypatch.setattr(following, "_load", lambda *_, **__: lost)
        seats.place.commands.replay.recent._commits.clear()
        following.check()
        assert reader.until("resume")[-1].resume == WENT_BACK
        assert reader.at_end() is grpc.StatusCode.ABORTED


# -- Delayed spectators ------------------------------------------------------------------------------------------------


@pytest.fixture
def delayed(place: Place) -> Seats:
    return Seats(place, visibility=views_pb2.VISIBILITY_SPECTATORS_DELAYED, spectator_delay=2)


def test_a_delayed_spectator_does_not_learn_whether_digits_of_a_later_version_are_right(delayed: Seats) -> None:
    delayed.play(6)
    right = delayed.past(0)[-1].id
    for after in (right, f"6.0.{LINK[:6]}", f"7.0.{LINK[:6]}"):
        with delayed.watched(after=after) as reader:
            assert told_that_it_went_back(reader, 4)


@pytest.mark.parametrize("moves", [0, 2, 5])
def test_a_delayed_spectator_is_told_when_a_version_that_it_has_seen_is_lost(delayed: Seats, moves: int) -> None:
    delayed.play(3)
    go_back = keep_for_later(delayed.place.store, delayed.game)
    delayed.play(4)
    last = delayed.past()[-1]
    assert last.version == 5
    go_back()
    play_otherwise(delayed, moves)
    with delayed.watched(after=last.id) as reader:
        assert told_that_it_went_back(reader, 1 + moves)
