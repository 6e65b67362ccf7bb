"""How the gateway calls the service: over several connections, with its own key, over TLS, again if one breaks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
import trustme
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from alhambra_api.v1 import games_pb2
from alhambra_gateway import limits

from .http import Client
from .product import gateway
from .scripted import Scripted, refuses

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


class Breaking:
    """Fails the first calls as a broken connection does, without details, and counts."""

    def __init__(self, times: int) -> None:
        self.calls = 0
        self._times = times

    def __call__(self, context: grpc.ServicerContext, request: bytes) -> Message:
        self.calls += 1
        if self.calls <= self._times:
            context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
        return games_pb2.GetGameResponse()


def test_a_read_whose_connection_breaks_is_made_again_and_nobody_notices() -> None:
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        service.say = once = Breaking(1)
        assert client.get(GAME).status == 200
        assert once.calls == 2
        service.say = always = Breaking(100)
        assert client.get(GAME).reason == "STORE_UNAVAILABLE"
        assert always.calls == 1 + limits.SPARE_TRIES


def test_a_change_is_never_made_again_by_the_gateway() -> None:
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        service.say = once = Breaking(1)
        assert client.post(f"{GAME}:resign", {}).reason == "OUTCOME_UNKNOWN"
        assert once.calls == 1


def test_what_the_service_itself_refuses_is_not_asked_twice() -> None:
    info = error_details_pb2.ErrorInfo(reason="STORE_UNAVAILABLE", domain="alhambra")
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        asked = []
        refuse = refuses(grpc.StatusCode.UNAVAILABLE, info)

        def say(context: grpc.ServicerContext, request: bytes) -> Message:
            asked.append(request)
            return refuse(context, request)

        service.say = say
        assert client.get(GAME).reason == "STORE_UNAVAILABLE"
        assert len(asked) == 1


@pytest.mark.parametrize("reason", ["ENGINE_TOO_OLD", "RULES_CHANGED"])
def test_a_service_of_another_version_than_the_game_is_not_the_last_that_is_asked(reason: str) -> None:
    info = error_details_pb2.ErrorInfo(reason=reason, domain="alhambra")
    with serving() as old, serving() as new, gateway(f"{old.address},{new.address}") as running:
        old.say = refuses(grpc.StatusCode.UNAVAILABLE, info)
        with Client(running.http) as client:
            for _ in range(2 * limits.CHANNELS):
                assert client.get(GAME).status == 200
                assert client.post(f"{GAME}:resign", {}).status == 200
        new.say = old.say
        with Client(running.http) as client:
            assert client.get(GAME).reason == reason
