"""A gateway and a service that know each other: keys, certificates on both sides, callers told apart."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from tests.service.commands import Served, served
from tests.service.small import Keys, key_file
from tests.service.store.servers import await_true

from .http import Client
from .product import Running, gateway

SEATS = {"seats": [{"claim": True}, {"claim": True}]}
LOCAL = {"Host": "games.example"}


@dataclass
class Installation:
    """A service behind keys and TLS, and a gateway that everybody could reach."""

    service: Served
    front: Running
    keys: Keys
    own_key: Path
    tls: tuple[str, ...]
    """How a gateway reaches the service."""

    def client(self) -> Client:
        return Client(self.front.http.replace("0.0.0.0", "127.0.0.1"))


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("secured")
    authority = trustme.CA()
    for name in ("service.example", "gateway"):
        certificate = authority.issue_cert(name)
        certificate.private_key_pem.write_to_path(folder / f"{name}.key")
        certificate.cert_chain_pems[0].write_to_path(folder / f"{name}.pem")
    authority.cert_pem.write_to_path(folder / "authority.pem")
    trust = str(folder / "authority.pem")
    with key_file() as keys:
        keys.add("host", "games.create", "games.list")
        keys.add("reader", "games.list")
        own = folder / "own.key"
        own.write_text(keys.add("front", gateway=True) + "\n", "ascii")
        chain = (
            "--tls-certificate",
            str(folder / "service.example.pem"),
            "--tls-key",
            str(folder / "service.example.key"),
        )
        guarded = ("--keys", str(keys.path), "--tls-client-authority", trust, "--calls-per-second", "2")
        words = ("--listen", "127.0.0.1:0", "--workers", "1", "--drain-seconds", "0")
        with served(*words, *chain, *guarded) as service:
            proof = ("--tls-certificate", str(folder / "gateway.pem"), "--tls-key", str(folder / "gateway.key"))
            tls = ("--tls-authority", trust, "--tls-name", "service.example", *proof)
            open_to_all = ("--listen", "0.0.0.0:0", "--hosts", "games.example", "--trusted-proxies", "127.0.0.1/32")
            with gateway(service.address, *tls, *open_to_all, "--key", str(own)) as front:
                yield Installation(service, front, keys, own, tls)


def as_host(installation: Installation, name: str = "host") -> dict[str, str]:
    return {**LOCAL, "Authorization": f"Bearer {installation.keys.secrets[name]}"}


def test_a_host_creates_games_with_its_key_and_a_stranger_does_not(installation: Installation) -> None:
    with installation.client() as client:
        assert client.post("/v1/games", SEATS, as_host(installation)).status == 200
        refused = client.post("/v1/games", SEATS, LOCAL)
        assert (refused.status, refused.reason, refused.headers["www-authenticate"]) == (401, "TOKEN_INVALID", "Bearer")
        lacking = client.post("/v1/games", SEATS, as_host(installation, "reader"))
        assert (lacking.status, lacking.reason) == (403, "SCOPE_MISSING")


def test_the_key_of_the_gateway_itself_opens_nothing(installation: Installation) -> None:
    with installation.client() as client:
        refused = client.post("/v1/games", SEATS, as_host(installation, "front"))
        assert (refused.status, refused.reason) == (401, "TOKEN_INVALID")


def test_callers_are_counted_by_their_own_address(installation: Installation) -> None:
    with installation.client() as client:
        there, elsewhere = {**LOCAL, "X-Forwarded-For": "203.0.113.1"}, {**LOCAL, "X-Forwarded-For": "203.0.113.2"}
        answers = [client.get("/v1/catalog/editions", there) for _ in range(20)]
        refused = next(answer for answer in answers if answer.status != 200)
        assert (refused.status, refused.reason) == (429, "RATE_LIMITED")
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/v1/catalog/editions", elsewhere).status == 200


def test_beyond_loopback_only_the_named_hosts_are_ours(installation: Installation) -> None:
    with installation.client() as client:
        for host in ("localhost", "127.0.0.1", "evil.example"):
            assert client.get("/v1/catalog/editions", {"Host": host}).reason == "HOST_REFUSED"
        assert client.get("/healthz", {"Host": "10.0.0.9"}).status == 200


def test_a_renewed_key_is_read_by_new_workers(installation: Installation) -> None:
    with installation.client() as client:
        assert client.get("/readyz").status == 200
        before = installation.front.gateway_workers()
        installation.own_key.write_text(installation.keys.add("next", gateway=True), "ascii")
        installation.service.send(signal.SIGHUP)
        await_true(lambda: "API keys were read" in installation.service.log, "the service knows it")
        installation.front.send(signal.SIGHUP)
        await_true(lambda: not set(before) & set(installation.front.gateway_workers()), "new workers answer")
    with installation.client() as client:
        assert client.post("/v1/games", SEATS, as_host(installation)).status == 200


def test_a_gateway_with_a_key_that_nobody_knows_is_refused_by_the_service(
    installation: Installation, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.key"
    wrong.write_text("alh_key_of-another-house", "ascii")
    with (
        gateway(installation.service.address, *installation.tls, "--key", str(wrong)) as front,
        Client(front.http) as client,
    ):
        refused = client.get("/v1/games", as_host(installation) | {"Host": "localhost"})
        assert (refused.status, refused.reason) == (401, "TOKEN_INVALID")
        assert "another-house" not in front.log + installation.service.log


def test_a_gateway_without_a_certificate_does_not_reach_the_service(installation: Installation) -> None:
    with gateway(installation.service.address, *installation.tls[:4]) as front, Client(front.http) as client:
        assert client.get("/readyz").status == 503
        assert client.get("/healthz").status == 200
