"""Streams of events, over real sockets, from a real store: where one begins, and who sees what in it."""

import threading
import time
from functools import partial
from typing import Any

import grpc

from alhambra_api.v1 import events_pb2, games_pb2
from alhambra_service.streams.event_streams import PAGE_SIZE

from .watchers import Place, Seats, ids, refusal

# -- From the beginning, from now on, from anywhere --------------------------------------------------------------------


def test_a_stream_begins_with_a_snapshot_and_goes_on_with_what_happens(seats: Seats) -> None:
    seats.play(3)
    with seats.watched() as reader:
        snapshot = reader.snapshot()
        assert snapshot.view.version == 3
        assert snapshot.last_event == seats.past(first=3)[-1].id
        assert reader.quiet()
        seats.play()
        expected = seats.past(first=4)
        assert reader.events(len(expected)) == expected
        assert reader.quiet()


def test_the_whole_game_is_told_from_version_0(seats: Seats) -> None:
    seats.play(20)
    events = seats.past()
    assert ids(events) == sorted(set(ids(events)))
    assert {event.version for event in events} == set(range(21))
    assert events[0].kind == "game_created"


def test_resuming_after_any_event_loses_and_repeats_nothing(seats: Seats) -> None:
    seats.play(6)
    events = seats.past()
    for number, event in enumerate(events):
        again = seats.read(after=event.id, past_only=True)
        assert again[0].snapshot.last_event == events[-1].id
        assert [message.event for message in again[1:]] == events[number + 1 :]


def test_a_watcher_that_is_cut_again_and_again_sees_everything_once(seats: Seats) -> None:
    """The game goes on all the time, and each stream is cut in the middle of something."""
    playing = threading.Thread(target=seats.play, args=(60,))
    seen: list[events_pb2.Event] = []
    playing.start()
    rounds = 0
    while playing.is_alive() or not seen or seen[-1].version < 60:
        wanted: dict[str, Any] = {"after": seen[-1].id} if seen else {"from_version": 0}
        with seats.watched(**wanted) as reader:
            reader.snapshot()
            for _ in range(5 + rounds % 7):
                if len(seen) > 1 and seen[-1].version == 60:
                    break
                seen.append(reader.next().event)
        rounds += 1
        assert rounds < 500
    playing.join()
    expected = seats.past()
    seen += [message.event for message in seats.read(after=seen[-1].id, past_only=True)[1:]]
    assert seen == expected
    assert rounds > 10


def test_pages_of_the_past_follow_each_other(seats: Seats) -> None:
    seats.play(10)
    expected = seats.past()
    found: list[events_pb2.Event] = []
    wanted: dict[str, Any] = {}
    while len(found) < len(expected):
        snapshot, *page = seats.read(past_only=True, page_size=7, **wanted)
        if page[-1].HasField("resume"):
            resume = page.pop().resume
            assert (resume.because, resume.after) == ("more", page[-1].event.id)
            assert len(page) == 7 < len(expected) - len(found)
        assert len(page) == min(7, len(expected) - len(found))
        found += [message.event for message in page]
        wanted = {"after": found[-1].id}
        assert (snapshot.snapshot.last_event == found[-1].id) == (len(found) == len(expected))
    assert found == expected
    assert len(seats.read(past_only=True, **wanted)) == 1


