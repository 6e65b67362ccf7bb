"""The sockets of an attack, in a process of their own, so that they do not measure themselves.

    python -m tests.gateway.attacks.horde dribbled_head 127.0.0.1 8080 1000 [spread]

Says `ready` a moment after all are open, keeps their number by opening new ones for those that are closed (a bounded
number each second), and ends when its input does.
"""

from __future__ import annotations

import heapq
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from urllib.parse import urlsplit

from .peer import Peer
from .process import PATIENCE, attacking

NAMES = (
    "silence",
    "dribbled_head",
    "fast_dribble",
    "dribbled_body",
    "dribbled_chunks",
    "garbage",
    "many_requests",
    "never_reads",
    "slow_reader",
    "quick_connections",
    "idle",
)
OPENED_PER_SECOND = 50
SETTLE_SECONDS = 1.0, 5.0
"""What all sockets send when they are opened is a burst of load and not the attack: it is let pass first. So long at
least, and at most."""


def peer_of(name: str) -> type[Peer]:
    """The class of an attack."""
    found: type[Peer] = import_module(f"{__package__}.{name}").Peer
    return found


@contextmanager
def horde(name: str, base: str, count: int, *, spread: bool = False) -> Iterator[None]:
    """An attack goes on: so many sockets, all from this machine, or each in the name of another address."""
    parts = urlsplit(base)
    words = [name, parts.hostname or "", str(parts.port), str(count), *(["spread"] if spread else [])]
    with attacking(f"{__package__}.horde", words):
        yield


class Horde:
    """All sockets of an attack, moved by one thread."""

    def __init__(self, kind: type[Peer], address: tuple[str, int], *, spread: bool) -> None:
        self._kind = kind
        self._address = address
        self._spread = spread
        self._selector = selectors.DefaultSelector()
        self._selector.register(sys.stdin, selectors.EVENT_READ)
        self._due: list[tuple[float, int, socket.socket, Peer]] = []
        self._open: dict[socket.socket, Peer] = {}
        self._made = 0

    def open(self) -> None:
        """Opens one more socket."""
        number = self._made
        self._made += 1
        forwarded = f"203.0.{113 + number // 250 % 100}.{1 + number % 250}" if self._spread else ""
        peer = self._kind(f"localhost:{self._address[1]}", forwarded, number)
        connection = socket.socket()
        if peer.receive_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, peer.receive_bytes)
        connection.settimeout(PATIENCE)
        connection.connect(self._address)
        connection.sendall(peer.first())
        connection.setblocking(False)
        self._open[connection] = peer
        if type(peer).read is Peer.read:  # one that reads slowly reads in its turn
            self._selector.register(connection, selectors.EVENT_READ, peer)
        heapq.heappush(self._due, (time.monotonic() + peer.tick, number, connection, peer))

    def close(self, connection: socket.socket) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection)
        self._open.pop(connection, None)
        connection.close()

    def run(self, count: int) -> None:
        """Goes on until the input ends."""
        for _ in range(count):
            self.open()
        settled: float | None = time.monotonic()
        allowed, refilled = 0.0, time.monotonic()
        while True:
            events = self._selector.select(0.02)
            if settled is not None and time.monotonic() - settled > SETTLE_SECONDS[bool(events)]:
                print("ready", flush=True)
                settled = None
            for key, _ in events:
                if key.data is None:
                    return
                self._read(key.fileobj, key.data)  # type: ignore[arg-type]
            self._move()
            now = time.monotonic()
            allowed, refilled = min(OPENED_PER_SECOND, allowed + OPENED_PER_SECOND * (now - refilled)), now
            while len(self._open) < count and allowed >= 1:
                allowed -= 1
                with suppress(OSError):
                    self.open()

    def _read(self, connection: socket.socket, peer: Peer) -> None:
        try:
            ended = peer.read(connection)
        except OSError:
            ended = True
        if ended:
            self.close(connection)

    def _move(self) -> None:
        """Those whose turn it is."""
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _, number, connection, peer = heapq.heappop(self._due)
            if connection not in self._open:
                continue
            peer.turn += 1
            if type(peer).read is not Peer.read:
                self._read(connection, peer)
            if peer.turns is not None and peer.turn >= peer.turns:
                self.close(connection)
            elif connection in self._open:
                try:
                    connection.send(peer.drip() or b"")
                except BlockingIOError:
                    pass
                except OSError:
                    self.close(connection)
                    continue
                heapq.heappush(self._due, (now + peer.tick, number, connection, peer))


if __name__ == "__main__":
    name, host, port, many, *more = sys.argv[1:]
    Horde(peer_of(name), (host, int(port)), spread="spread" in more).run(int(many))
