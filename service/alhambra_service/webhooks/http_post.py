"""One POST to a checked address, bounded in every way.

The connection is made to the address that was checked, with the name of the host in TLS and in the header Host. A
redirection is an answer like any other one that is not 2xx: it is not followed. Only the head of the answer is read. A
watchdog ends an attempt that takes longer than WEBHOOK_TOTAL_SECONDS, however slowly bytes arrive.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from .. import limits
from ..webhook_addresses import Address, AddressPolicy, AddressRefused, Resolve, Target

USER_AGENT = "Alhambra-Webhooks"
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-9][0-9][0-9])(?: [^\r\n]*)?\r?\n")
_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an attempt: the status of the answer, or 0 and a sentence that says what went wrong."""

    status: int
    error: str = ""

    @property
    def delivered(self) -> bool:
        """Whether the receiver has accepted the delivery."""
        return 200 <= self.status < 300 and not self.error


class Watchdog:
    """Ends connections that have been open for too long. `check` is called from time to time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[socket.socket, float] = {}

    def add(self, connection: socket.socket, deadline: float) -> None:
        """End the connection at the deadline."""
        with self._lock:
            self._open[connection] = deadline

    def remove(self, connection: socket.socket) -> None:
        """Leave the connection alone from now on."""
        with self._lock:
            self._open.pop(connection, None)

    def check(self) -> None:
        """End all connections whose deadline has passed. The thread that waits for one gets an error."""
        now = self._clock()
        with self._lock:
            late = [connection for connection, deadline in self._open.items() if deadline <= now]
            for connection in late:
                with suppress(OSError):
                    # The method of SSLSocket would make the waiting thread go on without encryption.
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)


class Poster:
    """Makes POST requests to addresses that a policy allows. Safe to share between threads."""

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        resolve: Resolve | None = None,
        authority: str = "",
        total: float = limits.WEBHOOK_TOTAL_SECONDS,
        connect: float = limits.WEBHOOK_CONNECT_SECONDS,
    ) -> None:
        self.policy = policy
        self.watchdog = Watchdog()
        self._resolve = resolve
        self._tls = ssl.create_default_context(cafile=authority or None)
        self._total = total
        self._connect_seconds = connect

    def post(self, text: str, headers: Mapping[str, str], body: bytes, *, not_after: float) -> Answer:
        """Send a body to an address. Nothing is sent after this time of the monotonic clock."""
        try:
            target = self.policy.target(text)
            addresses = self.policy.resolve(target, self._resolve)
        except AddressRefused as refused:
            return Answer(0, str(refused))
        except (OSError, ValueError) as fault:
            return Answer(0, f"The name of the host cannot be looked up: {_words(fault)}.")
        if time.monotonic() > not_after:
            return Answer(0, "Looking up the name of the host took too long.")
        deadline = time.monotonic() + self._total
        connection: socket.socket | None = None
        try:
            connection = self._connected(target, addresses, deadline)
            connection.sendall(_request(target, headers, body))
            return _read(connection, deadline)
        except (OSError, ValueError) as fault:
            if time.monotonic() >= deadline or isinstance(fault, TimeoutError):
                return Answer(0, "The receiver did not answer in time.")
            return Answer(0, f"The connection failed: {_words(fault)}.")
        finally:
            if connection is not None:
                self.watchdog.remove(connection)
                connection.close()

    def _connected(self, target: Target, addresses: list[Address], deadline: float) -> socket.socket:
        """Return a connection to the first address that answers."""
        fault: OSError = OSError("there is no address")
        for address in addresses[:2]:
            try:
                seconds = max(0.1, min(self._connect_seconds, deadline - time.monotonic()))
                raw = socket.create_connection((str(address), target.port), seconds)
            except OSError as refused:
                fault = refused
                continue
            self.watchdog.add(raw, deadline)
            raw.settimeout(max(0.1, deadline - time.monotonic()))
            if target.scheme == "http":
                return raw
            try:
                tls = self._tls.wrap_socket(raw, server_hostname=target.host, do_handshake_on_connect=False)
            finally:
                self.watchdog.remove(raw)
            self.watchdog.add(tls, deadline)
            try:
                tls.do_handshake()
            except BaseException:
                self.watchdog.remove(tls)
                tls.close()
                raise
            return tls
        raise fault


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.host_header}",
        f"User-Agent: {USER_AGENT}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


def _read(connection: socket.socket, deadline: float) -> Answer:
    """Return the answer. Its head must be complete; its body is not read."""
    data = b""
    while True:
        end = _END.search(data)
        if end is not None:
            found = _STATUS.match(data)
            if found is None:
                return Answer(0, "The answer is not HTTP.")
            status = int(found[1])
            if status >= 200:
                error = "" if status < 300 else f"The receiver answered with the status {status}."
                return Answer(status, error)
            data = data[end.end() :]  # an interim answer comes before the final one
            continue
        if len(data) > limits.WEBHOOK_ANSWER_BYTES:
            return Answer(0, "The head of the answer is too long.")
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        more = connection.recv(4096)
        if not more:
            raise TimeoutError if time.monotonic() >= deadline else OSError("it was closed before an answer")
        data += more


def _words(fault: Exception) -> str:
    """Return what an error says, in one short line."""
    text = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return " ".join(str(text).split())[: limits.WEBHOOK_ERROR_CHARS].rstrip(".")
