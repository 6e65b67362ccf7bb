"""What an attack costs others on this machine if the product has no part in it: the same sockets send the same requests
to a plain server in a process of its own, which uses as much CPU time as an address has.

    python -m tests.gateway.costs.sink 60

Reads requests and answers as many of them in each second as its argument says, at once, and uses the CPU time of an
address for that; the others wait for the next second. Says its address, and ends when its input does.
"""

from __future__ import annotations

import re
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from alhambra_gateway import limits

from ..attacks.process import attacking

ANSWER = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


@contextmanager
def sink(per_second: int) -> Iterator[str]:
    """A sink that answers this many requests in each second; yields its address."""
    with attacking(f"{__package__}.sink", (str(per_second),)) as base:
        yield base


def length_of(data: bytearray) -> int:
    """Return how many bytes the request at the beginning of the data has; 0 if its head is not complete."""
    head = data.find(b"\r\n\r\n") + 4
    if head < 4:
        return 0
    found = _LENGTH.search(data, 0, head)
    return head + (int(found[1]) if found else 0)


def use(seconds: float) -> None:
    """Use CPU time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


class Sink:
    """The server: one thread for all sockets."""

    def __init__(self, per_second: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._each = limits.CPU_PER_SECOND / per_second
        self._per_second = per_second

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def run(self) -> None:
        """Answer until the process ends."""
        left, until = self._per_second, time.monotonic() + 1
        while True:
            for key, _ in self._selector.select(1):
                if left <= 0:
                    break
                if key.data is None:
                    self._selector.register(self._listener.accept()[0], selectors.EVENT_READ, bytearray())
                else:
                    left -= self._read(key.fileobj, key.data)  # type: ignore[arg-type]
            if left <= 0:
                time.sleep(max(0.0, until - time.monotonic()))
            if time.monotonic() >= until:
                left, until = self._per_second, time.monotonic() + 1

    def _read(self, client: socket.socket, data: bytearray) -> int:
        """Read from a socket, and answer if a request is complete; how many were answered."""
        began, read = time.thread_time(), b""
        with suppress(OSError):
            read = client.recv(limits.READ_BYTES)
        if not read:
            self._selector.unregister(client)
            client.close()
            return 0
        data += read
        length = length_of(data)
        if not length or len(data) < length:
            return 0
        del data[:length]
        use(self._each - (time.thread_time() - began))
        with suppress(OSError):
            client.sendall(ANSWER)
        return 1


if __name__ == "__main__":
    server = Sink(int(sys.argv[1]))
    threading.Thread(target=server.run, daemon=True).start()
    print("ready", server.address, flush=True)
    sys.stdin.read()
