"""Nobody reaches the operator's own network through a webhook."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
import trustme

from alhambra_service.webhook_addresses import AddressPolicy, AddressRefused, is_public
from alhambra_service.webhooks.http_post import Poster

from .receiver import Receiver, receiving, status

STRICT = AddressPolicy()
SPECIAL = [
    *("127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1", "192.0.0.8"),
    *("::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "fec0::1", "100::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::", "2001:0:7f00:1::"),
]
PUBLIC = ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]


@pytest.mark.parametrize("text", SPECIAL)
def test_a_special_address_is_refused(text: str) -> None:
    assert not STRICT.allows(ip_address(text))
    host = f"[{text}]" if ":" in text else text
    with pytest.raises(AddressRefused, match="not public"):
        STRICT.target(f"https://{host}/")


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address_is_allowed(text: str) -> None:
    assert STRICT.allows(ip_address(text))


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "3232235777", "0xA9FEA9FE"])
def test_an_address_in_an_old_form_is_refused(host: str) -> None:
    with pytest.raises(AddressRefused, match="not public"):
        STRICT.target(f"https://{host}/")


def test_the_operator_allows_networks_and_nothing_beside_them() -> None:
    policy = AddressPolicy.read("10.0.0.0/8, fd00::/8")
    assert policy.allows(ip_address("10.1.2.3"))
    assert policy.allows(ip_address("::ffff:10.1.2.3"))
    assert policy.allows(ip_address("fd00::1"))
    assert not policy.allows(ip_address("192.168.1.1"))
    assert AddressPolicy.read("all").allows(ip_address("127.0.0.1"))
    assert not is_public(ip_address("10.1.2.3"))


@pytest.mark.parametrize(
    "text",
    [
        "http://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://user@example.com/",
        "https://user:word@example.com/",
        "https://example.com/#part",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://exa mple.com/",
        "https://example.com/\r\nX: y",
        "https://exämple.com/",
        "https://[fe80::1%25eth0]/",
        "https://example.com\\@10.0.0.1/",
        "https:///path",
        "//example.com",
        "",
    ],
)
def test_an_address_with_anything_odd_is_refused(text: str) -> None:
    with pytest.raises(AddressRefused):
        STRICT.target(text)


def post(poster: Poster, address: str) -> str:
    return poster.post(address, {"webhook-id": "x"}, b"{}", not_after=time.monotonic() + 10).error


def test_a_name_for_a_private_address_is_refused_and_nothing_is_sent() -> None:
    with receiving() as receiver:
        policy = AddressPolicy((), http=True)
        poster = Poster(policy, resolve=lambda host, port: ["127.0.0.1"])
        assert "not public" in post(poster, f"http://innocent.example:{receiver.port}/")
        assert receiver.received == []


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    poster = Poster(STRICT, resolve=lambda host, port: ["1.1.1.1", "10.0.0.1"])
    assert "10.0.0.1 is not public" in post(poster, "https://mixed.example/")


def test_a_name_is_looked_up_once_and_the_checked_address_is_used() -> None:
    """DNS rebinding: the second answer would be another address."""
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    with receiving() as receiver:
        policy = AddressPolicy.read("127.0.0.1/32", http=True)
        poster = Poster(policy, resolve=lambda host, port: next(answers))
        assert post(poster, f"http://rebinding.example:{receiver.port}/a?b=c") == ""
        assert receiver.received[0].headers["host"] == f"rebinding.example:{receiver.port}"
        assert "not public" in post(poster, f"http://rebinding.example:{receiver.port}/")
        assert len(receiver.received) == 1


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirection_to_a_private_address_is_not_followed(code: int) -> None:
    policy = AddressPolicy.read("127.0.0.1/32", http=True)
    with receiving() as hidden, receiving(status(code, Location=hidden.address)) as receiver:
        assert str(code) in post(Poster(policy), receiver.address)
        assert len(receiver.received) == 1
        assert hidden.received == []


def test_a_name_that_does_not_exist_is_an_error_in_one_sentence() -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    found = post(Poster(STRICT, resolve=resolve), "https://missing.example/")
    assert found == "The name of the host cannot be looked up: Name or service not known."


def test_nothing_is_sent_when_the_lease_is_over() -> None:
    with receiving() as receiver:
        poster = Poster(AddressPolicy.read("127.0.0.1/32", http=True))
        answer = poster.post(receiver.address, {}, b"{}", not_after=time.monotonic() - 1)
        assert "too long" in answer.error
        assert receiver.received == []


@pytest.fixture
def certified(tmp_path: Path) -> Iterator[tuple[Receiver, Path]]:
    """A receiver with a certificate for hooks.example, and the file of its authority."""
    authority, certificate = trustme.CA(), tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(certificate))
    with receiving() as receiver:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("hooks.example").configure_cert(context)
        receiver._server.socket = context.wrap_socket(receiver._server.socket, server_side=True)
        yield receiver, certificate


def test_the_certificate_must_be_for_the_name_of_the_host(certified: tuple[Receiver, Path]) -> None:
    receiver, certificate = certified
    policy = AddressPolicy.read("127.0.0.1/32")
    poster = Poster(policy, resolve=lambda host, port: ["127.0.0.1"], authority=str(certificate))
    assert post(poster, f"https://hooks.example:{receiver.port}/") == ""
    assert "certificate verify failed" in post(poster, f"https://other.example:{receiver.port}/")
    untrusting = Poster(policy, resolve=lambda host, port: ["127.0.0.1"])
    assert "certificate verify failed" in post(untrusting, f"https://hooks.example:{receiver.port}/")
    assert len(receiver.received) == 1
