"""Bytes on a socket, for requests that no HTTP client would send."""

from __future__ import annotations

import json
import socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

PATIENCE = 60.0


class RawAnswer(NamedTuple):
    """The first answer to what was sent."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, Any]:
        """The problem document that it has to be."""
        assert self.headers["content-type"] == "application/problem+json", self
        found: dict[str, Any] = json.loads(self.body)
        assert found["status"] == self.status
        return found


def connect(base: str) -> socket.socket:
    parts = urlsplit(base)
    return socket.create_connection((parts.hostname or "", parts.port or 80), PATIENCE)


def exchange(base: str, *parts: bytes) -> RawAnswer:
    """Sends the parts one after the other and reads one answer."""
    with connect(base) as connection, connection.makefile("rb") as file:
        for part in parts:
            connection.sendall(part)
        status = int(file.readline().split()[1])
        headers = {}
        while line := file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return RawAnswer(status, headers, file.read(int(headers["content-length"])))
