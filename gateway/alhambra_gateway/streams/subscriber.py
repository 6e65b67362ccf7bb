"""One client of a shared stream: a bounded queue, and a way past it for clients that read as fast as events come.

The thread of the shared stream never waits for a client. If everything before a message was sent, it sends the message
itself, without waking the client's thread. What the client does not take at once goes into the queue, which the
client's own thread sends. If the queue is full, the client has fallen behind: what is in the queue is dropped, and its
stream ends with `resume`, which says after which event to go on. Nothing is lost by that.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from .. import limits
from ..connections.connection import ClientSocket
from .sse_parts import EVENT, KEEP_ALIVE, SNAPSHOT, Part, Position, resume_text

FELL_BEHIND, STOPPING = "fell_behind", "stopping"
"""Reasons of `resume` that the gateway itself gives."""
WENT_BACK = "went_back"
"""The reason of the service after which a client forgets the events that it has."""


class Subscriber:
    """A client of a shared stream. `texts` runs in the client's thread, everything else in any thread."""

    def __init__(self, client: ClientSocket | None) -> None:
        """`client` is the socket of an answer in chunks; None if all messages must go through the queue."""
        self._client = client
        self._changed = threading.Condition()
        self._queue: deque[Part] = deque()
        self._rest = memoryview(b"")
        """The end of a chunk whose beginning was sent by the thread of the shared stream."""
        self._position: Position | None = None
        """The last event that the client has or that waits for it; None until `start`."""
        self._after = ""
        """The last event that was sent: where the client resumes."""
        self._waiting = False
        """Whether the client's thread has nothing to send."""
        self._ended = False
        self._because = ""

    def offer(self, part: Part) -> None:
        """Send a message, or put it into the queue. Never waits."""
        with self._changed:
            if self._ended or not self._is_new(part):
                return
            if self._position is not None and part.kind == EVENT:
                self._position = part.position
            if self._waiting and self._client is not None and not self._queue and not self._rest:
                self._send_now(part, self._client)
            elif part.kind == KEEP_ALIVE:
                return  # the client has something to read anyway
            elif len(self._queue) >= limits.STREAM_QUEUE:
                self._end(FELL_BEHIND, drop=True)
            else:
                self._queue.append(part)
                self._changed.notify()

    def _is_new(self, part: Part) -> bool:
        """Whether the client needs a message: not an event that it has, nor a snapshot from before such an event."""
        if self._position is None or part.kind not in (EVENT, SNAPSHOT):
            return True
        return part.position > self._position or (part.kind == SNAPSHOT and part.position == self._position)

    def _send_now(self, part: Part, client: ClientSocket) -> None:
        try:
            sent = client.send_now(part.chunk)
        except OSError:  # the client has disconnected
            self._end("", drop=True)
            return
        self._after = part.id or self._after
        if sent < len(part.chunk):
            self._rest = memoryview(part.chunk)[sent:]
            self._changed.notify()

    def start(self, position: Position, after: str) -> None:
        """Begin after this event, which was sent to the client by other means. Messages before it are dropped."""
        with self._changed:
            self._position, self._after = position, after
            waiting, self._queue = self._queue, deque()
            for part in waiting:
                if self._is_new(part):
                    self._queue.append(part)
                    if part.kind == EVENT:
                        self._position = part.position

    def end(self, because: str) -> None:
        """End the stream after what is in the queue: with `resume` if there is a reason, otherwise without."""
        with self._changed:
            if not self._ended:
                self._end(because)

    def close(self) -> None:
        """End the stream at once, because the client has disconnected."""
        with self._changed:
            self._end("", drop=True)

    def _end(self, because: str, *, drop: bool = False) -> None:
        self._ended, self._because = True, because
        if drop:
            self._queue.clear()
        self._changed.notify()

    def texts(self) -> Iterator[bytes]:
        """Return what the client's thread has to send, until the stream ends. Raise OSError if the client does not
        read."""
        while True:
            rest, part = self._next()
            if rest and self._client is not None:
                self._client.send_and_wait(rest)
            elif part is not None:
                yield part.text
            else:
                break
        if self._because:
            yield resume_text(self._after if self._because != WENT_BACK else "", self._because)

    def _next(self) -> tuple[memoryview, Part | None]:
        """Wait for something to send. Both values are empty if the stream has ended."""
        with self._changed:
            self._waiting = True
            self._changed.wait_for(lambda: self._rest or self._queue or self._ended)
            self._waiting = False
            rest, self._rest = self._rest, memoryview(b"")
            part = self._queue.popleft() if self._queue and not rest else None
            if part is not None:
                self._after = part.id or self._after
            return rest, part
