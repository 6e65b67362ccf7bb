"""Events over HTTP: as Server-Sent Events, or as JSON pages, from the streams of the service.

    id: 17.2
    event: event
    data: {"kind":"placed",…}

The type of each message is the name of its field in the contract: snapshot, event, keepAlive, resume. An event has its
id, which a browser sends back as `Last-Event-ID` to go on behind it. A snapshot has one only if nothing is missing
before it: if it comes ahead of missed events, a client that loses the connection in between must get those again.

A process holds a bounded number of streams, and fewer for one address. Further ones are refused at once, and plain
calls are answered as ever. A stream has a thread of its own from the moment when the service is asked for it. When the
process stops, every stream is told to resume: another one answers.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from socket import socket
from typing import Any

import grpc
from flask import Flask, Response, request

from alhambra_api.v1 import events_pb2

from .. import limits
from ..config import Settings
from ..connections.client_addresses import is_this_machine, site
from ..connections.connection import ClientSocket
from ..json_messages import Fault, dumps, json_name, query_reader, writer
from ..middleware.environ_keys import ADDRESS, REQUEST_ID
from ..process import metrics
from ..process.thread_pool import leave_pool
from ..refusals.problem import Problem
from ..refusals.rpc_errors import from_rpc_error
from ..routing.content_negotiation import EVENT_STREAM, JSON, preferred_type
from ..routing.routes import Route, compile_routes
from ..routing.unary_calls import View
from ..upstream.client import Upstream
from .disconnects import Disconnects
from .event_pages import page

STOPPING = "stopping"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Proxies shall neither keep a stream nor collect it before they pass it on."""

Message = events_pb2.WatchEventsResponse
_NAMES = {field.name: json_name(field) for field in Message.DESCRIPTOR.fields}
_WRITERS = {field.name: writer(field.message_type) for field in Message.DESCRIPTOR.fields}
_LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL}
"""How a stream ends whose service has gone, not its right to be read."""


def install(app: Flask, settings: Settings, upstream: Upstream) -> None:
    """Adds the routes of the contract that answer with streams."""
    streams = app.extensions["streams"] = Streams(settings.streams)
    for route in compile_routes():
        if route.streaming:
            app.add_url_rule(route.rule, route.name, streams.view(route, upstream), methods=[route.method])


