"""The private parts of grpcio that the gateway uses, all in this file and nowhere else.

A unary call is made by grpcio's blocking path, which is the fastest and has no public way to cancel a call from another
thread. The object that can do it is noted here when a call begins, so that the call is cancelled when its client hangs
up. What is used:

    UnaryUnaryMultiCallable._channel     the channel of a call, replaced by one that notes the calls it begins
    cygrpc.Channel.segregated_call       begins a blocking call
    cygrpc.SegregatedCall.cancel         cancels it

`pyproject.toml` caps the version of grpcio, a version without these parts is refused at the start (`missing`), and
`tests/gateway/test_grpc_parts.py` tries each of them.
"""

from __future__ import annotations

from importlib import import_module
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
_CANCELLED, _WHY = grpc.StatusCode.CANCELLED.value[0], "The client has hung up."


def missing() -> list[str]:
    """Return the names of private parts that this version of grpcio does not have; empty if it can be used."""
    return [f"{part.__name__}.{name}" for part, name in PARTS if not hasattr(part, name)]


class NotingChannel:
    """The channel of a call, which notes for the calling thread how to cancel each call that it begins."""

    __slots__ = ("_channel",)

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def segregated_call(self, *given: Any) -> Any:
        """Begin a call that blocks the calling thread."""
        call = self._channel.segregated_call(*given)
        cancel_on_disconnect(lambda: call.cancel(_CANCELLED, _WHY))
        return call


def cancellable(call: Any) -> Any:
    """Return a blocking call that is cancelled when the client of the calling thread hangs up."""
    call._channel = NotingChannel(call._channel)
    return call