def test_requests_that_cannot_be_met_are_refused(seats: Seats) -> None:
    bad: list[dict[str, Any]] = [{"after": "17"}, {"after": "1.x"}, {"after": "-1.0"}]
    for wanted in [*bad, {"page_size": -1}, {"from_version": -1}]:
        code, reason, facts = refusal(partial(seats.read, past_only=True, **wanted))
        assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_MALFORMED")
        assert facts["field"] in wanted
    assert refusal(lambda: seats.read(after="0.0", from_version=0))[1] == "REQUEST_MALFORMED"
    assert refusal(lambda: seats.read(past_only=True, page_size=PAGE_SIZE.limits.maximum + 1))[1] == "LIMIT_EXCEEDED"
    ahead = refusal(lambda: seats.read(after="9.0", past_only=True))
    assert ahead == (grpc.StatusCode.ABORTED, "VERSION_STALE", {"version": "0"})
    assert refusal(lambda: seats.read(from_version=2))[1] == "VERSION_STALE"
    seats.game = "nosuchgame000000"
    assert refusal(seats.read)[:2] == (grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")
    seats.game = "No Game!"
    assert refusal(seats.read)[1] == "REQUEST_MALFORMED"


# -- Who sees what -----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_private_parts_and_nobody_elses(place: Place) -> None:
    seats = Seats(place, modules=["thieves"])
    seats.play(10)
    public = seats.past(None)
    assert not any(event.HasField("private_part") for event in public)
    parts = []
    for viewer in seats.tokens:
        seen = seats.past(viewer)
        assert ids(seen) == ids(public)
        own = [event for event in seen if event.HasField("private_part")]
        assert own and all(event.seat == viewer for event in own if event.HasField("seat"))
        parts.append({event.id: event.private_part.SerializeToString(deterministic=True) for event in own})
        for event in seen:
            event.ClearField("private_part")
        assert seen == public
    assert parts[0] != parts[1] != parts[2]
    assert seats.read(1, past_only=True)[0].snapshot.view.viewer == 1
    assert not seats.read(None, past_only=True)[0].snapshot.view.HasField("viewer")


def test_live_events_are_the_same_as_those_told_later(place: Place) -> None:
    seats = Seats(place, modules=["thieves"])
    with seats.watched(0) as own, seats.watched(2) as other, seats.watched() as spectator:
        readers = {0: own, 2: other, None: spectator}
        for reader in readers.values():
            reader.snapshot()
        seats.play(15)
        for viewer, reader in readers.items():
            expected = seats.past(viewer, first=1)
            assert reader.events(len(expected)) == expected


def test_a_bad_token_is_refused_and_not_taken_for_a_spectator(seats: Seats) -> None:
    seats.tokens[0] = seats.tokens[0][:-1]
    assert refusal(lambda: seats.read(0))[:2] == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")


def test_a_stream_ends_when_the_token_it_was_opened_with_is_replaced(seats: Seats) -> None:
    with seats.watched(0) as reader, seats.watched(1) as other:
        reader.snapshot()
        other.snapshot()
        request = games_pb2.ClaimSeatRequest(game=seats.game, seat=0)
        seats.place.stub.ClaimSeat(request, metadata=seats.headers(0))
        assert reader.at_end() is grpc.StatusCode.UNAUTHENTICATED
        assert other.quiet()


def test_events_are_told_in_the_language_that_is_asked_for(seats: Seats) -> None:
    request = events_pb2.WatchEventsRequest(game=seats.game, past_only=True)
    spoken = [*seats.place.stub.WatchEvents(request, metadata=(("accept-language", "de"),))]
    assert all(message.event.text for message in spoken[1:])
    assert not any(event.text for event in seats.past())


# -- Tickets -----------------------------------------------------------------------------------------------------------


def test_a_ticket_opens_one_stream_with_the_eyes_of_its_seat(seats: Seats) -> None:
    asked = events_pb2.CreateEventTicketRequest(game=seats.game)
    given = seats.place.stub.CreateEventTicket(asked, metadata=seats.headers(1))
    assert 55 < given.expire_time.ToMilliseconds() / 1000 - time.time() <= 60
    assert seats.read(ticket=given.ticket, past_only=True)[0].snapshot.view.viewer == 1
    again = refusal(lambda: seats.read(ticket=given.ticket, past_only=True))
    assert again[:2] == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    assert refusal(lambda: seats.read(ticket="alh_ticket_made_up", past_only=True))[:2] == again[:2]


def test_a_ticket_is_good_for_its_own_game_only_and_a_spectators_shows_what_spectators_see(seats: Seats) -> None:
    asked = events_pb2.CreateEventTicketRequest(game=seats.game)
    ticket = seats.place.stub.CreateEventTicket(asked).ticket
    assert not seats.read(ticket=ticket, past_only=True)[0].snapshot.view.HasField("viewer")
    foreign = seats.place.stub.CreateEventTicket(asked, metadata=seats.headers(0)).ticket
    assert refusal(lambda: Seats(seats.place).read(ticket=foreign))[1] == "TOKEN_INVALID"
