"""One event to many clients of one game over Server-Sent Events: shared streams against a stream for each client."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import grpc

from alhambra.players import peer_move
from alhambra_api.v1 import moves_pb2, service_pb2_grpc
from alhambra_service.games.game_commands import running
from alhambra_service.messages.translate import move_to
from tests.gateway.crowd import Crowd

from .boards import Stored, moves, search
from .group import Effort, Goal, Group
from .house import Clock, House, Process, clock
from .rounds import Contest, Run

CLIENTS, QUICK_CLIENTS = 500, 20
MOVES = 3
"""Moves of one run."""
SETTLED = 5
"""Moves that the game has before the measurement."""
SEATS = 3
AT_ONCE = 20
"""Clients that connect at the same time."""
SECONDS = 10.0
GOAL = 0.10
APART, SHARED = "a stream of the service for each client", "a stream of the service for all"


class Audience:
    """The clients of one game at one gateway, and the moves of the game."""

    def __init__(self, game: Stored, stub: Any, gateway: Process, cpu: Clock, clients: int) -> None:
        self._game, self._stub, self._cpu = game, stub, cpu
        self._played = running(game.loaded).clone()
        self._rng = Random(1)
        self.crowd = Crowd(f"http://{gateway.address}")
        for number in range(1, clients + 1):
            self.crowd.join(f"/v1/games/{game.game}/events")
            if number % AT_ONCE == 0:
                self.crowd.until(lambda member: member.begun)
        self.crowd.until(lambda member: member.begun)

    def run(self) -> Run:
        """Make some moves and wait until all clients have their events. One event at one client counts as a call."""
        for member in self.crowd.members:
            member.received.clear()
        before, began, last, events = self._cpu(), time.perf_counter(), b"", 0
        for _ in range(MOVES):
            answer = self._move()
            events += len(answer.events)
            last = f"id: {answer.events[-1].id}\n".encode()
        self.crowd.until(lambda member: last in member.received)
        took = time.perf_counter() - began
        spent = {role: now - before[role] for role, now in self._cpu().items()}
        if any(len(member.events()) != events for member in self.crowd.members):
            raise AssertionError("a client did not get every event once")
        return Run(events * len(self.crowd.members), took, spent)

    def _move(self) -> Any:
        decision = self._played.decision
        if decision is None:
            raise AssertionError("the game is too short for so many rounds")
        move = peer_move(self._played, self._rng)
        asked = moves_pb2.ApplyMoveRequest(game=self._game.game, move=move_to(move), version=self._played.version)
        bearer = (("authorization", f"Bearer {self._game.tokens[decision.seat]}"),)
        answer = self._stub.ApplyMove(asked, metadata=bearer, timeout=SECONDS)
        self._played.apply(move)
        return answer


def clients(effort: Effort) -> Group:
    """Measure the cost of an event for each client."""
    count = QUICK_CLIENTS if effort.quick else CLIENTS
    with House() as house:
        store = house.store()
        games = search(house.commands(store), 2, moves(SETTLED), seats=SEATS)
        service = house.service(store)
        channel = grpc.insecure_channel(service.address)
        stub: Any = service_pb2_grpc.GameServiceStub(channel)
        audiences = {}
        for name, game in zip((APART, SHARED), games, strict=True):
            effort.tick(f"{count} clients: {name}")
            gateway = house.gateway(service.address, share=name == SHARED)
            cpu = clock(gateway=gateway.pid, service=service.pid, store=store.pid or 0)
            audiences[name] = Audience(game, stub, gateway, cpu, count)
        entrants = {name: audience.run for name, audience in audiences.items()}
        contest = Contest(entrants, role="gateway+service", rounds=effort.few, attempts=2)
        found = effort.contest("events to many clients", contest)
        for audience in audiences.values():
            with audience.crowd:
                pass
        channel.close()
    how = (
        f"{CLIENTS} spectators watch one game over Server-Sent Events, at one worker of the gateway; another {CLIENTS} "
        "watch another game at a second gateway of the same revision in which clients do not share. A run makes "
        f"{MOVES} moves over gRPC and ends when every client has every event; a call is an event that has reached one "
        "client. Compared is what gateway and service take together, the moves themselves included."
    )
    goal = Goal.of("event_to_shared_client_over_own_stream", found.ratio(SHARED), GOAL, settled=found.settled)
    return Group("Events to many clients", how, found.rows(), found.verdict(), [goal])
