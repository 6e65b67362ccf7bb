"""Server-Sent Events as a test reads them: one stream on a socket of its own, each message with its id and type."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

PATIENCE = 60.0


class Told(NamedTuple):
    """One message of a stream."""

    id: str
    type: str
    data: Any


class Stream:
    """A stream that is open: its status and headers, then its messages one after the other."""

    def __init__(self, base: str, path: str, headers: Mapping[str, str] | None = None) -> None:
        parts = urlsplit(base)
        assert parts.hostname is not None
        self._socket = socket.create_connection((parts.hostname, parts.port or 80), PATIENCE)
        sent = {"Host": parts.netloc, "Accept": "text/event-stream", **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        self._file = self._socket.makefile("rb")
        self.retry = ""
        try:
            self._socket.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            self.status = int(self._file.readline().split()[1])
            self.headers = dict(self._headers())
        except Exception:
            self.close()
            raise
        self._text = self._lines()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def await_bytes(self) -> None:
        """Waits until something has come that was not read yet, and leaves it unread."""
        assert self._file.peek(1)

    def cut(self) -> None:
        """Hangs up, from another thread: whoever reads sees the stream end."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def _headers(self) -> Iterator[tuple[str, str]]:
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            yield name.lower(), value.strip()

    def body(self) -> Any:
        """What a refusal says."""
        return json.loads(self._file.read(int(self.headers["content-length"])))

    def _lines(self) -> Iterator[str]:
        """The lines of the stream, put together from the chunks in which they come."""
        rest = b""
        while size := int(self._file.readline() or b"0", 16):
            rest += self._file.read(size)
            self._file.readline()
            *lines, rest = rest.split(b"\n")
            yield from (line.decode() for line in lines)
        assert not rest

    def __iter__(self) -> Iterator[Told]:
        return self

    def __next__(self) -> Told:
        """The next message; StopIteration if the stream has ended."""
        found = {"id": "", "event": "", "data": ""}
        for line in self._text:
            if not line:
                return Told(found["id"], found["event"], json.loads(found["data"]))
            name, _, value = line.partition(": ")
            if name == "retry":
                self.retry = value
            else:
                found[name] = value
        raise StopIteration

    def events(self, until: str) -> list[Told]:
        """The events from here on until the one with this id."""
        found = []
        for told in self:
            if told.type == "event":
                found.append(told)
                if told.id == until:
                    return found
        raise AssertionError(f"the stream ended after {found[-1:]}")
