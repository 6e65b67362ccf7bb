"""A process of the service with additional calls that do nothing: the floor.

    /bench.Floor/plain_<name>         on the threads of reads
    /bench.Floor/quick_<name>         on the threads of ValidatePlacement
    /bench.StoredFloor/stored_<name>  on the threads of writes; one script of the store writes as many bytes as a commit
    /bench.StoredFloor/got_<name>     on the threads of reads that need the store; one GET of as many bytes
    /bench.StreamFloor/watch    a stream, which gets nothing but what the next one sends
    /bench.StreamFloor/tell     as stored_apply; besides, every open stream gets ready messages, as many as the events
                                of a move and as long

An empty call reads a message as long as the real one and returns an answer as long as the real one. The caller is not
checked and the call is not counted. Process, port, server and generated code are those of the real call.

The process reads its orders as one line of JSON, prints its address and process id, and ends when its input ends.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import grpc
from google.protobuf.wrappers_pb2 import BytesValue

from alhambra_runtime.machine import take_short_turns
from alhambra_service.rpc.grpc_internals import StreamSender

from . import cores

FLOOR, STORED_FLOOR, STREAM_FLOOR = "bench.Floor", "bench.StoredFloor", "bench.StreamFloor"
FLOOR_STREAMS = 200
"""Threads for streams of the floor."""
KEY = "bench:{floor}"
SCRIPT = "redis.call('SET', KEYS[1], ARGV[1]) redis.call('RPUSH', KEYS[2], ARGV[2]) return 'done'"
TAG = 2
"""Bytes that a BytesValue of less than 128 bytes adds to its value; a longer one adds three."""


def padding(length: int) -> bytes:
    """Return the value of a BytesValue that is as long as a message of this length."""
    return b"x" * max(0, length - (TAG if length < 128 + TAG else TAG + 1))


def empty_message(length: int) -> bytes:
    """Return a message of an empty call."""
    return BytesValue(value=padding(length)).SerializeToString()


def main() -> None:
    """Run the process."""
    orders = json.loads(sys.stdin.readline())
    take_short_turns()
    cores.pin(os.getpid(), orders["cores"])
    from alhambra_service import logs  # after pinning, so that all threads are pinned
    from alhambra_service.config import Settings
    from alhambra_service.process.service import Service

    settings = Settings(**orders["settings"])
    logs.begin(settings.log_level, settings.log)
    service = Service(settings, orders["store"])
    pools = service._server.pools
    add_floor(service._server._server, pools.quick, orders["answers"])
    with_store = orders.get("with_store", {})
    if with_store:
        add_floor_of_the_store(service._server._server, pools, service._store.client, with_store)
        add_floor_of_streams(service._server._server, pools, service._store.client, with_store["apply"])
    port = service.start()
    gc.collect()
    gc.freeze()  # as a worker of the product does
    print(json.dumps([f"127.0.0.1:{port}", os.getpid()]), flush=True)
    sys.stdin.read()
    os._exit(0)


def add_floor(server: grpc.Server, lane: Any, answers: dict[str, int]) -> None:
    """Add the empty calls to a server."""
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


def add_floor_of_the_store(server: grpc.Server, pools: Any, client: Any, lengths: dict[str, dict[str, int]]) -> None:
    """Add calls that only make one exchange with the store."""
    one = client.server(KEY)
    script = one.ask("SCRIPT", "LOAD", SCRIPT)
    handlers = {}
    for name, length in lengths.items():
        answer, state, line = padding(length["answer"]), b"s" * length["state"], b"l" * length["line"]
        one.exchange(("SET", f"{KEY}:{name}", state))

        stored: Any = partial(_exchange, one, ("EVALSHA", script, 2, KEY, f"{KEY}:log", state, line), answer)
        got: Any = partial(_exchange, one, ("GET", f"{KEY}:{name}"), answer)
        for prefix, call, pool in (("stored", stored, pools.write), ("got", got, pools.fetch)):
            call.experimental_thread_pool = pool
            handlers[f"{prefix}_{name}"] = grpc.unary_unary_rpc_method_handler(
                call, BytesValue.FromString, BytesValue.SerializeToString
            )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(STORED_FLOOR, handlers),))
    server.add_registered_method_handlers(STORED_FLOOR, handlers)


class FloorStream:
    """One open stream: sends the same bytes, the next time when gRPC has taken them, and no thread waits for that."""

    def __init__(self, sender: StreamSender, message: bytes) -> None:
        self._sender = sender
        self._message = message
        self._lock = threading.Lock()
        self._left = 0
        """Messages that are not sent, or not taken."""

    def tell(self, count: int) -> None:
        """Send the message this many times."""
        with self._lock:
            idle, self._left = not self._left, self._left + count
            if idle:
                self._sender.send(self._message, self._taken)

    def _taken(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left:
                self._sender.send(self._message, self._taken)


class FloorStreams:
    """Open streams, and the call that sends to all of them messages that were made before."""

    def __init__(self, events: int, length: int) -> None:
        self._events = events
        self._message = empty_message(length)
        self._open: dict[FloorStream, None] = {}

    def watch(self, request: BytesValue, context: grpc.ServicerContext) -> Iterator[BytesValue]:
        """A stream: one message at its beginning, then what `tell` sends."""
        over = threading.Event()
        context.add_callback(over.set)
        yield BytesValue()
        stream = FloorStream(StreamSender(context), self._message)
        self._open[stream] = None
        over.wait()
        del self._open[stream]

    def tell(self) -> None:
        """Sends the messages to every stream."""
        for stream in [*self._open]:
            stream.tell(self._events)


def add_floor_of_streams(server: grpc.Server, pools: Any, client: Any, lengths: dict[str, int]) -> None:
    """Adds the stream, and the call that sends to all streams."""
    streams = FloorStreams(lengths["events"], lengths["event"])
    one = client.server(KEY)
    script = one.ask("SCRIPT", "LOAD", SCRIPT)
    state, line = b"s" * lengths["state"], b"l" * lengths["line"]
    answer = padding(lengths["answer"])

    def tell(request: BytesValue, context: grpc.ServicerContext) -> BytesValue:
        one.exchange(("EVALSHA", script, 2, KEY, f"{KEY}:log", state, line))
        streams.tell()
        return BytesValue(value=answer)

    telling: Any = tell
    telling.experimental_thread_pool = pools.write
    watching: Any = partial(streams.watch)
    watching.experimental_thread_pool = ThreadPoolExecutor(FLOOR_STREAMS)
    handlers = {
        "tell": grpc.unary_unary_rpc_method_handler(telling, BytesValue.FromString, BytesValue.SerializeToString),
        "watch": grpc.unary_stream_rpc_method_handler(watching, BytesValue.FromString, BytesValue.SerializeToString),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(STREAM_FLOOR, handlers),))
    server.add_registered_method_handlers(STREAM_FLOOR, handlers)


def _exchange(
    store: Any, command: tuple[Any, ...], answer: bytes, request: BytesValue, context: grpc.ServicerContext
) -> BytesValue:
    store.exchange(command)
    return BytesValue(value=answer)


def _empty(value: bytes) -> Callable[[BytesValue, grpc.ServicerContext], BytesValue]:
    def empty(request: BytesValue, context: grpc.ServicerContext) -> BytesValue:
        return BytesValue(value=value)

    return empty


if __name__ == "__main__":
    main()
