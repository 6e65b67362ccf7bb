"""Small services on real sockets: enough of the contract to try who is let in, how calls end, and what is told."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra_api.v1 import games_pb2, moves_pb2, service_pb2_grpc, views_pb2
from alhambra_service.auth.access import Access
from alhambra_service.auth.api_keys import KeyRing, entry_text
from alhambra_service.auth.credentials import KEY, SEAT, digest, new_secret
from alhambra_service.config import Settings
from alhambra_service.rpc.health import Health
from alhambra_service.rpc.server import Server

PATIENCE = 60.0
ADDRESS = "127.0.0.1:0"
SETTINGS = Settings(listen=ADDRESS, drain_seconds=0.0, grace_seconds=5.0)


@dataclass
class SmallGames(service_pb2_grpc.GameServiceServicer):
    """Games that consist of their tokens. Calls can be held up, and can fail."""

    access: Access
    tokens: dict[str, list[str]] = field(default_factory=dict)
    """By game: the digest of each seat's token."""
    go_on: threading.Event = field(default_factory=threading.Event)
    entered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def seat_tokens(self, game: str, seats: int = 2) -> list[str]:
        """A new game; the tokens of its seats."""
        found = [new_secret(SEAT) for _ in range(seats)]
        self.tokens[game] = [digest(token) for token in found]
        return found

    def GetGame(self, request: games_pb2.GetGameRequest, context: grpc.ServicerContext) -> Any:  # noqa: N802
        seat = self.access.seat(self.access.caller(context), self.tokens.get(request.game, []))
        return games_pb2.GetGameResponse(view=views_pb2.View(game=request.game, viewer=seat))

    def ApplyMove(self, request: moves_pb2.ApplyMoveRequest, context: grpc.ServicerContext) -> Any:  # noqa: N802
        seat = self.access.require_seat(self.access.caller(context), self.tokens.get(request.game, []))
        return moves_pb2.ApplyMoveResponse(version=seat)

    def CreateGame(self, request: games_pb2.CreateGameRequest, context: grpc.ServicerContext) -> Any:  # noqa: N802
        return games_pb2.CreateGameResponse(game=self.access.caller(context).tenant or "")

    def ListGames(self, request: games_pb2.ListGamesRequest, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Waits until it is told to go on."""
        self.entered.release()
        assert self.go_on.wait(PATIENCE)
        return games_pb2.ListGamesResponse(next_page_token="done")

    def DeleteGame(self, request: games_pb2.DeleteGameRequest, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Has a defect, and tells everything it knows about it."""
        raise RuntimeError(f"cannot delete {request.game} with {context.invocation_metadata()}")


@dataclass
class Running:
    """A server and a way to speak to it."""

    server: Server
    games: SmallGames
    port: int
    channel: grpc.Channel
    stub: Any

    def call(self, method: str, request: Any, token: str = "", headers: Mapping[str, str] | None = None) -> Any:
        """The answer."""
        found = list((headers or {}).items())
        if token:
            found.append(("authorization", f"Bearer {token}"))
        return getattr(self.stub, method)(request, metadata=found, timeout=PATIENCE)


@contextmanager
def running(
    keys: KeyRing | None = None,
    health: Health | None = None,
    *,
    settings: Settings = SETTINGS,
    credentials: grpc.ChannelCredentials | None = None,
    tickets: Any = None,
    calls_per_second: float = 0.0,
    **access: Any,
) -> Iterator[Running]:
    """A server with small games."""
    guard = Access(keys, tickets, calls_per_second=calls_per_second, **access)
    games: SmallGames = cast(Any, SmallGames)(guard)  # what it does not have is not implemented
    server = Server(
        settings,
        guard,
        health or Health(lambda: None),
        lambda server: service_pb2_grpc.add_GameServiceServicer_to_server(games, server),
    )
    port = server.start()
    target = f"127.0.0.1:{port}"
    if credentials is None:
        channel = grpc.insecure_channel(target)
    else:
        channel = grpc.secure_channel(target, credentials)
    try:
        yield Running(server, games, port, channel, service_pb2_grpc.GameServiceStub(channel))
    finally:
        channel.close()
        games.go_on.set()
        server.stop(0.0, 0.2)


@dataclass
class Keys:
    """A file of API keys and the keys themselves."""

    path: Path
    secrets: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, *scopes: str, gateway: bool = False, more: str = "") -> str:
        """Adds a key to the file."""
        key = self.secrets[name] = new_secret(KEY)
        text = entry_text(name, digest(key), "" if gateway else f"tenant-{name}", scopes, gateway=gateway)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n{more}\n")
        return key

    def ring(self) -> KeyRing:
        return KeyRing(self.path)


@contextmanager
def key_file() -> Iterator[Keys]:
    with TemporaryDirectory(prefix="alh-test-") as folder:
        yield Keys(Path(folder) / "keys.toml")


@dataclass(frozen=True)
class Failure:
    """How a call failed, as its caller sees it."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


def failure(call: Any, *arguments: Any, **named: Any) -> Failure:
    """How the call fails; it is an error if it does not."""
    try:
        found = call(*arguments, **named)
    except grpc.RpcError as error:
        return failure_of(error)
    raise AssertionError(f"the call was answered: {found}")


def failure_of(error: Any) -> Failure:
    plain = Failure(error.code(), error.details())
    status = rpc_status.from_call(error)
    if status is None:
        return plain
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "alhambra"
    return replace(plain, reason=info.reason, metadata=dict(info.metadata))
