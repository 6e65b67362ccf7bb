"""Compares the cost of moves, views and lists of moves with floors: calls that do the same input and output only.

One client of grpcio makes one call after the other. Measured is the CPU time of the service on its core. The floor of a
read is an empty call with an answer of the same length. The floor of a move, and of a game that is not in memory, also
has one exchange with the store: a script that stores the same number of bytes, or a GET of that number. The floor of a
move with watchers also sends prepared messages to the same number of streams.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from random import Random
from typing import Any

import grpc
from google.protobuf.wrappers_pb2 import BytesValue

from alhambra.players import peer_move
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2_grpc
from alhambra_service.games.game_commands import GameCommands, running
from alhambra_service.messages.events import event_to
from alhambra_service.messages.translate import move_to
from alhambra_service.rpc.services.game_service import MOVES_PAGE
from alhambra_service.store.stored_game import write_stored_game

from .boards import Stored, moves, search
from .floor_service import FLOOR, STORED_FLOOR, STREAM_FLOOR, padding
from .group import Effort, Goal, Group
from .processes import Process, Processes, clock
from .rounds import Contest, Outcome, Run

MOVES, READS, SETTLED, SEATS = 40, 200, 30, 3
SECONDS = 10.0
CROWD, UNREAD = 100, 12
"""The number of watchers of one game, and of games in one run that the service does not have in memory."""
LINE, QUESTION = 80, 100
"""Approximate bytes of a line of the log, and of a request with a move."""


class Reader:
    """Reads a stream of events in its own thread."""

    def __init__(self, stream: Any, *, events: bool = True) -> None:
        self.stream = stream
        self._events = events
        """Whether the messages are events; those of the floor are not."""
        self._messages = 0
        self._version = 0
        self._news = threading.Condition()
        next(stream)  # its snapshot
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for message in self.stream:
                with self._news:
                    self._messages += 1
                    self._version = max(self._version, message.event.version) if self._events else 0
                    self._news.notify_all()
        except grpc.RpcError:
            return  # the stream was cancelled

    def await_messages(self, count: int) -> None:
        """Wait until this number of messages was read. Raises AssertionError after SECONDS."""
        with self._news:
            if not self._news.wait_for(lambda: self._messages >= count, SECONDS):
                raise AssertionError("a stream did not get every message")

    def await_version(self, version: int) -> None:
        """Wait until an event of this version was read. Raises AssertionError after SECONDS."""
        with self._news:
            if not self._news.wait_for(lambda: self._version >= version, SECONDS):
                raise AssertionError("a watcher was not told of a move")


class Caller:
    """A channel to a service, and the games of its store."""

    def __init__(self, service: Process, store: int, commands: GameCommands, games: list[Stored]) -> None:
        self.channel = grpc.insecure_channel(service.address)
        self.stub: Any = service_pb2_grpc.GameServiceStub(self.channel)
        self.commands = commands
        self.read = games[-1]
        self._cpu = clock(server=service.pid, store=store)
        self._untouched, self._unread = iter(games), iter(games[::-1][1:])
        self._sizes = cycle(range(100, MOVES_PAGE.limits.maximum + 1))

    def get(self, game: Stored | None = None) -> games_pb2.GetGameResponse:
        """Ask for a game; by default for one that is in memory."""
        game = game or self.read
        request = games_pb2.GetGameRequest(game=game.game)
        answer: games_pb2.GetGameResponse = self.stub.GetGame(request, metadata=bearer(game.token), timeout=SECONDS)
        return answer

    def get_unread(self) -> games_pb2.GetGameResponse:
        """Ask for a game that the service does not have in memory."""
        return self.get(next(self._unread))

    def list_moves(self, size: int = 0) -> moves_pb2.ListLegalMovesResponse:
        """Ask for the legal moves of the seat that has to decide."""
        asked = running(self.read.loaded).decision
        assert asked is not None
        request = moves_pb2.ListLegalMovesRequest(game=self.read.game, page_size=size)
        own = bearer(self.read.tokens[asked.seat])
        answer: moves_pb2.ListLegalMovesResponse = self.stub.ListLegalMoves(request, metadata=own, timeout=SECONDS)
        return answer

    def list_anew(self) -> moves_pb2.ListLegalMovesResponse:
        """Ask for the same moves with another page size, so that the service cannot use a cached answer."""
        return self.list_moves(next(self._sizes))

    def empty(self, method: str) -> Callable[[], object]:
        """Return a function that makes an empty call of the floor."""
        send = self.channel.unary_unary(
            f"/{method}", request_serializer=BytesValue.SerializeToString, response_deserializer=BytesValue.FromString
        )
        request, own = BytesValue(value=padding(QUESTION)), bearer(self.read.token)
        return lambda: send(request, metadata=own, timeout=SECONDS)

    def run(self, call: Callable[[], object], calls: int) -> Run:
        """Make the same call this number of times, and return its cost."""
        before, began = self._cpu(), time.perf_counter()
        for _ in range(calls):
            call()
        return self._told(before, calls, time.perf_counter() - began)

    def apply(self, most: int, watchers: int = 0) -> Run:
        """Make at most this number of moves in an unused game while clients watch it, and return their cost."""
        game = next(self._untouched)
        played = running(self.commands.load(game.game)).clone()
        rng = Random(1)
        with self._watched(game, watchers) as readers:
            before, began, made = self._cpu(), time.perf_counter(), 0
            while made < most and played.decision is not None:
                seat, move = played.decision.seat, peer_move(played, rng)
                request = moves_pb2.ApplyMoveRequest(game=game.game, move=move_to(move), version=played.version)
                self.stub.ApplyMove(request, metadata=bearer(game.tokens[seat]), timeout=SECONDS)
                played.apply(move)
                made += 1
            for reader in readers:  # the events after the last move count too
                reader.await_version(played.version)
            return self._told(before, made, time.perf_counter() - began)

    def tell(self, calls: int, watchers: int, events: int) -> Run:
        """Make the call of the floor that sends messages to streams, and return its cost. Each call sends `events`
        messages to each of `watchers` streams."""
        bare, read = BytesValue.SerializeToString, BytesValue.FromString
        watch = self.channel.unary_stream(f"/{STREAM_FLOOR}/watch", bare, read)
        readers = [Reader(watch(BytesValue()), events=False) for _ in range(watchers)]
        try:
            call = self.empty(f"{STREAM_FLOOR}/tell")
            before, began = self._cpu(), time.perf_counter()
            for _ in range(calls):
                call()
            for reader in readers:
                reader.await_messages(calls * events)
            return self._told(before, calls, time.perf_counter() - began)
        finally:
            for reader in readers:
                reader.stream.cancel()

    @contextmanager
    def _watched(self, game: Stored, watchers: int) -> Iterator[list[Reader]]:
        request = events_pb2.WatchEventsRequest(game=game.game)
        readers = [Reader(self.stub.WatchEvents(request)) for _ in range(watchers)]
        try:
            yield readers
        finally:
            for reader in readers:
                reader.stream.cancel()

    def _told(self, before: Mapping[str, float], calls: int, seconds: float) -> Run:
        return Run(calls, seconds, {role: now - before[role] for role, now in self._cpu().items()})


def bearer(token: str) -> tuple[tuple[str, str]]:
    """Return the metadata of a caller with a token."""
    return (("authorization", f"Bearer {token}"),)


def measure(effort: Effort) -> Group:
    """Measure every call that has its own floor."""
    rounds = effort.few
    reads, made, unread, crowd = (10, 8, 2, 3) if effort.quick else (READS, MOVES, UNREAD, CROWD)
    runs = rounds + 1  # one to warm up
    with Processes() as processes:
        store = processes.store()
        commands = processes.commands(store)
        games = search(commands, runs * (unread + 3) + 1, moves(SETTLED), seats=SEATS)
        probe = Caller(processes.service(store), store.pid or 0, commands, games)
        lengths = {"get": probe.get().ByteSize(), "list": probe.list_moves().ByteSize()}
        probe.channel.close()
        state = len(write_stored_game(games[-1].loaded.stored))
        events, event = _told_by_moves(games[-1])
        facts = {"answer": lengths["get"], "state": state, "line": LINE, "events": events, "event": event}
        stored = dict.fromkeys(("apply", "get"), facts)
        caller = Caller(processes.service(store, lengths, with_store=stored), store.pid or 0, commands, games)
        contests = {
            "moves": Contest(
                {
                    "one script, nothing else": _of(caller, f"{STORED_FLOOR}/stored_apply", made),
                    "ApplyMove": lambda: caller.apply(made),
                    "ApplyMove, 1 watcher": lambda: caller.apply(made, 1),
                    f"ApplyMove, {CROWD} watchers": lambda: caller.apply(made, crowd),
                    f"one script, {CROWD} streams": lambda: caller.tell(made, crowd, events),
                },
                rounds=rounds,
                attempts=1,
            ),
            "views": Contest(
                {
                    "empty call": _of(caller, f"{FLOOR}/plain_get", reads),
                    "GetGame": lambda: caller.run(caller.get, reads),
                },
                rounds=rounds,
            ),
            "lists": Contest(
                {
                    "empty call": _of(caller, f"{FLOOR}/plain_list", reads),
                    "ListLegalMoves, first": lambda: caller.run(caller.list_anew, reads // 4),
                    "ListLegalMoves, repeated": lambda: caller.run(caller.list_moves, reads),
                },
                rounds=rounds,
            ),
            "loads": Contest(
                {
                    "one GET, nothing else": _of(caller, f"{STORED_FLOOR}/got_get", unread),
                    "GetGame, not in memory": lambda: caller.run(caller.get_unread, unread),
                },
                rounds=rounds,
                attempts=1,
            ),
        }
        found = {name: effort.contest(name, contest) for name, contest in contests.items()}
        caller.channel.close()
    rows = [row for outcome in found.values() for row in outcome.rows()]
    how = (
        "One client of grpcio, one call after the other, on another core than the service. The first row of each block "
        "is its floor: the same server, a message and an answer as long; for moves one script that keeps as many "
        "bytes, for games that are not in memory one GET of as many. "
        f"'one script, {CROWD} streams' is the floor of a move with watchers: besides, {CROWD} streams get messages "
        "that were made before, as many as a move has events and as long, in the way that costs gRPC least. Moves are "
        "those of the policy `peer`, the first "
        f"{MOVES} after {SETTLED} in games of three seats."
    )
    return Group("Calls and their floors", how, rows, found["views"].verdict(), _goals(found))


def _told_by_moves(game: Stored) -> tuple[int, int]:
    """Return the number of events of a move, and the bytes of the message of an event for a spectator: means of many
    moves."""
    played, rng = running(game.loaded).clone(), Random(1)
    told = [event for _ in range(MOVES) for event in played.apply(peer_move(played, rng))]
    link = game.loaded.stored.link
    sizes = [events_pb2.WatchEventsResponse(event=event_to(event, None, link)).ByteSize() for event in told]
    return round(len(told) / MOVES), round(sum(sizes) / len(sizes))


def _of(caller: Caller, method: str, calls: int) -> Callable[[], Run]:
    call = caller.empty(method)
    return lambda: caller.run(call, calls)


def _goals(found: Mapping[str, Outcome]) -> list[Goal]:
    """Return the figures that have a goal."""
    moved = found["moves"]
    crowd = f"ApplyMove, {CROWD} watchers"
    figures = [
        ("grpc_apply_over_floor", moved, moved.ratio("ApplyMove"), 2.0),
        ("apply_with_a_watcher_over_none", moved, moved.ratio("ApplyMove, 1 watcher", "ApplyMove"), 1.2),
        ("apply_with_100_watchers_over_none", moved, moved.ratio(crowd, "ApplyMove"), 2.0),
        ("apply_with_100_watchers_over_floor", moved, moved.ratio(crowd, f"one script, {CROWD} streams"), 2.0),
        ("grpc_get_game_over_floor", found["views"], found["views"].ratio("GetGame"), 1.2),
        ("grpc_list_moves_over_floor", found["lists"], found["lists"].ratio("ListLegalMoves, first"), 2.5),
        ("grpc_list_again_over_floor", found["lists"], found["lists"].ratio("ListLegalMoves, repeated"), 1.2),
        ("grpc_load_over_floor", found["loads"], found["loads"].ratio("GetGame, not in memory"), 3.0),
    ]
    return [Goal.of(name, figure, goal, settled=outcome.settled) for name, outcome, figure, goal in figures]
