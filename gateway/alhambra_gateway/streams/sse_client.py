"""The client of one stream: its socket, while the event loop of streams uses it.

Nothing waits for the client. What it does not take at once is kept, and sent when its socket has room again. A client
that reads nothing for STALLED_SECONDS while something is kept for it is disconnected. Clients send nothing more, so
their socket becomes readable only when they disconnect.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from .. import limits
from ..connections.connection import ClientSocket
from .sse_parts import Part, chunk_of

END = b"0\r\n\r\n"
"""The last chunk of an answer."""


def _nothing() -> None:
    """Stand for `drained` until someone wants to know."""


class SseClient:
    """A client. Only the event loop uses it."""

    def __init__(self, client: ClientSocket, ended: Callable[[bool], object], *, in_chunks: bool) -> None:
        self._socket = client
        self._in_chunks = in_chunks
        self._ended = ended
        """Called once, with True when the client has the whole answer, with False if it has disconnected."""
        self.drained: Callable[[], object] = _nothing
        """Called when everything that was kept has been sent."""
        self._loop = asyncio.get_running_loop()
        self._number = client.fileno()
        self._over = self._finishing = False
        self._progress = 0.0
        """When the client last took something, on the clock of the loop."""
        self._stalled: asyncio.TimerHandle | None = None
        self._loop.add_reader(self._number, self._readable)
        if client.unsent:
            self._wait()

    @property
    def idle(self) -> bool:
        """Whether everything was sent."""
        return not self._socket.unsent

    @property
    def over(self) -> bool:
        """Whether the client has the whole answer, or has disconnected."""
        return self._over

    def send(self, part: Part) -> None:
        """Send a message, or keep what the client does not take now."""
        self._send(part.chunk if self._in_chunks else part.text)

    def send_text(self, text: bytes) -> None:
        """Send a message that only this client gets."""
        self._send(chunk_of(text) if self._in_chunks else text)

    def finish(self) -> None:
        """End the answer when everything has been sent."""
        if self._in_chunks:
            self._send(END)
        self._finishing = True
        if self.idle:
            self._end(whole=True)

    def disconnect(self) -> None:
        """End the answer at once."""
        self._end(whole=False)

    async def until_drained(self) -> None:
        """Wait until everything was sent, or the client has gone."""
        if self.idle or self._over:
            return
        drained = asyncio.Event()
        self.drained = drained.set
        await drained.wait()
        self.drained = _nothing

    def _send(self, data: bytes) -> None:
        unsent = self._socket.unsent
        if self._over or self._finishing:
            return
        if unsent:
            unsent += data
            return
        try:
            sent = self._socket.send_now(data)
        except OSError:
            self._end(whole=False)
            return
        if sent < len(data):
            unsent += memoryview(data)[sent:]
            self._wait()

    def _wait(self) -> None:
        """Send the rest as the client reads."""
        self._loop.add_writer(self._number, self._writable)
        self._progress = self._loop.time()
        self._stalled = self._loop.call_later(limits.STALLED_SECONDS, self._check_stalled)

    def _writable(self) -> None:
        try:
            if self._socket.flush():
                self._progress = self._loop.time()
        except OSError:
            self._end(whole=False)
            return
        if self.idle:
            self._stop_waiting()
            if self._finishing:
                self._end(whole=True)
            else:
                self.drained()

    def _stop_waiting(self) -> None:
        self._loop.remove_writer(self._number)
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _check_stalled(self) -> None:
        left = self._progress + limits.STALLED_SECONDS - self._loop.time()
        if left > 0:
            self._stalled = self._loop.call_later(left, self._check_stalled)
        else:
            self._end(whole=False)

    def _readable(self) -> None:
        """The client has disconnected, or sends something that nobody reads before the stream ends."""
        self._loop.remove_reader(self._number)
        try:
            gone = not self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            gone = False
        except OSError:
            gone = True
        if gone:
            self._end(whole=False)

    def _end(self, *, whole: bool) -> None:
        if not self._over:
            self._over = True
            self._loop.remove_reader(self._number)
            self._stop_waiting()
            self.drained()
            self._ended(whole)
