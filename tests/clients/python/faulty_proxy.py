"""A proxy between a client and a gateway that does what networks do: lose requests and answers, and cut streams."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from typing import IO, Any, NamedTuple

from tests.small_server import HOST, SmallServer

LOSE_REQUEST, LOSE_ANSWER = "lose request", "lose answer"
LAST_CHUNK = b"0\r\n"


class Request(NamedTuple):
    """A request that arrived at the proxy."""

    line: str
    body: Any
    """The JSON body; None if there is none."""


class FaultyProxy(SmallServer):
    """Passes requests on. `faults` holds what to do with the next ones whose first line contains `only`: LOSE_REQUEST,
    LOSE_ANSWER, or a whole HTTP answer that the proxy gives itself."""

    def __init__(self, target: str) -> None:
        self.target = target
        """The address of the gateway, `http://127.0.0.1:4712`. It can be changed."""
        self.only = ""
        self.faults: list[str | bytes] = []
        self.requests: list[Request] = []
        self._streams: list[socket.socket] = []
        super().__init__()
        self.http = f"http://{HOST}:{self.port}"

    def sent(self, word: str) -> list[Request]:
        """Return the requests whose first line contains a word."""
        return [request for request in self.requests if word in request.line]

    def cut_streams(self) -> int:
        """Cut the streams that are open, and return how many there were."""
        streams, self._streams = self._streams, []
        for each in streams:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        return len(streams)

    def serve(self, client: socket.socket) -> None:
        """Pass requests of one connection on, each over a connection of its own."""
        with client.makefile("rb") as incoming:
            while head := _head(incoming):
                body = incoming.read(_length(head))
                line = head.partition(b"\r\n")[0].decode()
                self.requests.append(Request(line, json.loads(body) if body else None))
                fault = self.faults.pop(0) if self.faults and self.only in line else ""
                if fault == LOSE_REQUEST:
                    return
                if isinstance(fault, bytes):
                    client.sendall(fault)
                    continue
                port = int(self.target.rpartition(":")[2])
                with self.closed_with_server(socket.create_connection((HOST, port))) as server:
                    server.sendall(head + body)
                    with server.makefile("rb") as answers:
                        if not self._pass_on(answers, client, is_lost=fault == LOSE_ANSWER):
                            return

    def _pass_on(self, answers: IO[bytes], client: socket.socket, *, is_lost: bool) -> bool:
        """Pass an answer on, and return whether the connection can be used again."""
        head = _head(answers)
        is_stream = b"text/event-stream" in head
        body = b"" if is_stream else answers.read(_length(head))
        if is_lost or not head:
            return False
        client.sendall(head + body)
        if is_stream:
            self._streams.append(client)
            while line := answers.readline():
                client.sendall(line)
                if line == LAST_CHUNK:  # the server keeps the connection for the next request, and so may the client
                    client.sendall(answers.readline())
                    return True
        return not is_stream


def _head(file: IO[bytes]) -> bytes:
    lines = []
    while line := file.readline():
        lines.append(line)
        if line == b"\r\n":
            return b"".join(lines)
    return b""


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def answer(status: str, reason: str, **headers: str) -> bytes:
    """Return an HTTP answer with a problem document."""
    body = json.dumps({"status": int(status.partition(" ")[0]), "reason": reason, "detail": "a test"}).encode()
    sent = {"Content-Type": "application/problem+json", "Content-Length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body
