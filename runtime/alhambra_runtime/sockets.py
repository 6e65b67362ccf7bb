"""Sockets of servers. They are bound before anything else is started, so a port in use is reported at once."""

from __future__ import annotations

import ctypes
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .addresses import Address
from .settings import BadSettings

NEAR = 100
"""How many ports after one in use are tried."""
_ATTACH_FILTER = 26
"""SO_ATTACH_FILTER of Linux, which Python does not name."""
_DROP_SYN = (
    struct.pack("HBBI", 0x30, 0, 0, 13),  # load the byte of the TCP header that has the flags
    struct.pack("HBBI", 0x45, 0, 1, 0x02),  # if it has SYN
    struct.pack("HBBI", 0x06, 0, 0, 0),  # drop the packet
    struct.pack("HBBI", 0x06, 0, 0, 0xFFFFFFFF),  # otherwise pass it
)
"""A filter for packets that drops attempts to connect."""


def cannot_listen(address: object, fault: OSError) -> BadSettings:
    """Return the error for an address on which a server cannot listen."""
    return BadSettings(f"Cannot listen on {address}: {(fault.strerror or str(fault)).lower()}.")


@contextmanager
def bound(address: Address, *, shared: bool = False, backlog: int = 0) -> Iterator[socket.socket]:
    """Open a socket at an IP address, and close it afterwards. Raise BadSettings if the port is in use.

    `shared`: other sockets may be bound to the same port if they are shared, too.
    `backlog`: how many connections wait to be accepted; with 0 the socket does not listen."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            found.bind((address.host, address.port))
            if backlog:
                found.listen(backlog)
        except OSError as fault:
            raise cannot_listen(address, fault) from None
        yield found


@contextmanager
def reserved(address: Address) -> Iterator[Address]:
    """Reserve an address for workers that share its port, and return it with the port that was chosen for port 0.

    A socket that never listens holds the port, so a worker can die and come back. While a worker listens, a second
    server on the port is refused; it would silently get a part of the connections. The path of a Unix socket is not
    reserved."""
    if address.path:
        yield address
        return
    with bound(address) as alone:
        port = alone.getsockname()[1]
    address = Address(address.host, port)
    with bound(address, shared=True):
        yield address


def require_free(address: Address) -> None:
    """Raise BadSettings if the port is in use. The path of a Unix socket is not checked."""
    if not address.path:
        with bound(address):
            pass


def next_free(address: Address) -> Address:
    """Return the address with the next higher port that is free; with port 0, which means any, if none is near."""
    for port in range(address.port + 1, min(address.port + NEAR, 1 << 16)):
        other = Address(address.host, port)
        with suppress(BadSettings):
            require_free(other)
            return other
    return Address(address.host, 0)


def ignore_new_connections(listener: socket.socket) -> bool:
    """Let the kernel ignore further attempts to connect to a listening socket. Connections that wait to be accepted can
    still be accepted, and those whose handshake has begun: without this, the last of them would be reset when the
    socket is closed. A client whose attempt is ignored tries again after a second, and finds the port closed. On
    systems other than Linux, and where this user may not attach a filter, nothing is done. Return whether it was."""
    if sys.platform != "linux":
        return False
    program = ctypes.create_string_buffer(b"".join(_DROP_SYN))
    described = struct.pack("HP", len(_DROP_SYN), ctypes.addressof(program))
    try:
        listener.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, described)
    except PermissionError:
        return False
    return True
