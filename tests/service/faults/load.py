"""A load of clients who move, repeat themselves and insist, and who write down everything that was acknowledged.

A client sends a request until it is answered for good: whatever is interrupted by a dead process is sent again under
the same request id. So when everybody has been answered, each move of a person that stands in a log was acknowledged,
once; and what was acknowledged must stand there whatever died since.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex
from typing import Any, TypeVar

import grpc

from alhambra import Entry
from alhambra.notation import write_entry
from alhambra_api.v1 import moves_pb2, nouns_pb2, service_pb2_grpc, views_pb2
from alhambra_service import limits
from alhambra_service.messages.translate import move_from

from ..playing import Failure, Game, Host, NotAsked, random_move

PATIENCE = 60.0
PAUSE_SECONDS = 0.05
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Nobody was there, or nobody knows what came of it: the same request again will tell."""
REFUSALS = {"VERSION_STALE", "NOT_YOUR_DECISION", "GAME_OVER"}
"""What a client may be told when others are faster."""
PERSON: Mapping[str, Any] = {"claim": True}
SERVER: Mapping[str, Any] = {"server_player": "random"}
TABLES: Sequence[Sequence[Mapping[str, Any]]] = (
    (PERSON, PERSON),
    (PERSON, SERVER),
    (PERSON, PERSON, PERSON),
    (SERVER, PERSON, SERVER, PERSON),
    (PERSON, SERVER, SERVER, SERVER, SERVER),
)
Answer = TypeVar("Answer")


class Dark(Exception):
    """Everything is dead, and nobody shall insist."""


@dataclass(frozen=True)
class Acknowledged:
    """A move that a client was told is made: where it stands in the log, and how far the game came with it."""

    game: str
    first: int
    version: int
    link: str
    text: str
    at: float = field(compare=False)


@dataclass(frozen=True)
class Attempt:
    """A move on its way."""

    game: Game
    seat: int
    move: nouns_pb2.Move
    version: int
    request_id: str


class PatientHost(Host):
    """A channel that does not take long to believe that a dead service is back."""

    def __init__(self, address: str) -> None:
        self.address = address
        options = [
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 50),
            ("grpc.min_reconnect_backoff_ms", 50),
            ("grpc.max_reconnect_backoff_ms", 200),
        ]
        self._channel = grpc.insecure_channel(address, options=options)
        self.stub = service_pb2_grpc.GameServiceStub(self._channel)


