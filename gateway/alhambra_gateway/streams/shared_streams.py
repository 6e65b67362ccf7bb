"""Shared streams: one stream of the service for all clients that see the same, and each event as JSON once.

Clients see the same if they watch the same game as the same seat, or as spectators, in the same language. Every client
first opens a stream of its own, so the service checks every client, and sends its snapshot and what it has missed. Then
the client joins the shared stream, and its own stream is closed. If there is no shared stream yet, its own becomes one.

Clients share only if they sent the same credentials, or none: a host may see a game as it stands while other spectators
see it with a delay. The service ends the shared stream of a seat when its token is revoked, and then all of its clients
end too. A client with a ticket of a seat does not share: the gateway does not know
the token for which the ticket stands.

A client joins without a gap and without a repetition. It subscribes first and learns how far the shared stream is; then
it reads its own stream up to that event at least; then it drops what it has already got (`Subscriber.start`). When the
last client leaves, the stream of the service is closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from typing import Any, NamedTuple

import grpc

from .. import limits, metrics
from .service_stream import ServiceStream
from .sse_parts import EVENT, RESUME, SNAPSHOT, Part, Position, part_of
from .subscriber import STOPPING, Subscriber

_log = logging.getLogger(__name__)

LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL}
"""How a stream ends because its connection broke. Any other status is the service's own refusal, such as a revoked
token: there is nothing to resume then."""


class OwnStream(NamedTuple):
    """The stream of the service that a client has opened, and how far the client has read it."""

    call: ServiceStream
    snapshot: Part
    """The last snapshot that was read."""
    position: Position
    """The last event that was read, or that the first snapshot contains."""


class SharedStream:
    """A stream of the service, read once for all subscribers."""

    def __init__(self, own: OwnStream) -> None:
        self._call = own.call
        self._subscribers: set[Subscriber] = set()
        self._position = own.position
        self._latest: Part | None = own.snapshot if own.snapshot.position == own.position else None
        """The last snapshot, if no event came after it."""
        self._ended = False

    def subscribe(self, subscriber: Subscriber, snapshot: Part) -> Position | None:
        """Add a client that has seen this snapshot. Return the last event that it will not be offered; None if the
        stream has ended, and the client was not added.

        If the shared stream has another snapshot and no event after it, the client is offered that one too: its own
        may be from before a change that no event tells, such as a seat that was claimed."""
        if self._ended:
            return None
        if self._latest is not None and self._latest.text != snapshot.text:
            subscriber.offer(self._latest)
        self._subscribers.add(subscriber)
        return self._position

    def unsubscribe(self, subscriber: Subscriber) -> bool:
        """Remove a client. Return whether none is left."""
        self._subscribers.discard(subscriber)
        return not self._subscribers

    def close(self) -> None:
        """Close the stream of the service."""
        self._call.cancel()

    async def run(self) -> None:
        """Read the stream of the service until it ends, and offer each message to all subscribers."""
        because = ""
        try:
            while (message := await self._call.read()) is not None:
                part = part_of(message)
                if part.kind == RESUME:
                    because = message.resume.because
                    break
                await self._offer(part)
        except grpc.RpcError as error:
            failed: Any = error
            because = STOPPING if failed.code() in LOST else ""
        except Exception:  # the clients must not wait for a stream that nothing reads any more
            _log.exception("A shared stream was ended because of a defect.")
            because = STOPPING
        self._ended = True
        for subscriber in [*self._subscribers]:
            subscriber.end(because)

    async def _offer(self, part: Part) -> None:
        """Offer a message to the clients that subscribe now. A client that subscribes meanwhile knows of it already."""
        if part.kind == EVENT:
            self._position, self._latest = part.position, None
        elif part.kind == SNAPSHOT:
            self._latest = part
        for number, subscriber in enumerate([*self._subscribers], 1):
            subscriber.offer(part)
            if number % limits.OFFERED_AT_ONCE == 0:
                await asyncio.sleep(0)


class SharedStreams:
    """The shared streams of one process, by what their clients have in common. Only the event loop uses them."""

    def __init__(self) -> None:
        self._streams: dict[Hashable, SharedStream] = {}
        self._running: set[asyncio.Task[None]] = set()

    def join(self, key: Hashable, subscriber: Subscriber, own: OwnStream) -> Membership:
        """Subscribe to the shared stream with this key, or make the client's own stream the shared one."""
        found = self._streams.get(key)
        position = found.subscribe(subscriber, own.snapshot) if found is not None else None
        if found is not None and position is not None:
            return Membership(found, key, subscriber, position, is_first=False)
        made = self._streams[key] = SharedStream(own)
        made.subscribe(subscriber, own.snapshot)
        metrics.SHARED_STREAMS.inc()
        running = asyncio.create_task(made.run())
        self._running.add(running)  # the loop itself does not keep it
        running.add_done_callback(self._running.discard)
        return Membership(made, key, subscriber, own.position, is_first=True)

    def leave(self, member: Membership) -> None:
        """Unsubscribe. Close the shared stream if it has no more clients."""
        if not member.stream.unsubscribe(member.subscriber):
            return
        if self._streams.get(member.key) is member.stream:
            del self._streams[member.key]
        metrics.SHARED_STREAMS.dec()
        member.stream.close()


class Membership(NamedTuple):
    """That a client has joined a shared stream."""

    stream: SharedStream
    key: Hashable
    subscriber: Subscriber
    position: Position
    """The event up to which the client has to read its own stream."""
    is_first: bool
    """Whether its own stream has become the shared one."""
