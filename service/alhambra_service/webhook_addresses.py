"""Which addresses webhooks may be sent to, so that nobody reaches the operator's own network through them.

An address is checked when a webhook is registered, as far as its text shows what is wrong, and again each time before a
connection is made. The name is looked up once for each attempt, every address that it stands for is checked, and the
connection is made to the checked address, so that a name which stands for another address a moment later reaches
nothing else.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
ALL = "all"
"""The word for every network, in the setting that allows networks."""
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_SPECIAL = tuple(
    map(
        ip_network,
        (
            *("100.64.0.0/10", "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.175.48.0/24", "198.18.0.0/15", "100::/64", "2001::/23", "2001:db8::/32", "2620:4f:8000::/48"),
            *("3fff::/20", "5f00::/16", "fec0::/10"),
        ),
    )
)
"""Networks for special purposes that not every version of Python knows as such."""
_HOST_CHARS = 253

Resolve = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a name."""


class AddressRefused(ValueError):
    """Nothing may be sent to this address. The message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """The address of a webhook in its parts."""

    scheme: str
    host: str
    port: int
    path: str
    """With the query."""

    @property
    def host_header(self) -> str:
        """The value of the header Host."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.scheme == "https" else 80
        return name if self.port == usual else f"{name}:{self.port}"


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What the operator allows beside https to public addresses."""

    networks: tuple[Network, ...] = field(default=())
    http: bool = False

    @classmethod
    def read(cls, networks: str, *, http: bool = False) -> AddressPolicy:
        """Return the policy with these networks, separated by commas, or `all`. Raises ValueError."""
        if networks.strip() == ALL:
            return cls((ip_network("0.0.0.0/0"), ip_network("::/0")), http)
        return cls(tuple(ip_network(one.strip()) for one in networks.split(",") if one.strip()), http)

    def allows(self, address: Address) -> bool:
        """Return whether something may be sent to an address. An IPv4 address inside an IPv6 one counts as itself."""
        inner = list(_embedded(address))
        if inner:
            return all(map(self.allows, inner))
        if any(address in network for network in self.networks if network.version == address.version):
            return True
        return is_public(address)

    def target(self, text: str) -> Target:
        """Return the parts of an address. Raises AddressRefused if its text alone shows that it may not be used."""
        try:
            parts = urlsplit(text)
            port, host = parts.port, parts.hostname or ""
        except ValueError:
            raise AddressRefused("The address cannot be read.") from None
        if parts.scheme not in ("https", "http"):
            raise AddressRefused("The address begins with https://.")
        if parts.scheme == "http" and not self.http:
            raise AddressRefused("The address begins with https://: the operator of this server does not allow http.")
        if parts.username is not None or parts.password is not None or parts.fragment:
            raise AddressRefused("The address has no user name, password or fragment.")
        if not text.isascii() or any(one.isspace() for one in text) or "\\" in text:
            raise AddressRefused("The address has only ASCII characters and no spaces; write other names in Punycode.")
        if not 0 < len(host) <= _HOST_CHARS or port == 0 or "%" in host:
            raise AddressRefused("The address has the name of a host.")
        literal = _literal(host)
        if literal is not None and not self.allows(literal):
            raise _refused(literal)
        path = parts.path or "/"
        query = f"?{parts.query}" if parts.query else ""
        return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path + query)

    def resolve(self, target: Target, resolve: Resolve | None = None) -> list[Address]:
        """Look the host of an address up, once, and return its addresses. Raises AddressRefused if one of them may not
        be used, and OSError if there are none."""
        found = [ip_address(one.partition("%")[0]) for one in (resolve or look_up)(target.host, target.port)]
        if not found:
            raise OSError("the name has no address")
        for address in found:
            if not self.allows(address):
                raise _refused(address)
        return list(dict.fromkeys(found))


def is_public(address: Address) -> bool:
    """Return whether an address belongs to one host of the public internet: not private, loopback, link-local, shared,
    multicast, reserved, for documentation or otherwise special."""
    special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    if special or address.is_private or address.is_link_local or not address.is_global:
        return False
    return not any(address in network for network in _SPECIAL if network.version == address.version)


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a name, in the order in which the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _embedded(address: Address) -> Iterator[Address]:
    """Generate the IPv4 addresses that an IPv6 address leads to: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    elif address.sixtofour is not None:
        yield address.sixtofour
    elif address.teredo is not None:
        yield from address.teredo
    elif any(address in network for network in _NAT64):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    elif int(address) >> 32 == 0 and int(address) > 1:  # IPv4-compatible, deprecated
        yield IPv4Address(int(address))


def _literal(host: str) -> Address | None:
    """Return the address that a host is written as, also in the old forms `127.1` and `2130706433`; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def _refused(address: Address) -> AddressRefused:
    return AddressRefused(f"The address {address} is not public, and the operator of this server allows no other.")
