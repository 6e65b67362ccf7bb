"""One client of a shared stream, with a bounded queue.

A message is sent at once if the client has everything before it. Otherwise it waits in the queue until the client has
read. If the queue is full, the client has fallen behind: what is in the queue is dropped, and its stream ends with
`resume`, which says after which event to go on. Nothing is lost by that.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from .. import limits
from .sse_parts import EVENT, KEEP_ALIVE, SNAPSHOT, Part, Position, resume_text

FELL_BEHIND, STOPPING = "fell_behind", "stopping"
"""Reasons of `resume` that the gateway itself gives."""
WENT_BACK = "went_back"
"""The reason of the service after which a client forgets the events that it has."""


class Client(Protocol):
    """A client, which takes messages as fast as it reads (`sse_client.py`)."""

    @property
    def idle(self) -> bool:
        """Whether everything was sent."""

    def send(self, part: Part) -> None:
        """Send a message."""

    def send_text(self, text: bytes) -> None:
        """Send a message that only this client gets."""

    def finish(self) -> None:
        """End the answer when everything has been sent."""


class Subscriber:
    """A client of a shared stream. Only the event loop uses it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._queue: deque[Part] = deque()
        self._position: Position | None = None
        """The last event that the client has or that waits for it; None until `start`."""
        self._after = ""
        """The last event that was sent: where the client resumes."""
        self._ended = False
        self._because = ""

    def offer(self, part: Part) -> None:
        """Send a message, or put it into the queue."""
        if self._ended or not self._is_new(part):
            return
        started = self._position is not None
        if started and part.kind == EVENT:
            self._position = part.position
        if started and not self._queue and self._client.idle:
            self._send(part)
        elif part.kind == KEEP_ALIVE:
            return  # the client has something to read anyway
        elif len(self._queue) >= limits.STREAM_QUEUE:
            self._queue.clear()
            self.end(FELL_BEHIND)
        else:
            self._queue.append(part)

    def _is_new(self, part: Part) -> bool:
        """Whether the client needs a message: not an event that it has, nor a snapshot from before such an event."""
        if self._position is None or part.kind not in (EVENT, SNAPSHOT):
            return True
        return part.position > self._position or (part.kind == SNAPSHOT and part.position == self._position)

    def start(self, position: Position, after: str) -> None:
        """Begin after this event, which was sent to the client by other means. Messages before it are dropped."""
        self._position, self._after = position, after
        waiting, self._queue = self._queue, deque()
        for part in waiting:
            if self._is_new(part):
                self._queue.append(part)
                if part.kind == EVENT:
                    self._position = part.position
        self.go_on()

    def go_on(self) -> None:
        """Send what waits in the queue, as far as the client takes it, and then the end of the stream."""
        if self._position is None:
            return
        while self._queue and self._client.idle:
            self._send(self._queue.popleft())
        if self._ended and not self._queue:
            if self._because:
                after = self._after if self._because != WENT_BACK else ""
                self._client.send_text(resume_text(after, self._because))
            self._client.finish()

    def _send(self, part: Part) -> None:
        self._after = part.id or self._after
        self._client.send(part)

    def end(self, because: str) -> None:
        """End the stream after what is in the queue: with `resume` if there is a reason, otherwise without."""
        if not self._ended:
            self._ended, self._because = True, because
            self.go_on()

    def close(self) -> None:
        """Forget everything, because the client has gone."""
        self._ended, self._because = True, ""
        self._queue.clear()
