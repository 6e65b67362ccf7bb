"""How the gateway calls the service: over several connections, with its own key, over TLS."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
import trustme

from alhambra_api.v1 import games_pb2
from alhambra_gateway import limits

from .http import Client
from .product import gateway
from .scripted import Scripted

GAME = "/v1/games/abcdefghijkl"
KEY = "alh_key_of-the-gateway"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Whatever an operator has to write down: a key, an authority, a certificate."""
    (tmp_path / "key").write_text(KEY)
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    for name, host in (("service", "service.internal"), ("gateway", "gateway.internal")):
        made = authority.issue_cert(host)
        made.cert_chain_pems[0].write_to_path(tmp_path / f"{name}.pem")
        made.private_key_pem.write_to_path(tmp_path / f"{name}.key")
    return tmp_path


@contextmanager
def serving(credentials: grpc.ServerCredentials | None = None) -> Iterator[Scripted]:
    """A service that answers whatever is asked."""
    found = Scripted(credentials)
    found.say = lambda context, request: games_pb2.GetGameResponse()
    yield found
    found.stop()


def test_calls_go_over_several_connections_in_turn_and_the_caller_is_vouched_for(folder: Path) -> None:
    key = ("--key", str(folder / "key"))
    with serving() as service, gateway(service.address, *key) as running, Client(running.http) as client:
        for _ in range(2 * limits.CHANNELS):
            assert client.get(GAME, {"Authorization": "Bearer of a seat"}).status == 200
        assert len(service.peers) == limits.CHANNELS
        assert service.heard["gateway-authorization"] == f"Bearer {KEY}"
        assert service.heard["authorization"] == "Bearer of a seat"
        assert service.heard["x-forwarded-for"] == "127.0.0.1"
        assert KEY not in running.log


def test_both_sides_show_certificates(folder: Path) -> None:
    pair = ((folder / "service.key").read_bytes(), (folder / "service.pem").read_bytes())
    authority = (folder / "authority.pem").read_bytes()
    trusting = ("--tls-authority", str(folder / "authority.pem"), "--tls-name", "service.internal")
    own = ("--tls-certificate", str(folder / "gateway.pem"), "--tls-key", str(folder / "gateway.key"))
    with serving(grpc.ssl_server_credentials([pair], authority, require_client_auth=True)) as service:
        with gateway(service.address, *trusting, *own) as running, Client(running.http) as client:
            assert client.get(GAME).status == 200
        with gateway(service.address, *trusting) as running, Client(running.http) as client:
            assert client.get(GAME).reason == "STORE_UNAVAILABLE"
