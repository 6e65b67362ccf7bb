"""Calls without a gRPC client: frames of HTTP/2 written by hand, with what no client would send.

Only the status of such a call is read, and its answer if there is one: its details are packed.
"""

from __future__ import annotations

import re
import socket
import struct
import time
from random import Random

import grpc

from .judging import Answer, Sent
from .world import SECONDS

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS = 1, 4
WINDOW = 8
WIDE = 1 << 30
WISHES = struct.pack(">HIHI", 1, 0, 4, WIDE)
"""No compression table, so that statuses can be read as they are, and no waiting for a window."""
_STATUS = re.compile(rb"grpc-status[\x01\x02](\d{1,2})")
CODES = {code.value[0]: code for code in grpc.StatusCode}
HUNG_UP = Answer(grpc.StatusCode.UNAVAILABLE, details="hung up", raw=True)


def raw_call(address: str, sent: Sent, rng: Random) -> Answer:
    """Makes the call with something odd about it; tells how it ended; a server that hangs up is not available."""
    host, _, port = address.rpartition(":")
    headers = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", sent.path.encode()),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
        *((name.encode(), value.encode() if isinstance(value, str) else value) for name, value in sent.metadata),
    ]
    body = b"\0" + struct.pack(">I", len(sent.body)) + sent.body
    headers, odd = _odd(headers, body, rng)
    block = b"".join(b"\0" + _text(name) + _text(value) for name, value in headers)
    with socket.create_connection((host, int(port)), SECONDS) as connection:
        connection.sendall(PREFACE + _frame(SETTINGS, 0, 0, WISHES) + _frame(WINDOW, 0, 0, struct.pack(">I", WIDE)))
        connection.sendall(_frame(HEADERS, END_HEADERS, 1, block))
        connection.sendall(_frame(DATA, END_STREAM, 1, odd))
        answer = _answer(connection, stream=sent.method.server_streaming)
    if odd != body and answer.code is grpc.StatusCode.INTERNAL:
        return HUNG_UP  # where a message begins and ends is told by gRPC; it has a status of its own if that is wrong
    return answer


def _odd(headers: list[tuple[bytes, bytes]], body: bytes, rng: Random) -> tuple[list[tuple[bytes, bytes]], bytes]:
    kind = rng.randrange(7)
    if kind == 0:
        headers.append((b"authorization", b"Bearer \xff\xfe\xc0\xaf"))
    elif kind == 1:
        headers.append((b"accept-language", b"d\xe9\x80;q=\xff"))
    elif kind == 2:
        headers.append((b"x-request-id", b"\0\r\n"))
    elif kind == 3:
        body = body[: rng.randint(0, len(body))]
    elif kind == 4:
        body = b"\1" + body[1:]  # says that it is compressed
    elif kind == 5:
        body = b"\0\xff\xff\xff\xff" + body[5:]
    else:
        headers.append((b"grpc-timeout", rng.choice((b"20S", b"99999999999H"))))
    return headers, body


def _answer(connection: socket.socket, *, stream: bool) -> Answer:
    """The status of the first stream. Whoever hangs up or resets the stream has refused the call."""
    deadline = time.monotonic() + SECONDS
    received = b""
    while time.monotonic() < deadline:
        try:
            more = connection.recv(1 << 16)
        except (ConnectionError, TimeoutError):
            more = b""
        if not more:
            return HUNG_UP if time.monotonic() < deadline else Answer(grpc.StatusCode.DEADLINE_EXCEEDED, raw=True)
        received += more
        found = _STATUS.search(received)
        if found is not None:
            return Answer(CODES[int(found[1])], _messages(received), raw=True)
        if stream and _messages(received):
            return Answer(grpc.StatusCode.OK, _messages(received), raw=True)
        kinds = [kind for kind, _ in _frames(received)]
        if RESET in kinds or GOAWAY in kinds:
            return HUNG_UP
    return Answer(grpc.StatusCode.DEADLINE_EXCEEDED, raw=True)


def _frames(data: bytes) -> list[tuple[int, bytes]]:
    found = []
    while len(data) >= 9:
        size = int.from_bytes(data[:3], "big")
        found.append((data[3], data[9 : 9 + size]))
        data = data[9 + size :]
    return found


def _messages(received: bytes) -> list[bytes]:
    data, found = b"".join(payload for kind, payload in _frames(received) if kind == DATA), []
    while data:
        size = int.from_bytes(data[1:5], "big")
        if len(data) < 5 + size:
            break
        found.append(data[5 : 5 + size])
        data = data[5 + size :]
    return found


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def _text(data: bytes) -> bytes:
    """A text of HPACK, not compressed."""
    if len(data) < 127:
        return bytes([len(data)]) + data
    rest, found = len(data) - 127, bytearray([127])
    while rest > 127:
        found.append(rest & 127 | 128)
        rest >>= 7
    return bytes(found) + bytes([rest]) + data
