"""One watcher: a bounded queue of messages, and the stream that sends them.

Other threads put messages into the queue and never wait. If the queue is full, the watcher has fallen behind: its queue
is dropped, and its stream ends with `resume`, which says from which event to continue. Nothing is lost, because all
events can be read from the log. A watcher that does not read this message is disconnected after a while.

The first and the last messages come from a generator, which a thread of a small pool runs (`running_stream.py`). In
between the generator is paused: new messages are sent by the thread that adds them, and each further one when the
transport has taken the one before. So a watcher that does not read blocks no thread, and one that reads causes no
thread switches.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple

import grpc

from alhambra_api.v1 import events_pb2, webhooks_pb2

from .. import limits
from ..games.answers.game_answer import NOTHING, Include, Viewer
from ..messages.refusals import Refusal
from .running_stream import Messages, Sender, Wake

_log = logging.getLogger(__name__)

Message = events_pb2.WatchEventsResponse
AnyMessage = Message | webhooks_pb2.WatchNoticesResponse

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


class Watcher:
    """An open stream. One thread at a time runs `messages`; other threads call everything else."""

    def __init__(
        self,
        context: grpc.ServicerContext,
        sender: Sender,
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
        """Sends messages while the generator is paused."""
        self._wake: Wake | None = None
        """Lets the generator go on; None while it is not paused, and sends all messages itself."""
        self._in_transit = False
        """Whether the sender has sent a message that the transport has not taken yet."""
        self._last_event = ""
        """The id of the last event that was sent to the watcher."""
        self._lock = threading.Lock()
        self._queue: deque[EncodedMessage] = deque()
        self._because = ""
        self._status: Refusal | None = None
        self._ended = 0.0
        self._closed = False
        """Whether the generator has ended."""
        self._began = time.monotonic()
        self._sending = 0.0
        """When sending of the current message began; 0 if none is being sent."""

    # -- For other threads ------------------------------------------------------------------------------------

    def send(self, messages: Sequence[EncodedMessage]) -> None:
        """Queue messages for the watcher, and start sending them. Never waits."""
        with self._lock:
            if self._ended or self._closed:
                return
            self._queue.extend(messages)
            if len(self._queue) > limits.WATCHER_QUEUE and not self._shorten():
                self._end(FELL_BEHIND)
            self._continue()

    def _shorten(self) -> bool:
        """Leave out queued messages that are not needed any more, and return whether the rest fits."""
        return False

    def _continue(self) -> None:
        """Send the next queued message with the sender, unless the generator is going to. Called with the lock held."""
        if self._wake is not None and not self._in_transit:
            self._send_next(self._wake)

    def _send_next(self, wake: Wake) -> None:
        if self._queue:
            message = self._queue.popleft()
            self._last_event = message.event or self._last_event
            self._sending, self._in_transit = time.monotonic(), True
            if self._sender.send(message.data, self._taken):
                return
            self._sending, self._in_transit = 0.0, False  # the caller has gone, and the generator is closed soon
        elif self._ended:
            self._wake = None
            wake()

    def _taken(self) -> None:
        """Send the next message after the transport has taken one. Runs on the thread that accepts calls and must not
        raise."""
        try:
            with self._lock:
                self._sending, self._in_transit = 0.0, False
                self._continue()
        except Exception:
            _log.exception("Cannot send a message to a watcher.")
            self._context.cancel()

    def keep_alive(self, message: EncodedMessage) -> None:
        """Send a keep-alive, unless the watcher still has something to read."""
        with self._lock:
            idle = self._wake is not None and not self._queue and not self._in_transit
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

    # -- The generator ----------------------------------------------------------------------------------------------

    def messages(self, opening: Callable[[], Iterable[EncodedMessage]], last_event: str) -> Messages:
        """Generate the messages of the stream: first the opening, then queued ones, then why it ends. `last_event` is
        the last event that the watcher has if the opening contains none."""
        self._last_event = last_event
        try:
            if (yield from self._opening(opening)):
                while (message := self._next()) is not None or not self._ended:
                    if message is None:
                        yield self._pause
                    else:
                        yield from self._sent(message.data)
                        self._last_event = message.event or self._last_event
            yield from self._closing()
        finally:
            with self._lock:
                self._closed, self._wake = True, None
                self._queue.clear()

    def _opening(self, opening: Callable[[], Iterable[EncodedMessage]]) -> Generator[bytes, None, bool]:
        """Generate the opening. Return False if the stream was ended meanwhile, so that the queued messages do not
        continue what was sent."""
        events_sent = False
        for message in opening():
            if self._ended and events_sent:
                return False
            yield from self._sent(message.data)
            if message.event:
                events_sent, self._last_event = True, message.event
        return True

    def _closing(self) -> Generator[bytes, None, None]:
        if self._because:
            after = self._last_event if self._because != WENT_BACK else ""
            yield from self._sent(self._resume(after, self._because).SerializeToString())
        if self._status is not None:
            raise self._status

    def _sent(self, data: bytes) -> Generator[bytes, None, None]:
        self._sending = time.monotonic()
        yield data
        self._sending = 0.0

    def _next(self) -> EncodedMessage | None:
        with self._lock:
            return self._queue.popleft() if self._queue else None

    def _pause(self, wake: Wake) -> bool:
        """Leave further messages to the sender until the stream ends. Return False if there is something to send."""
        with self._lock:
            if self._queue or self._ended:
                return False
            self._wake = wake
            return True

    # -- What the messages are ---------------------------------------------------------------------------------------

    def _resume(self, after: str, because: str) -> AnyMessage:
        """Return the last message of a stream that the watcher shall open again."""
        return Message(resume=events_pb2.Resume(after=after, because=because))
