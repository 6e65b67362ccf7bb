"""Events over HTTP: what a stream tells, how it resumes, tickets, pages, and how it ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from random import Random

import pytest

from alhambra_gateway import limits
from alhambra_service import limits as service_limits
from tests.service.store.servers import await_true

from .http import Client
from .product import Product, Running, gateway
from .sse import Stream
from .tables import RestGame

PAGES = {"Accept": "application/json"}


@pytest.fixture
def game(client: Client) -> RestGame:
    return RestGame(client)


@contextmanager
def watching(product: Running, game: RestGame, query: str = "", **headers: str) -> Iterator[Stream]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with Stream(product.http, f"{game.path}/events{query}", sent) as stream:
        yield stream


def last_event(game: RestGame) -> str:
    return str(game.events()[-1]["id"])


# -- What a stream tells -----------------------------------------------------------------------------------------------


def test_a_stream_begins_with_a_snapshot_and_goes_on_with_what_happens(product: Product, game: RestGame) -> None:
    with watching(product, game) as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        assert stream.headers["cache-control"] == "no-store"
        assert "content-encoding" not in stream.headers
        snapshot = next(stream)
        assert 1000 * limits.RECONNECT_LEAST_SECONDS <= int(stream.retry) <= 1000 * limits.RECONNECT_MOST_SECONDS
        assert (snapshot.type, snapshot.data["view"]["version"]) == ("snapshot", 0)
        assert snapshot.id == snapshot.data["lastEvent"] == last_event(game)
        events = game.play()["events"]
        told = [next(stream) for _ in events]
        assert [(one.type, one.id) for one in told] == [("event", event["id"]) for event in events]
        assert [one.data["kind"] for one in told] == [event["kind"] for event in events]


def test_a_seat_sees_its_own_hand_and_a_spectator_sees_nobodys(product: Product, game: RestGame) -> None:
    with watching(product, game, **game.bearer(0)) as own, watching(product, game) as other:
        mine, theirs = next(own).data["view"], next(other).data["view"]
        assert (mine["viewer"], mine["seats"][0]["hand"] != []) == (0, True)
        assert "viewer" not in theirs
        assert [seat["hand"] for seat in theirs["seats"]] == [mine["seats"][1]["hand"]] * 2
        game.play()
        assert next(own).id == next(other).id  # everybody gets every event, under the same id


def test_a_stream_is_packed_for_nobody(product: Product, game: RestGame) -> None:
    with watching(product, game, Accept_Encoding="gzip") as stream:
        assert "content-encoding" not in stream.headers
        assert next(stream).type == "snapshot"


def test_texts_come_in_the_language_of_the_reader(product: Product, game: RestGame) -> None:
    with watching(product, game, "?fromVersion=0", Accept_Language="de") as stream:
        told = stream.events(last_event(game))
        assert all(one.data["text"] for one in told)


# -- Resuming ----------------------------------------------------------------------------------------------------------


def test_a_client_that_reconnects_misses_nothing_and_gets_nothing_twice(product: Product, game: RestGame) -> None:
    rng = Random(5)
    received: list[str] = []
    began = last_event(game)
    for turn in range(6):
        resumed = {"Last_Event_ID": received[-1] if received else began}
        with watching(product, game, **resumed) as stream:
            assert next(stream).type == "snapshot"
            if turn % 2:
                game.play(2)  # while it is connected; the next time while it is not
            missed = [event["id"] for event in game.events(after=resumed["Last_Event_ID"])]
            for told in stream.events(missed[rng.randrange(len(missed))]) if missed else ():
                received.append(told.id)
        game.play(1)
    with watching(product, game, Last_Event_ID=received[-1]) as stream:
        received += [told.id for told in stream.events(last_event(game))]
    everything = [event["id"] for event in game.events()]
    assert received == everything[everything.index(began) + 1 :]


def test_a_snapshot_ahead_of_missed_events_has_no_id(product: Product, game: RestGame) -> None:
    began = last_event(game)
    game.play(2)
    with watching(product, game, Last_Event_ID=began) as stream:
        snapshot = next(stream)
        assert (snapshot.type, snapshot.id) == ("snapshot", "")  # or a connection lost now would lose the events
        assert snapshot.data["view"]["version"] == 2
        assert next(stream).id.startswith("1.0.")


def test_the_header_stands_over_the_address_that_a_browser_began_with(product: Product, game: RestGame) -> None:
    last = last_event(game)
    game.play()
    for query in ("?fromVersion=0", "?after=0.0"):
        with watching(product, game, query, Last_Event_ID=last) as stream:
            assert next(stream).type == "snapshot"
            assert next(stream).id.startswith("1.0.")


def test_an_id_that_is_none_is_refused(product: Product, game: RestGame) -> None:
    with watching(product, game, Last_Event_ID="yesterday") as stream:
        assert (stream.status, stream.body()["reason"]) == (400, "REQUEST_MALFORMED")


# -- Tickets -----------------------------------------------------------------------------------------------------------


def test_a_ticket_opens_one_stream_of_its_game_for_its_seat(product: Product, client: Client, game: RestGame) -> None:
    other = RestGame(client)
    ticket = client.post(f"{game.path}/events:ticket", headers=game.bearer(1)).json()["ticket"]
    with watching(product, other, f"?ticket={ticket}") as stream:
        assert (stream.status, stream.body()["reason"]) == (401, "TOKEN_INVALID")  # and it is not spent by that
    with watching(product, game, f"?ticket={ticket}") as stream:
        assert next(stream).data["view"]["viewer"] == 1
        with watching(product, game, f"?ticket={ticket}") as again:
            assert (again.status, again.body()["reason"]) == (401, "TOKEN_INVALID")
        game.play()
        assert next(stream).type == "event"


def test_a_ticket_is_good_for_a_minute(client: Client, game: RestGame) -> None:
    made = client.post(f"{game.path}/events:ticket", {}, game.bearer(0))
    assert made.status == 200
    assert made.headers["cache-control"] == "no-store"
    asked = parsedate_to_datetime(made.headers["date"])
    lasts = datetime.fromisoformat(made.json()["expireTime"]) - asked
    assert timedelta(seconds=59) < lasts < timedelta(seconds=62)  # Date has no fractions of seconds


def test_a_ticket_stands_in_no_other_address(client: Client, game: RestGame) -> None:
    ticket = client.post(f"{game.path}/events:ticket", headers=game.bearer(0)).json()["ticket"]
    for path in (game.path, f"{game.path}/moves", f"{game.path}/replay"):
        refused = client.get(path, ticket=ticket)
        assert (refused.status, refused.reason) == (400, "REQUEST_MALFORMED")
        assert ticket not in refused.body.decode()


# -- Pages -------------------------------------------------------------------------------------------------------------


def test_events_come_as_pages_for_those_who_poll(client: Client, game: RestGame) -> None:
    game.play(3)
    whole = client.get(f"{game.path}/events", PAGES).json()
    assert (whole["version"], whole["more"]) == (3, False)
    assert whole["nextAfter"] == whole["events"][-1]["id"]
    first = client.get(f"{game.path}/events", PAGES, pageSize=5).json()
    assert first["more"]
    assert first["events"] == whole["events"][:5]
    rest = client.get(f"{game.path}/events", PAGES, after=first["nextAfter"]).json()
    assert rest["events"] == whole["events"][5:]
    nothing = client.get(f"{game.path}/events", PAGES, after=whole["nextAfter"]).json()
    assert (nothing["events"], nothing["nextAfter"], nothing["more"]) == ([], whole["nextAfter"], False)


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("text/event-stream", "text/event-stream"),
        ("*/*", "text/event-stream"),
        ("application/json, text/plain, */*", "application/json"),
        ("text/event-stream;q=0.5, application/json", "application/json"),
        ("application/json;q=0, */*", "text/event-stream"),
        ("application/json, text/event-stream, application/problem+json", "application/json"),
        ("text/event-stream, application/json", "text/event-stream"),
        ("Application/JSON; charset=utf-8, text/event-stream", "application/json"),
        ("application/json;q=0.9, text/event-stream", "text/event-stream"),
    ],
)
def test_the_client_says_which_form_it_prefers(client: Client, game: RestGame, accept: str, form: str) -> None:
    head = client.send("HEAD", f"{game.path}/events", None, {"Accept": accept})
    assert (head.status, head.headers["content-type"]) == (200, form)


def test_who_accepts_neither_form_is_told_so(client: Client, game: RestGame) -> None:
    refused = client.get(f"{game.path}/events", {"Accept": "image/png"})
    assert (refused.status, refused.reason) == (406, "NOT_ACCEPTABLE")


def test_a_game_that_is_not_there_is_told_by_its_status(product: Product, client: Client) -> None:
    with Stream(product.http, "/v1/games/nosuchgamehere/events") as stream:
        assert (stream.status, stream.body()["reason"]) == (404, "GAME_NOT_FOUND")
    assert client.get("/v1/games/nosuchgamehere/events", PAGES).reason == "GAME_NOT_FOUND"
    assert client.send("HEAD", "/v1/games/nosuchgamehere/events").status == 404


# -- The end -----------------------------------------------------------------------------------------------------------


def test_a_deleted_game_is_nothing_to_resume(product: Product, client: Client, game: RestGame) -> None:
    with watching(product, game) as stream:
        assert next(stream).type == "snapshot"
        assert client.delete(game.path).status == 200
        last = next(stream)
        assert (last.type, last.data["because"]) == ("resume", "deleted")
        assert list(stream) == []


def test_a_gateway_that_stops_tells_its_streams_to_resume(product: Product, game: RestGame) -> None:
    with gateway(product.grpc) as front, watching(front, game) as stream:
        assert next(stream).type == "snapshot"
        game.play()
        told = next(stream)
        front.send(signal.SIGTERM)
        last = [*stream][-1]
        assert (last.type, last.data["because"]) == ("resume", "stopping")
        everything = [event["id"] for event in game.events()]
        assert everything.index(last.data["after"]) >= everything.index(told.id)
        assert front.stop() == 0


def test_new_workers_take_over_and_streams_resume_there(product: Product, game: RestGame) -> None:
    with gateway(product.grpc) as front, watching(front, game) as stream:
        assert next(stream).type == "snapshot"
        before = front.gateway_workers()
        front.send(signal.SIGHUP)
        (last,) = stream
        assert (last.type, last.data["because"]) == ("resume", "stopping")
        await_true(lambda: before != front.gateway_workers() and len(front.gateway_workers()) == 1, "a new worker")
        game.play()
        with watching(front, game, Last_Event_ID=last.data["after"]) as again:
            assert next(again).type == "snapshot"
            assert next(again).id.startswith("1.0.")


def test_a_client_that_hangs_up_is_noticed_although_nothing_happens(product: Product, client: Client) -> None:
    game = RestGame(client)
    await_true(lambda: open_streams(client) == 0, "nobody watches")
    with watching(product, game) as stream:
        assert next(stream).type == "snapshot"
        assert open_streams(client) == 1
    await_true(lambda: open_streams(client) == 0, "the stream is given up", service_limits.STREAM_SILENCE_SECONDS / 2)


def open_streams(client: Client) -> int:
    """How many streams are open, as the numbers for the operator say."""
    lines = client.get("/metrics").body.decode().splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith("alhambra_gateway_streams "))))
