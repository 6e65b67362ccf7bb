"""Streams of the service, read by an event loop: thousands of them need one thread.

grpcio's blocking interface needs a thread for each stream that is read, so streams have a channel of its asynchronous
interface beside the one for unary calls.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import Context
from time import monotonic as clock
from typing import Any

import grpc

from .. import limits

_log = logging.getLogger(__name__)

_NO_ANSWER = (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
Ask = Callable[[grpc.aio.Channel, float], Awaitable[tuple[grpc.StatusCode, str]]]
"""Asks over a channel for the health of its service, and waits for a number of seconds at most. Returns how the call
has ended, and the name of the process that has answered."""


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
    """A channel for streams. It is opened with the first stream, because it belongs to the event loop of that.

    Its connection may lead to another process than the one for unary calls. So it is asked for itself whether it
    answers, as long as streams are open over it. If its process hangs, its streams are cancelled, and the next one gets
    a new connection, for which the kernel draws a process anew."""

    def __init__(
        self,
        address: str,
        connect: Callable[[], grpc.aio.Channel],
        forms: dict[str, Any],
        ask: Ask,
        others_answer: Callable[[], bool],
    ) -> None:
        self._address = address
        self._connect = connect
        self._forms = forms
        """How requests are written and answers are read, by RPC."""
        self._ask = ask
        self._others_answer = others_answer
        """Whether a service answers at which a stream could go on."""
        self.process: str | None = None
        """The name of the process that its streams come from, "" if it has none; None if it is not known."""
        self._channel: grpc.aio.Channel | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._calls: set[Any] = set()
        """Open streams."""
        self._watching: asyncio.Task[None] | None = None
        self._finding: asyncio.Task[str | None] | None = None

    def open(self, rpc: str, request: Any, metadata: Any) -> StreamCall:
        """Open a stream without a deadline. Raise grpc.aio.UsageError if the channel was closed. Only the event loop
        may call this."""
        calls: Any = self._connected().unary_stream(rpc, *self._forms[rpc])
        call = calls(request, metadata=metadata)
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        if self._watching is None or self._watching.done():
            watching = self._watch()  # on behalf of no request
            self._watching = asyncio.get_running_loop().create_task(watching, context=Context())
        return StreamCall(call)

    async def find_process(self) -> str | None:
        """Return the name of the process that streams come from, "" if it has none; None if it does not answer. Only
        the event loop may call this."""
        if self.process is not None:
            return self.process
        if self._finding is None or self._finding.done():
            self._finding = asyncio.create_task(self._find())
        return await self._finding

    async def _find(self) -> str | None:
        for _ in range(1 + limits.SPARE_TRIES):
            channel = self._connected()
            code, name = await self._ask(channel, limits.SERVICE_SILENT_SECONDS)
            if code not in _NO_ANSWER:
                if channel is self._channel:
                    self.process = name
                return name
            if code is not grpc.StatusCode.DEADLINE_EXCEEDED or self._calls or not self._others_answer():
                break
            await self._leave(channel)
        return None

    async def _watch(self) -> None:
        """Check the connection while streams are open over it. If it does not answer, cancel them."""
        while self._calls:
            await asyncio.sleep(limits.CHECK_SECONDS)
            channel = self._connected()
            if not await self._answers(channel):
                _log.warning("The service at %s does not answer its streams, which are opened again.", self._address)
                await self._leave(channel)

    async def _answers(self, channel: grpc.aio.Channel) -> bool:
        """Return False if a check is not answered for CHECK_ANSWER_SECONDS, or for SERVICE_SILENT_SECONDS while others
        answer. If this process itself stood still, the answer may wait to be read: then nothing is called silent."""
        asked = asyncio.ensure_future(self._ask(channel, limits.CHECK_ANSWER_SECONDS))
        began = last = clock()
        stood_still = False
        while not asked.done():
            await asyncio.wait({asked}, timeout=limits.CHECK_TICK_SECONDS)
            now = clock()
            if now - last > limits.SERVICE_SILENT_SECONDS:
                began, stood_still = now, True
            last = now
            if now - began > limits.SERVICE_SILENT_SECONDS and self._others_answer():
                return asked.done()
        return stood_still or asked.result()[0] is not grpc.StatusCode.DEADLINE_EXCEEDED

    async def _leave(self, channel: grpc.aio.Channel) -> None:
        """Close a connection, which cancels its streams. The next stream opens another one."""
        if channel is self._channel:
            self._channel = self.process = None
            await channel.close()

    def _connected(self) -> grpc.aio.Channel:
        if self._channel is None:
            self._channel, self._loop = self._connect(), asyncio.get_running_loop()
        return self._channel

    def close(self) -> None:
        """Cancel every stream and close the connection. Any thread may call this."""
        channel, loop = self._channel, self._loop
        if channel is not None and loop is not None:
            asyncio.run_coroutine_threadsafe(channel.close(), loop)
