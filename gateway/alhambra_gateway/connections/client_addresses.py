"""Addresses of clients: whose requests are counted together, and which address a trusted proxy speaks for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from alhambra_runtime.addresses import Network

from .. import limits

SITE_BITS = 64
"""A site has at least a /64 of IPv6 to itself, and can use any address in it."""


@lru_cache(limits.HEADERS_REMEMBERED)
def site(address: str) -> str:
    """Return the address that requests are counted by: the IPv4 address itself, or the /64 of an IPv6 address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if found.is_loopback:
            return str(found)
        return str(ip_network((found, SITE_BITS), strict=False))
    return str(found)


def is_this_machine(address: str) -> bool:
    """Whether an address is a loopback address."""
    try:
        return ip_address(address.partition("/")[0]).is_loopback
    except ValueError:
        return False


def forwarded_address(peer: str, forwarded: str, is_trusted: Callable[[str], bool]) -> str:
    """Return the client's address from the header X-Forwarded-For of a trusted proxy.

    It is the last one in the list that is not itself a trusted proxy; the proxy's own address if the list is empty.
    """
    found = peer
    for hop in reversed(forwarded.split(",")):
        try:
            found = str(ip_address(hop.strip()))
        except ValueError:
            break
        if not is_trusted(found):
            break
    return found


def trusting(networks: list[Network]) -> Callable[[str], bool]:
    """Return a function that says whether an address belongs to one of the networks of trusted proxies."""

    @lru_cache(limits.HEADERS_REMEMBERED)
    def is_trusted(address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in networks)

    return is_trusted
