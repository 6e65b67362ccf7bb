"""Streams of events, over real sockets, from a real store."""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra import Move
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2_grpc, views_pb2
from alhambra_service import limits
from alhambra_service.access import Access, Guard
from alhambra_service.game_servicer import GameServicer
from alhambra_service.observing import Observing, note_reason
from alhambra_service.refusals import Refusing
from alhambra_service.store import GameStore
from alhambra_service.table import Proposal, Table, decode
from alhambra_service.tables import Tables
from alhambra_service.tickets import Tickets
from alhambra_service.translate import move_to
from alhambra_service.turns import Turn, Turns
from alhambra_service.watching import Watching

from .store.servers import RealServer, await_true

PATIENCE = 10.0
Message = events_pb2.WatchEventsResponse


class Place:
    """One process of the service: the store behind it, a server on loopback, and what its watchers count."""

    def __init__(self, store_url: str) -> None:
        self.store: GameStore[Table] = GameStore.open(store_url, decode)
        self.tables = Tables(self.store)
        access = Access(None, Tickets(self.store.client))
        self.counted: list[float] = []
        self.watching = Watching(self.tables, access, count=self.counted.append)
        pool = ThreadPoolExecutor(limits.THREADS)
        self.server = grpc.server(pool, interceptors=[Observing(), Refusing(note_reason), Guard(access)])
        games = GameServicer(self.tables, access, self.watching)
        service_pb2_grpc.add_GameServiceServicer_to_server(games, self.server)
        self.port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}")
        self.stub = service_pb2_grpc.GameServiceStub(self.channel)

    def stop(self) -> None:
        self.watching.stop()
        self.channel.close()
        self.server.stop(1).wait()
        self.watching.close()
        self.store.close()


class Seats:
    """A game whose seats the test plays."""

    def __init__(self, place: Place, **wanted: Any) -> None:
        self.place = place
        setup: dict[str, Any] = {"seats": [games_pb2.SeatSetup(claim=True)] * 3, "seed": "a seed", **wanted}
        made = place.stub.CreateGame(games_pb2.CreateGameRequest(**setup))
        self.game: str = made.game
        self.tokens = {key.seat: key.token for key in made.seat_keys}
        self.invitations = {key.seat: key.invitation for key in made.seat_keys}

    @property
    def table(self) -> Table:
        return self.place.tables.load(self.game, fresh=True)

    def headers(self, seat: int | None) -> tuple[tuple[str, str], ...]:
        return () if seat is None else (("authorization", f"Bearer {self.tokens[seat]}"),)

    def play(self, moves: int = 1) -> int:
        """Whoever is asked makes the first legal move; returns the version."""
        for _ in range(moves):
            table = self.table
            assert table.game is not None and table.decision is not None
            move = table.game.legal_moves()[0]
            self.place.tables.apply(self.game, table.decision.seat, move, table.version)
        return self.table.version

    def play_until(self, verb: str) -> tuple[int, Move]:
        """Goes on until somebody can make such a move; returns who, and the move."""
        for _ in range(100):
            game = self.table.game
            assert game is not None and game.decision is not None
            for move in game.legal_moves():
                if move.verb == verb:
                    return game.decision.seat, move
            self.play()
        raise AssertionError(f"nobody could {verb}")

    def past(self, viewer: int | None = None, first: int = 0) -> list[events_pb2.Event]:
        """What happened since a version, told by a stream of its own."""
        return [message.event for message in self.read(viewer, from_version=first, past_only=True)[1:]]

    def read(self, viewer: int | None = None, **wanted: Any) -> list[Message]:
        request = events_pb2.WatchEventsRequest(game=self.game, **wanted)
        return list(self.place.stub.WatchEvents(request, metadata=self.headers(viewer), timeout=PATIENCE))

    @contextmanager
    def watched(self, viewer: int | None = None, **wanted: Any) -> "Iterator[Reader]":
        request = events_pb2.WatchEventsRequest(game=self.game, **wanted)
        call = self.place.stub.WatchEvents(request, metadata=self.headers(viewer), timeout=60)
        try:
            yield Reader(call)
        finally:
            call.cancel()


