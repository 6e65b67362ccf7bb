"""The calls of one channel, by RPC: each is made when it is needed first."""

from __future__ import annotations

from typing import Any, NamedTuple

import grpc

from ..routing.routes import compile_routes
from .grpc_parts import OnTrailers, Running, cancellable


class TrailerListeners(NamedTuple):
    """What is called with the trailers of unary calls, in the thread that made the call."""

    of_all: OnTrailers | None = None
    of_changes: OnTrailers | None = None
    """Called for calls that take a request id only: others need not ask for their trailers."""

    def of(self, rpc: str) -> OnTrailers | None:
        """Return what is called with the trailers of an RPC; None if nothing is."""
        first, second = self.of_all, self.of_changes if rpc in _WITH_REQUEST_ID else None
        if first is None or second is None:
            return first or second

        def both(trailers: Any) -> None:
            first(trailers)
            second(trailers)

        return both


class UnaryCalls(dict[str, Any]):
    """Unary calls over one channel, by RPC; each is made when it is needed first."""

    def __init__(self, channel: grpc.Channel, running: Running, listeners: TrailerListeners) -> None:
        super().__init__()
        self._channel, self._running, self._listeners = channel, running, listeners

    def __missing__(self, rpc: str) -> Any:
        request, response = FORMS[rpc]
        on_trailers = self._listeners.of(rpc)
        made = cancellable(self._channel.unary_unary(rpc, request, response), self._running, on_trailers)
        return self.setdefault(rpc, made)


class StreamCalls(dict[str, Any]):
    """Calls that are answered with streams over one channel, by RPC; each is made when it is needed first."""

    def __init__(self, channel: grpc.Channel) -> None:
        super().__init__()
        self._channel = channel

    def __missing__(self, rpc: str) -> Any:
        return self.setdefault(rpc, self._channel.unary_stream(rpc, *FORMS[rpc]))


_WITH_REQUEST_ID = {route.rpc for route in compile_routes() if route.asks_for("request_id")}
FORMS = {
    route.rpc: (route.request.SerializeToString, bytes if route.unchanging else route.response.FromString)
    for route in compile_routes()
}
"""How requests are written and answers are read, by RPC. An answer that seldom changes stays bytes: its JSON may be
kept already."""