class Streams:
    """The streams of one process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._addresses: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._open: set[EventStream] = set()
        self._stopping = False
        self._disconnects = Disconnects()
        self.opening: dict[EventStream, None] = {}
        """Streams that the service was asked for and has not begun."""

    def view(self, route: Route, upstream: Upstream) -> View:
        """What answers requests to this route."""
        fill = query_reader(route.query_fields)
        ask = upstream.stream(route)

        def answer(**named: str) -> Response:
            environ = request.environ
            kind = preferred_type(environ.get("HTTP_ACCEPT", ""), (EVENT_STREAM, JSON))
            message: Any = route.request(**named)
            try:
                fill(message, environ.get("QUERY_STRING", ""))
            except Fault as fault:
                raise Problem.from_fault(fault) from None
            _resume_where(message, environ.get("HTTP_LAST_EVENT_ID", ""))
            metadata = upstream.metadata(environ, environ.get(ADDRESS, ""), environ.get(REQUEST_ID, ""))
            if kind == JSON or request.method == "HEAD":
                return page(ask, message, metadata, kind)
            stream = EventStream(self, message, site(environ.get(ADDRESS, "")))
            self._admit(stream)
            try:
                leave_pool()
                stream.open(ask(message, metadata), environ.get("gunicorn.socket"), self._disconnects)
            except BaseException:
                stream.close()
                raise
            return Response(stream, content_type=f"{EVENT_STREAM}; charset=utf-8", headers=HEADERS)

        return answer

    def _admit(self, stream: EventStream) -> None:
        with self._lock:
            if self._stopping:
                raise _going_away()
            if len(self._open) >= self._most:
                raise _too_many(f"This server holds {self._most} streams at once", self._most)
            if self._addresses[stream.address] >= limits.STREAMS_PER_ADDRESS and not is_this_machine(stream.address):
                raise _too_many(
                    f"One address has {limits.STREAMS_PER_ADDRESS} streams at once", limits.STREAMS_PER_ADDRESS
                )
            self._addresses[stream.address] += 1
            self._open.add(stream)
        metrics.STREAMS.inc()

    def left(self, stream: EventStream) -> None:
        """A stream has ended."""
        with self._lock:
            if stream not in self._open:
                return
            self._open.remove(stream)
            self._addresses[stream.address] -= 1
            if not self._addresses[stream.address]:
                del self._addresses[stream.address]
        metrics.STREAMS.dec()

    def look(self) -> None:
        """Gives up streams that the service does not begin in time. To be called often."""
        now = time.monotonic()
        for stream in [*self.opening]:
            if now > stream.begin_before:
                stream.give_up()

    def stop(self) -> None:
        """Tells every client to resume elsewhere."""
        with self._lock:
            self._stopping = True
            streams = list(self._open)
        for stream in streams:
            stream.stop()


class EventStream:
    """One stream, as the parts of an answer. It is read by one thread, and may be stopped by others."""

    def __init__(self, streams: Streams, message: Any, address: str) -> None:
        self._streams = streams
        self.address = address
        """For which address the stream is counted."""
        self.begin_before = time.monotonic() + limits.CALL_SECONDS
        """When to give up if the service has not begun."""
        self._late = False
        self._resumed = bool(message.after) or message.HasField("from_version")
        self._told = message.after
        """The event up to which the client knows everything."""
        self._stopped = False
        self._call: Any = None
        self._forget: Callable[[], None] | None = None
        """Ends listening for the client's departure."""
        self._parts: Iterator[bytes] = iter(())

    def open(self, call: Any, client: socket | None, disconnects: Disconnects) -> None:
        """Waits for the beginning of the stream; raises Problem if the service refuses it."""
        self._call = call
        if client is not None:
            self._forget = disconnects.watch(client, call.cancel)
        if isinstance(client, ClientSocket):
            client.blocking_writes = True
        self._streams.opening[self] = None
        try:
            first = next(call)
        except grpc.RpcError as error:
            if self._late:
                raise Problem("DEADLINE_PASSED", "The service did not begin the stream in time.") from None
            raise from_rpc_error(error) from None
        except StopIteration:
            raise Problem("INTERNAL_ERROR", "The service sent an empty stream.") from None
        finally:
            self._streams.opening.pop(self, None)
        if self._stopped:
            raise _going_away()
        self._parts = self._written(first)

    def _written(self, first: Message) -> Iterator[bytes]:
        snapshot = first.snapshot.last_event
        if not self._resumed:
            self._told = snapshot
        yield b"retry: %d\n" % (1000 * limits.RECONNECT_SECONDS) + _part(first, "" if self._resumed else snapshot)
        try:
            for message in self._call:
                self._told = message.event.id or self._told
                yield _part(message, message.event.id)
        except grpc.RpcError as error:
            failed: Any = error
            if self._stopped or failed.code() in _LOST:
                yield _part(Message(resume=events_pb2.Resume(after=self._told, because=STOPPING)), "")

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._parts)

    def give_up(self) -> None:
        """Ends a stream that does not begin."""
        self._late = True
        self._call.cancel()

    def stop(self) -> None:
        """Ends the stream with `resume`."""
        self._stopped = True
        if self._call is not None:
            self._call.cancel()

    def close(self) -> None:
        """The answer has ended, or the client has gone."""
        if self._forget is not None:
            self._forget()
        if self._call is not None:
            self._call.cancel()
        self._streams.left(self)


def _too_many(what: str, limit: int) -> Problem:
    detail = f"{what}: try again later, or poll with JSON pages."
    wait = {"Retry-After": str(limits.STREAM_RETRY_SECONDS)}
    return Problem("WATCHERS_EXCEEDED", detail, {"limit": limit}, headers=wait)


def _going_away() -> Problem:
    return Problem("STORE_UNAVAILABLE", "This gateway is stopping: another one answers.")


def _part(message: Message, name: str) -> bytes:
    """A message as it stands in the stream. JSON has no line breaks of its own, so it is one line."""
    field = message.WhichOneof("message") or ""
    head = f"id: {name}\n" if name else ""
    return f"{head}event: {_NAMES[field]}\ndata: ".encode() + dumps(_WRITERS[field](getattr(message, field))) + b"\n\n"


def _resume_where(message: Any, last: str) -> None:
    """What the header says stands over the query: a browser sends it with the address that it began with."""
    if last:
        message.ClearField("from_version")
        message.after = last
