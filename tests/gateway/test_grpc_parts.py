"""Private parts of grpcio that the gateway uses: each is there, and a version without one is refused at the start."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import games_pb2
from alhambra_gateway.config import BadSettings, Settings
from alhambra_gateway.connections.thread_pool import ThreadPool, serve_client
from alhambra_gateway.process import server
from alhambra_gateway.upstream import grpc_parts
from tests.service.store.servers import await_true

from .scripted import Scripted

PATIENCE = 60.0
RPC = "/alhambra_api.v1.GameService/GetGame"


def test_the_installed_version_has_everything() -> None:
    assert grpc_parts.missing() == []


class WithoutParts:
    """Stands for a class of a grpcio that has changed."""


@pytest.mark.parametrize("at", range(len(grpc_parts.PARTS)))
def test_a_version_without_a_part_is_refused_at_the_start(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = list(grpc_parts.PARTS)
    name = parts[at][1]
    parts[at] = (WithoutParts, name)
    monkeypatch.setattr(grpc_parts, "PARTS", tuple(parts))
    assert grpc_parts.missing() == [f"WithoutParts.{name}"]
    with pytest.raises(BadSettings, match=rf"grpcio cannot be used: it has no WithoutParts\.{name}"):
        server.serve(Settings(listen="127.0.0.1:0"), print)


def test_a_call_that_was_not_sent_can_be_told_from_one_whose_connection_broke() -> None:
    service = Scripted()

    def hang_up(context: grpc.ServicerContext, request: bytes) -> Any:
        threading.Thread(target=service.stop).start()
        threading.Event().wait(1)
        return games_pb2.GetGameResponse()

    service.say = hang_up
    forms = games_pb2.GetGameRequest.SerializeToString, games_pb2.GetGameResponse.FromString
    with grpc.insecure_channel(service.address) as channel:
        call = channel.unary_unary(RPC, *forms)
        with pytest.raises(grpc.RpcError) as broken:
            call(games_pb2.GetGameRequest(), timeout=PATIENCE)
        assert not grpc_parts.was_not_sent(broken.value)

        def fails() -> Any:
            with pytest.raises(grpc.RpcError) as raised:
                call(games_pb2.GetGameRequest(), timeout=PATIENCE)
            return raised.value

        await_true(lambda: grpc_parts.was_not_sent(fails()), "nobody listens")


class Client:
    """A client that is being answered."""

    gone = False
    to_be_paused = False
    cancel_call: Callable[[], object] | None = None


def test_a_blocking_call_ends_when_its_client_hangs_up() -> None:
    arrived, client, pool = threading.Event(), Client(), ThreadPool(1)
    service = Scripted()

    def hold(context: grpc.ServicerContext, request: bytes) -> Any:
        ended = threading.Event()
        context.add_callback(ended.set)
        arrived.set()
        assert ended.wait(PATIENCE)
        return games_pb2.GetGameResponse()

    service.say = hold
    with grpc.insecure_channel(service.address) as channel:
        forms = games_pb2.GetGameRequest.SerializeToString, games_pb2.GetGameResponse.FromString
        call = grpc_parts.cancellable(channel.unary_unary(RPC, *forms), {})

        def answer() -> grpc.StatusCode:
            serve_client(client)
            with pytest.raises(grpc.RpcError) as raised:
                call(games_pb2.GetGameRequest(), PATIENCE)
            failed: Any = raised.value
            code: grpc.StatusCode = failed.code()
            return code

        answered = pool.submit(answer)
        assert arrived.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while client.cancel_call is None and time.monotonic() < deadline:  # the service may be ahead of the caller
            time.sleep(0.01)
        assert client.cancel_call is not None
        client.cancel_call()
        assert answered.result(PATIENCE) is grpc.StatusCode.CANCELLED
    pool.shutdown()
    service.stop()
