"""One exchange with one server: commands are sent once, and replies come in the same order.

The client library resends a command whose reply was lost, ten times by default, but a commit must not be sent twice. So
the connections of its pool are used directly here, and two failures are distinguished:

    NotSent     the server was not reached, or refused before it did anything
    ReplyLost   the commands were sent, and it is not known whether the server ran them

Every connection uses RESP2: with the library's default, RESP3, redirected invalidations are lost silently.
"""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import Empty
from typing import Any, Protocol

import redis.connection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    MaxConnectionsError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as BrokenConnection
from redis.exceptions import TimeoutError as NoAnswer

from ... import limits
from ..errors import StoreUnavailable, Trouble

Command = tuple[str | bytes | int, ...]
Reply = Any
"""Bytes, a number, None, a list of these, or a ResponseError."""

DEFAULTS: Mapping[str, Any] = {
    "socket_timeout": limits.STORE_ANSWER_SECONDS,
    "socket_connect_timeout": limits.STORE_CONNECT_SECONDS,
    "max_connections": limits.STORE_CONNECTIONS,
    "timeout": limits.STORE_ANSWER_SECONDS,
    "driver_info": None,
}
FIXED: Mapping[str, Any] = {"protocol": 2, "decode_responses": False}
"""Settings that a URL cannot change."""


_library: Any = redis.connection
"""The library's connections, which have no types; `Connection` declares what is used of them."""
UNIX_SOCKET: Any = redis.connection.UnixDomainSocketConnection
_pack: Callable[[Command], bytes] = import_module("hiredis").pack_command

TROUBLES = {
    "OOM": Trouble.FULL,
    "READONLY": Trouble.READ_ONLY,
    "MISCONF": Trouble.READ_ONLY,
    "NOREPLICAS": Trouble.REPLICAS_MISSING,
}
"""By the code in a refusal: what is wrong with the store."""
CROWDED_SIGNS = ("max number of clients", *map(os.strerror, (errno.EMFILE, errno.ENFILE)))
"""Words of errors that mean that there are too many connections or open files."""
_CODE = re.compile(rf"\b({'|'.join(TROUBLES)})\b")


class Connection(Protocol):
    """A connection of the library."""

    def connect(self) -> None:
        """Open the connection."""

    def on_connect(self) -> None:
        """Authenticate and choose the database, after `connect`."""

    def disconnect(self) -> None:
        """Close the connection."""

    def pack_commands(self, commands: Iterable[Command]) -> list[bytes]:
        """Return the commands as bytes for the connection."""

    def send_packed_command(self, command: list[bytes], check_health: bool) -> None:
        """Send bytes."""

    def send_command(self, *command: str | bytes | int, check_health: bool) -> None:
        """Send a command."""

    def can_read(self, timeout: float = 0) -> bool:
        """Wait until there is something to read, or the connection is broken."""

    def read_response(self) -> Reply:
        """Return the next reply. Raises ResponseError if it is a refusal."""


class NotSent(StoreUnavailable):
    """The server did not run the commands."""


class ReplyLost(StoreUnavailable):
    """The server may have run the commands."""


class _Pool(_library.BlockingConnectionPool):  # type: ignore[misc]
    """The library's pool without its metrics, which take longer than a short exchange. It must not be used across a
    fork."""

    def get_connection(self) -> Connection:
        """Return a connection that is ready to send. Raises ConnectionError if none is free within `timeout` s."""
        try:
            connection: Connection = self.pool.get(timeout=self.timeout) or self.make_connection()
        except Empty:
            raise BrokenConnection("No connection available.") from None
        try:
            connection.connect()
            try:
                ready = not connection.can_read()  # otherwise it was closed, or a reply was not read
            except (BrokenConnection, NoAnswer, OSError):
                ready = False
            if not ready:
                connection.disconnect()
                connection.connect()
                if connection.can_read():
                    raise BrokenConnection("Connection not ready")
        except BaseException:
            self.release(connection)
            raise
        return connection

    def release(self, connection: Connection) -> None:
        """Take a connection back."""
        self.pool.put_nowait(connection)