@contextmanager
def lazy(seats: Seats, count: int) -> Iterator[list[Any]]:
    """Streams of which only the snapshot is read, over a connection that does not take in more by itself."""
    with grpc.insecure_channel(f"127.0.0.1:{seats.place.port}", options=[("grpc.http2.bdp_probe", 0)]) as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        request = events_pb2.WatchEventsRequest(game=seats.game, snapshots=True)
        calls = [stub.WatchEvents(request, timeout=60) for _ in range(count)]
        assert all(next(call).HasField("snapshot") for call in calls)
        yield calls


class Reader:
    """Reads a stream in a thread of its own and hands out one message after another."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self._queue: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for message in self.call:
                self._queue.put(message)
        except grpc.RpcError:
            pass
        self._queue.put(None)

    def next(self) -> Message:
        found = self._queue.get(timeout=PATIENCE)
        assert found is not None, (self.call.code(), self.call.details())
        return found

    def snapshot(self) -> events_pb2.Snapshot:
        found = self.next()
        assert found.HasField("snapshot"), found
        return found.snapshot

    def events(self, count: int) -> list[events_pb2.Event]:
        found = [self.next() for _ in range(count)]
        assert all(message.HasField("event") for message in found), found
        return [message.event for message in found]

    def until(self, kind: str) -> list[Message]:
        """Everything up to the first message of a kind."""
        found = [self.next()]
        while found[-1].WhichOneof("message") != kind:
            found.append(self.next())
        return found

    def at_end(self) -> grpc.StatusCode:
        found = self._queue.get(timeout=PATIENCE)
        assert found is None, found
        code: grpc.StatusCode = self.call.code()
        return code

    def until_end(self) -> None:
        while self._queue.get(timeout=PATIENCE) is not None:
            pass

    def quiet(self, seconds: float = 0.3) -> bool:
        try:
            self._queue.get(timeout=seconds)
        except queue.Empty:
            return True
        return False


def refusal(call: Callable[[], object]) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return reason_of(caught.value)


def reason_of(call: Any) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    status = rpc_status.from_call(call)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return call.code(), info.reason, dict(info.metadata)


def ids(events: list[events_pb2.Event]) -> list[tuple[int, int]]:
    return [(event.version, event.index) for event in events]


@pytest.fixture(scope="module")
def store_url() -> Iterator[str]:
    server = RealServer()
    yield server.socket_url
    server.stop()


@pytest.fixture(scope="module")
def place(store_url: str) -> Iterator[Place]:
    found = Place(store_url)
    yield found
    found.stop()


@pytest.fixture
def seats(place: Place) -> Seats:
    return Seats(place)


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
    assert refusal(lambda: seats.read(past_only=True, page_size=limits.EVENTS_PAGE + 1))[1] == "LIMIT_EXCEEDED"
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


# -- What changes beside the events ------------------------------------------------------------------------------------


def test_seats_that_are_claimed_are_told_by_snapshots_and_the_last_one_deals(place: Place) -> None:
    seats = Seats(place, seats=[games_pb2.SeatSetup()] * 2, seed="")
    with seats.watched() as reader:
        waiting = reader.snapshot()
        assert waiting.view.status == views_pb2.GAME_STATUS_WAITING
        assert waiting.last_event == ""
        claim = games_pb2.ClaimSeatRequest(game=seats.game, invitation=seats.invitations[0])
        place.stub.ClaimSeat(claim)
        assert reader.snapshot().view.seats[0].occupancy == views_pb2.OCCUPANCY_CLAIMED
        place.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=seats.game, invitation=seats.invitations[1]))
        *events, snapshot = reader.until("snapshot")
        assert [message.event for message in events] == seats.past()
        assert snapshot.snapshot.view.status == views_pb2.GAME_STATUS_RUNNING
        assert snapshot.snapshot.last_event == events[-1].event.id


def test_standing_orders_are_shown_to_their_own_seat_alone(seats: Seats) -> None:
    seats = Seats(seats.place, modules=["viziers_favour"])
    with seats.watched(0) as own, seats.watched(1) as other, seats.watched() as spectator:
        for reader in (own, other, spectator):
            reader.snapshot()
        order = views_pb2.Order(decision="window", answer="pass")
        request = games_pb2.SetOrdersRequest(game=seats.game, orders=[order])
        seats.place.stub.SetOrders(request, metadata=seats.headers(0))
        assert own.snapshot().view.orders[0].decision == "window"
        assert other.quiet() and spectator.quiet()


def test_an_undo_that_is_proposed_is_told_by_a_snapshot(place: Place) -> None:
    options = games_pb2.CreateGameRequest().options
    options["undo"].text = "by_consent"
    seats = Seats(place, options=options)
    with seats.watched() as reader:
        reader.snapshot()
        table = seats.table
        place.tables.commit(seats.game, replace(table, proposal=Proposal(0, table.version, (1,))))
        assert reader.snapshot().view.undo_proposal.waiting_for == [1]


def test_undo_and_resignation_are_told(seats: Seats) -> None:
    seat, purchase = seats.play_until("buy")
    with seats.watched() as reader:
        bought = seats.place.tables.apply(seats.game, seat, purchase, reader.snapshot().view.version)
        assert "paid" in [event.kind for event in reader.events(len(bought.events))]
        undo = games_pb2.UndoRequest(game=seats.game, version=bought.table.version)
        undone = seats.place.stub.Undo(undo, metadata=seats.headers(seat))
        assert "undone" in [event.kind for event in reader.events(len(undone.events))]
        resign = games_pb2.ResignRequest(game=seats.game)
        resigned = seats.place.stub.Resign(resign, metadata=seats.headers(1))
        assert "resigned" in [event.kind for event in reader.events(len(resigned.events))]


def test_a_fresh_snapshot_follows_each_group_of_events_for_who_wants_it(seats: Seats) -> None:
    with seats.watched(snapshots=True) as reader:
        reader.snapshot()
        for version in (1, 2, 3):
            seats.play()
            *events, snapshot = reader.until("snapshot")
            assert {message.event.version for message in events} == {version}
            assert snapshot.snapshot.view.version == version
            assert snapshot.snapshot.last_event == events[-1].event.id


def test_a_decision_whose_time_is_up_is_answered_while_somebody_watches(place: Place) -> None:
    seats = Seats(place, turn_seconds=1)
    with seats.watched() as reader:
        deadline = reader.snapshot().view.decision.deadline
        assert reader.next().event.version == 1
        assert 0 <= time.time() - deadline.ToMilliseconds() / 1000 < 2


# -- Signs of life, and the end ----------------------------------------------------------------------------------------


def test_a_quiet_stream_gets_signs_of_life_with_the_version(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEEP_ALIVE_SECONDS", 0.3)
    seats.play(2)
    with seats.watched() as reader:
        reader.snapshot()
        assert [reader.next().keep_alive.version for _ in range(3)] == [2, 2, 2]


def test_what_no_one_was_told_of_is_found_at_the_next_sign_of_life(
    seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the word of a change was lost: the version is compared with the store."""
    monkeypatch.setattr(limits, "KEEP_ALIVE_SECONDS", 0.5)
    monkeypatch.setattr(seats.place.watching, "_wake", lambda following: None)
    with seats.watched() as reader:
        reader.snapshot()
        seats.play()
        found = reader.until("event")
        assert found[-1].event.version == 1


