"""The private parts of grpcio that the gateway uses, all in this file and nowhere else.

A unary call is made by grpcio's blocking path, which is the fastest and has no public way to cancel a call from another
thread. The object that can do it is noted here when a call begins, so that the call is cancelled when its client hangs
up, or when its service has fallen silent. What is used:

    UnaryUnaryMultiCallable._channel     the channel of a call, replaced by one that notes the calls it begins
    cygrpc.Channel.segregated_call       begins a blocking call
    cygrpc.SegregatedCall.cancel         cancels it
    "failed to connect to all addresses" the details of a call that was not sent because there is no connection. Only
                                         the words of a problem depend on it: see `was_not_sent`.

`pyproject.toml` caps the version of grpcio, a version without these parts is refused at the start (`missing`), and
`tests/gateway/test_grpc_parts.py` tries each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import get_ident
from typing import Any

import grpc

from ..connections.thread_pool import cancel_on_disconnect

_cygrpc: Any = import_module("grpc._cython.cygrpc")
_multi_callable: Any = import_module("grpc._channel")._UnaryUnaryMultiCallable

PARTS: tuple[tuple[Any, str], ...] = (
    (_multi_callable, "_channel"),
    (_cygrpc.Channel, "segregated_call"),
    (_cygrpc.SegregatedCall, "cancel"),
)
_CANCELLED = grpc.StatusCode.CANCELLED.value[0]
_NO_CONNECTION = "failed to connect to all addresses"

Running = dict[int, Any]
"""Calls that a thread waits for, by the id of the thread."""
OnTrailers = Callable[[Any], None]
"""Called with the trailers of a call: pairs of names and values, or None."""


def missing() -> list[str]:
    """Return the names of private parts that this version of grpcio does not have; empty if it can be used."""
    return [f"{part.__name__}.{name}" for part, name in PARTS if not hasattr(part, name)]


class NotingChannel:
    """The channel of a call, which notes how to cancel each call that it begins: for the client of the calling thread,
    and in `running` by thread. The caller removes the note when the call has ended."""

    __slots__ = ("_channel", "_running")

    def __init__(self, channel: Any, running: Running) -> None:
        self._channel = channel
        self._running = running

    def segregated_call(self, *given: Any) -> Any:
        """Begin a call that blocks the calling thread."""
        call = self._channel.segregated_call(*given)
        self._running[get_ident()] = call
        cancel_on_disconnect(lambda: call.cancel(_CANCELLED, "The client has disconnected."))
        return call


def cancellable(call: Any, running: Running, on_trailers: OnTrailers | None = None) -> Any:
    """Return a blocking call that is cancelled when the client of the calling thread disconnects, and that is noted in
    `running` until the caller removes it. `on_trailers` is called with the trailers of each call, whether it was
    answered or refused."""
    call._channel = NotingChannel(call._channel, running)
    if on_trailers is None:
        return call
    with_call = call.with_call

    def with_trailers(request: Any, timeout: float, metadata: Any) -> Any:
        try:
            answer, ended = with_call(request, timeout, metadata)
        except grpc.RpcError as error:
            refused: Any = error
            on_trailers(refused.trailing_metadata())
            raise
        on_trailers(ended.trailing_metadata())
        return answer

    return with_trailers


def cancel_running(running: Running) -> None:
    """Cancel every call that is noted. Calls that have ended are not changed."""
    for call in running.copy().values():
        call.cancel(_CANCELLED, "The service has fallen silent.")


def was_not_sent(error: Any) -> bool:
    """Return whether a failed call was certainly not sent, because there is no connection. False if that is unknown."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and _NO_CONNECTION in (error.details() or "")
