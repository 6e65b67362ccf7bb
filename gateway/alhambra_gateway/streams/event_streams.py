"""Server-Sent Events: routes of the contract that answer with streams.

A stream begins with a snapshot. The snapshot has an id only if nothing is missing before it: a client that loses the
connection between the snapshot and missed events must get those events again. Clients that see the same share a stream
of the service (`shared_streams.py`).

A process has a bounded number of streams, and fewer for one address. Further ones are refused at once. A thread of the
pool sends the beginning of a stream, then the event loop has it (`stream_loop.py`). When the process stops, every
stream ends with `resume`: another process answers.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from random import Random
from typing import Any

import grpc
from flask import Flask, Response, request

from alhambra.texts import choose_language

from .. import limits, metrics
from ..config import Settings
from ..connections.client_addresses import is_this_machine, site
from ..connections.connection import ClientSocket
from ..connections.thread_pool import cancel_on_disconnect
from ..environ_keys import ADDRESS, REQUEST_ID
from ..json_messages import Fault, query_reader
from ..refusals.problem import Problem
from ..refusals.rpc_errors import from_rpc_error
from ..routing.content_negotiation import EVENT_STREAM, JSON, preferred_type
from ..routing.credentials import View
from ..routing.routes import Route, compile_routes
from ..upstream.client import Metadata, Upstream
from .event_pages import notice_page, page
from .service_stream import NoticeServiceStream, ServiceStream
from .shared_streams import LOST, Membership, OwnStream, SharedStreams
from .sse_client import SseClient
from .sse_parts import (
    SNAPSHOT,
    Message,
    NoticeMessage,
    may_follow,
    notice_text,
    part_of,
    position_of,
    resume_text,
    retry_text,
)
from .stream_loop import StreamLoop
from .subscriber import STOPPING, Subscriber

_log = logging.getLogger(__name__)

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Proxies must neither cache a stream nor buffer it."""


def install(app: Flask, settings: Settings, upstream: Upstream) -> None:
    """Add the routes of the contract that answer with streams."""
    streams = app.extensions["streams"] = Streams(settings.streams)
    for route in compile_routes():
        if route.streaming:
            app.add_url_rule(route.rule, route.name, streams.view(route, upstream), methods=[route.method])


class Streams:
    """The streams of one process."""

    def __init__(self, most: int, reconnect_chance: Random | None = None) -> None:
        self._most = most
        self.reconnect_chance = reconnect_chance or Random()
        """Draws how long each client waits before it opens its stream again."""
        self._addresses: Counter[str] = Counter()
        self._viewers: Counter[Hashable] = Counter()
        """Open streams by game and seat, of the spectators of each game, and of all spectators together."""
        self._lock = threading.Lock()
        self._open: set[EventStream] = set()
        self._stopping = False
        self._loop: StreamLoop | None = None
        self.shared = SharedStreams()

    @property
    def loop(self) -> StreamLoop:
        """The event loop, whose thread begins with the first stream."""
        with self._lock:
            if self._loop is None:
                self._loop = StreamLoop()
            return self._loop

    def view(self, route: Route, upstream: Upstream) -> View:
        """Return the Flask view that answers requests to this route."""
        fill = query_reader(route.query_fields)
        ask_page = upstream.whole_stream(route)
        notices = route.response is NoticeMessage
        kind: type[EventStream] = NoticeStream if notices else EventStream
        answer_page = notice_page if notices else page

        def answer(**named: str) -> Response:
            environ = request.environ
            media_type = preferred_type(environ.get("HTTP_ACCEPT", ""), (EVENT_STREAM, JSON))
            message: Any = route.request(**named)
            try:
                fill(message, environ.get("QUERY_STRING", ""))
            except Fault as fault:
                raise Problem.from_fault(fault) from None
            _resume_where(message, environ.get("HTTP_LAST_EVENT_ID", ""))
            metadata = upstream.metadata(environ, environ.get(ADDRESS, ""), environ.get(REQUEST_ID, ""))
            if media_type == JSON or request.method == "HEAD":
                return answer_page(ask_page, message, metadata, media_type)
            upstream.require_room()
            stream = kind(self, kind.source(upstream, route.rpc, message, metadata), message, metadata, environ)
            self._admit(stream)
            try:
                stream.open()
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

    def admit_viewer(self, stream: EventStream, game: str, seat: int | None) -> None:
        """Count a stream for its seat, or among the spectators. Raise Problem if these have too many.

        The service has such limits too, but clients that share a stream are one to the service."""
        if seat is not None:
            counts: dict[Hashable, int] = {(game, seat): limits.STREAMS_PER_SEAT}
        else:
            kept_for_seats = int(limits.STREAMS_FOR_SEATS * self._most)
            counts = {(game, None): limits.STREAMS_PER_GAME, None: self._most - kept_for_seats}
        with self._lock:
            for who, most in counts.items():
                if self._viewers[who] >= most:
                    raise _too_many(f"This server holds {most} such streams at once", most)
            self._viewers.update(counts.keys())
            stream.counted_as = tuple(counts)

    def left(self, stream: EventStream) -> None:
        """Forget a stream that has ended."""
        with self._lock:
            if stream not in self._open:
                return
            self._open.remove(stream)
            for who in stream.counted_as:
                self._viewers[who] -= 1
                if not self._viewers[who]:
                    del self._viewers[who]
            self._addresses[stream.address] -= 1
            if not self._addresses[stream.address]:
                del self._addresses[stream.address]
        metrics.STREAMS.dec()

    def stop(self) -> None:
        """End every stream with `resume`."""
        with self._lock:
            self._stopping = True
            streams = list(self._open)
            loop = self._loop
        if loop is not None:
            for stream in streams:
                loop.soon(stream.stop)


