"""Whose requests are counted together, and for whom a trusted proxy speaks."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from alhambra_gateway.connections.client_addresses import forwarded_address, is_this_machine, site, trusting


@pytest.mark.parametrize(
    ("address", "counted_by"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("", ""),
        ("a unix socket", "a unix socket"),
    ],
)
def test_an_address_is_counted_by_its_site(address: str, counted_by: str) -> None:
    assert site(address) == counted_by


@pytest.mark.parametrize(("address", "ours"), [("127.0.0.1", True), ("::1", True), ("192.0.2.1", False), ("", False)])
def test_this_machine_is_known_by_its_addresses(address: str, ours: bool) -> None:
    assert is_this_machine(site(address)) == ours


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("6.6.6.6, 198.51.100.1, 192.0.2.9", "198.51.100.1"),
        ("192.0.2.8", "192.0.2.8"),
        ("", "192.0.2.1"),
        ("198.51.100.1, nonsense", "192.0.2.1"),
    ],
)
def test_a_proxy_speaks_for_the_last_address_that_is_no_proxy(forwarded: str, found: str) -> None:
    is_trusted = trusting([ip_network("192.0.2.0/24")])
    assert forwarded_address("192.0.2.1", forwarded, is_trusted) == found
