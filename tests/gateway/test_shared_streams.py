"""Clients that see the same share one stream of the service: nothing is lost, repeated, delayed or shown to others."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random

import grpc
import psutil
import pytest

from alhambra_api.v1 import events_pb2, views_pb2
from alhambra_gateway import limits
from alhambra_gateway.streams.sse_parts import Message, Part, part_of
from alhambra_gateway.streams.subscriber import Subscriber
from tests.service.store.servers import await_true

from .crowd import Crowd, Member
from .http import Client
from .product import Product, Running, gateway
from .sse import Stream
from .tables import RestGame
from .told_game import PATH, SEAT, TICKET, ToldGame

CLIENTS = 50
QUEUE = 40
"""Messages that wait for one client of the gateway in these tests."""
LONG = "x" * 16_384
"""Makes an event so long that a client that does not read cannot take many."""


@contextmanager
def telling() -> Iterator[ToldGame]:
    found = ToldGame()
    yield found
    found.stop()


@contextmanager
def in_front_of(service: ToldGame) -> Iterator[Running]:
    """A gateway of one process in front of the service. It has patience with clients that do not read."""
    with gateway(service.address, limits={"STREAM_QUEUE": QUEUE, "STALLED_SECONDS": 600}) as found:
        yield found


@pytest.fixture(scope="module")
def told() -> Iterator[ToldGame]:
    with telling() as found:
        yield found


@pytest.fixture(scope="module")
def front(told: ToldGame) -> Iterator[Running]:
    """One gateway for all tests whose service stays."""
    with in_front_of(told) as found:
        yield found


@pytest.fixture
def service(told: ToldGame) -> ToldGame:
    """The service with nobody who watches, and nothing that has happened."""
    shared(told, 0)
    told.begin_again()
    return told


@contextmanager
def watching(front: Running, query: str = "", seat: str = "", **headers: str) -> Iterator[Stream]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if seat:
        sent["Authorization"] = f"Bearer {SEAT}{seat}"
    with Stream(front.http, PATH + query, sent) as stream:
        assert next(stream).type == "snapshot"
        yield stream


def shared(service: ToldGame, streams: int) -> None:
    """Waits until the clients have joined each other, and so few streams of the service are open."""
    await_true(lambda: service.open == streams, f"{streams} streams of the service")


# -- One stream for all ------------------------------------------------------------------------------------------------


def test_fifty_clients_share_one_stream_and_get_every_event_once_and_in_order(
    service: ToldGame, front: Running
) -> None:
    with Crowd(front.http) as crowd:
        for _ in range(CLIENTS):
            crowd.join(PATH)
        crowd.until(lambda member: member.begun)
        shared(service, 1)
        events = [event for _ in range(10) for event in service.happens(3)]
        crowd.until(lambda member: events[-1] in member.events())
        assert [member.events() for member in crowd.members] == [events] * CLIENTS
        assert (service.open, service.opened) == (1, CLIENTS)  # the service has checked each of them
    shared(service, 0)


def test_fifty_clients_of_a_real_game_share_one_stream(product: Product, client: Client) -> None:
    game = RestGame(client)
    await_true(lambda: gauge(client, "alhambra_gateway_shared_streams") == 0, "nobody watches")
    with Crowd(product.http) as crowd:
        for _ in range(CLIENTS):
            crowd.join(f"{game.path}/events")
        crowd.until(lambda member: member.begun)
        assert gauge(client, "alhambra_gateway_streams") == CLIENTS
        await_true(lambda: gauge(client, "alhambra_gateway_shared_streams") == 1, "one stream of the service")
        events = [event["id"] for _ in range(5) for event in game.play()["events"]]
        crowd.until(lambda member: events[-1] in member.events())
        assert [member.events() for member in crowd.members] == [events] * CLIENTS
    await_true(lambda: gauge(client, "alhambra_gateway_shared_streams") == 0, "nobody watches")


def gauge(client: Client, name: str) -> int:
    lines = client.get("/metrics").body.decode().splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith(f"{name} "))))


def test_the_stream_outlives_the_client_that_opened_it(service: ToldGame, front: Running) -> None:
    with ExitStack() as first:
        first.enter_context(watching(front))
        shared(service, 1)
        with watching(front) as second:
            shared(service, 1)
            first.close()
            events = service.happens(2)
            assert [told.id for told in second.events(events[-1])] == events
            assert service.open == 1
    shared(service, 0)


def test_a_client_of_http_1_0_gets_the_same(service: ToldGame, front: Running) -> None:
    with Crowd(front.http) as crowd:
        crowd.join(PATH)
        old = crowd.join(PATH, version="1.0")
        crowd.until(lambda member: member.begun)
        shared(service, 1)
        events = service.happens(3)
        crowd.until(lambda member: events[-1] in member.events())
        assert b"chunked" not in old.received
        assert old.received.endswith(b"\n\n")
        assert [member.events() for member in crowd.members] == [events] * 2


# -- Who shares --------------------------------------------------------------------------------------------------------


def test_seats_and_spectators_do_not_share(service: ToldGame, front: Running) -> None:
    with (
        watching(front, seat="0") as first,
        watching(front, seat="1") as second,
        watching(front) as spectator,
        watching(front, seat="0") as again,
    ):
        shared(service, 3)
        (event,) = service.happens()
        cards = [stream.events(event)[0].data.get("privatePart") for stream in (first, second, spectator, again)]
        assert cards == [{"cards": ["of-seat-0"]}, {"cards": ["of-seat-1"]}, None, {"cards": ["of-seat-0"]}]


def test_clients_of_a_seat_share_only_with_the_same_token(service: ToldGame, front: Running) -> None:
    with watching(front, seat="0-old") as old, watching(front, seat="0-new") as new:
        service.happens()
        assert (next(old).id, next(new).id) == ("1.0", "1.0")
        assert service.open == 2
        service.end(grpc.StatusCode.UNAUTHENTICATED, "0-old")
        assert list(old) == []
        service.happens()
        assert next(new).id == "2.0"


def test_a_host_and_other_spectators_do_not_share(service: ToldGame, front: Running) -> None:
    with watching(front), watching(front), watching(front, Authorization="Bearer key-of-a-host"):
        shared(service, 2)


def test_a_ticket_of_a_seat_is_not_shared(service: ToldGame, front: Running) -> None:
    """The gateway does not know for which token a ticket stands, and so not when it is revoked."""
    query = f"?ticket={TICKET}0"
    with watching(front, seat="0") as own, watching(front, query) as first, watching(front, query) as second:
        (event,) = service.happens()
        told = [stream.events(event)[0].data["privatePart"] for stream in (own, first, second)]
        assert told == [{"cards": ["of-seat-0"]}] * 3
        (event,) = service.happens()  # by now every client would have joined another
        assert [stream.events(event)[0].id for stream in (own, first, second)] == [event] * 3
        assert service.open == 3


def test_a_ticket_of_a_spectator_is_shared(service: ToldGame, front: Running) -> None:
    with watching(front), watching(front, f"?ticket={TICKET}spectator") as by_ticket:
        shared(service, 1)
        (event,) = service.happens()
        assert by_ticket.events(event)[0].id == event


def test_languages_do_not_share_and_spellings_of_one_do(service: ToldGame, front: Running) -> None:
    languages = ("de", "de;q=0.9", "en", "")
    with ExitStack() as until_the_end:
        streams = [
            until_the_end.enter_context(watching(front, **({"Accept_Language": language} if language else {})))
            for language in languages
        ]
        shared(service, 3)
        (event,) = service.happens()
        texts = [stream.events(event)[0].data.get("text") for stream in streams]
        assert texts == ["de 1", "de 1", "en 1", None]


# -- Joining -----------------------------------------------------------------------------------------------------------


def test_a_late_client_gets_what_it_missed_and_then_joins(service: ToldGame, front: Running) -> None:
    with watching(front) as early:
        missed = service.happens(3 * QUEUE)  # more than a queue holds
        early.events(missed[-1])
        with Stream(front.http, PATH, {"Last-Event-ID": missed[4]}) as late:
            snapshot = next(late)
            assert (snapshot.type, snapshot.id) == ("snapshot", "")
            assert [told.id for told in late.events(missed[-1])] == missed[5:]
            shared(service, 1)
            events = service.happens(3)
            assert [told.id for told in late.events(events[-1])] == events
            assert [told.id for told in early.events(events[-1])] == events


def test_clients_that_join_while_much_happens_miss_nothing_and_get_nothing_twice(
    service: ToldGame, front: Running
) -> None:
    rng, enough = Random(7), threading.Event()

    def keep_telling() -> None:
        while not enough.wait(0.005):
            service.happens(rng.randrange(1, 4))

    begun = service.happens(5)
    teller = threading.Thread(target=keep_telling)
    teller.start()
    try:
        with Crowd(front.http) as crowd:
            resumed = [crowd.join(PATH, last=begun[number % 5], resumes=True) for number in range(15)]
            fresh = [crowd.join(PATH, resumes=True) for _ in range(15)]
            crowd.until(lambda member: len(member.events()) > 20)
            enough.set()
            teller.join()
            (last,) = service.happens()
            crowd.until(lambda member: last in member.events())
            for number, member in enumerate(resumed):
                assert numbers(member) == list(range(number % 5 + 2, int(last.partition(".")[0]) + 1))
            for member in fresh:
                assert numbers(member) == list(range(snapshot_of(member) + 1, int(last.partition(".")[0]) + 1))
            shared(service, 1)
    finally:
        enough.set()
        teller.join()


def numbers(member: Member) -> list[int]:
    return [int(event.partition(".")[0]) for event in member.events()]


def snapshot_of(member: Member) -> int:
    """The last event that the first snapshot contains."""
    data = member.received.partition(b"event: snapshot\ndata: ")[2].partition(b"\n")[0]
    return int(json.loads(data)["lastEvent"].partition(".")[0])


def test_a_snapshot_that_no_event_tells_of_reaches_everybody(service: ToldGame, front: Running) -> None:
    with watching(front) as first, watching(front) as second:
        shared(service, 1)
        service.changes()
        assert {next(stream).data["view"]["phase"] for stream in (first, second)} == {"phase 1"}


class Told:
    """A client that takes everything at once."""

    idle = True

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self.finished = False

    def send(self, part: Part) -> None:
        self.texts.append(part.text)

    def send_text(self, text: bytes) -> None:
        self.texts.append(text)

    def finish(self) -> None:
        self.finished = True


def test_whoever_joins_gets_a_newer_snapshot_that_its_own_stream_did_not_tell_yet() -> None:
    """Its own stream may come from a process of the service that has not heard of the change yet."""
    client = Told()
    told = Subscriber(client)
    snapshot = events_pb2.Snapshot(view=views_pb2.View(phase="newer"), last_event="3.0")
    told.offer(part_of(Message(snapshot=snapshot)))
    assert not client.texts, "its own stream is read first"
    told.start((3, 0), "3.0")
    told.end("")
    assert b"newer" in b"".join(client.texts)
    assert client.finished


def test_a_snapshot_from_before_the_events_that_a_client_has_is_dropped() -> None:
    client = Told()
    told = Subscriber(client)
    told.offer(part_of(Message(snapshot=events_pb2.Snapshot(last_event="3.0"))))
    told.offer(part_of(Message(event=events_pb2.Event(kind="placed", id="4.0"))))
    told.offer(part_of(Message(event=events_pb2.Event(kind="placed", id="4.1"))))
    told.start((4, 0), "4.0")
    told.end("")
    (text,) = client.texts
    assert text.startswith(b"id: 4.1\n")


def test_a_client_that_falls_behind_resumes_after_the_last_event_that_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "STREAM_QUEUE", 2)
    client = Told()
    told = Subscriber(client)
    told.start((), "")
    for number in range(1, 6):
        told.offer(part_of(Message(event=events_pb2.Event(kind="placed", id=f"{number}.0"))))
        client.idle = False  # it reads nothing after the first
    assert [text[:9] for text in client.texts] == [b"id: 1.0\ne"] * 2
    assert b"fell_behind" in client.texts[-1]
    assert client.finished


# -- Slow clients ------------------------------------------------------------------------------------------------------


def has(event: str, member: Member) -> bool:
    return event in member.events()


def test_a_slow_client_holds_nobody_up_and_resumes_where_it_fell_behind(service: ToldGame, front: Running) -> None:
    with Crowd(front.http) as crowd, watching(front) as slow:
        fast = [crowd.join(PATH) for _ in range(5)]
        crowd.until(lambda member: member.begun)
        shared(service, 1)
        events = []
        for _ in range(12):  # far more than the system keeps for a client, and than its queue holds
            events += service.happens(QUEUE // 4, LONG)
            crowd.until(partial(has, events[-1]))
        assert [member.events() for member in fast] == [events] * 5
        *told, last = slow
        assert (last.type, last.data["because"]) == ("resume", "fell_behind")
        assert [one.id for one in told] == events[: len(told)]
        assert 0 < len(told) < len(events)
        assert last.data["after"] == told[-1].id
        with watching(front, Last_Event_ID=last.data["after"]) as again:
            assert [one.id for one in again.events(events[-1])] == events[len(told) :]
            shared(service, 1)


def test_a_slow_client_with_a_stream_of_its_own_holds_nobody_up(service: ToldGame, front: Running) -> None:
    """Its messages wait at the service, not in the gateway."""
    with watching(front, f"?ticket={TICKET}0") as slow, watching(front, f"?ticket={TICKET}1") as fast:
        events = [event for _ in range(60) for event in service.happens(1, LONG)]
        assert [told.id for told in fast.events(events[-1])] == events
        assert [told.id for told in slow.events(events[-1])] == events


@pytest.mark.parametrize("others", [0, 1])
def test_a_client_that_leaves_before_it_has_read_what_it_missed_leaves_nothing_behind(
    service: ToldGame, front: Running, others: int
) -> None:
    """It could go on with the shared stream at that very moment."""
    service.happens(1, "x" * (1 << 22))  # more than the system keeps for a client
    with ExitStack() as stack, Client(front.http) as client:
        for _ in range(others):
            stack.enter_context(watching(front))
        with watching(front, "?fromVersion=0") as stream:
            stream.await_bytes()
            await_true(lambda: gauge(client, "alhambra_gateway_shared_streams") == others, "the others share")
        await_true(lambda: gauge(client, "alhambra_gateway_streams") == others, "the client has gone")
        shared(service, others)
        stack.close()
        await_true(lambda: gauge(client, "alhambra_gateway_shared_streams") == 0, "nothing is shared")
    shared(service, 0)


# -- Threads -----------------------------------------------------------------------------------------------------------


def test_clients_have_no_threads_whether_they_share_or_not(service: ToldGame, front: Running) -> None:
    (worker,) = map(psutil.Process, front.gateway_workers())
    with ExitStack() as until_the_end:
        for number in range(4):
            until_the_end.enter_context(watching(front, seat=f"{number}-first"))
        shared(service, 4)
        before = worker.num_threads()
        crowd = until_the_end.enter_context(Crowd(front.http))
        for number in range(CLIENTS):
            crowd.join(PATH)
            crowd.join(PATH, f"{SEAT}{number % 10}-{number}")
        crowd.until(lambda member: member.begun)
        shared(service, 4 + 1 + CLIENTS)
        assert worker.num_threads() <= before + CLIENTS // 5, "a few may be replaced while they wait for the service"
        (event,) = service.happens()
        crowd.until(partial(has, event))
    shared(service, 0)


# -- Limits ------------------------------------------------------------------------------------------------------------


@contextmanager
def limited(service: ToldGame, *arguments: str, **smaller: float) -> Iterator[Running]:
    with gateway(service.address, *arguments, limits=smaller) as found:
        yield found


def refused(front: Running, seat: str = "") -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {SEAT}{seat}"} if seat else {}
    with Stream(front.http, PATH, headers) as stream:
        return stream.status, stream.body()["reason"]


TOO_MANY = (429, "WATCHERS_EXCEEDED")


def test_clients_that_share_are_still_counted_by_seat_and_by_game(service: ToldGame) -> None:
    """They are one stream to the service, whose own limits do not see them."""
    with limited(service, STREAMS_PER_SEAT=2, STREAMS_PER_GAME=2) as front:
        with watching(front), watching(front), watching(front, seat="0"), watching(front, seat="0"):
            assert refused(front) == TOO_MANY
            assert refused(front, "0") == TOO_MANY
            with watching(front, seat="1"):
                pass
        shared(service, 0)
        with watching(front), watching(front, seat="0"):  # the places are free again
            shared(service, 2)


def test_spectators_do_not_keep_players_out(service: ToldGame) -> None:
    with limited(service, "--streams", "4", STREAMS_FOR_SEATS=0.5) as front, watching(front), watching(front):
        assert refused(front) == TOO_MANY
        with watching(front, seat="0"), watching(front, seat="1"):
            assert refused(front, "1") == TOO_MANY
