"""One watcher: a bounded queue of messages, and the stream that sends them.

Other threads put messages into the queue and never wait. If the queue is full, the watcher has fallen behind: the queue
is emptied and the stream ends with `resume`, which says where to continue. No event is lost, because the log has them
all. A watcher that does not even read `resume` is disconnected after WATCHER_LINGER_SECONDS.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing

import grpc

from alhambra_api.v1 import events_pb2

from .. import limits
from ..messages.refusals import Refusal
from .send_turns import Turn, Turns

Message = events_pb2.WatchEventsResponse

Reader = tuple[int | None, str | None]
"""The reader of a stream: a seat or a spectator, and a language."""

FELL_BEHIND, STOPPING, MORE, DELETED = "fell_behind", "stopping", "more", "deleted"
"""Why the server ends a stream."""


class Watcher:
    """An open stream. `messages` runs in its own thread; other threads call everything else."""

    def __init__(
        self,
        context: grpc.ServicerContext,
        turns: Turns,
        viewer: int | None,
        *,
        token: str = "",
        language: str | None = None,
        snapshots: bool = False,
    ) -> None:
        self.viewer = viewer
        """The seat that watches; None for a spectator."""
        self.token = token
        """The digest of the seat's token when the stream was opened. The token must stay valid."""
        self.reader: Reader = (viewer, language)
        self.snapshots = snapshots
        self._context = context
        self._turns = turns
        self._turn = Turn()
        self._lock = threading.Lock()
        self._queue: deque[Message] = deque()
        self._because = ""
        self._status: Refusal | None = None
        self._ended = 0.0
        self._gone = False
        self._began = time.monotonic()
        self._sending = 0.0
        """When sending of the present message began; 0 if none is being sent."""

    # -- For threads that send ------------------------------------------------------------------------------------

    def tell(self, messages: Sequence[Message]) -> None:
        """Queue messages. Never waits."""
        with self._lock:
            if self._ended or self._gone:
                return
            if len(self._queue) + len(messages) > limits.WATCHER_QUEUE:
                self._end(FELL_BEHIND)
            else:
                self._queue.extend(messages)
        self._turns.ask(self._turn)

    def keep_alive(self, message: Message) -> None:
        """Queue a keep-alive, unless other messages wait."""
        with self._lock:
            idle = not self._queue and not self._turn.busy
        if idle:
            self.tell([message])

    def end(self, because: str = "", status: Refusal | None = None) -> None:
        """End the stream after the queued messages, with this status, and with `resume` if a reason is given."""
        with self._lock:
            if not self._ended:
                self._end(because, status, keep=True)
        self._turns.ask(self._turn)

    def _end(self, because: str, status: Refusal | None = None, *, keep: bool = False) -> None:
        self._because, self._status, self._ended = because, status, time.monotonic()
        if not keep:
            self._queue.clear()

    def close(self) -> None:
        """End the stream of a caller that has disconnected."""
        with self._lock:
            self._gone = True
            self._queue.clear()
        self._turns.ask(self._turn)

    def look_over(self, now: float) -> None:
        """Disconnect the watcher if it takes too long to read a message, or does not read the end of its stream. Tell
        it to resume if the stream is so old that its connection will be closed."""
        with self._lock:
            stuck = self._sending and now - self._sending > limits.WATCHER_STUCK_SECONDS
            stuck = stuck or (self._ended and now - self._ended > limits.WATCHER_LINGER_SECONDS)
        if stuck:
            self._context.cancel()
        elif now - self._began > limits.WATCHING_SECONDS:
            self.end(STOPPING)

    # -- In its own thread -----------------------------------------------------------------------------------------

    def messages(self, opening: Callable[[], Iterable[Message]], told: str) -> Iterator[Message]:
        """Generate the messages of the stream: first the opening, then queued messages. `told` is the last event that
        the watcher knows if nothing is sent."""
        with closing(self._messages(opening, told)) as messages:
            for message in messages:
                self._sending = time.monotonic()
                yield message
                self._sending = 0.0

    def _messages(self, opening: Callable[[], Iterable[Message]], told: str) -> Generator[Message, None, None]:
        turns, turn = self._turns, self._turn
        turns.ask(turn)
        try:
            turns.wait(turn)
            begun = False
            for message in opening():
                if self._gone:
                    return
                if self._ended and begun:  # the queue does not continue what was sent
                    yield from self._farewell(told)
                    return
                yield message
                if message.HasField("event"):
                    begun, told = True, message.event.id
            while not self._gone:
                waiting = self._next()
                if waiting is not None:
                    yield waiting
                    told = waiting.event.id or told
                elif self._ended:
                    yield from self._farewell(told)
                    return
                else:
                    turns.done(turn)
                    turns.wait(turn)
        finally:
            turns.leave(turn)

    def _next(self) -> Message | None:
        with self._lock:
            return self._queue.popleft() if self._queue else None

    def _farewell(self, told: str) -> Iterator[Message]:
        if self._because:
            yield Message(resume=events_pb2.Resume(after=told, because=self._because))
        if self._status is not None:
            raise self._status
