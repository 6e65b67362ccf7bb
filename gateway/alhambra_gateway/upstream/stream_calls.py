"""Streams of the service, read by an event loop: thousands of them need one thread.

grpcio's blocking interface needs a thread for each stream that is read, so streams have a channel of its asynchronous
interface beside the one for unary calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc


class StreamCall:
    """One stream. Only the event loop reads it; any thread may cancel it."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._loop = asyncio.get_running_loop()

    async def read(self) -> Any | None:
        """Return the next message; None at the end. Raise grpc.RpcError if the stream has failed or was cancelled."""
        try:
            message = await self._call.read()
        except asyncio.CancelledError:  # the call was cancelled; tasks that read streams never are
            nothing = grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(grpc.StatusCode.CANCELLED, nothing, nothing, "Cancelled.") from None
        return None if message is grpc.aio.EOF else message

    def cancel(self) -> None:
        """End the stream."""
        self._loop.call_soon_threadsafe(self._call.cancel)


class StreamChannel:
    """A channel for streams. It is opened with the first stream, because it belongs to the event loop of that."""

    def __init__(
        self, connect: Callable[[], grpc.aio.Channel], forms: dict[str, Any], ask: Callable[[grpc.aio.Channel], Any]
    ) -> None:
        self._connect = connect
        self._forms = forms
        """How requests are written and answers are read, by RPC."""
        self._ask = ask
        """Asks over a channel for the name of the process that it leads to."""
        self.process = ""
        """The name of the process that its streams come from; empty if it is not known."""
        self._channel: grpc.aio.Channel | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, rpc: str, request: Any, metadata: Any) -> StreamCall:
        """Open a stream without a deadline. Only the event loop may call this."""
        calls: Any = self._connected().unary_stream(rpc, *self._forms[rpc])
        return StreamCall(calls(request, metadata=metadata))

    async def find_process(self) -> str:
        """Return the name of the process that streams come from; "" if it cannot be found out. Only the event loop may
        call this."""
        if not self.process:
            try:
                self.process = await self._ask(self._connected())
            except grpc.RpcError:
                return ""
        return self.process

    def _connected(self) -> grpc.aio.Channel:
        if self._channel is None:
            self._channel, self._loop = self._connect(), asyncio.get_running_loop()
        return self._channel

    def close(self) -> None:
        """Cancel every stream and close the connection. Any thread may call this."""
        channel, loop = self._channel, self._loop
        if channel is not None and loop is not None:
            asyncio.run_coroutine_threadsafe(channel.close(), loop)
