"""Ways into a world: over REST through a gateway, over gRPC to a service. Both speak of the same few things.

A call returns an answer, or raises Refused with the reason that the server gave, or NoAnswer if nobody knows what
became of it: no connection, no answer in time, a server that is in trouble.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, NamedTuple, TypeVar

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, nouns_pb2, service_pb2_grpc, views_pb2
from tests.gateway.http import Answer, Client
from tests.gateway.sse import Stream

from .history import BEHIND

CALL_SECONDS = 3.0
PATIENT_SECONDS = 60.0
"""How long a client waits whose calls must not fail."""
STREAM_SECONDS = 25.0
"""After this time a stream over gRPC ends."""
STUCK_SECONDS = STREAM_SECONDS + 10.0
"""A stream over gRPC that has not ended after this time is left alone: its call obeys neither its deadline nor a
cancellation."""
EAGER = ("buy", "bid_project", "take_money")
"""Verbs that bring a game to its end."""
PAGE = 1_000
SERVER_TROUBLE = 500
"""From this status on, an answer over REST says that the server is in trouble."""
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
CHANNEL = (
    ("grpc.use_local_subchannel_pool", 1),
    *(("grpc.initial_reconnect_backoff_ms", 50), ("grpc.min_reconnect_backoff_ms", 50)),
    *(("grpc.max_reconnect_backoff_ms", 300), ("grpc.keepalive_timeout_ms", 4_000)),
)

Result = TypeVar("Result")


class Refused(Exception):
    """The server did not do it, and says why."""

    def __init__(self, reason: str, about: str = "") -> None:
        super().__init__(f"{reason}: {about}")
        self.reason = reason


class NoAnswer(Exception):
    """Nobody knows what became of the call; the same call again is safe."""


class Created(NamedTuple):
    """A new game and the tokens of its people, by seat."""

    game: str
    tokens: Mapping[int, str]


class Chosen(NamedTuple):
    """A move as it is sent: for which version, and with which link, if it is named."""

    move: Any
    version: int
    link: str = ""


class Seen(NamedTuple):
    """A game as it was read."""

    version: int
    link: str
    running: bool
    asked: int | None
    """The seat that has to decide."""


class Made(NamedTuple):
    """What came of a move."""

    first: int
    version: int
    link: str


class Door(ABC):
    """One way in. Used by one thread at a time."""

    protocol: str

    @abstractmethod
    def create(self, seats: Sequence[Mapping[str, Any]], request_id: str, turn_seconds: int) -> Created:
        """Create a game."""

    @abstractmethod
    def read(self, game: str, min_version: int) -> Seen:
        """Read a game as a spectator."""

    @abstractmethod
    def choose(self, game: str, token: str, version: int, rng: Random) -> Chosen | None:
        """A random legal move of a seat; None if the seat is not asked. The move can be sent through any door of the
        same protocol."""

    @abstractmethod
    def apply(self, game: str, token: str, chosen: Chosen, request_id: str) -> Made:
        """Make a move."""

    @abstractmethod
    def watch(self, game: str, after: str, opened: Callable[[Callable[[], object]], None]) -> Iterator[str]:
        """Id and kind of each event behind an event, or of all if that is empty, until the stream ends. `opened` is
        given what cuts the stream from another thread. Raises Refused with BEHIND if the event was taken back."""

    @abstractmethod
    def close(self) -> None:
        """Hang up."""


# -- REST --------------------------------------------------------------------------------------------------------------


class RestDoor(Door):
    """HTTP through a gateway."""

    protocol = "rest"

    def __init__(self, port: int, seconds: float = CALL_SECONDS) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self._client = Client(self.base, timeout=seconds)

    def create(self, seats: Sequence[Mapping[str, Any]], request_id: str, turn_seconds: int) -> Created:
        setups = [{_camel(name): value for name, value in seat.items()} for seat in seats]
        body = {"seats": setups, "turnSeconds": turn_seconds}
        made = self._post("/v1/games", "", body, request_id)
        return Created(made["game"], {key["seat"]: key["token"] for key in made["seatKeys"] if key.get("token")})

    def read(self, game: str, min_version: int) -> Seen:
        query = {"minVersion": min_version} if min_version else {}
        view = self._good(lambda: self._client.get(f"/v1/games/{game}", None, **query))["view"]
        decision = view.get("decision")
        asked = decision["seat"] if decision else None
        return Seen(view["version"], view["fairness"]["link"], view["status"] == "running", asked)

    def choose(self, game: str, token: str, version: int, rng: Random) -> Chosen | None:
        path, headers = f"/v1/games/{game}/moves", {"Authorization": f"Bearer {token}"}
        found = self._good(lambda: self._client.get(path, headers, minVersion=version, pageSize=PAGE))
        chosen = _chosen(found["moves"], lambda one: one["move"]["verb"], rng)
        if chosen is None:
            return None
        move = chosen["move"]
        if "amountMin" in chosen:
            move = {**move, "amount": rng.randint(chosen["amountMin"], chosen["amountMax"])}
        return Chosen(move, found["version"], found["link"])

    def apply(self, game: str, token: str, chosen: Chosen, request_id: str) -> Made:
        made = self._post(f"/v1/games/{game}/moves", token, chosen._asdict(), request_id)
        return Made(made["events"][0]["version"], made["version"], made["view"]["fairness"]["link"])

    def watch(self, game: str, after: str, opened: Callable[[Callable[[], object]], None]) -> Iterator[str]:
        query = "" if after else "?fromVersion=0"
        headers = {"Last-Event-ID": after} if after else {}
        try:
            with Stream(self.base, f"/v1/games/{game}/events{query}", headers) as stream:
                opened(stream.cut)
                if stream.status != 200:
                    _raise(stream.status, stream.body())
                for told in stream:
                    if told.type == "event":
                        yield f"{told.id} {told.data['kind']}"
                    elif told.type == "resume" and told.data["because"] == "went_back":
                        raise Refused(BEHIND, "the game went back")
        except (OSError, HTTPException, ValueError, IndexError, AssertionError) as fault:
            raise NoAnswer(str(fault)) from fault

    def close(self) -> None:
        self._client.close()

    def _post(self, path: str, token: str, body: object, request_id: str) -> Any:
        headers = {"Idempotency-Key": request_id} if request_id else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self._good(lambda: self._client.post(path, body, headers))

    def _good(self, call: Callable[[], Answer]) -> Any:
        try:
            answer = call()
            document = answer.json()
        except (OSError, HTTPException, ValueError) as fault:
            raise NoAnswer(str(fault)) from fault
        if answer.status != 200:
            _raise(answer.status, document)
        return document


def _raise(status: int, document: Mapping[str, Any]) -> None:
    if status >= SERVER_TROUBLE:
        raise NoAnswer(f"{status} {document.get('reason')} {document.get('detail')}")
    raise Refused(str(document.get("reason")), str(document.get("detail")))


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


# -- gRPC --------------------------------------------------------------------------------------------------------------


class GrpcDoor(Door):
    """gRPC to a service."""

    protocol = "grpc"

    def __init__(self, port: int) -> None:
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}", options=CHANNEL)
        self._stub = service_pb2_grpc.GameServiceStub(self._channel)

    def create(self, seats: Sequence[Mapping[str, Any]], request_id: str, turn_seconds: int) -> Created:
        setups = [games_pb2.SeatSetup(**seat) for seat in seats]
        request = games_pb2.CreateGameRequest(seats=setups, request_id=request_id, turn_seconds=turn_seconds)
        made = _called(lambda: self._stub.CreateGame(request, timeout=CALL_SECONDS))
        return Created(made.game, {key.seat: key.token for key in made.seat_keys if key.token})

    def read(self, game: str, min_version: int) -> Seen:
        request = games_pb2.GetGameRequest(game=game, min_version=min_version)
        view = _called(lambda: self._stub.GetGame(request, timeout=CALL_SECONDS)).view
        asked = view.decision.seat if view.HasField("decision") else None
        return Seen(view.version, view.fairness.link, view.status == views_pb2.GAME_STATUS_RUNNING, asked)

    def choose(self, game: str, token: str, version: int, rng: Random) -> Chosen | None:
        request = moves_pb2.ListLegalMovesRequest(game=game, min_version=version, page_size=PAGE)
        answer = self._stub.ListLegalMoves
        found = _called(lambda: answer(request, timeout=CALL_SECONDS, metadata=_bearer(token)))
        chosen = _chosen(found.moves, lambda one: one.move.verb, rng)
        if chosen is None:
            return None
        move = nouns_pb2.Move()
        move.CopyFrom(chosen.move)
        if chosen.HasField("amount_min"):
            move.amount = rng.randint(chosen.amount_min, chosen.amount_max)
        return Chosen(move, found.version, found.link)

    def apply(self, game: str, token: str, chosen: Chosen, request_id: str) -> Made:
        request = moves_pb2.ApplyMoveRequest(game=game, request_id=request_id, **chosen._asdict())
        made = _called(lambda: self._stub.ApplyMove(request, timeout=CALL_SECONDS, metadata=_bearer(token)))
        return Made(made.events[0].version, made.version, made.view.fairness.link)

    def watch(self, game: str, after: str, opened: Callable[[Callable[[], object]], None]) -> Iterator[str]:
        where: dict[str, Any] = {"after": after} if after else {"from_version": 0}
        stream: Any = self._stub.WatchEvents(events_pb2.WatchEventsRequest(game=game, **where), timeout=STREAM_SECONDS)
        told: SimpleQueue[str | Exception | None] = SimpleQueue()
        """What the stream says; an error or None at its end. Its own thread puts it there, so that whoever watches can
        be cut off even if the call is stuck."""
        threading.Thread(target=_read, args=(stream, told), name="stream", daemon=True).start()
        opened(lambda: told.put(NoAnswer("cut off")))
        try:
            while (found := told.get(timeout=STUCK_SECONDS)) is not None:
                if isinstance(found, Exception):
                    raise found
                yield found
        except Empty:
            raise NoAnswer("the stream is stuck") from None
        finally:
            stream.cancel()

    def events(self, game: str) -> list[str]:
        """Id and kind of every event of a game until now."""
        found: list[str] = []
        while True:
            where: dict[str, Any] = {"after": found[-1].split()[0]} if found else {"from_version": 0}
            request = events_pb2.WatchEventsRequest(game=game, past_only=True, page_size=PAGE, **where)
            page = self._page(request)
            found += page
            if len(page) < PAGE:
                return found

    def _page(self, request: events_pb2.WatchEventsRequest) -> list[str]:
        messages = _called(lambda: list(self._stub.WatchEvents(request, timeout=STREAM_SECONDS)))
        return [f"{one.event.id} {one.event.kind}" for one in messages if one.HasField("event")]

    def close(self) -> None:
        self._channel.close()


def _read(stream: Any, told: SimpleQueue[str | Exception | None]) -> None:
    """Put id and kind of each event of a stream into a queue, and at its end what ended it."""
    try:
        for message in stream:
            if message.HasField("event"):
                told.put(f"{message.event.id} {message.event.kind}")
        told.put(None)
    except grpc.RpcError as error:
        told.put(_told(error))


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def _called(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except grpc.RpcError as error:
        raise _told(error) from error


def _told(error: grpc.RpcError) -> Exception:
    """What a failed call means."""
    status: Any = error
    if status.code() in PASSING:
        return NoAnswer(status.details())
    found = rpc_status.from_call(status)
    if found is None:
        return NoAnswer(f"{status.code()} {status.details()}")  # the connection failed, not the call
    info = error_details_pb2.ErrorInfo()
    for detail in found.details:
        detail.Unpack(info)
    return Refused(info.reason or str(status.code()), found.message)


def _chosen(listed: Sequence[Any], verb: Callable[[Any], str], rng: Random) -> Any:
    eager = [one for one in listed if verb(one) in EAGER]
    wanted = eager if eager and rng.random() < 0.8 else listed
    return wanted[rng.randrange(len(wanted))] if wanted else None
