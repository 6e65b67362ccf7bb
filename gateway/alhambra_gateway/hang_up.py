"""Calls of the service that end when the client hangs up.

A plain call is made by grpc's blocking path, which is the fastest and offers no way to cancel. Underneath there is an
object that can be cancelled from any thread; it is noted here for the worker. That is an inner part of grpc: where a
version does not have it, calls are not cancelled and end by their deadline.
"""

from __future__ import annotations

from typing import Any

import grpc

from .crew import give_up_with

_CANCELLED, _WHY = grpc.StatusCode.CANCELLED.value[0], "The client has hung up."


class NotingChannel:
    """The channel of a call, which notes for the calling thread how to cancel each call that it makes."""

    __slots__ = ("_channel",)

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def segregated_call(self, *given: Any) -> Any:
        """Begin a call that blocks the calling thread."""
        call = self._channel.segregated_call(*given)
        give_up_with(lambda: call.cancel(_CANCELLED, _WHY))
        return call


def cancellable(call: Any) -> Any:
    """Return a blocking call that is cancelled when the client of the calling thread hangs up."""
    channel = getattr(call, "_channel", None)
    if hasattr(channel, "segregated_call"):
        call._channel = NotingChannel(channel)
    return call
