"""Addresses on which servers listen, read from text."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import NamedTuple

Network = IPv4Network | IPv6Network

UNIX = "unix:"


class Address(NamedTuple):
    """Where a server listens: an IP address and a port, or the path of a Unix socket."""

    host: str
    port: int
    path: str = ""

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the address."""
        return bool(self.path) or ip_address(self.host).is_loopback

    def __str__(self) -> str:
        if self.path:
            return f"{UNIX}{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """Parse `127.0.0.1:50051`, `[::]:50051`, `localhost:50051` or `unix:/path/of/a.sock`. Raise ValueError."""
    if text.startswith(UNIX) and len(text) > len(UNIX):
        return Address("", 0, text.removeprefix(UNIX).removeprefix("//"))
    host, _, port = text.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host
    if host.startswith("[") != host.endswith("]"):
        raise ValueError(text)
    found = str(ip_address(host.strip("[]")))
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise ValueError(text)
    return Address(found, int(port))
