"""HTTP/2 by hand: enough of it to begin calls of gRPC and not to finish them as a client should.

Headers are written as literals without indexing, so no table has to be kept. Of what the server sends only the frames
are looked at: which streams have ended.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterable
from types import TracebackType

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM = ACK = 0x1
END_HEADERS = 0x4
INITIAL_WINDOW_SIZE = 4
FRAME_HEAD = 9
CONNECT_SECONDS = 10.0


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def literal(name: str, value: str) -> bytes:
    """A header as a literal without indexing; name and value are shorter than 127 bytes."""
    return b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def headers(path: str, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """The headers of a call of gRPC."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "localhost"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        *more,
    ]
    return b"".join(literal(name, value) for name, value in fields)


def message(data: bytes) -> bytes:
    """A message as gRPC frames it."""
    return b"\x00" + struct.pack("!I", len(data)) + data


class Connection:
    """One connection to a server of gRPC."""

    def __init__(self, port: int, *, window: int | None = None) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), CONNECT_SECONDS)
        self._next = 1
        self._unread = b""
        self.ended: set[int] = set()
        """Streams that the server has ended."""
        self.closed = False
        """Whether the server has closed the connection."""
        self.answering = True
        """Whether pings and settings are answered."""
        self.dribbling = False
        """Whether the headers of a call were begun, and not ended."""
        settings = b"" if window is None else struct.pack("!HI", INITIAL_WINDOW_SIZE, window)
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings))

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        try:
            self._socket.sendall(data)
        except OSError:
            self.closed = True

    def call(self, path: str, data: bytes = b"", *, end: bool = False) -> int:
        """Begins a call: its headers, then these bytes of its message, if any; the stream."""
        stream = self._next
        self._next += 2
        sent = frame(HEADERS, END_HEADERS, stream, headers(path))
        if data or end:
            sent += frame(DATA, END_STREAM if end else 0, stream, data)
        self.send(sent)
        return stream

    def ping(self) -> None:
        """Asks whether the server is there."""
        self.send(frame(PING, 0, 0, bytes(8)))

    def read(self, seconds: float = 0.0) -> None:
        """Reads what has come, and what comes within this time; answers pings and settings as a good peer does."""
        until = time.monotonic() + seconds
        while not self.closed:
            self._socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                return
            except OSError:
                data = b""
            self.closed = not data
            self._take(data)

    def _take(self, data: bytes) -> None:
        self._unread += data
        while len(self._unread) >= FRAME_HEAD:
            length = int.from_bytes(self._unread[:3], "big")
            kind, flags, stream = struct.unpack("!BBI", self._unread[3:FRAME_HEAD])
            if len(self._unread) < FRAME_HEAD + length:
                return
            payload, self._unread = self._unread[FRAME_HEAD : FRAME_HEAD + length], self._unread[FRAME_HEAD + length :]
            if kind == RST_STREAM or (kind in (DATA, HEADERS) and flags & END_STREAM):
                self.ended.add(stream)
            elif kind in (PING, SETTINGS) and not flags & ACK and self.answering:
                self.send(frame(kind, ACK, 0, payload if kind == PING else b""))
