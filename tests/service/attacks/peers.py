"""Peers that begin calls and do not finish them. None of them shows credentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from alhambra_api.v1 import boards_pb2, events_pb2, games_pb2, nouns_pb2

from .frames import CONTINUATION, HEADERS, Connection, frame, headers, message

GAMES = "/alhambra_api.v1.GameService"
CATALOG = "/alhambra_api.v1.CatalogService"
HEALTH = "/grpc.health.v1.Health"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
UNARY = (f"{GAMES}/GetGame", f"{GAMES}/ValidatePlacement", f"{GAMES}/ApplyMove", f"{GAMES}/ListGames")
STREAMS = (f"{GAMES}/WatchEvents", f"{HEALTH}/Watch", REFLECTION)
EVERY = (*UNARY, f"{CATALOG}/ListTiles", f"{HEALTH}/Check", *STREAMS)
"""Methods of every pool."""

UNREAD = "answers not read"
Attack = Callable[[Sequence[Connection], int, str], None]
"""Makes this many calls over the connections; a game that is there may help."""


def a_placement(game: str) -> boards_pb2.ValidatePlacementRequest:
    """Asks about a placement in the first Alhambra of the game."""
    placement = boards_pb2.Placement(tile="arcades-8-e", cell=nouns_pb2.Cell(x=1, y=0))
    return boards_pb2.ValidatePlacementRequest(game=game, seat=0, placement=placement)


def silent(connections: Sequence[Connection], calls: int, game: str) -> None:
    """Headers, and nothing more."""
    for number in range(calls):
        connections[number % len(connections)].call(EVERY[number // len(connections) % len(EVERY)])


def half(connections: Sequence[Connection], calls: int, game: str) -> None:
    """Headers, and half a message."""
    data = message(games_pb2.GetGameRequest(game=game).SerializeToString())
    for number in range(calls):
        path = EVERY[number // len(connections) % len(EVERY)]
        connections[number % len(connections)].call(path, data[: len(data) // 2])


def dribbled(connections: Sequence[Connection], calls: int, game: str) -> None:
    """Headers that come a few bytes at a time and never end. A connection can hold one of them; the other half of the
    connections makes silent calls."""
    middle = len(connections) // 2
    for connection in connections[:middle]:
        if not connection.dribbling:
            connection.dribbling = True
            block = headers(UNARY[0])
            connection.send(frame(HEADERS, 0, 1, block[:5]))
        connection.send(frame(CONTINUATION, 0, 1, b"")[:3])  # never a whole frame
    silent(connections[middle:], calls, game)


def unread(connections: Sequence[Connection], calls: int, game: str) -> None:
    """Whole calls whose answers nobody takes: the connections allow no byte of them."""
    asked = {
        f"{GAMES}/GetGame": games_pb2.GetGameRequest(game=game),
        f"{GAMES}/WatchEvents": events_pb2.WatchEventsRequest(game=game),
        f"{GAMES}/ValidatePlacement": a_placement(game),
    }
    whole = [(path, message(request.SerializeToString())) for path, request in asked.items()]
    whole += [(f"{HEALTH}/Watch", message(b"")), (REFLECTION, message(b"\x3a\x00"))]
    for number in range(calls):
        path, data = whole[number // len(connections) % len(whole)]
        connections[number % len(connections)].call(path, data, end=path != REFLECTION)


ATTACKS: Mapping[str, Attack] = {
    "silent": silent,
    "half a message": half,
    "dribbled headers": dribbled,
    UNREAD: unread,
}


def connected(stack: ExitStack, port: int, count: int, attack: str) -> list[Connection]:
    """Connections for an attack, closed with the stack."""
    window = 0 if attack == UNREAD else None
    return [stack.enter_context(Connection(port, window=window)) for _ in range(count)]
