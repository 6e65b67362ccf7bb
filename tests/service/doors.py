"""A server of the stateless services on a free port of loopback, for tests that need no store."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf.message import Message

from alhambra_api.v1 import service_pb2_grpc
from alhambra_service.rpc.failed_calls import FailedCalls
from alhambra_service.rpc.services.board_service import BoardServicer
from alhambra_service.rpc.services.catalog_service import CatalogServicer

SECONDS = 10


@contextmanager
def stateless_server() -> Iterator[grpc.Channel]:
    """A channel to a server with BoardService and CatalogService."""
    server = grpc.server(ThreadPoolExecutor(2), interceptors=[FailedCalls()])
    service_pb2_grpc.add_BoardServiceServicer_to_server(BoardServicer(), server)
    service_pb2_grpc.add_CatalogServiceServicer_to_server(CatalogServicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield channel
    finally:
        server.stop(0).wait()


def ask(method: Any, request: Message, language: str | None = None) -> Any:
    """The answer to a call."""
    return method(request, timeout=SECONDS, metadata=(("accept-language", language),) if language else ())
