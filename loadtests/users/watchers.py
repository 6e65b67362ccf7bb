"""Watchers: users that open the stream of a running game, read it for some time, disconnect and come back.

The first message must be a snapshot, and the ids of events must grow. A watcher that comes back must get exactly the
events after the last one that it saw, unless the game was deleted. Two times are measured: from opening a stream to its
snapshot, and of the call that gets the missed events.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from urllib.parse import urlsplit

import gevent
import grpc
from locust import task

from alhambra_api.v1 import events_pb2, games_pb2, views_pb2

from .. import limits
from ..event_ledger import position
from .calling import GrpcUser, RestUser, WrongAnswer, counted, expect, reason_of

GONE = "GAME_NOT_FOUND"


class Following:
    """The events of one game that a watcher has seen."""

    def __init__(self, last: str) -> None:
        self.last = last
        self.seen = 0

    def event(self, event: str) -> None:
        """Count one more event. Raises WrongAnswer unless its id is greater than the last one."""
        if self.last and position(event) <= position(self.last):
            raise WrongAnswer(f"event {event} after {self.last}")
        self.last = event
        self.seen += 1


def _for_a_while() -> gevent.Timeout:
    """End the block without an error when the watcher has read long enough."""
    return gevent.Timeout(limits.WATCHED_SECONDS, False)  # type: ignore[arg-type] # False: nothing is raised


@contextmanager
def _unless_gone() -> Iterator[None]:
    """Accept that the game was deleted meanwhile."""
    try:
        yield
    except grpc.RpcError as error:
        if reason_of(error) != GONE:
            raise


class GrpcWatchers(GrpcUser):
    """A watcher over gRPC."""

    @task
    def watch(self) -> None:
        """Watch one game for some time."""
        found: Any = None
        with self.counted("ListGames"):
            running = games_pb2.ListGamesRequest(status=views_pb2.GAME_STATUS_RUNNING)
            found = self.call("ListGames", running)
        if found is None or not found.games:
            gevent.sleep(1)
            return
        game = Random().choice(found.games).game
        stream = self.games.WatchEvents(
            events_pb2.WatchEventsRequest(game=game), timeout=limits.WATCHED_SECONDS + limits.CALL_SECONDS
        )
        following: Following | None = None
        with self.counted("WatchEvents"), _unless_gone():
            first = next(stream)
            expect(first.WhichOneof("message"), "snapshot", "first message")
            following = Following(first.snapshot.last_event)
        if following is not None:
            self._follow(stream, following)
            self._come_back(game, following)

    def _follow(self, stream: Any, following: Following) -> None:
        try:
            with self.counted("WatchEvents, followed", timed=False), _unless_gone(), _for_a_while():
                for message in stream:
                    if message.HasField("event"):
                        following.event(message.event.id)
        finally:
            stream.cancel()

    def _come_back(self, game: str, following: Following) -> None:
        with self.counted("WatchEvents, what was missed"), _unless_gone():
            missed = self.games.WatchEvents(
                events_pb2.WatchEventsRequest(game=game, after=following.last, past_only=True),
                timeout=limits.CALL_SECONDS,
            )
            for message in missed:
                if message.HasField("event"):
                    following.event(message.event.id)


class RestWatchers(RestUser):
    """A watcher over REST: Server-Sent Events, and JSON pages for missed events."""

    @task
    def watch(self) -> None:
        """Watch one game for some time."""

        def games(status: int, document: Any) -> list[str]:
            expect(status, 200, "status")
            return [game["game"] for game in document["games"]]

        found = self.asked("GET", "/v1/games?status=running", "list of games", games)
        if not found:
            gevent.sleep(1)
            return
        game = Random().choice(found)
        address = urlsplit(self.host)
        connection = http.client.HTTPConnection(str(address.netloc), timeout=limits.CALL_SECONDS)
        try:
            following = self._follow(connection, f"/v1/games/{game}/events")
        finally:
            connection.close()
        if following is not None:
            self._come_back(game, following)

    def _follow(self, connection: http.client.HTTPConnection, path: str) -> Following | None:
        following: Following | None = None
        messages: Iterator[tuple[str, str, Any]] = iter(())
        with counted(self.environment, "SSE", "open a stream"):
            try:
                connection.request("GET", path, headers={"accept": "text/event-stream"})
                response = connection.getresponse()
                if response.status == http.client.NOT_FOUND and json.load(response)["reason"] == GONE:
                    return None
                expect(response.status, 200, "status")
                messages = stream_messages(response)
                kind, _, data = next(messages)
            except (OSError, http.client.HTTPException, StopIteration) as fault:
                raise WrongAnswer(f"no stream: {fault!r}") from None
            expect(kind, "snapshot", "first message")
            following = Following(data["lastEvent"])
        if following is not None:
            with counted(self.environment, "SSE", "stream followed", timed=False), _for_a_while():
                for kind, event, _ in messages:
                    if kind == "event":
                        following.event(event)
        return following

    def _come_back(self, game: str, following: Following) -> None:
        def nothing_twice(status: int, document: Any) -> None:
            if status == http.client.NOT_FOUND and document["reason"] == GONE:
                return
            expect(status, 200, "status")
            for event in document["events"]:
                following.event(event["id"])

        path = f"/v1/games/{game}/events?after={following.last}" if following.last else f"/v1/games/{game}/events"
        self.asked("GET", path, "what was missed", nothing_twice)


def stream_messages(response: http.client.HTTPResponse) -> Iterator[tuple[str, str, Any]]:
    """Generate the kind, the id and the data of each message of a stream of Server-Sent Events."""
    fields: dict[str, str] = {}
    while line := response.readline():
        text = line.decode().rstrip("\r\n")
        if text:
            name, _, value = text.partition(":")
            fields[name] = value.removeprefix(" ")
        elif fields:
            if "data" in fields:
                yield fields.get("event", "message"), fields.get("id", ""), json.loads(fields["data"])
            fields = {}
