"""Tables: whole games of several seats with presets and modules, each with watchers that check the events they get.

A user makes every move of its game over gRPC or REST, as the bots do. It knows no rules and draws its moves from the
list of legal moves. Sometimes it takes a move back. Two watchers follow the game over Server-Sent Events, one as a seat
with tickets and one as a spectator. They disconnect from time to time and continue after the last event that they saw.
When the game is over, each watcher must have seen every event of the players' answers once and in order. Anything else
counts as a failure.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import gevent
import grpc
from locust import task

from alhambra_api.v1 import games_pb2, views_pb2

from .. import limits
from ..event_ledger import EventLedger, position
from ..scenarios import MIXES
from .bots import GrpcBots, RestBots, tokens_of
from .calling import WrongAnswer, counted, expect, reason_of
from .watchers import stream_messages

UNDO_REFUSED = "UNDO_REFUSED"


class Setup(NamedTuple):
    """The options of a new game."""

    seats: int
    preset: str
    modules: tuple[str, ...]


@contextmanager
def _lost_is_wrong() -> Iterator[None]:
    """Raise WrongAnswer in place of an error of the connection."""
    try:
        yield
    except (OSError, http.client.HTTPException) as fault:
        raise WrongAnswer(f"the connection broke: {fault!r}") from None


class Watcher:
    """One client of a stream, in its own greenlet."""

    def __init__(self, table: Any, game: str, token: str = "") -> None:
        self._table, self._path, self._token = table, f"/v1/games/{game}/events", token
        self._host = urlsplit(table.environment.host).netloc
        self.begun_after: str | None = None
        """The last event before the first snapshot; None until the first snapshot has come."""
        self.seen: list[str] = []
        self._greenlet = gevent.spawn(self._follow)

    @property
    def last(self) -> str:
        """The last event that the watcher has seen, or the one before its first snapshot."""
        return self.seen[-1] if self.seen else self.begun_after or ""

    def stop(self) -> None:
        """Disconnect and end the greenlet."""
        self._greenlet.kill()

    def caught_up(self, last: str) -> bool:
        """Return whether the watcher has got this event or a later one."""
        return self.begun_after is not None and position(self.last) >= position(last)

    def _follow(self) -> None:
        """Open the stream again and again until the watcher is stopped, each time after the last event that it saw."""
        while True:
            connection = http.client.HTTPConnection(self._host, timeout=limits.CALL_SECONDS)
            try:
                self._read(connection)
            finally:
                connection.close()
            gevent.sleep(limits.RECONNECT_SECONDS)

    def _read(self, connection: http.client.HTTPConnection) -> None:
        """Read one stream until it ends, or until the watcher disconnects."""
        query = {"after": self.last} if self.last else {}
        if self._token:
            ticket = self._table.ticket(self._path, self._token)
            if ticket is None:
                return
            query["ticket"] = ticket
        messages: Iterator[tuple[str, str, Any]] = iter(())
        with counted(self._table.environment, "SSE", "open a stream"), _lost_is_wrong():
            connection.request("GET", f"{self._path}?{urlencode(query)}", headers={"accept": "text/event-stream"})
            response = connection.getresponse()
            expect(response.status, http.client.OK, "status")
            messages = stream_messages(response)
            first = next(messages, None)
            if first is None or first[0] != "snapshot":
                raise WrongAnswer("the stream does not begin with a snapshot")
            if self.begun_after is None:
                self.begun_after = str(first[2]["lastEvent"])
        with counted(self._table.environment, "SSE", "stream followed", timed=False), _lost_is_wrong():
            for kind, event, _ in messages:
                if kind == "event":
                    self.seen.append(event)
                    if self._table.sometimes(limits.HANG_UP_SHARE):
                        return
                elif kind == "resume":
                    return


class Watched:
    """A game with the ledger of its events and its watchers, for users of gRPC and of REST."""

    environment: Any
    rng: Any

    def setup(self) -> Setup:
        """Return random options for the next game."""
        preset, modules = self.rng.choice(MIXES)
        return Setup(self.rng.randint(*limits.SEATS), preset, modules)

    def open(self, game: str, token: str) -> None:
        """Start the watchers of a game, and wait until every watcher has its first snapshot."""
        self.ledger, self.watchers = EventLedger(), [Watcher(self, game, token), Watcher(self, game)]
        self._await(lambda watcher: watcher.begun_after is not None)

    def close(self, ended: bool) -> None:
        """Stop the watchers. If the game has ended, compare what every watcher has seen with the ledger."""
        if ended:
            self._await(lambda watcher: watcher.caught_up(self.ledger.last))
        for watcher in self.watchers:
            watcher.stop()
            if ended:
                with counted(self.environment, "SSE", "game watched to its end", timed=False):
                    fault = self.ledger.fault(watcher.begun_after or "", watcher.seen)
                    if fault:
                        raise WrongAnswer(fault)

    def _await(self, ready: Any) -> None:
        """Wait until all watchers are ready, at most limits.CALL_SECONDS. A watcher that is not ready by then fails
        when its events are compared."""
        with gevent.Timeout(limits.CALL_SECONDS, False):  # type: ignore[arg-type] # False: nothing is raised
            while not all(map(ready, self.watchers)):
                gevent.sleep(limits.LOOK_SECONDS)


class RestTables(Watched, RestBots):
    """A user that plays over REST."""

    @task
    def play(self) -> None:
        """Play one game."""
        setup = self.setup()
        options: Any = self.environment.parsed_options
        body = {
            "seats": [{"claim": True}] * setup.seats,
            "preset": setup.preset,
            "modules": list(setup.modules),
            "turnLimit": options.turn_limit,
        }
        created = self.asked("POST", "/v1/games", "create", self._fine, body=body)
        if created is None:
            return
        tokens = {key["seat"]: key["token"] for key in created["seatKeys"]}
        view: Any = created["view"]
        try:
            self.open(created["game"], tokens[0])
            for _ in range(limits.MOVES_OF_A_GAME):
                if view is None or view["status"] != self.RUNNING:
                    break
                view = self._move(view, tokens)
                if view is not None and view["status"] == self.RUNNING and self.sometimes(limits.UNDO_SHARE):
                    view = self._undo(view, tokens)
                self.wait()
        finally:
            self.close(ended=view is not None and view["status"] != self.RUNNING)
        self.asked("DELETE", f"/v1/games/{created['game']}", "delete", self._fine)

    def happened(self, events: Any) -> None:
        """Write the events of a move into the ledger."""
        self.ledger.add(event["id"] for event in events)

    def _undo(self, view: Any, tokens: dict[int, str]) -> Any:
        """Ask to take the last move back, and return the view after that. The service takes it back, or refuses because
        something was revealed."""

        def taken_back_or_refused(status: int, document: Any) -> Any:
            if status == http.client.UNPROCESSABLE_ENTITY:
                expect(document["reason"], UNDO_REFUSED, "refusal")
                return view
            self.happened(self._fine(status, document)["events"])
            expect(document["version"], view["version"] + 1, "version after an undo")
            return document["view"]

        path, body = f"/v1/games/{view['game']}:undo", {"version": view["version"]}
        return self.asked("POST", path, "undo", taken_back_or_refused, body=body, token=tokens[self.moved])

    def ticket(self, path: str, token: str) -> str | None:
        """Return a ticket for one stream; None if the call failed."""
        found = self.asked("POST", f"{path}:ticket", "ticket", self._fine, body={}, token=token, paced=False)
        return str(found["ticket"]) if found is not None else None


class GrpcTables(Watched, GrpcBots):
    """A user that plays over gRPC; its watchers use HTTP."""

    @task
    def play(self) -> None:
        """Play one game."""
        setup = self.setup()
        options: Any = self.environment.parsed_options
        created = self.created(setup.seats, preset=setup.preset, modules=setup.modules, turn_limit=options.turn_limit)
        if created is None:
            return
        tokens = tokens_of(created)
        view: Any = created.view
        try:
            self.open(created.game, created.seat_keys[0].token)
            for _ in range(limits.MOVES_OF_A_GAME):
                if view is None or view.status != views_pb2.GAME_STATUS_RUNNING:
                    break
                view = self._move(view, tokens)
                running = view is not None and view.status == views_pb2.GAME_STATUS_RUNNING
                if running and self.sometimes(limits.UNDO_SHARE):
                    view = self._undo(view, tokens)
                self.wait()
        finally:
            self.close(ended=view is not None and view.status != views_pb2.GAME_STATUS_RUNNING)
        with self.counted("DeleteGame"):
            self.call("DeleteGame", games_pb2.DeleteGameRequest(game=created.game))

    def happened(self, events: Any) -> None:
        """Write the events of a move into the ledger."""
        self.ledger.add(event.id for event in events)

    def _undo(self, view: Any, tokens: dict[int, Any]) -> Any:
        """Ask to take the last move back, and return the view after that. The service takes it back, or refuses because
        something was revealed."""
        found: Any = None
        with self.counted("Undo"):
            try:
                request = games_pb2.UndoRequest(game=view.game, version=view.version)
                answer = self.call("Undo", request, tokens[self.moved])
            except grpc.RpcError as error:
                expect(reason_of(error), UNDO_REFUSED, "refusal")
                found = view
            else:
                self.happened(answer.events)
                expect(answer.version, view.version + 1, "version after an undo")
                found = answer.view
        return found

    def ticket(self, path: str, token: str) -> str | None:
        """Return a ticket for one stream; None if the call failed."""
        connection = http.client.HTTPConnection(urlsplit(self.environment.host).netloc, timeout=limits.CALL_SECONDS)
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        found: str | None = None
        with counted(self.environment, "POST", "ticket"):
            try:
                connection.request("POST", f"{path}:ticket", b"{}", headers)
                response = connection.getresponse()
                expect(response.status, http.client.OK, "status")
                found = str(json.load(response)["ticket"])
            except (OSError, http.client.HTTPException) as fault:
                raise WrongAnswer(f"no ticket: {fault!r}") from None
            finally:
                connection.close()
        return found
