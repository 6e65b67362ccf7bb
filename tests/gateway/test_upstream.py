"""How the gateway calls the service: over several connections, with its own key, over TLS, again if one breaks."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event

import grpc
import pytest
import trustme
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from alhambra_api.v1 import games_pb2
from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_gateway.upstream.service_addresses import Listed, Target, listed
from alhambra_gateway.upstream.service_channels import ServiceChannel, ServiceChannels
from tests.service.store.servers import await_true, free_port

from .http import Client
from .product import PATIENCE, gateway
from .scripted import NOT_SERVING, SERVING, Scripted, refuses

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
def serving(credentials: grpc.ServerCredentials | None = None, port: int = 0) -> Iterator[Scripted]:
    """A service that answers whatever is asked."""
    found = Scripted(credentials, port)
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


@contextmanager
def calling(services: str, **limits: float) -> Iterator[Client]:
    """A client of a gateway in front of services."""
    with gateway(services, limits=limits) as running, Client(running.http) as client:
        yield client


class Hearing(Breaking):
    """Notes the requests too, as they came."""

    def __init__(self, times: int) -> None:
        super().__init__(times)
        self.requests: list[bytes] = []

    def __call__(self, context: grpc.ServicerContext, request: bytes) -> Message:
        self.requests.append(request)
        return super().__call__(context, request)


@pytest.mark.parametrize("given", ["", "my own"])
def test_a_change_whose_connection_breaks_is_made_again_under_the_same_request_id(given: str) -> None:
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        service.say = once = Hearing(1)
        assert client.post(f"{GAME}:resign", {"requestId": given} if given else {}).status == 200
        first, second = map(games_pb2.ResignRequest.FromString, once.requests)
        assert first == second
        assert first.request_id == given or (not given and first.request_id)
        assert client.post(f"{GAME}:resign", {}).status == 200
        assert games_pb2.ResignRequest.FromString(once.requests[-1]).request_id != first.request_id


def test_a_change_that_nobody_answers_has_an_unknown_outcome_and_is_not_repeated_for_ever() -> None:
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        service.say = always = Breaking(100)
        told = client.post(f"{GAME}:resign", {})
        assert told.reason == "OUTCOME_UNKNOWN"
        assert told.json()["title"] == "It is not known whether the change was made."
        assert "store" not in f"{told.json()['title']} {told.json()['detail']}"
        assert always.calls == 1 + limits.SPARE_TRIES


def test_a_game_that_is_gone_after_an_unanswered_deletion_was_deleted() -> None:
    def say(context: grpc.ServicerContext, request: bytes) -> Message:
        asked.append(request)
        if len(asked) == 1:
            context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
        return refuse(context, request)

    asked: list[bytes] = []
    refuse = refuses(grpc.StatusCode.NOT_FOUND, error_details_pb2.ErrorInfo(reason="GAME_NOT_FOUND", domain="alhambra"))
    with serving() as service, gateway(service.address) as running, Client(running.http) as client:
        service.say = say
        assert client.send("DELETE", GAME).status == 200
        assert len(asked) == 2
        assert client.send("DELETE", GAME).reason == "GAME_NOT_FOUND"


@pytest.mark.parametrize(
    ("language", "says"), [("en", "No service answers."), ("de", "Der Dienst ist nicht erreichbar.")]
)
def test_without_a_service_nothing_was_changed_and_the_words_are_true(language: str, says: str) -> None:
    nowhere = f"127.0.0.1:{free_port()},127.0.0.1:{free_port()}"
    few = {"NO_SERVICE_SECONDS": 0.5, "READY_SECONDS": 0.5}
    with gateway(nowhere, limits=few) as running, Client(running.http) as client:
        spoken = {"Accept-Language": language}
        answers = [client.get("/readyz", spoken), client.get(GAME, spoken), client.post(f"{GAME}:resign", {}, spoken)]
        for told in answers:
            assert (told.status, told.reason) == (503, "STORE_UNAVAILABLE")
            assert told.json()["title"].startswith(says)
            assert told.json()["detail"].startswith(says)
            assert told.headers["retry-after"] == "1"


def test_calls_wait_a_moment_for_a_service_that_is_being_started_again() -> None:
    port = free_port()
    with calling(f"127.0.0.1:{port}", NO_SERVICE_SECONDS=60) as client, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.post, f"{GAME}:resign", {})
        with serving(port=port):
            assert answer.result(PATIENCE).status == 200


def test_one_of_several_services_that_hangs_is_left_aside_until_it_answers_again() -> None:
    with serving() as hung, serving() as well, calling(f"{hung.address},{well.address}") as client:
        await_true(lambda: _both_asked(client, hung, well), "both are asked")
        go_on = Event()

        def hang(context: grpc.ServicerContext, request: bytes) -> Message:
            go_on.wait(PATIENCE)
            return SERVING

        hung.say = hung.say_health = hang
        for number in range(4 * limits.CHANNELS):
            sent = client.post(f"{GAME}:resign", {}) if number % 2 else client.get(GAME)
            assert sent.status == 200
        assert client.get("/readyz").status == 200
        hung.say = well.say
        hung.say_health = well.say_health
        go_on.set()
        await_true(lambda: _both_asked(client, hung, well), "both are asked again")


def _both_asked(client: Client, *services: Scripted) -> bool:
    """Whether each of the services gets some of the calls."""
    for service in services:
        service.peers.clear()
    for _ in range(2 * limits.CHANNELS):
        assert client.get(GAME).status == 200
    return all(service.peers for service in services)


def test_no_change_fails_when_one_of_several_services_dies_and_comes_back() -> None:
    port = free_port()
    with serving() as well, ExitStack() as other:
        first = other.enter_context(serving(port=port))
        with calling(f"{first.address},{well.address}") as client:
            for _ in range(3):
                await_true(lambda asked=first: _both_asked(client, asked, well), "both are asked")  # type: ignore[misc]
                first.stop()
                for _ in range(2 * limits.CHANNELS):
                    assert client.post(f"{GAME}:resign", {}).status == 200
                    assert client.get("/readyz").status == 200
                first = other.enter_context(serving(port=port))


def test_a_broken_connection_lets_the_others_to_the_same_service_wait_for_a_check() -> None:
    with serving() as one, serving() as other:
        services = ServiceChannels(Settings(service=f"{one.address},{other.address}"))
        try:
            await_true(lambda: len(services.usable) == 2 * limits.CHANNELS, "both answer")
            go_on = Event()
            one.say_health = lambda context, request: SERVING if go_on.wait(PATIENCE) else NOT_SERVING
            services.broken(next(channel for channel in services.usable if channel.target.address == one.address))
            assert {channel.target.address for channel in services.usable} == {other.address}
            go_on.set()
            await_true(lambda: len(services.usable) == 2 * limits.CHANNELS, "both answer again")
        finally:
            services.close()


def test_a_service_that_is_stopping_is_not_asked_even_if_the_only_other_one_is_doubtful() -> None:
    with serving() as one, serving() as other:
        services = ServiceChannels(Settings(service=f"{one.address},{other.address}"))

        def channel_to(address: str) -> ServiceChannel:
            return next(channel for channel in services.usable if channel.target.address == address)

        try:
            await_true(lambda: len(services.usable) == 2 * limits.CHANNELS, "both answer")
            doubtful, leaving, go_on = channel_to(other.address), channel_to(one.address), Event()
            one.say_health = lambda context, request: NOT_SERVING
            other.say_health = lambda context, request: SERVING if go_on.wait(PATIENCE) else NOT_SERVING
            services.stopping(leaving)
            services.broken(doubtful)
            await_true(lambda: leaving.checks and leaving.asked is None, "the stopping one was checked")
            assert {channel.target.address for channel in services.usable} == {other.address}
            go_on.set()
            one.say_health = lambda context, request: SERVING
            await_true(lambda: len(services.usable) == 2 * limits.CHANNELS, "both answer again")
        finally:
            go_on.set()
            services.close()


def test_a_call_that_a_stopping_service_refuses_is_made_at_another_one() -> None:
    stopping = error_details_pb2.ErrorInfo(reason="STORE_UNAVAILABLE", metadata={"because": "stopping"})
    with serving() as old, serving() as new, calling(f"{old.address},{new.address}") as client:
        old.say = refuses(grpc.StatusCode.UNAVAILABLE, stopping)
        for _ in range(2 * limits.CHANNELS):
            assert client.post(f"{GAME}:resign", {}).status == 200
        new.say = old.say
        assert client.post(f"{GAME}:resign", {}).reason == "STORE_UNAVAILABLE"


def test_a_service_that_is_stopping_gets_no_calls_while_another_one_serves() -> None:
    with serving() as old, serving() as new, calling(f"{old.address},{new.address}") as client:
        await_true(lambda: _both_asked(client, old, new), "both are asked")
        old.say_health = lambda context, request: NOT_SERVING
        await_true(lambda: not _both_asked(client, old, new), "one is asked")
        assert new.peers
        assert client.get("/readyz").status == 200
        new.say_health = old.say_health
        await_true(lambda: client.get("/readyz").status == 503, "no service serves")
        assert client.get(GAME).status == 200  # they answer all the same


def test_a_name_stands_for_all_its_addresses_and_is_looked_up_again(tmp_path: Path) -> None:
    first, second = Listed("localhost:7"), Listed("dns:///localhost:7", "localhost", "7")
    assert listed("127.0.0.1:7,[::1]:7,dns:///10.0.0.1:7,unix:/tmp/x,dns://server/name:7") == [
        Listed("127.0.0.1:7"),
        Listed("[::1]:7"),
        Listed("10.0.0.1:7"),
        Listed("unix:/tmp/x"),
        Listed("dns://server/name:7"),
    ]
    assert listed("localhost:7,dns:///localhost:7") == [first._replace(host="localhost", port="7"), second]
    assert Target("127.0.0.1:7", "localhost:7") in second.look_up()
    with serving() as service, gateway(f"dns:///localhost:{service.port}") as running, Client(running.http) as client:
        for _ in range(2 * limits.CHANNELS):
            assert client.get(GAME).status == 200
        assert len(service.peers) == limits.CHANNELS


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
