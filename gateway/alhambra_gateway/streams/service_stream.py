"""A stream of events that goes on at another service when its own service stops, dies or falls silent.

The reader gets every event once and in order. The stream is opened again after the last event that the reader has. It
begins with a snapshot there, as every stream does; the reader gets that snapshot when it has the events that the
snapshot contains.

A stream that was opened with a ticket cannot be opened a second time, because a ticket is valid once. It ends with the
error of its connection, or with `resume`.
"""

from __future__ import annotations

from typing import Any

import grpc

from alhambra_api.v1 import events_pb2

from .. import limits
from ..refusals.problem import Problem
from ..upstream.client import Metadata, Upstream
from ..upstream.failures import is_lost, is_stopping, was_left_undone
from ..upstream.service_channels import ServiceChannel
from ..upstream.stream_calls import StreamCall
from .sse_parts import EVENT, KEEP_ALIVE, NOTICE, OPENED, RESUME, SNAPSHOT, position_of
from .subscriber import FELL_BEHIND, STOPPING


class ServiceStream:
    """The messages of one stream. Only the event loop uses it."""

    def __init__(self, upstream: Upstream, rpc: str, request: Any, metadata: Metadata) -> None:
        self._upstream = upstream
        self._rpc, self._metadata = rpc, metadata
        self._request = type(request)()
        self._request.CopyFrom(request)
        self._after: str | None = None if request.after or self._begins_with_past(request) else ""
        """The last event that the reader has, or that its first snapshot contains; None if the reader resumes and has
        no event yet, so that the request says where to begin."""
        self._begun = False
        self._failed = self._undone = 0
        """Failed attempts since the last event."""
        self._moved = False
        """Whether the stream was opened again, and its snapshot has not come."""
        self._held: Any = None
        """That snapshot, until the reader has the events that it contains."""
        self._cancelled = False
        self._channel: ServiceChannel | None = None
        self._call: StreamCall | None = None

    async def read(self) -> Any | None:
        """Return the next message; None at the end of the stream. Raises grpc.RpcError if the stream has failed and
        cannot go on elsewhere, and Problem if no service answers at its beginning."""
        while True:
            if self._held is not None and self._has_events_of(self._held):
                held, self._held = self._held, None
                return held
            call = self._call or await self._begin()
            try:
                message = await call.read()
            except grpc.RpcError as error:
                self._left()
                if not await self._moves_after(error):
                    raise
                continue
            if message is None:
                self._left()
                return None
            kind = message.WhichOneof("message")
            if kind is None:
                continue  # a newer service has added a kind of message
            if kind == RESUME and await self._moves_on_request(message.resume):
                continue
            if self._moved and self._begins(message):
                self._moved = False
                continue
            self._note(kind, message)
            return message

    def cancel(self) -> None:
        """End the stream."""
        self._cancelled = True
        if self._call is not None:
            self._call.cancel()
        self._left()

    def _begins_with_past(self, request: Any) -> bool:
        """Return whether a request asks for what happened before it, other than by `after`."""
        return bool(request.HasField("from_version"))

    def _begins(self, message: Any) -> bool:
        """Return whether a message is the first of a stream that was opened again. The reader gets it later, or not at
        all."""
        if message.HasField(SNAPSHOT):
            self._held = message
        return bool(message.HasField(SNAPSHOT))

    def _has_events_of(self, snapshot: Any) -> bool:
        return position_of(self._after or "") >= position_of(snapshot.snapshot.last_event)

    def _note(self, kind: str | None, message: Any) -> None:
        """Remember how far the reader has come."""
        if kind == EVENT:
            self._after = message.event.id
        elif kind == SNAPSHOT and not self._begun and self._after is not None:
            self._after = message.snapshot.last_event
        self._begun = True
        if kind in (EVENT, KEEP_ALIVE):
            self._failed = self._undone = 0

    # -- Moving ----------------------------------------------------------------------------------------------------

    async def _begin(self) -> StreamCall:
        self._channel, self._call = await self._upstream.open_stream(self._rpc, self._request, self._metadata)
        if self._cancelled:
            self._call.cancel()
        return self._call

    def _left(self) -> None:
        if self._channel is not None:
            self._channel.streams.discard(self._call)

    async def _moves_after(self, error: Any) -> bool:
        """Open the stream over another channel, if the failure allows that. Return whether it was opened."""
        if self._cancelled or self._channel is None:
            return False
        if was_left_undone(error):
            if is_stopping(error):
                self._upstream.services.stopping(self._channel)
            self._undone += 1
            return self._undone <= limits.OTHER_VERSION_TRIES and await self._reopen()
        if not is_lost(error):
            return False
        if error.code() is not grpc.StatusCode.CANCELLED:  # then it was found to be silent already
            self._upstream.services.broken(self._channel)
        return await self._moves()

    async def _moves_on_request(self, resume: events_pb2.Resume) -> bool:
        """Open the stream at another service if this one asks for it. Return whether it was opened."""
        if resume.because not in (STOPPING, FELL_BEHIND) or self._cancelled or self._channel is None:
            return False
        if resume.because == STOPPING:
            self._upstream.services.stopping(self._channel)
        return await self._moves()

    async def _moves(self) -> bool:
        self._failed += 1
        return not self._request.ticket and self._failed <= limits.SPARE_TRIES and await self._reopen()

    async def _reopen(self) -> bool:
        if self._begun and self._after is not None:
            self._ask_after(self._after)
        if self._call is not None:
            self._call.cancel()
        self._left()
        try:
            await self._begin()
        except Problem:
            return False
        self._moved, self._held = self._begun, None
        return True

    def _ask_after(self, event: str) -> None:
        """Let the request ask for what follows an event."""
        self._request.ClearField("from_version")
        self._request.after = event
        if not event:  # nothing had happened in the game: everything that happens now follows
            self._request.from_version = 0


class NoticeServiceStream(ServiceStream):
    """The messages of a stream of notices."""

    def _begins_with_past(self, request: Any) -> bool:
        return False

    def _begins(self, message: Any) -> bool:
        return bool(message.HasField(OPENED) and not message.opened.missed)

    def _note(self, kind: str | None, message: Any) -> None:
        self._after, self._begun = message.id, True
        if kind in (NOTICE, KEEP_ALIVE):
            self._failed = self._undone = 0

    def _ask_after(self, event: str) -> None:
        self._request.after = event