class EventStream:
    """One stream. A thread of the pool opens it and sends its beginning; the event loop does everything else."""

    source = ServiceStream
    """The stream of the service that it reads."""

    def __init__(
        self, streams: Streams, call: ServiceStream, message: Any, metadata: Metadata, environ: Mapping[str, Any]
    ) -> None:
        self._streams = streams
        self.address = site(environ.get(ADDRESS, ""))
        """The address that the stream is counted for."""
        self.counted_as: tuple[Hashable, ...] = ()
        """What else it is counted for: see `Streams.admit_viewer`."""
        self._message, self._metadata = message, dict(metadata)
        self._after: str = message.after
        """The last event that the client has."""
        self._late = self._stopped = False
        self._call: ServiceStream | None = call
        """The client's own stream of the service; None when it has joined a shared one."""
        self._socket: ClientSocket = environ["gunicorn.socket"]
        self._in_chunks = environ.get("SERVER_PROTOCOL") == "HTTP/1.1"
        self._first: Any = None
        """The first message, until the event loop has it."""
        self._member: Membership | None = None
        self._running: asyncio.Task[None] | None = None
        self._ended: Callable[[bool], object] = bool
        """Called when the stream does not use the socket any more."""

    # -- In a thread of the pool -----------------------------------------------------------------------------------

    def open(self) -> None:
        """Wait for the beginning of the stream; raises Problem if the service refuses it."""
        loop = self._streams.loop
        cancel_on_disconnect(lambda: loop.soon(self._cancel))
        self._first = loop.run(self._begin()).result()
        self._admit(self._first)

    async def _begin(self) -> Any:
        assert self._call is not None
        late = asyncio.get_running_loop().call_later(limits.CALL_SECONDS, self._give_up)
        try:
            first = await self._call.read()
        except grpc.RpcError as error:
            if self._late:
                raise Problem("DEADLINE_PASSED", "The service did not begin the stream in time.") from None
            raise _going_away() if self._stopped else from_rpc_error(error) from None
        finally:
            late.cancel()
        if first is None:
            raise Problem("INTERNAL_ERROR", "The service sent an empty stream.")
        if self._stopped:
            raise _going_away()
        return first

    def _admit(self, first: Any) -> None:
        """Count the stream for its viewer. Raise Problem if there are too many."""
        view = first.snapshot.view
        self._streams.admit_viewer(self, self._message.game, view.viewer if view.HasField("viewer") else None)

    def __iter__(self) -> Iterator[bytes]:
        """Return the beginning of the stream, as gunicorn's thread sends it. Everything else comes from the loop."""
        yield retry_text(self._streams.reconnect_chance) + self._beginning(self._first)
        self._socket.stream = self

    def _beginning(self, first: Any) -> bytes:
        text = part_of(first).text
        if self._resumed:
            return text
        self._after = first.snapshot.last_event
        return (b"id: %s\n" % self._after.encode() if self._after else b"") + text

    @property
    def _resumed(self) -> bool:
        return bool(self._message.after) or self._message.HasField("from_version")

    def take_over(self, ended: Callable[[bool], object]) -> None:
        """Let the event loop send the rest of the stream. Call `ended` when it does not use the socket any more."""
        self._ended = ended
        self._streams.loop.soon(self._start)

    def close(self) -> None:
        """Free the place of the stream, unless the event loop has it: the beginning could not be sent."""
        if self._socket.stream is not self:
            self._streams.left(self)
            self._streams.loop.soon(self._cancel)

    # -- In the event loop -----------------------------------------------------------------------------------------

    def _start(self) -> None:
        client = SseClient(self._socket, self._over, in_chunks=self._in_chunks)
        self._subscriber = Subscriber(client)
        self._running = asyncio.create_task(self._run(client))

    async def _run(self, client: SseClient) -> None:
        """Send what the client's own stream of the service says. Then leave the client to the shared stream, or end."""
        first, self._first = self._first, None
        try:
            joined = await self._own(first, client)
        except grpc.RpcError as error:
            failed: Any = error
            if self._stopped or failed.code() in LOST:
                client.send_text(resume_text(self._after, STOPPING))
            joined = False
        except Exception:
            _log.exception("A stream was ended because of a defect.")
            client.disconnect()
            return
        self._running = None
        if not joined:
            client.finish()

    async def _own(self, first: Any, client: SseClient) -> bool:
        """Send everything until the client has joined a shared stream. Return False if its own stream ends before, or
        the client leaves."""
        call, snapshot = self._call, part_of(first)
        assert call is not None
        key = self.sharing_key(first) if may_follow(first.snapshot.last_event, self._after) else None
        needed = snapshot.position  # everything up to the first snapshot was missed, and comes at once
        while not client.over:  # it may have gone while something was read or sent
            position = position_of(self._after)
            if key is not None and position >= needed:
                if self._member is None:
                    own = OwnStream(call, snapshot, position)
                    self._member = self._streams.shared.join(key, self._subscriber, own)
                    needed = self._member.position
                if position >= needed:
                    self._change_over(self._member, call, client)
                    return True
            message = await call.read()
            if message is None:
                return False
            part = part_of(message)
            self._after = part.id or self._after
            if part.kind == SNAPSHOT:
                snapshot = part
            client.send(part)
            await client.until_drained()
        return False

    def _change_over(self, member: Membership, call: ServiceStream, client: SseClient) -> None:
        """Go on with the shared stream."""
        self._call = None
        if not member.is_first:
            call.cancel()
        client.drained = self._subscriber.go_on
        self._subscriber.start(position_of(self._after), self._after)
        if self._stopped:
            self._subscriber.end(STOPPING)

    def sharing_key(self, first: Message) -> Hashable | None:
        """Return what all clients of a shared stream have in common; None if the stream cannot be shared.

        They need the same credentials: a host sees more of some games than other spectators do. A ticket does not tell
        the token of its seat: see `shared_streams.py`."""
        message = self._message
        if message.past_only:
            return None
        languages = self._metadata.get("accept-language")
        language = choose_language(languages) if languages is not None else None
        view = first.snapshot.view
        viewer = view.viewer if view.HasField("viewer") else None
        if viewer is not None and message.ticket:
            return None
        credentials, include = self._metadata.get("authorization"), frozenset(message.include)
        return message.game, language, message.snapshots, message.reactions, include, viewer, credentials

    def stop(self) -> None:
        """End the stream with `resume`."""
        self._stopped = True
        if self._call is None:
            self._subscriber.end(STOPPING)
        self._cancel()

    def _give_up(self) -> None:
        """End a stream that does not begin."""
        self._late = True
        self._cancel()

    def _cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _over(self, whole: bool) -> None:
        """The client has everything, or has gone: leave the shared stream, free the place, give the socket back."""
        self._cancel()
        self._subscriber.close()
        if self._member is not None:
            self._streams.shared.leave(self._member)
            self._member = None
        self._streams.left(self)
        self._ended(whole)


class NoticeStream(EventStream):
    """A stream of notices. Each client has its own stream of the service, which counts the streams of each host and
    seat."""

    source = NoticeServiceStream

    def _admit(self, first: Any) -> None:
        pass

    def _beginning(self, first: Any) -> bytes:
        self._after = first.id
        return notice_text(first)

    async def _own(self, first: Any, client: SseClient) -> bool:
        call = self._call
        assert call is not None
        while (message := await call.read()) is not None:
            self._after = message.id
            client.send_text(notice_text(message))
            await client.until_drained()
        return False


def _too_many(what: str, limit: int) -> Problem:
    detail = f"{what}: try again later, or poll with JSON pages."
    wait = {"Retry-After": str(limits.STREAM_RETRY_SECONDS)}
    return Problem("WATCHERS_EXCEEDED", detail, {"limit": limit}, headers=wait)


def _going_away() -> Problem:
    return Problem("STORE_UNAVAILABLE", "This gateway is stopping: another one answers.")


def _resume_where(message: Any, last: str) -> None:
    """Let the header Last-Event-ID win over the query: a browser reconnects with the address that it began with."""
    if last:
        if "from_version" in message.DESCRIPTOR.fields_by_name:
            message.ClearField("from_version")
        message.after = last
