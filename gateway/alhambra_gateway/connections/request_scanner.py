"""Tells when a request is complete, so that it can be handed to a thread that need not wait for the client.

The scanner says only *when* gunicorn's parser gets the bytes, never *what* they mean: where a request ends and what it
is for is decided by gunicorn alone. The two can disagree only in one direction that matters. If gunicorn wants more
bytes than it was given, it gets none, the request fails, and the connection is closed (`connection.py`); bytes behind a
request are never looked at before gunicorn has said where they begin. Whatever looks odd is handed over at once for
gunicorn to refuse.
"""

from __future__ import annotations

import enum
import re

from .. import limits
from ..refusals.problem import Problem

_END = b"\r\n\r\n"
_FRAMING = re.compile(rb"\r\n(content-length|transfer-encoding|expect)[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_FORWARDED = re.compile(rb"\r\nx-forwarded-for:([^\r\n]*)", re.IGNORECASE)
_AUTHORIZATION = re.compile(rb"\r\nauthorization:[ \t]*([^\r\n]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"[0-9]{1,12}")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?")


class Verdict(enum.Enum):
    """What to do with the bytes of a request."""

    WAIT = enum.auto()
    """Bytes are missing."""
    COMPLETE = enum.auto()
    """The whole request is there."""
    CUT = enum.auto()
    """Gunicorn has to judge what is there: the request is odd, or its body is too large. No bytes may follow."""


class RequestScanner:
    """Looks at the bytes of one request as they come in. Work is proportional to the number of bytes, not of reads."""

    __slots__ = ("_at", "_chunked", "_chunks", "_length", "_most", "_need", "continues", "head")

    def __init__(self, body_bytes: int) -> None:
        self._most = body_bytes
        self.reset()

    def reset(self) -> None:
        """Begins with the next request."""
        self.head = 0
        """How many bytes the request line and the headers have; 0 until they are complete."""
        self.continues = False
        """Whether the client waits for `100 Continue` before it sends its body."""
        self._at = 0
        """Up to here nothing has to be looked at again."""
        self._need = 0
        """How many bytes the request has; 0 for a chunked one."""
        self._chunked = False
        self._chunks = 0
        self._length = 0
        """The body in chunks, as far as its chunks are announced."""

    def scan(self, data: bytearray) -> Verdict:
        """Look at everything that has come in of this request. Raise Problem if it is too much."""
        if not self.head:
            verdict = self._scan_head(data)
            if verdict is not None:
                return verdict
        if self._chunked:
            return self._scan_chunks(data)
        return Verdict.COMPLETE if len(data) >= self._need else Verdict.WAIT

    def forwarded(self, data: bytearray) -> str:
        """Return the addresses in the headers X-Forwarded-For, separated by commas."""
        found = _FORWARDED.findall(data, 0, self.head)
        return b",".join(found).decode("latin-1")

    def authorization(self, data: bytearray) -> str | None:
        """Return the header Authorization; None if there is none."""
        found = _AUTHORIZATION.search(data, 0, self.head)
        return found[1].decode("latin-1").rstrip() if found else None

    # -- The head --------------------------------------------------------------------------------------------------

    def _scan_head(self, data: bytearray) -> Verdict | None:
        """Return None if the head is complete and says what kind of body follows."""
        end = data.find(_END, max(0, self._at - 3))
        if end < 0:
            return self._judge_unfinished_head(data)
        self.head = self._need = self._at = end + len(_END)
        if self.head > limits.HEAD_BYTES:
            raise _too_long("headers", limits.HEAD_BYTES)
        found = _FRAMING.findall(data, 0, self.head)
        if not found:
            return Verdict.COMPLETE
        return self._judge_framing(data, [(name.lower(), value.strip(b" \t")) for name, value in found])

    def _judge_unfinished_head(self, data: bytearray) -> Verdict:
        if len(data) > limits.HEAD_BYTES:
            raise _too_long("headers", limits.HEAD_BYTES)
        if data.count(b"\n", self._at) != data.count(b"\r\n", max(0, self._at - 1)):
            return Verdict.CUT  # a line that ends without a carriage return
        if len(data) > limits.REQUEST_LINE_BYTES + len(_END) and data.find(b"\r\n", 2) < 0:
            return Verdict.CUT
        self._at = len(data)
        return Verdict.WAIT

    def _judge_framing(self, data: bytearray, found: list[tuple[bytes, bytes]]) -> Verdict | None:
        """The headers that say how the body is sent. Each may stand there once, and only one may give the length."""
        named = dict(found)
        length, coding = named.get(b"content-length"), named.get(b"transfer-encoding")
        if len(named) != len(found) or (length is not None and coding is not None):
            return Verdict.CUT
        expected = named.get(b"expect")
        if expected is not None and expected.lower() != b"100-continue":
            return Verdict.CUT
        if coding is not None:
            if coding.lower() != b"chunked":
                return Verdict.CUT
            self._chunked = True
        elif length is not None:
            if not _LENGTH.fullmatch(length) or int(length) > self._most:
                return Verdict.CUT
            self._need += int(length)
        # A client of HTTP/1.0 does not know `100 Continue`.
        self.continues = expected is not None and data.find(b" HTTP/1.1\r\n", 0, self.head) > 0
        return None

    # -- A body in chunks ------------------------------------------------------------------------------------------

    def _scan_chunks(self, data: bytearray) -> Verdict:
        while True:
            end = data.find(b"\r\n", self._at, self._at + limits.CHUNK_LINE_BYTES)
            if end < 0:
                return Verdict.CUT if len(data) - self._at >= limits.CHUNK_LINE_BYTES else Verdict.WAIT
            line = _CHUNK.fullmatch(data, self._at, end)
            if line is None:
                return Verdict.CUT
            size = int(line[1], 16)
            if size == 0:
                return self._scan_trailers(data, end)
            if self._length + size > self._most:
                detail = f"The body of a request has at most {self._most} bytes."
                raise Problem("BODY_TOO_LARGE", detail, {"limit": self._most})
            behind = end + 2 + size
            if len(data) < behind + 2:
                return Verdict.WAIT  # the line of this chunk is read again when more has come
            if data[behind : behind + 2] != b"\r\n":
                return Verdict.CUT
            self._length += size
            self._chunks += 1
            if self._chunks > limits.CHUNKS:
                raise _too_long("chunks", limits.CHUNKS)
            self._at = behind + 2

    def _scan_trailers(self, data: bytearray, end: int) -> Verdict:
        """What follows the last chunk: an empty line, or headers and an empty line."""
        if data.find(_END, end, end + limits.CHUNK_LINE_BYTES) >= 0:
            return Verdict.COMPLETE
        return Verdict.CUT if len(data) - end >= limits.CHUNK_LINE_BYTES else Verdict.WAIT


def _too_long(what: str, limit: int) -> Problem:
    return Problem("LIMIT_EXCEEDED", f"Too long: the {what} of the request.", {"what": what, "limit": limit})
