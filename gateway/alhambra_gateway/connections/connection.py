"""One connection of a client: bytes that came in and are not answered yet, bytes of an answer that are not sent yet.

Threads wait neither for a client to send nor for a client to read. A thread gets a request when it is complete
(`request_scanner.py`), and gunicorn's parser reads it from memory (`Received`). What the client does not take of an
answer at once is kept here, and the worker's poller sends it as the client reads (`ClientSocket`). While an answer is a
stream of events, the event loop of streams uses the socket (`streams/sse_client.py`).
"""

from __future__ import annotations

import enum
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import Unreader
from gunicorn.workers.gthread import TConn

from .. import limits
from .client_addresses import site
from .request_scanner import RequestScanner

if TYPE_CHECKING:
    from .connection_group import ConnectionGroup


class State(enum.Enum):
    """What a connection waits for."""

    UNFINISHED = enum.auto()
    """The rest of a request, or its first byte."""
    BUSY = enum.auto()
    """A thread answers a request."""
    UNSENT = enum.auto()
    """The client has to read the rest of an answer."""
    STREAMING = enum.auto()
    """A stream of events uses the socket."""
    IDLE = enum.auto()
    """The next request (keep-alive)."""
    LINGERING = enum.auto()
    """The client has to close the connection."""
    CLOSED = enum.auto()


class Received(Unreader):
    """Bytes of a client for gunicorn's parser. When they are used up there are no more."""

    def __init__(self) -> None:
        super().__init__()
        self.exhausted = False
        """Whether the parser wanted more than there was. The start of the next request is unknown then, and the
        connection has to be closed."""

    def feed(self, data: bytes | bytearray) -> None:
        """Give the parser bytes to read, behind those that it has."""
        self.buf.seek(0, 2)
        self.buf.write(data)

    def chunk(self, size_hint: int | None = None) -> bytes:
        """The parser has read everything and asks for more."""
        self.exhausted = True
        return b""


class DetachedStream(Protocol):
    """A stream of events whose beginning was sent, and that goes on without a thread."""

    def take_over(self, ended: Callable[[bool], object]) -> None:
        """Use the socket from now on. Call `ended` once, in any thread, when the socket is not used any more: with True
        if the answer is complete, with False if the client has disconnected."""


class ClientSocket(socket.socket):
    """A socket that never waits."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        super().setblocking(False)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.SEND_BUFFER_BYTES)
        self.unsent = bytearray()
        """Bytes of answers that could not be sent yet."""
        self.stream: DetachedStream | None = None
        """The stream that sends the rest of the answer. gunicorn has nothing more to send then."""

    def setblocking(self, flag: bool) -> None:
        """Change nothing: gunicorn asks for a socket that waits whenever it hands it to a thread."""

    def settimeout(self, value: float | None) -> None:
        """Change nothing: gunicorn sets timeouts for sockets that wait."""

    def close(self) -> None:
        """Change nothing: the poller closes the socket, when it has forgotten its number."""

    def hang_up(self) -> None:
        """Close the socket. Only for the poller."""
        super().close()

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send what the client takes now, and keep the rest. Send nothing if a stream sends the rest of the answer."""
        if self.stream is not None:
            return
        if self.unsent:
            self.unsent += data
            return
        try:
            sent = self.send(data, flags)
        except BlockingIOError:
            sent = 0
        if sent < len(data):
            self.unsent += memoryview(data)[sent:]

    def send_now(self, data: bytes) -> int:
        """Send what the client takes now; return how many bytes that are. Raise OSError if the client is gone."""
        try:
            return self.send(data)
        except BlockingIOError:
            return 0

    def flush(self) -> int:
        """Send what the client takes now of what was kept; return how many bytes that were. Raise OSError."""
        try:
            sent = self.send(self.unsent)
        except BlockingIOError:
            return 0
        del self.unsent[:sent]
        return sent


class Connection(TConn):
    """A connection of the worker. Only the thread of the poller uses it, except for `gone` and `cancel_call`."""

    sock: ClientSocket

    def __init__(self, cfg: Any, accepted: socket.socket, client: Any, server: Any, body_bytes: int) -> None:
        super().__init__(cfg, ClientSocket(accepted), client, server)
        self.address = str(client[0])
        self.site = site(self.address)
        """The address that the connection is counted for, unless a trusted proxy names another."""
        self.by_proxy = False
        """Whether it comes from a trusted proxy."""
        self.state = State.UNFINISHED
        self.received = bytearray()
        self.scanner = RequestScanner(body_bytes)
        self.watched = False
        """Whether the poller waits for something to read."""
        self.on_event: Callable[..., None] = _nothing
        """What the poller calls when something can be read or written."""
        self.group: ConnectionGroup | None = None
        """The group that counts the connection while it waits for its client."""
        self.counted_for = ""
        """The address that the connection is counted for in its present state."""
        self.began = 0.0
        """When the present state began, or the first byte of the request came in."""
        self.body_began = 0.0
        """When the head of the request was complete."""
        self.progress = 0
        """Bytes that have come in of the body, or that were sent of the answer by the poller, or thrown away."""
        self.small_reads = 0
        """Small parts in which the present request has come in."""
        self.cut = False
        """Whether the present request was handed over before it was complete: it is the last one."""
        self.continued = False
        """Whether `100 Continue` was sent for the present request."""
        self.keep = False
        """Whether the connection is kept when its answer has been read."""
        self.gone = False
        """Whether the client has disconnected while its request was being answered."""
        self.turn_of: str | None = None
        """The account whose turn the present request has taken (`turns.py`)."""
        self.to_be_paused = False
        """Whether it is not read from for a moment when its request has been answered. Set by the thread that
        answers."""
        self.cancel_call: Callable[[], object] | None = None
        """Cancels the call of the service that the answer waits for. Set by the thread that answers."""
        self.unreader = Received()
        parser = RequestParser(cfg, (), client)
        parser.unreader = self.unreader
        self.parser = parser
        self.initialized = True  # nothing is left for gunicorn to do before the first request

    def hand_over(self) -> None:
        """Give all received bytes to the parser."""
        self.unreader.feed(self.received)
        self.received = bytearray()

    def take_back(self) -> None:
        """Begin with the next request; the bytes that the parser did not use belong to it."""
        self.received = bytearray(self.unreader.take_buffered())
        self.scanner.reset()
        self.cut = self.continued = False
        self.progress = self.small_reads = 0
        self.body_began = 0.0

    def overdue(self, now: float) -> bool:
        """Whether the time of the present state is over: unfinished request, unread answer, keep-alive, closing."""
        age = now - self.began
        match self.state:
            case State.UNFINISHED if not self.received:
                return age > limits.SILENT_SECONDS
            case State.UNFINISHED if not self.scanner.head:
                return age > limits.HEAD_SECONDS
            case State.UNFINISHED:
                allowed = limits.BODY_SECONDS + self.progress / limits.BODY_BYTES_PER_SECOND
                return now - self.body_began > allowed
            case State.UNSENT:
                return age > limits.STALLED_SECONDS + self.progress / limits.ANSWER_BYTES_PER_SECOND
            case State.IDLE:
                return age > limits.IDLE_CONNECTION_SECONDS
            case State.LINGERING:
                return age > limits.LINGER_SECONDS
            case _:
                return False


def _nothing(client: object) -> None:
    """Stand for `on_event` until the poller sets it."""
