"""Reports of changes that have arrived at this process, and whether all of them have been applied.

The thread that listens to a server may wait for the interpreter while its reports are in the socket already. So every
read from memory first asks the kernel whether reports have arrived, and applies them itself. That takes about a
microsecond; `poll` is called without releasing the interpreter lock, because a thread that releases it for a system
call may wait milliseconds to get it back.

A server writes the report of a change before it writes the reply of the commit
(docs/decisions/0040-reads-after-acknowledged-changes.md). So a read that begins after a commit was acknowledged finds
its report.
"""

from __future__ import annotations

import ctypes
import select
import threading
from collections.abc import Callable
from ssl import SSLWantReadError
from typing import Protocol

import hiredis
from redis.exceptions import ConnectionError as BrokenConnection
from redis.exceptions import InvalidResponse, ResponseError

from ..connection.wire import Connection, Reply, socket_of

READ_BYTES = 65_536
NOT_COMPLETE = object()


class _PollFd(ctypes.Structure):
    """`struct pollfd` of the C library."""

    _fields_ = (("fd", ctypes.c_int), ("events", ctypes.c_short), ("revents", ctypes.c_short))


_poll: Callable[[ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int], int] = ctypes.PyDLL(None).poll
"""`poll` of the C library. A function of PyDLL keeps the interpreter lock."""
_AT_ONCE = ctypes.c_int(0)


class ReportReader:
    """The messages of one connection to a server, read without waiting. Two threads must not call `arrived` at the same
    time; `wait` is for the thread that owns the connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._socket = socket_of(connection)
        self._socket.setblocking(False)
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse, replyError=ResponseError, notEnoughData=NOT_COMPLETE
        )
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)

    def fileno(self) -> int:
        """Return the file descriptor of the connection."""
        return self._socket.fileno()

    def send(self, *command: str | int) -> None:
        """Send a command."""
        self._connection.send_command(*command, check_health=False)

    def wait(self, seconds: float) -> bool:
        """Wait until something has arrived, or the connection is broken. Return False if nothing has after this
        time."""
        return bool(self._readable.poll(1000 * seconds))

    def arrived(self) -> list[Reply]:
        """Return the complete messages that have arrived; an empty list if there are none. Raises an OSError or a
        RedisError if the connection is broken."""
        while True:
            try:
                data = self._socket.recv(READ_BYTES)
            except (BlockingIOError, SSLWantReadError):
                break
            if not data:
                raise BrokenConnection("the server has closed the connection")
            self._reader.feed(data)
        messages: list[Reply] = []
        while (message := self._reader.gets()) is not NOT_COMPLETE:
            messages.append(message)
        return messages


class Source(Protocol):
    """A connection whose reports can be applied."""

    def fileno(self) -> int:
        """Return the file descriptor on which reports arrive."""

    def apply_arrived(self) -> None:
        """Apply all reports that have arrived. Must not wait and must not raise."""


class UnappliedReports:
    """The reports of all tracked servers that have arrived and were not applied yet."""

    def __init__(self) -> None:
        self.applying = threading.Lock()
        """Held while reports are taken from a socket and applied."""
        self._sources: tuple[Source, ...] = ()
        self._watched = _watched(())

    def add(self, source: Source) -> None:
        """Apply the reports of this source, too."""
        with self.applying:
            self._sources = (*self._sources, source)
            self._watched = _watched(self._sources)

    def remove(self, source: Source) -> None:
        """Leave this source out from now on. Call it before its connection is closed."""
        with self.applying:
            self._sources = tuple(other for other in self._sources if other is not source)
            self._watched = _watched(self._sources)

    def apply(self) -> None:
        """Apply all reports that have arrived before this call. Returns when they are applied, also if another thread
        applies them."""
        pointer, count, _ = self._watched
        # In this order: reports that are in no socket any more are applied as soon as the lock is free.
        if _poll(pointer, count, _AT_ONCE) or self.applying.locked():
            with self.applying:
                for source in self._sources:
                    source.apply_arrived()


def _watched(sources: tuple[Source, ...]) -> tuple[ctypes.c_void_p, ctypes.c_ulong, object]:
    """Return the arguments of `poll` for these sources, and the array that must live as long as they are used."""
    array = (_PollFd * len(sources))(*[_PollFd(source.fileno(), select.POLLIN, 0) for source in sources])
    return ctypes.c_void_p(ctypes.addressof(array)), ctypes.c_ulong(len(sources)), array
