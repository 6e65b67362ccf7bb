"""One watcher: a bounded queue of messages, and the stream that sends them.

Other threads put messages into the queue and never wait. If the queue is full, the watcher has fallen behind: its queue
is dropped, and its stream ends with `resume`, which says from which event to continue. Nothing is lost, because all
events can be read from the log. A watcher that does not read this message is disconnected after a while.

Each stream has its own thread, which sends the first and the last messages. In between the thread sleeps: new messages
are sent by the thread that adds them, and each further one when the transport has taken the one before. So a watcher
that does not read blocks no thread, and one that reads causes no thread switches.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple, Protocol

import grpc

from alhambra_api.v1 import events_pb2, webhooks_pb2

from .. import limits
from ..games.answers.game_answer import NOTHING, Include, Viewer
from ..messages.refusals import Refusal
from .send_queue import SendQueue, SendTurn

_log = logging.getLogger(__name__)

Message = events_pb2.WatchEventsResponse
AnyMessage = Message | webhooks_pb2.WatchNoticesResponse
Sent = AnyMessage | bytes
"""What a stream sends: a message, or the bytes of one (`rpc/wrappers.py`)."""

Reader = Viewer
"""The reader of a stream: a seat or a spectator, a language, and what snapshots hold besides the view."""

FELL_BEHIND, STOPPING, MORE, DELETED, WENT_BACK = "fell_behind", "stopping", "more", "deleted", "went_back"
"""Why the server ends a stream."""


class EncodedMessage(NamedTuple):
    """A message, encoded once for all watchers that get it."""

    data: bytes
    event: str = ""
    """The id of the event in it; empty if there is none."""
    last_event: str = ""
    """The id of the latest event that a snapshot contains; empty for other messages."""
    about: tuple[str, str] = ("", "")
    """The game and the kind of the notice in it."""

    @classmethod
    def of(cls, message: Message) -> EncodedMessage:
        """Return a message, encoded."""
        return cls(message.SerializeToString(), message.event.id)


class Sender(Protocol):
    """A way to send messages of one stream without waiting (`rpc/grpc_internals.py`)."""

    def send(self, message: bytes, taken: Callable[[], None]) -> bool:
        """Send a message, and call `taken` when the transport has taken it. Return False if the stream is over."""


class Watcher:
    """An open stream. `messages` runs in its own thread; other threads call everything else."""

    def __init__(
        self,
        context: grpc.ServicerContext,
        sender: Sender,
        send_queue: SendQueue,
        viewer: int | None,
        *,
        token: str = "",
        language: str | None = None,
        snapshots: bool = False,
        include: Include = NOTHING,
        reactions: bool = False,
    ) -> None:
        self.viewer = viewer
        """The seat that watches; None for a spectator."""
        self.token = token
        """The digest of the seat's token when the stream was opened. The token must stay valid."""
        self.reader: Reader = Viewer(viewer, language, include)
        self.snapshots = snapshots
        self.reactions = reactions
        self._context = context
        self._sender = sender
        """Sends messages while the thread of the stream sleeps."""
        self._thread_idle = False
        """Whether the thread has sent the first messages and leaves further ones to the sender."""
        self._in_transit = False
        """Whether the sender has sent a message that the transport has not taken yet."""
        self._last_event = ""
        """The id of the last event that was sent to the watcher."""
        self._send_queue = send_queue
        self._turn = SendTurn()
        self._lock = threading.Lock()
        self._queue: deque[EncodedMessage] = deque()
        self._because = ""
        self._status: Refusal | None = None
        self._ended = 0.0
        self._gone = False
        self._began = time.monotonic()
        self._sending = 0.0
        """When sending of the current message began; 0 if none is being sent."""

    # -- For other threads ------------------------------------------------------------------------------------

    def send(self, messages: Sequence[EncodedMessage]) -> None:
        """Queue messages for the watcher, and start sending them. Never waits."""
        with self._lock:
            if self._ended or self._gone:
                return
            self._queue.extend(messages)
            if len(self._queue) > limits.WATCHER_QUEUE and not self._shorten():
                self._end(FELL_BEHIND)
            self._continue()

    def _shorten(self) -> bool:
        """Leave out queued messages that are not needed any more, and return whether the rest fits."""
        return False

    def _continue(self) -> None:
        """Send the next queued message with the sender, or wake the thread of the stream. Called with the lock held."""
        if not self._thread_idle:
            self._send_queue.request(self._turn)
        elif not self._in_transit:
            self._send_next()

    def _send_next(self) -> None:
        if self._queue:
            message = self._queue.popleft()
            self._last_event = message.event or self._last_event
            self._sending, self._in_transit = time.monotonic(), True
            if self._sender.send(message.data, self._taken):
                return
            self._sending, self._in_transit = 0.0, False  # the caller has disconnected, and `close` is called soon
        elif self._ended:
            self._thread_idle = False
            self._send_queue.request(self._turn)

    def _taken(self) -> None:
        """Send the next message after the transport has taken one. Runs on the thread that accepts calls and must not
        raise."""
        try:
            with self._lock:
                self._sending, self._in_transit = 0.0, False
                if not self._gone:
                    self._send_next()
        except Exception:
            _log.exception("Cannot send a message to a watcher.")
            self._context.cancel()

    def keep_alive(self, message: EncodedMessage) -> None:
        """Send a keep-alive, unless the watcher still has something to read."""
        with self._lock:
            idle = not self._queue and not self._turn.busy and not self._in_transit
        if idle:
            self.send([message])

    def end(self, because: str = "", status: Refusal | None = None) -> None:
        """End the stream with this status, and with `resume` if a reason is given. Queued messages are sent before,
        unless the store has lost them."""
        with self._lock:
            if not self._ended:
                self._end(because, status, keep=because != WENT_BACK)
            self._continue()

    def _end(self, because: str, status: Refusal | None = None, *, keep: bool = False) -> None:
        self._because, self._status, self._ended = because, status, time.monotonic()
        if not keep:
            self._queue.clear()

    def close(self) -> None:
        """End the stream of a caller that has disconnected."""
        with self._lock:
            self._gone = True
            self._queue.clear()
            self._send_queue.request(self._turn)

    def end_if_stuck_or_old(self, now: float) -> None:
        """Disconnect the watcher if it takes too long to read a message or does not read the end of its stream. Tell it
        to resume if the stream is so old that its connection will be closed soon."""
        with self._lock:
            stuck = self._sending and now - self._sending > limits.WATCHER_STUCK_SECONDS
            stuck = stuck or (self._ended and now - self._ended > limits.WATCHER_LINGER_SECONDS)
        if stuck:
            self._context.cancel()
        elif now - self._began > limits.WATCHING_SECONDS:
            self.end(STOPPING)

    # -- For its own thread -----------------------------------------------------------------------------------------

    def messages(self, opening: Callable[[], Iterable[EncodedMessage]], last_event: str) -> Iterator[Sent]:
        """Generate the messages of the stream: first the opening, then queued ones. `last_event` is the last event that
        the watcher has if the opening contains none."""
        with closing(self._messages(opening, last_event)) as messages:
            for message in messages:
                self._sending = time.monotonic()
                yield message
                self._sending = 0.0

    def _messages(
        self, opening: Callable[[], Iterable[EncodedMessage]], last_event: str
    ) -> Generator[Sent, None, None]:
        send_queue, turn = self._send_queue, self._turn
        self._last_event = last_event
        send_queue.request(turn)
        try:
            send_queue.wait(turn)
            events_sent = False
            for message in opening():
                if self._gone:
                    return
                if self._ended and events_sent:  # the queued messages do not continue what was sent
                    yield from self._closing_messages()
                    return
                yield message.data
                if message.event:
                    events_sent, self._last_event = True, message.event
            while not self._gone:
                waiting = self._next()
                if waiting is not None:
                    yield waiting.data
                    self._last_event = waiting.event or self._last_event
                elif self._ended and not self._thread_idle:
                    yield from self._closing_messages()
                    return
                else:
                    send_queue.done(turn)
                    send_queue.wait(turn)
        finally:
            send_queue.leave(turn)

    def _next(self) -> EncodedMessage | None:
        """Return the next message for the thread of the stream. Return None if there is none: then the thread may
        sleep, and the sender sends further messages."""
        with self._lock:
            if self._thread_idle:
                return None
            if self._queue:
                return self._queue.popleft()
            self._thread_idle = not self._ended
            return None

    def _closing_messages(self) -> Iterator[Sent]:
        if self._because:
            after = self._last_event if self._because != WENT_BACK else ""
            yield self._resume(after, self._because)
        if self._status is not None:
            raise self._status

    # -- What the messages are ---------------------------------------------------------------------------------------

    def _resume(self, after: str, because: str) -> AnyMessage:
        """Return the last message of a stream that the watcher shall open again."""
        return Message(resume=events_pb2.Resume(after=after, because=because))
