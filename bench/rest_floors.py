"""Compares the cost of moves and views over REST with a bare Flask route that does the same input and output only.

One client makes one request after the other on one connection. Gateway and service share a core, and measured is the
CPU time of both together. The floor is a separate Flask application in the same worker of gunicorn
(`floor_gateway.py`). It reads a body of the same length, forwards one call of the floor service whose messages have the
lengths of the real ones, and answers with prepared bytes. For a move, that call runs one script of the store, which
stores the same number of bytes.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Mapping
from random import Random
from statistics import mean
from types import TracebackType
from typing import Any, NamedTuple

import grpc

from alhambra.players import peer_move
from alhambra_api.v1 import games_pb2, moves_pb2, nouns_pb2, service_pb2_grpc
from alhambra_gateway.json_messages import dumps, writer
from alhambra_service.games.game_commands import GameCommands, running
from alhambra_service.messages.translate import move_to
from alhambra_service.store.stored_game import write_stored_game

from .boards import Stored, moves, search
from .floor_service import FLOOR, STORED_FLOOR
from .group import Effort, Goal, Group
from .processes import Clock, Processes, clock
from .rounds import Contest, Run

MOVES, READS, SETTLED, SEATS = 40, 200, 30, 3
LINE = 80
"""Approximate bytes of a line of the log."""
NO_STREAMS = {"events": 0, "event": 0}
"""The floors of these calls have no watchers."""
SECONDS = 10.0
APPLY_GOAL, GET_GOAL = 1.8, 1.3
APPLY_FLOOR, GET_FLOOR = "/floor/apply", "/floor/get"
_FIELDS: dict[type, Callable[[Any], Any]] = {
    kind: writer(kind.DESCRIPTOR) for kind in (nouns_pb2.Move, moves_pb2.ApplyMoveResponse, games_pb2.GetGameResponse)
}


class Lengths(NamedTuple):
    """The lengths of one kind of call in bytes: its messages over gRPC, and its bodies over REST."""

    request: int
    response: int
    body: int
    answer: int


class Connection:
    """One connection to a gateway for many requests. Each request is sent in one piece, as wrk and browsers do."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")
        self._host = address

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, method: str, path: str, body: bytes, token: str) -> bytes:
        """Send a request and return the body of its answer. Raises AssertionError unless the status is 200."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {token}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._socket.sendall(f"{head}\r\n".encode() + body)
        status, length = self._file.readline(), 0
        while line := self._file.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        answer = self._file.read(length)
        if status.split()[1] != b"200":
            raise AssertionError(f"{path} was answered with {status!r}: {answer!r}")
        return answer


class Caller:
    """A connection to the gateway, and the games that its requests are about."""

    def __init__(self, connection: Connection, cpu: Clock, commands: GameCommands, games: list[Stored]) -> None:
        self._connection, self._cpu, self._commands = connection, cpu, commands
        self._read, self._untouched = games[-1], iter(games)

    def get(self, count: int) -> Run:
        """Ask for the same game this number of times, and return the cost."""
        return self._same("GET", f"/v1/games/{self._read.game}", b"", count)

    def floor(self, method: str, path: str, body: bytes, count: int) -> Run:
        """Make the same request of the floor this number of times, and return the cost."""
        return self._same(method, path, body, count)

    def _same(self, method: str, path: str, body: bytes, count: int) -> Run:
        before, began = self._cpu(), time.perf_counter()
        for _ in range(count):
            self._connection.ask(method, path, body, self._read.token)
        return self._told(before, count, time.perf_counter() - began)

    def apply(self, most: int) -> Run:
        """Make at most this number of moves in an unused game, and return the cost."""
        game = next(self._untouched)
        played = running(self._commands.load(game.game)).clone()
        rng, path, made = Random(1), f"/v1/games/{game.game}/moves", 0
        before, began = self._cpu(), time.perf_counter()
        while made < most and played.decision is not None:
            seat, move = played.decision.seat, peer_move(played, rng)
            self._connection.ask("POST", path, move_body(move_to(move), played.version), game.tokens[seat])
            played.apply(move)
            made += 1
        return self._told(before, made, time.perf_counter() - began)

    def _told(self, before: Mapping[str, float], count: int, seconds: float) -> Run:
        return Run(count, seconds, {role: now - before[role] for role, now in self._cpu().items()})


def move_body(move: nouns_pb2.Move, version: int) -> bytes:
    """Return the body of a request that makes a move."""
    return dumps({"move": _FIELDS[nouns_pb2.Move](move), "version": version})


def lengths_of_moves(address: str, game: Stored, most: int) -> Lengths:
    """Make moves over gRPC and return the mean lengths of requests and answers."""
    played, rng = running(game.loaded).clone(), Random(1)
    found: list[Lengths] = []
    with grpc.insecure_channel(address) as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        while len(found) < most and played.decision is not None:
            seat, move = played.decision.seat, peer_move(played, rng)
            request = moves_pb2.ApplyMoveRequest(game=game.game, move=move_to(move), version=played.version)
            own = (("authorization", f"Bearer {game.tokens[seat]}"),)
            response = stub.ApplyMove(request, metadata=own, timeout=SECONDS)
            found.append(
                Lengths(
                    request.ByteSize(),
                    response.ByteSize(),
                    len(move_body(request.move, request.version)),
                    len(dumps(_FIELDS[moves_pb2.ApplyMoveResponse](response))),
                )
            )
            played.apply(move)
    return Lengths(*(round(mean(column)) for column in zip(*found, strict=True)))


def lengths_of_views(address: str, game: Stored) -> Lengths:
    """Ask for a game over gRPC and return the lengths of the request and the answer."""
    with grpc.insecure_channel(address) as channel:
        stub = service_pb2_grpc.GameServiceStub(channel)
        request = games_pb2.GetGameRequest(game=game.game)
        response = stub.GetGame(request, metadata=(("authorization", f"Bearer {game.token}"),), timeout=SECONDS)
    answer = dumps(_FIELDS[games_pb2.GetGameResponse](response))
    return Lengths(request.ByteSize(), response.ByteSize(), 0, len(answer))


def measure(effort: Effort) -> Group:
    """Measure moves and views over REST, each against its floor."""
    made, reads = (8, 10) if effort.quick else (MOVES, READS)
    with Processes() as processes:
        store = processes.store()
        commands = processes.commands(store)
        games = search(commands, effort.rounds + 3, moves(SETTLED), seats=SEATS)  # one to warm up, one for the lengths
        probe = processes.service(store).address
        moved, seen = lengths_of_moves(probe, games[0], made), lengths_of_views(probe, games[-1])
        kept = {
            "answer": moved.response,
            "state": len(write_stored_game(games[-1].loaded.stored)),
            "line": LINE,
            **NO_STREAMS,
        }
        service = processes.service(store, {"get": seen.response}, with_store={"apply": kept})
        floors = {
            APPLY_FLOOR: (f"/{STORED_FLOOR}/stored_apply", moved.request, "x" * moved.answer),
            GET_FLOOR: (f"/{FLOOR}/plain_get", seen.request, "x" * seen.answer),
        }
        gateway = processes.gateway(service.address, floors=floors)
        cpu = clock(gateway=gateway.pid, service=service.pid, store=store.pid or 0)
        with Connection(gateway.address) as connection:
            caller = Caller(connection, cpu, commands, games[1:])
            body = json.dumps("x" * (moved.body - 2)).encode()
            contests = {
                "moves over REST": Contest(
                    {
                        "Flask route, one script": lambda: caller.floor("POST", APPLY_FLOOR, body, made),
                        "POST moves": lambda: caller.apply(made),
                    },
                    role="gateway+service",
                    rounds=effort.rounds,
                    attempts=1,
                ),
                "views over REST": Contest(
                    {
                        "Flask route, empty call": lambda: caller.floor("GET", GET_FLOOR, b"", reads),
                        "GET game": lambda: caller.get(reads),
                    },
                    role="gateway+service",
                    rounds=effort.rounds,
                ),
            }
            found = {name: effort.contest(name, contest) for name, contest in contests.items()}
    moves_found, views_found = found.values()
    how = (
        "One client, one request after the other on a connection that is kept; gateway and service share a core. The "
        "first row of each block is its floor: a bare Flask route in the same worker that forwards a call with "
        "messages as long to the same service, and answers with as many bytes; for moves that call runs one script "
        "that keeps as many bytes in the store. Compared is what gateway and service take together. Moves are those "
        f"of the policy `peer`, the first {MOVES} after {SETTLED} in games of three seats; a move is answered with "
        f"{moved.answer:,} bytes of JSON, a view with {seen.answer:,}."
    )
    goals = [
        Goal.of("rest_apply_over_floor", moves_found.ratio("POST moves"), APPLY_GOAL, settled=moves_found.settled),
        Goal.of("rest_get_game_over_floor", views_found.ratio("GET game"), GET_GOAL, settled=views_found.settled),
    ]
    rows = [*moves_found.rows(), *views_found.rows()]
    alone = [
        f"{name} {one.ratio(what, role='gateway')}"
        for name, one, what in (("a move", moves_found, "POST moves"), ("a view", views_found, "GET game"))
    ]
    notes = [f"The gateway alone takes, as a multiple of its floor: {', '.join(alone)}."]
    return Group("Moves and views over REST", how, rows, views_found.verdict(), goals, notes)