class Server:
    """One server of the store. `settings` are the library's, as its `parse_url` gives them. With `master_only` each new
    connection asks for the server's role first and is refused if that is not master."""

    def __init__(self, name: str, settings: Mapping[str, Any], *, master_only: bool = False) -> None:
        self.name = name
        """Host and port, or the path of a socket. Contains no secret."""
        self.folder = Path(settings["path"]).parent if "path" in settings else None
        """The folder of its unix socket; None if it is reached over the network. No other server can take its place."""
        greeting: Mapping[str, Any] = {}
        if master_only:
            greeting = {"redis_connect_func": _require_master}
        elif _is_tls(settings):
            greeting = {"redis_connect_func": _read_tickets}
        self._pool = _Pool(**{**DEFAULTS, **settings, **FIXED, **greeting})

    def exchange(self, *commands: Command) -> list[Reply]:
        """Send the commands over one connection and return a reply for each; a refusal is returned as ResponseError."""
        try:
            connection: Connection = self._pool.get_connection()
        except (RedisError, OSError) as fault:
            raise self._unreached(fault) from fault
        try:
            connection.send_packed_command(list(map(_pack, commands)), check_health=False)
            return [_reply(connection) for _ in commands]
        except (AuthenticationError, BusyLoadingError, MaxConnectionsError) as fault:
            connection.disconnect()
            trouble = Trouble.CROWDED if _is_crowded(_plain(fault)) else Trouble.UNREACHABLE
            raise NotSent(f"the store at {self.name} refuses to work: {_plain(fault)}", trouble) from fault
        except (RedisError, OSError) as fault:
            connection.disconnect()
            trouble = Trouble.SLOW if isinstance(fault, NoAnswer) else Trouble.UNREACHABLE
            raise ReplyLost(f"the store at {self.name} did not answer: {_plain(fault)}", trouble) from fault
        except BaseException:
            connection.disconnect()
            raise
        finally:
            self._pool.release(connection)

    def ask(self, *command: str | bytes | int) -> Reply:
        """Return the reply to one command. Raises ResponseError if it is refused."""
        (reply,) = self.exchange(command)
        if isinstance(reply, ResponseError):
            raise reply
        return reply

    def info(self, section: str) -> dict[str, str]:
        """Return the fields of a section of INFO."""
        lines = self.ask("INFO", section).decode("utf-8", "replace").splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def dial(self, seconds: float | None = None) -> Connection:
        """Open a connection outside the pool, for a caller that keeps it. `seconds` bounds connecting and each answer;
        without it the usual time-outs apply."""
        waits = {} if seconds is None else {"socket_timeout": seconds, "socket_connect_timeout": seconds}
        connection: Connection = self._pool.connection_class(**{**self._pool.connection_kwargs, **waits})
        try:
            connection.connect()
        except (RedisError, OSError) as fault:
            connection.disconnect()
            raise self._unreached(fault) from fault
        return connection

    def is_crowded(self) -> bool:
        """Return whether a server with a unix socket has reached its limit of connections. It says so and disconnects
        at once, so a client that writes first only sees a broken connection."""
        if self.folder is None:
            return False
        with socket.socket(socket.AF_UNIX) as line, suppress(OSError):
            line.settimeout(limits.CROWDED_SECONDS)
            line.connect(self.name)
            return _is_crowded(line.recv(256).decode("utf-8", "replace"))
        return False

    def _unreached(self, fault: Exception) -> NotSent:
        """Return the error for a connection that could not be opened. A server that accepts connections and does not
        answer is slow, and so is one that keeps every connection of the pool busy."""
        words = _plain(fault)
        slow = (isinstance(fault, NoAnswer) and "connecting" not in words) or words == "No connection available"
        trouble = Trouble.SLOW if slow else Trouble.CROWDED if _is_crowded(words) else Trouble.UNREACHABLE
        return NotSent(f"the store at {self.name} cannot be reached: {words}", trouble)

    def retire(self) -> None:
        """Close the connections that are not in use."""
        self._pool.disconnect(inuse_connections=False)

    def close(self) -> None:
        """Close all connections."""
        self._pool.disconnect()


def socket_of(connection: Connection) -> socket.socket:
    """Return the socket of an open connection of the library, which has no public name for it."""
    found: socket.socket = connection._sock  # type: ignore[attr-defined]
    return found


def settings_of(url: str) -> dict[str, Any]:
    """Return the redis library's settings for a URL. Raises ValueError."""
    found: dict[str, Any] = _library.parse_url(url)
    return found


def trouble_of(refusal: Exception) -> Trouble:
    """Return what is wrong with a store that refuses a command. Scripts wrap the error of the command that failed, so
    its code may be anywhere in the text; the library removes the code if it has an exception class for it."""
    if isinstance(refusal, OutOfMemoryError):
        return Trouble.FULL
    if isinstance(refusal, ReadOnlyError):
        return Trouble.READ_ONLY
    found = _CODE.search(str(refusal))
    return TROUBLES[found[1]] if found else Trouble.UNREACHABLE


def _is_crowded(words: str) -> bool:
    return any(sign in words for sign in CROWDED_SIGNS)


def _is_tls(settings: Mapping[str, Any]) -> bool:
    kind = settings.get("connection_class")
    return isinstance(kind, type) and issubclass(kind, _library.SSLConnection)


def _read_tickets(connection: Connection) -> None:
    """Set up a connection over TLS. After a TLS 1.3 handshake the server sends session tickets, which the pool would
    take for a reply that was not read. They come before the first reply, so one exchange reads them."""
    connection.on_connect()
    connection.send_command("PING", check_health=False)
    _reply(connection)


def _require_master(connection: Connection) -> None:
    """Set up a connection, and refuse it unless the server is a master. Users who may not call ROLE can read the role
    with INFO."""
    connection.on_connect()
    connection.send_command("INFO", "replication", check_health=False)
    if b"role:master" not in connection.read_response().split():
        raise BrokenConnection("it is not a master any more")


def _reply(connection: Connection) -> Reply:
    try:
        return connection.read_response()
    except ResponseError as refusal:
        return refusal


def _plain(fault: Exception) -> str:
    """Return the failure in one line."""
    return " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
