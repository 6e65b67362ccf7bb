"""The cost of other calls: moves with `always` and `everysec`, lists of moves, views, opening a stream.

One client of grpcio makes one call after the other, as a bot does. For many calls it takes more CPU time than the
service, so compare the time of the service.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import quantiles
from typing import Any

import grpc

from alhambra.players import peer_move
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2_grpc
from alhambra_service.games.game_commands import GameCommands, running
from alhambra_service.messages.translate import move_to

from .boards import Stored, moves, search
from .group import Effort, Group
from .house import House, clock
from .rounds import Contest, Run

MOVES = 40
"""Moves of one run; each run has its own game."""
READS = 100
SECONDS = 10.0
SETTLED = 30
"""Moves that the game has before the measurement."""


class Client:
    """A channel to a service, and the games of its store."""

    def __init__(self, house: House, fsync: str, games: int, modules: Sequence[str] = ()) -> None:
        store = house.store(fsync)
        self.commands: GameCommands = house.commands(store)
        self.games: list[Stored] = search(self.commands, games, moves(SETTLED), modules, seats=3)
        service = house.service(store, durability=fsync)
        self.channel = grpc.insecure_channel(service.address)
        self.stub: Any = service_pb2_grpc.GameServiceStub(self.channel)
        self._cpu = clock(server=service.pid, store=store.pid or 0)
        self._fresh = iter(self.games)
        self.coming = next(self._fresh)
        """The index of the game that `apply` uses next."""

    def run(self, call: Callable[[], object], count: int) -> Run:
        """Make the same call this number of times."""
        before, own, took = self._cpu(), time.process_time(), []
        for _ in range(count):
            began = time.perf_counter()
            call()
            took.append(time.perf_counter() - began)
        return self._told(before, time.process_time() - own, took)

    def apply(self, count: int) -> Run:
        """Make this number of moves in an unused game. The time for choosing them does not count."""
        game, self.coming = self.coming, next(self._fresh, self.coming)
        played = running(self.commands.load(game.game)).clone()
        rng, own, took = Random(1), 0.0, []
        before = self._cpu()
        for _ in range(count):
            if played.decision is None:
                break
            seat, move = played.decision.seat, peer_move(played, rng)
            request = moves_pb2.ApplyMoveRequest(game=game.game, move=move_to(move), version=played.version)
            began, used = time.perf_counter(), time.process_time()
            self.stub.ApplyMove(request, metadata=bearer(game.tokens[seat]), timeout=SECONDS)
            took.append(time.perf_counter() - began)
            own += time.process_time() - used
            played.apply(move)
        return self._told(before, own, took)

    def _told(self, before: Mapping[str, float], own: float, took: list[float]) -> Run:
        spent = {role: now - before[role] for role, now in self._cpu().items()}
        middle, slow = (quantiles(took, n=20)[at] for at in (9, 18))
        return Run(len(took), sum(took), {**spent, "client": own}, {"p50 ms": 1e3 * middle, "p95 ms": 1e3 * slow})


def bearer(token: str) -> tuple[tuple[str, str]]:
    return (("authorization", f"Bearer {token}"),)


def others(effort: Effort) -> Group:
    """Measure the calls that have no goal."""
    games = 2 + 2 * effort.few if not effort.quick else 3
    count, reads = (8, 10) if effort.quick else (MOVES, READS)
    with House() as house:
        clients = {fsync: Client(house, fsync, games) for fsync in ("everysec", "always")}
        client = clients["everysec"]
        read = client.games[-1]
        own = bearer(read.token)

        def get() -> object:
            return client.stub.GetGame(games_pb2.GetGameRequest(game=read.game), metadata=own, timeout=SECONDS)

        def list_moves() -> object:
            asked = running(read.loaded).decision
            assert asked is not None
            request = moves_pb2.ListLegalMovesRequest(game=read.game)
            return client.stub.ListLegalMoves(request, metadata=bearer(read.tokens[asked.seat]), timeout=SECONDS)

        def open_stream() -> object:
            stream = client.stub.WatchEvents(events_pb2.WatchEventsRequest(game=read.game), metadata=own)
            try:
                return next(stream)
            finally:
                stream.cancel()

        entrants = {
            "GetGame": lambda: client.run(get, reads),
            "ListLegalMoves": lambda: client.run(list_moves, reads),
            "WatchEvents until the snapshot": lambda: client.run(open_stream, reads // 2),
            "ApplyMove, appendfsync everysec": lambda: clients["everysec"].apply(count),
            "ApplyMove, appendfsync always": lambda: clients["always"].apply(count),
        }
        contest = Contest(entrants, rounds=effort.few, attempts=1)
        found = effort.contest("other calls", contest)
        for one in clients.values():
            one.channel.close()
    how = (
        "One client of grpcio, one call after the other, on another core than the service. Moves are those of the "
        f"policy `peer`, the first {MOVES} after {SETTLED} in games of three seats; the reading calls ask about one of "
        "these games. Times on the clock depend on the disk and on the machine; `always` waits for the disk "
        "before it answers."
    )
    return Group("Other calls", how, found.rows(), found.verdict())
