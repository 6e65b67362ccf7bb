"""A receiver of webhooks for tests: answers as it is told, and remembers what it got."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks.webhooks import Webhook


class Received(NamedTuple):
    """A delivery that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    def verified(self, secret: str) -> Any:
        """The body as JSON; raises if the signature is wrong."""
        return Webhook(secret).verify(self.body, self.headers)


Answer = Callable[["Receiver", Received, BaseHTTPRequestHandler], None]
"""Answers a delivery."""


def accept(receiver: Receiver, received: Received, handler: BaseHTTPRequestHandler) -> None:
    """Answers 204."""
    status(204)(receiver, received, handler)


def status(code: int, **headers: str) -> Answer:
    """Answers with a status."""

    def answer(_: Receiver, __: Received, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def raw(data: bytes, *, reset: bool = False) -> Answer:
    """Sends these bytes and closes the connection, with a reset if it is told to."""

    def answer(_: Receiver, __: Received, handler: BaseHTTPRequestHandler) -> None:
        handler.connection.sendall(data)
        if reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        handler.close_connection = True

    return answer


def hang(receiver: Receiver, _: Received, __: BaseHTTPRequestHandler) -> None:
    """Answers nothing until the receiver ends."""
    receiver.ended.wait(60)


def drip(receiver: Receiver, _: Received, handler: BaseHTTPRequestHandler) -> None:
    """Sends a head that never ends, byte by byte."""
    with suppress(OSError):
        handler.connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        while not receiver.ended.wait(0.05):
            handler.connection.sendall(b"x")


def endless_body(receiver: Receiver, _: Received, handler: BaseHTTPRequestHandler) -> None:
    """Accepts, with a body that never ends."""
    with suppress(OSError):
        handler.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while not receiver.ended.wait(0.05):
            handler.connection.sendall(b"x" * 1000)


class Receiver:
    """An HTTP server on loopback."""

    def __init__(self, answer: Answer = accept) -> None:
        self.answer = answer
        self.received: list[Received] = []
        self.ended = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                found = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                receiver.received.append(found)
                with suppress(OSError):
                    receiver.answer(receiver, found, self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/hook?a=1"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def receiving(answer: Answer = accept) -> Iterator[Receiver]:
    """A receiver."""
    one = Receiver(answer)
    try:
        yield one
    finally:
        one.close()


def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    """Waits until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.02)