class Load:
    """The clients, their games, and what they were told."""

    def __init__(self, address: str, *, seed: int, clients: int = 5, losing: bool = False) -> None:
        self.address = address
        self.losing = losing
        """Whether the store may fall back behind what it acknowledged."""
        self.dark = threading.Event()
        self.acknowledged: list[Acknowledged] = []
        self._noted: set[Acknowledged] = set()
        self.games: dict[str, dict[int, str]] = {}
        """Every game there was, with the tokens of its people."""
        self.counts: Counter[str] = Counter()
        self.name = token_hex(8)
        """Two loads on one store have games of their own."""
        self._lock = threading.RLock()
        self._played: list[str] = []
        self._stop = threading.Event()
        self._running: list[Future[None]] = []
        self._clients = [Client(self, number, Random(1_000 * seed + number)) for number in range(clients)]

    def set_up(self, tables: int) -> None:
        """Creates so many further games."""
        for _ in range(tables):
            self._played.append(self._clients[0].create(len(self.games)))

    def add(self, game: str, tokens: dict[int, str]) -> None:
        self.games[game] = tokens

    def pick(self, rng: Random) -> str:
        with self._lock:
            return rng.choice(self._played)

    def replace(self, game: str, create: Callable[[int], str]) -> None:
        """Another game takes the place of one that is over."""
        with self._lock:
            if game in self._played:
                self._played[self._played.index(game)] = create(len(self.games))

    def note(self, one: Acknowledged) -> None:
        """Writes a move down; one that was cut off while it repeated itself comes twice."""
        with self._lock:
            if one not in self._noted:
                self._noted.add(one)
                self.acknowledged.append(one)

    def count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    # -- Playing ---------------------------------------------------------------------------------------------------

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Everybody plays; at the end everybody is answered for good, or it is dark."""
        self._stop.clear()
        self.dark.clear()
        with ThreadPoolExecutor(len(self._clients)) as pool:
            self._running = [pool.submit(client.run, self._stop) for client in self._clients]
            try:
                yield
            except BaseException:
                self.dark.set()
                raise
            finally:
                self._stop.set()
        for done in self._running:
            done.result()

    def await_more(self, moves: int) -> None:
        """Waits until so many further moves are acknowledged; raises what a client failed at."""
        wanted, deadline = len(self.acknowledged) + moves, time.monotonic() + PATIENCE
        while len(self.acknowledged) < wanted:
            for client in self._running:
                if client.done():
                    client.result()
            assert time.monotonic() < deadline, f"the load does not go on: {self.counts}"
            time.sleep(0.01)

    def close(self) -> None:
        for client in self._clients:
            client.host.close()


class Client:
    """Plays whatever seat is asked, over a channel of its own."""

    def __init__(self, load: Load, number: int, rng: Random) -> None:
        self.host = PatientHost(load.address)
        self._load = load
        self._number = number
        self._rng = rng
        self._sent = 0
        self._pending: Attempt | None = None

    def run(self, stop: threading.Event) -> None:
        try:
            while not stop.is_set() or self._pending is not None:
                if self._pending is None:
                    self._pending = self._choose()
                if self._pending is not None:
                    self._send(self._pending)
                    self._pending = None
        except Dark:
            return  # what is pending is sent again when there is light

    def create(self, number: int) -> str:
        """A game with people and seats that the server plays; the answer may be lost, the game is the same."""
        seats = TABLES[number % len(TABLES)]
        made = self._insist(lambda: self.host.create(seats, request_id=f"{self._load.name} table {number}"))
        self._load.add(made.id, {seat.number: seat.token for seat in made.seats.values()})
        return made.id

    def _choose(self) -> Attempt | None:
        name = self._load.pick(self._rng)
        game = self.host.game(name, self._load.games[name])
        try:
            view = self._insist(game.view)
            if view.status != views_pb2.GAME_STATUS_RUNNING:
                self._load.replace(name, self.create)
                return None
            assert view.decision.seat in game.seats, "a game waits for a seat that the server plays"
            seat = game.seats[view.decision.seat]
            move, version = self._insist(lambda: random_move(seat, view.version, self._rng))
        except NotAsked:
            return None
        except grpc.RpcError as error:
            self._refused(error)
            return None
        if self._rng.random() < 0.1:
            version = max(0, version - 1)
        self._sent += 1
        return Attempt(game, seat.number, move, version, f"{self._number} {self._sent}")

    def _send(self, attempt: Attempt) -> None:
        try:
            answer = self._insist(lambda: _apply(attempt))
        except grpc.RpcError as error:
            self._refused(error)
            return
        one = _acknowledged(attempt, answer)
        self._load.note(one)
        if self._rng.random() < 0.2:
            self._repeat(attempt, one)

    def _repeat(self, attempt: Attempt, first: Acknowledged) -> None:
        """The same again is answered alike as long as the request is remembered."""
        try:
            again = self._insist(lambda: _apply(attempt))
        except grpc.RpcError as error:
            found = self._refused(error)
            if found.reason == "VERSION_STALE" and not self._load.losing:
                forgotten = first.version + limits.REQUESTS_KEPT  # that many moves of one seat alone, at least
                assert int(found.info.metadata["version"]) >= forgotten, "a request was forgotten too soon"
            return
        if not self._load.losing:
            assert _acknowledged(attempt, again) == first, "a repeated request was answered otherwise"
            self._load.count("repeated")

    def _refused(self, error: grpc.RpcError) -> Failure:
        found = Failure(error)
        assert found.reason in REFUSALS, (found.reason, found.message)
        self._load.count(found.reason)
        return found

    def _insist(self, call: Callable[[], Answer]) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return call()
            except grpc.RpcError as error:
                status: Any = error
                if status.code() not in PASSING:
                    raise
                assert time.monotonic() < deadline, status.details()
            self._load.count("interrupted")
            if self._load.dark.is_set():
                raise Dark
            time.sleep(PAUSE_SECONDS)


def _apply(attempt: Attempt) -> moves_pb2.ApplyMoveResponse:
    seat = attempt.game.seats[attempt.seat]
    return seat.apply(attempt.move, attempt.version, request_id=attempt.request_id)


def _acknowledged(attempt: Attempt, answer: moves_pb2.ApplyMoveResponse) -> Acknowledged:
    text = write_entry(Entry("move", attempt.seat, move_from(attempt.move)))
    link, first = answer.view.fairness.link, answer.events[0].version
    return Acknowledged(attempt.game.id, first, answer.version, link, text, time.monotonic())
