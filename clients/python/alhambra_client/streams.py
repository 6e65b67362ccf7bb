"""The stream of a game: Server-Sent Events, and what to do when it ends.

`Watch` is told what arrives and says what to show, when to open the stream again, and where it goes on. Events come
before the snapshot that contains them, also after a reconnection.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from .calls import EVENT_STREAM, Call
from .contract import Event, Resume, Snapshot, WatchEventsRequest
from .errors import AlhambraError, Stale, Unreachable
from .retries import Attempts, Retry

if TYPE_CHECKING:
    from .game_state import GameState

RECONNECT_SECONDS = 1.0
"""The pause before a stream is opened again, unless the server names one."""
DELETED, WENT_BACK = "deleted", "went_back"


@dataclass(frozen=True)
class WentBack:
    """The server lost the newest moves of the game. Forget the events until now; a snapshot of the game follows."""


Message: TypeAlias = Snapshot | Event | WentBack
"""What a watcher is told."""


class ServerSentEvent(NamedTuple):
    """One message of a stream."""

    type: str
    id: str | None
    """None if the message has no id; empty if it tells to forget the last one."""
    data: str


class EventParser:
    """Puts messages together from the bytes of one stream."""

    def __init__(self) -> None:
        self.retry_seconds = RECONNECT_SECONDS
        self._rest = b""
        self._fields: dict[str, str] = {}

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """Yield the messages that are complete with these bytes."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.decode().removesuffix("\r").partition(":")
            value = value.removeprefix(" ")
            if name == "retry" and value.isdecimal():
                self.retry_seconds = int(value) / 1000
            elif name == "data" and "data" in self._fields:
                self._fields["data"] += f"\n{value}"
            elif name:
                self._fields[name] = value
            elif line in (b"", b"\r"):  # an empty line ends a message
                found, self._fields = self._fields, {}
                if "data" in found:
                    yield ServerSentEvent(found.get("event", "message"), found.get("id"), found["data"])


Told_co = TypeVar("Told_co", covariant=True)


class Stream(Protocol[Told_co]):
    """Says what the bytes of streams mean, and when to open the next one."""

    is_finished: bool
    is_closed: bool

    def open(self) -> Call[Any]:
        """Return the call that opens the next stream."""

    def feed(self, chunk: bytes) -> Iterator[Told_co]:
        """Yield what is told by these bytes."""

    def pause_after(self, failure: AlhambraError | None) -> float:
        """Return how many seconds to wait before the next stream is opened."""


class Watch:
    """A watcher of one game, over as many streams as it takes."""

    def __init__(self, state: GameState, retry: Retry, after: str = "", from_version: int | None = None) -> None:
        self.is_finished = False
        """Whether there is nothing more to watch: the game is over or deleted."""
        self.is_closed = False
        """Whether the present stream has said that it ends."""
        self._state, self._retry = state, retry
        self._after, self._from_version = after, from_version
        self._parser = EventParser()
        self._attempts = Attempts(retry)
        self._held: Snapshot | None = None
        """A snapshot that contains events which have not arrived yet."""
        self._is_alive = False
        """Whether the present stream has sent something."""
        self._went_back = False

    def open(self) -> Call[Any]:
        """Return the call that opens the next stream."""
        self._parser = EventParser()
        self._held, self._is_alive, self.is_closed = None, False, False
        first = None if self._after else self._from_version
        request = WatchEventsRequest(game=self._state.id, after=self._after, from_version=first, snapshots=True)
        return Call(request, self._state.token, EVENT_STREAM)

    def feed(self, chunk: bytes) -> Iterator[Message]:
        """Yield what the watcher is told by these bytes of the stream."""
        for message in self._parser.feed(chunk):
            self._is_alive = True
            if self._went_back:
                self._went_back = False
                yield WentBack()
            if message.id is not None:
                self._after = message.id
            data = json.loads(message.data)
            if message.type == "snapshot":
                yield from self._snapshot(Snapshot.from_json(data))
            elif message.type == "event":
                yield Event.from_json(data)
                if self._held is not None:
                    yield from self._snapshot(self._held)
            elif message.type == "resume":
                self._end(Resume.from_json(data))

    def _snapshot(self, snapshot: Snapshot) -> Iterator[Message]:
        self._state.see(snapshot.view)
        if self._is_resumed and position(self._after) < position(snapshot.last_event):
            self._held = snapshot
            return
        self._held = None
        if self._is_resumed and not _is_same(self._after, snapshot.last_event):
            return  # the server is behind, or has lost moves: then it says so next
        self._after = self._after or snapshot.last_event
        yield snapshot
        self.is_finished = snapshot.view.status == "over"

    @property
    def _is_resumed(self) -> bool:
        return bool(self._after) or self._from_version is not None

    def _end(self, resume: Resume) -> None:
        self.is_closed = True
        self.is_finished = resume.because == DELETED
        if resume.because == WENT_BACK:
            self._go_back()

    def _go_back(self) -> None:
        self._state.forget()
        self._after, self._from_version, self._went_back = "", None, True

    def pause_after(self, failure: AlhambraError | None) -> float:
        """Return how many seconds to wait before the next stream is opened; `failure` is why the present one could not
        be opened or read, None if it ended. Raises the failure if another stream is not worth it."""
        if isinstance(failure, Stale) and self._is_resumed:
            self._go_back()
            return 0.0
        if self._is_alive:
            self._attempts = Attempts(self._retry)
            return self._parser.retry_seconds
        return self._attempts.pause_after(failure or Unreachable("The stream ended before it had begun."))


def _is_same(one: str, other: str) -> bool:
    """Return whether two ids name the same event. An id may lack the digits of the link."""
    digits, others = one.split(".")[2:], other.split(".")[2:]
    return position(one) == position(other) and (digits == others or not digits or not others)


def position(event: str) -> tuple[int, ...]:
    """Return the version and the place in the id of an event, which can be compared; empty if there is no event."""
    return tuple(int(number) for number in event.split(".")[:2]) if event else ()
