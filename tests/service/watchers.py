"""A process of the service, a game in it and those who watch: what the tests of streams begin with."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra import Move
from alhambra_api.v1 import events_pb2, games_pb2, service_pb2_grpc
from alhambra_service.auth.access import Access
from alhambra_service.auth.tickets import Tickets
from alhambra_service.config import Settings
from alhambra_service.games.game_commands import GameCommands, SeatProof
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.process.service import register
from alhambra_service.rpc.grpc_internals import StreamSender
from alhambra_service.rpc.health import Health
from alhambra_service.rpc.server import Server
from alhambra_service.rpc.services.game_service import GameServicer
from alhambra_service.rpc.services.table_service import TableServicer
from alhambra_service.rpc.services.webhook_service import WebhookServicer
from alhambra_service.store import GameStore
from alhambra_service.streams.event_streams import EventStreams

PATIENCE = 60.0
Message = events_pb2.WatchEventsResponse
AnyMessage = TypeVar("AnyMessage")


class Place:
    """One process of the service: the store behind it, a server on loopback, and what its watchers count."""

    def __init__(self, store_url: str) -> None:
        self.store: GameStore[LoadedGame] = GameStore.open(store_url, decode)
        self.commands = GameCommands(self.store)
        access = Access(None, Tickets(self.store.client))
        self.counted: list[float] = []
        self.watching = EventStreams(self.commands, access, sender_of=StreamSender, count=self.counted.append)
        games = GameServicer(self.commands, access, self.watching)
        self.server = Server(
            Settings(listen="127.0.0.1:0"),
            access,
            Health(self.store.unready),
            lambda server: register(
                server, games, TableServicer(self.commands, access), WebhookServicer(self.commands, access)
            ),
            leave=self.watching.stop,
        )
        self.port = self.server.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.port}")
        self.stub = service_pb2_grpc.GameServiceStub(self.channel)

    def stop(self) -> None:
        self.watching.stop()
        self.channel.close()
        self.server.stop(drain=0, grace=1)
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
    def loaded(self) -> LoadedGame:
        return self.place.commands.load(self.game, fresh=True)

    def headers(self, seat: int | None) -> tuple[tuple[str, str], ...]:
        return () if seat is None else (("authorization", f"Bearer {self.tokens[seat]}"),)

    def play(self, moves: int = 1) -> int:
        """Whoever is asked makes the first legal move; returns the version."""
        for _ in range(moves):
            loaded = self.loaded
            assert loaded.game is not None and loaded.decision is not None
            move = loaded.game.legal_moves()[0]
            seat = loaded.decision.seat
            self.place.commands.apply(self.game, SeatProof(seat, loaded.tokens[seat]), move, loaded.version)
        return self.loaded.version

    def play_until(self, verb: str) -> tuple[int, Move]:
        """Goes on until somebody can make such a move; returns who, and the move."""
        for _ in range(100):
            game = self.loaded.game
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


class MessageReader(Generic[AnyMessage]):
    """Reads a stream in a thread of its own and hands out one message after another."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self._queue: queue.Queue[AnyMessage | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for message in self.call:
                self._queue.put(message)
        except grpc.RpcError:
            pass
        self._queue.put(None)

    def next(self) -> AnyMessage:
        found = self._queue.get(timeout=PATIENCE)
        assert found is not None, (self.call.code(), self.call.details())
        return found


class Reader(MessageReader[Message]):
    """Reads the events of one game."""

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