def test_a_deleted_game_ends_its_streams_with_a_clear_status(seats: Seats) -> None:
    with seats.watched() as reader, seats.watched(0) as own:
        last = reader.snapshot().last_event
        own.snapshot()
        seats.place.stub.DeleteGame(games_pb2.DeleteGameRequest(game=seats.game))
        for stream in (reader, own):
            assert stream.next().resume == events_pb2.Resume(after=last, because="deleted")
            assert stream.at_end() is grpc.StatusCode.NOT_FOUND
            assert reason_of(stream.call)[1] == "GAME_NOT_FOUND"


def test_a_stream_outlives_a_store_that_is_away_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEEP_ALIVE_SECONDS", 0.3)
    server = RealServer()
    place = Place(server.url)
    seats = Seats(place)
    with seats.watched() as reader:
        reader.snapshot()
        server.kill()
        assert reader.next().keep_alive.version == 0
        server.start()
        seats.play(2)
        found = [message.event for message in reader.until("event")[-1:]]
        while found[-1].id != seats.past()[-1].id:
            found += [message.event for message in [reader.next()] if message.HasField("event")]
        assert found == seats.past(first=1)
        monkeypatch.setattr(limits, "BLIND_SECONDS", 0.0)
        server.kill()
        reader.until_end()
        assert reason_of(reader.call)[:2] == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    place.stop()
    server.stop()


