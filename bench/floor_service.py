"""A process of the service as it is, with a few calls more that do nothing: the floor.

    /bench.Floor/plain_<name>   among the plain calls of the server
    /bench.Floor/quick_<name>   on the threads of the quick ones

An empty call reads a message of the same length as the real one's, answers with one that has the length of the real
answer, and does nothing in between: nobody asks who calls, nothing is counted. Everything else is the same: process,
port, server, generated code.

Reads its orders as one line of JSON, tells its address and process id, and ends when its input does.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf.wrappers_pb2 import BytesValue

from . import cores

FLOOR = "bench.Floor"
TAG = 2
"""Bytes that a BytesValue of less than 128 bytes has besides its value; three if it has more."""


def padding(length: int) -> bytes:
    """What a BytesValue holds that is so long as a message."""
    return b"x" * max(0, length - (TAG if length < 128 + TAG else TAG + 1))


def empty_message(length: int) -> bytes:
    """A message of an empty call."""
    return BytesValue(value=padding(length)).SerializeToString()


def main() -> None:
    """Runs the process."""
    orders = json.loads(sys.stdin.readline())
    cores.pin(os.getpid(), orders["cores"])
    from alhambra_service import logs  # after pinning, so that all threads are where they belong
    from alhambra_service.config import Settings
    from alhambra_service.process.service import Service

    settings = Settings(**orders["settings"])
    logs.begin(settings.log_level)
    service = Service(settings, orders["store"])
    add_floor(service._server._server, service._server._pools.quick, orders["answers"])
    port = service.start()
    gc.collect()
    gc.freeze()  # as a worker of the product does
    print(json.dumps([f"127.0.0.1:{port}", os.getpid()]), flush=True)
    sys.stdin.read()
    os._exit(0)


def add_floor(server: grpc.Server, lane: Any, answers: dict[str, int]) -> None:
    """Adds the empty calls to a server."""
    handlers = {}
    for name, length in answers.items():
        for prefix, pool in (("plain", None), ("quick", lane)):
            call: Any = _empty(padding(length))
            if pool is not None:
                call.experimental_thread_pool = pool
            handlers[f"{prefix}_{name}"] = grpc.unary_unary_rpc_method_handler(
                call, BytesValue.FromString, BytesValue.SerializeToString
            )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(FLOOR, handlers),))
    server.add_registered_method_handlers(FLOOR, handlers)


def _empty(value: bytes) -> Callable[[BytesValue, grpc.ServicerContext], BytesValue]:
    def empty(request: BytesValue, context: grpc.ServicerContext) -> BytesValue:
        return BytesValue(value=value)

    return empty


if __name__ == "__main__":
    main()
