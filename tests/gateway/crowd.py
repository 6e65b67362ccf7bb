"""Many streams at once, read by one thread: raw sockets and a selector, because five hundred threads would measure
themselves."""

from __future__ import annotations

import re
import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

PATIENCE = 60.0
_EVENT = re.compile(rb"^id: ([0-9a-f.]+)\nevent: event\n", re.MULTILINE)
_SNAPSHOT = re.compile(rb"^event: snapshot\n", re.MULTILINE)


_RESUME = re.compile(rb"^event: resume\n", re.MULTILINE)


class Member:
    """One stream of the crowd, and what has come of it."""

    def __init__(self, address: tuple[str, int], request: Callable[[str], bytes], last: str, *, resumes: bool) -> None:
        self.received = bytearray()
        self.ended = False
        self._address = address
        self._request = request
        self._resumes = resumes
        self._connect(last)

    def _connect(self, last: str) -> None:
        self._from = len(self.received)
        self.socket = socket.create_connection(self._address, PATIENCE)
        self.socket.sendall(self._request(last))
        self.socket.setblocking(False)

    def come_back(self) -> bool:
        """Connect again behind the last event if the stream has ended by telling so, as a client does. Returns whether
        it has."""
        if not (self._resumes and _RESUME.search(self.received, self._from)):
            return False
        self.socket.close()
        self._connect(self.events()[-1])
        return True

    @property
    def status(self) -> int:
        return int(self.received[9:12] or b"0")

    @property
    def begun(self) -> bool:
        return _SNAPSHOT.search(self.received) is not None

    def events(self) -> list[str]:
        """The ids of the events that have come."""
        return [found.decode() for found in _EVENT.findall(self.received)]


class Crowd:
    """All of them. Reads whenever it is asked to wait for something."""

    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        self._address = (parts.hostname or "", parts.port or 80)
        self._host = parts.netloc
        self._selector = selectors.DefaultSelector()
        self.members: list[Member] = []
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4_096)), hard))

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *about: object) -> None:
        for member in self.members:
            member.socket.close()
        self._selector.close()

    def join(
        self, path: str, token: str = "", *, last: str = "", version: str = "1.1", resumes: bool = False
    ) -> Member:
        """Opens one more stream, with a token and behind an event if some are given. `resumes`: it comes back by itself
        when it is told to, because a busy machine can let it fall behind."""

        def request(behind: str) -> bytes:
            more = f"Authorization: Bearer {token}\r\n" if token else ""
            more += f"Last-Event-ID: {behind}\r\n" if behind else ""
            head = f"GET {path} HTTP/{version}\r\nHost: {self._host}\r\nAccept: text/event-stream\r\n{more}\r\n"
            return head.encode()

        member = Member(self._address, request, last, resumes=resumes)
        self.members.append(member)
        self._selector.register(member.socket, selectors.EVENT_READ, member)
        return member

    def until(self, holds: Callable[[Member], bool], members: Iterable[Member] | None = None) -> None:
        """Reads until something holds for all of them; fails after a bounded time."""
        waiting = {id(member): member for member in (self.members if members is None else members)}
        deadline = time.monotonic() + PATIENCE
        while waiting := {number: member for number, member in waiting.items() if not holds(member)}:
            assert time.monotonic() < deadline, f"{len(waiting)} wait in vain: {waiting.popitem()[1].received[-300:]!r}"
            for key, _ in self._selector.select(0.1):
                self._read(key.data)

    def _read(self, member: Member) -> None:
        data = member.socket.recv(1 << 16)
        member.received += data
        if not data:
            self._selector.unregister(member.socket)
            if member.come_back():
                self._selector.register(member.socket, selectors.EVENT_READ, member)
            else:
                member.ended = True