def test_watchers_are_told_to_resume_when_the_server_goes_away(store_url: str, place: Place) -> None:
    """And the next server goes on where this one stopped."""
    going = Place(store_url)
    seats = Seats(going)
    seats.play(4)
    with seats.watched(after="2.0") as reader:
        assert reader.snapshot().view.version == 4
        missed = [event for event in seats.past(first=2) if event.id != "2.0"]
        assert reader.events(len(missed)) == missed
        going.watching.stop()
        resume = reader.next().resume
        assert resume == events_pb2.Resume(after=missed[-1].id, because="stopping")
        assert reader.at_end() is grpc.StatusCode.OK
    assert seats.read(past_only=True, page_size=1)[0].HasField("snapshot"), "plain questions are still answered"
    assert seats.read()[-1].resume.because == "stopping"
    seats.play(2)
    going.stop()
    seats.place = place
    with seats.watched(after=resume.after) as reader:
        assert reader.snapshot().view.version == 6
        expected = seats.past(first=5)
        assert reader.events(len(expected)) == expected


def test_what_happens_through_another_process_is_told_at_once(store_url: str, seats: Seats) -> None:
    other = Place(store_url)
    with seats.watched() as reader:
        reader.snapshot()
        seats.place, first = other, seats.place
        began = time.monotonic()
        seats.play(5)
        expected = seats.past(first=1)
        assert reader.events(len(expected)) == expected
        assert time.monotonic() - began < limits.KEEP_ALIVE_SECONDS / 2
        seats.place = first
    other.stop()


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


# -- Many watchers, and lazy ones --------------------------------------------------------------------------------------


def test_500_watchers_leave_plain_calls_their_threads(place: Place) -> None:
    seats = Seats(place)
    command = [sys.executable, "-m", "tests.service.crowd", str(place.port), seats.game, "500"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdin is not None and crowd.stdout is not None
        assert json.loads(crowd.stdout.readline()) == {"watchers": 500}
        assert place.watching.streams == 500
        took = []
        for _ in range(3):
            seats.play()
            for _ in range(20):
                began = time.perf_counter()
                place.stub.GetGame(games_pb2.GetGameRequest(game=seats.game), timeout=PATIENCE)
                took.append(time.perf_counter() - began)
        expected = [event.id for event in seats.past(first=1)]
        crowd.stdin.write(expected[-1] + "\n")
        crowd.stdin.flush()
        assert json.loads(crowd.stdout.readline()) == {"alike": True, "seen": expected}
        assert sorted(took)[len(took) // 2] < 0.25
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
        began = time.perf_counter()
        version = seats.play()
        while reader.next().event.version != version:
            pass
        assert time.perf_counter() - began < 2


def test_a_watcher_that_does_not_even_read_that_is_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHER_QUEUE", 100)
    monkeypatch.setattr(limits, "WATCHER_LINGER_SECONDS", 0.5)
    monkeypatch.setattr(limits, "KEEP_ALIVE_SECONDS", 0.3)
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


def test_streams_are_counted(seats: Seats) -> None:
    counted = seats.place.counted
    await_true(lambda: sum(counted) == 0, "everybody else is gone")
    with seats.watched() as reader:
        reader.snapshot()
        assert sum(counted) == 1
    await_true(lambda: sum(counted) == 0, "the stream has ended")


def test_a_turn_that_takes_too_long_is_lost_to_the_next_in_line() -> None:
    turns = Turns(places=1, patience=0.05)
    slow, patient, last = Turn(), Turn(), Turn()
    for turn in (slow, patient, last):
        turns.ask(turn)
    turns.wait(slow)
    began = time.monotonic()
    turns.wait(patient)
    assert 0.04 < time.monotonic() - began < 2
    turns.done(patient)
    turns.wait(last)
    turns.ask(slow)
    turns.done(slow)
    assert not slow.bell.is_set(), "who lost its turn lines up like everybody else"
    turns.leave(last)
    turns.wait(slow)
    turns.close()


def test_moves_over_the_wire_are_told_too(seats: Seats) -> None:
    with seats.watched() as reader:
        reader.snapshot()
        table = seats.table
        assert table.game is not None and table.decision is not None
        move = move_to(table.game.legal_moves()[0])
        request = moves_pb2.ApplyMoveRequest(game=seats.game, move=move, version=0)
        answer = seats.place.stub.ApplyMove(request, metadata=seats.headers(table.decision.seat))
        assert ids(reader.events(len(answer.events))) == ids(list(answer.events))
