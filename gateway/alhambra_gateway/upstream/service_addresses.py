"""The addresses of services: what `--service` lists, and what its names stand for.

    127.0.0.1:50051                     one service
    10.0.0.1:50051,10.0.0.2:50051       two
    dns:///service:50051                as many as the name has addresses; also without dns:///
    unix:/run/alhambra.sock             whatever else gRPC knows is left to gRPC

The gateway looks names up itself, so that every service has connections of its own: if gRPC did it, the services behind
a name could not be told apart, and a hung one could not be avoided.
"""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import NamedTuple

_NAMED = re.compile(r"(?:dns:///)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:\[\]]+):(?P<port>[0-9]{1,5})")


class Target(NamedTuple):
    """Something that gRPC can connect to."""

    address: str
    authority: str = ""
    """The name and port that was looked up; empty if the address was given as it is."""


class Listed(NamedTuple):
    """One entry of `--service`."""

    text: str
    host: str = ""
    """The name to look up; empty if there is none."""
    port: str = ""

    def look_up(self) -> frozenset[Target]:
        """Return what the name stands for at this moment. Raise OSError if it cannot be looked up."""
        found = socket.getaddrinfo(self.host, int(self.port), type=socket.SOCK_STREAM)
        authority = f"{self.host}:{self.port}"
        return frozenset(Target(_joined(str(address[0]), self.port), authority) for *_, address in found)


def listed(service: str) -> list[Listed]:
    """Return the entries of `--service`."""
    return [_read(text) for text in service.split(",")]


def _read(text: str) -> Listed:
    found = _NAMED.fullmatch(text)
    if found is None:
        return Listed(text)
    host, port = found["host"], found["port"]
    try:
        return Listed(_joined(str(ip_address(host.strip("[]"))), port))
    except ValueError:
        return Listed(text, host, port)


def _joined(address: str, port: str) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
