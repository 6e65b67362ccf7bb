"""Streams of strangers: as many as anybody can open without credentials. Players still get theirs."""

from __future__ import annotations

from contextlib import ExitStack

import grpc

from alhambra_api.v1 import events_pb2, service_pb2_grpc

from .frames import Connection, message
from .installation import CALL_SECONDS, Callers, Product
from .peers import GAMES

GAMES_WATCHED = 4
SETTLED_SECONDS = 0.2


def watch(connections: list[Connection], games: list[str], streams: int) -> int:
    """Opens streams of events of these games; how many of them the server has not refused."""
    for number in range(streams):
        request = events_pb2.WatchEventsRequest(game=games[number % len(games)]).SerializeToString()
        connections[number % len(connections)].call(f"{GAMES}/WatchEvents", message(request), end=True)
        if number % 50 == 0:
            for connection in connections:
                connection.read()
    before = -1
    while (refused := sum(len(connection.ended) for connection in connections)) != before:
        before = refused
        for connection in connections:
            connection.read(SETTLED_SECONDS)
    return streams - refused


def crowd(here: Product, connections: int, streams: int) -> tuple[int, int]:
    """How many streams strangers hold, and how many of ten players got theirs beside them. Their games are the same."""
    with ExitStack() as stack:
        commands = [Callers(here.channel, connections=1) for _ in range(GAMES_WATCHED)]
        for loaded in commands:
            stack.callback(loaded.close)
        peers = [stack.enter_context(Connection(here.port)) for _ in range(connections)]
        held = watch(peers, [loaded.game for loaded in commands], streams)
        players = 0
        for number in range(10):
            loaded = commands[number % GAMES_WATCHED]
            players += _sees(loaded, number % 3)
        return held, players


def _sees(loaded: Callers, seat: int) -> bool:
    stub = service_pb2_grpc.GameServiceStub(loaded.channels[0])
    request = events_pb2.WatchEventsRequest(game=loaded.game)
    bearer = (("authorization", f"Bearer {loaded.tokens[seat]}"),)
    call = stub.WatchEvents(request, metadata=bearer, timeout=CALL_SECONDS)
    try:
        return bool(next(call).HasField("snapshot"))
    except grpc.RpcError:
        return False
    finally:
        call.cancel()
