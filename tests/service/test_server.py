"""One server on a real socket: healthy or not, within its limits, over TLS, and stopped in good order."""

import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import Histogram

from alhambra_api.v1 import games_pb2, service_pb2_grpc
from alhambra_runtime.addresses import read_address
from alhambra_runtime.meters import observe_all
from alhambra_runtime.sockets import reserved
from alhambra_service import limits, metrics
from alhambra_service.config import BadSettings, Settings
from alhambra_service.rpc.health import NOT_SERVING, PROCESS_METADATA, SERVING, Health
from alhambra_service.store.clock import StoreClock
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.probe import Probe

from .small import PATIENCE, SETTINGS, failure, running
from .store.servers import RealServer, await_true

GAME = "gameaaaaaaaaaaaa"
ASK = games_pb2.GetGameRequest(game=GAME)
GAMES, BOARDS, CATALOG = (f"alhambra_api.v1.{name}Service" for name in ("Game", "Board", "Catalog"))


def status(channel: grpc.Channel, service: str = "") -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    found: int = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE).status
    return found


# -- Health ---------------------------------------------------------------------------------------------------------


def test_games_are_not_served_while_the_store_is_gone() -> None:
    store = RealServer()
    client = connect(store.socket_url)
    probe = Probe(client, StoreClock(client))
    try:
        with running(health=Health(probe.check, every=0.05)) as here:
            assert [status(here.channel, name) for name in ("", GAMES, BOARDS, CATALOG)] == [SERVING] * 4
            store.kill()
            await_true(lambda: status(here.channel) == NOT_SERVING, "the loss is noticed")
            assert status(here.channel, GAMES) == NOT_SERVING
            assert [status(here.channel, name) for name in (BOARDS, CATALOG)] == [SERVING] * 2
            store.start()
            await_true(lambda: status(here.channel) == SERVING, "the return is noticed")
            assert status(here.channel, GAMES) == SERVING
    finally:
        probe.close()
        client.close()
        store.stop()


def process_of(channel: grpc.Channel) -> str:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    _, call = stub.Check.with_call(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
    return str(dict(call.trailing_metadata())[PROCESS_METADATA])


def test_every_answer_about_health_names_the_process_and_no_two_have_the_same_name() -> None:
    with running() as one, running() as other:
        assert process_of(one.channel) == process_of(one.channel) != process_of(other.channel) != ""


def test_a_server_says_that_it_goes_before_it_does() -> None:
    with running() as here, ThreadPoolExecutor(2) as pool:
        seen: list[tuple[int, bool]] = []
        told = threading.Event()

        def follow() -> None:
            stub: Any = health_pb2_grpc.HealthStub(here.channel)
            for answer in stub.Watch(health_pb2.HealthCheckRequest(service=GAMES), timeout=PATIENCE):
                here.call("GetGame", ASK)  # plain calls are answered all the while
                seen.append((answer.status, True))
                told.set()
                if answer.status == NOT_SERVING:
                    return

        following = pool.submit(follow)
        assert told.wait(PATIENCE)
        stopping = pool.submit(here.server.stop, 1.5, 1.0)
        following.result(PATIENCE)
        assert seen == [(SERVING, True), (NOT_SERVING, True)]
        assert {status(here.channel, name) for name in ("", GAMES, BOARDS, CATALOG)} == {NOT_SERVING}
        assert not stopping.done()
        stopping.result(PATIENCE)


def test_a_stop_lets_running_calls_end_and_takes_no_more() -> None:
    with running() as here, ThreadPoolExecutor(2) as pool:
        slow: Future[Any] = pool.submit(here.call, "ListGames", games_pb2.ListGamesRequest())
        assert here.games.entered.acquire(timeout=PATIENCE)
        stopping = pool.submit(here.server.stop, 0.0, PATIENCE)
        await_true(lambda: _refused(here.port), "new calls are turned away")
        assert not stopping.done()
        here.games.go_on.set()
        assert slow.result(PATIENCE).next_page_token == "done"
        stopping.result(PATIENCE)


def _refused(port: int) -> bool:
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub: Any = service_pb2_grpc.GameServiceStub(channel)
        try:
            stub.GetGame(ASK, timeout=PATIENCE)
        except grpc.RpcError:
            return True
    return False


def test_a_call_that_takes_too_long_is_cut_off_when_the_server_stops() -> None:
    with running() as here, ThreadPoolExecutor(1) as pool:
        slow: Future[Any] = pool.submit(here.call, "ListGames", games_pb2.ListGamesRequest())
        assert here.games.entered.acquire(timeout=PATIENCE)
        began = time.monotonic()
        here.server.stop(0.0, 0.1)
        assert time.monotonic() - began < PATIENCE / 2
        with pytest.raises(grpc.RpcError):
            slow.result(PATIENCE)


# -- Failures and limits --------------------------------------------------------------------------------------------


def test_a_defect_is_internal_and_tells_nothing() -> None:
    with running() as here:
        fault = failure(here.call, "DeleteGame", games_pb2.DeleteGameRequest(game="very-private"), "also-private")
        assert (fault.code, fault.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL_ERROR")
        assert set(fault.metadata) == {"request"}
        assert "private" not in repr(fault)
        assert "cannot delete" not in repr(fault)


def test_what_a_server_does_not_have_is_unimplemented() -> None:
    with running() as here:
        assert failure(here.call, "ClaimSeat", games_pb2.ClaimSeatRequest()).code is grpc.StatusCode.UNIMPLEMENTED
        unknown: Any = here.channel.unary_unary("/alhambra_api.v1.GameService/Fly")
        assert failure(unknown, b"", timeout=PATIENCE).code is grpc.StatusCode.UNIMPLEMENTED


def test_bytes_that_are_no_message_are_the_callers_fault() -> None:
    with running() as here:
        raw: Any = here.channel.unary_unary("/alhambra_api.v1.GameService/GetGame")
        fault = failure(raw, b"\xff\xff\xff", timeout=PATIENCE)
        assert (fault.code, fault.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_MALFORMED")


def test_a_request_has_a_largest_size() -> None:
    with running() as here:
        here.call("GetGame", games_pb2.GetGameRequest(game="a" * (limits.REQUEST_BYTES - 100)))
        large = games_pb2.GetGameRequest(game="a" * limits.REQUEST_BYTES)
        assert failure(here.call, "GetGame", large).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        here.call("GetGame", ASK)


def test_metadata_have_a_largest_size() -> None:
    with running() as here:
        headers = {"x-long": "a" * limits.METADATA_BYTES}
        assert failure(here.call, "GetGame", ASK, headers=headers).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        here.call("GetGame", ASK)


def test_a_call_whose_deadline_passed_in_the_queue_is_not_begun() -> None:
    with running(settings=replace(SETTINGS, threads=1)) as here, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(here.call, "ListGames", games_pb2.ListGamesRequest())
        assert here.games.entered.acquire(timeout=PATIENCE)
        before = _calls("ListGames", "OK")
        late = failure(here.stub.ListGames, games_pb2.ListGamesRequest(), timeout=0.2)
        assert late.code is grpc.StatusCode.DEADLINE_EXCEEDED
        # The caller's clock started before the server's. An answer on the same connection comes after the server has
        # heard that the caller gave up, and health is asked on threads of its own.
        status(here.channel)
        here.games.go_on.set()
        slow.result(PATIENCE)
        here.call("GetGame", ASK)
        assert not here.games.entered.acquire(blocking=False)
        assert _calls("ListGames", "OK") == before + 1


def test_the_contract_can_be_asked_for_only_if_the_operator_wants_it() -> None:
    question = reflection_pb2.ServerReflectionRequest(list_services="")
    for wanted in (False, True):
        with running(settings=replace(SETTINGS, reflection=wanted)) as here:
            stub: Any = reflection_pb2_grpc.ServerReflectionStub(here.channel)
            answers = stub.ServerReflectionInfo(iter([question]), timeout=PATIENCE)
            if wanted:
                names = {service.name for service in next(answers).list_services_response.service}
                assert {GAMES, BOARDS, CATALOG, "grpc.health.v1.Health"} <= names
            else:
                assert failure(next, answers).code is grpc.StatusCode.UNIMPLEMENTED


# -- Counting -------------------------------------------------------------------------------------------------------


def _calls(method: str, code: str) -> float:
    metrics.flush_calls()
    found: float = metrics.CALLS.labels(method, code)._value.get()
    return found


def test_calls_and_refusals_are_counted() -> None:
    reason = metrics.REFUSALS.labels("TOKEN_INVALID")
    with running() as here:
        good, bad, refusals = _calls("GetGame", "OK"), _calls("GetGame", "UNAUTHENTICATED"), reason._value.get()
        here.call("GetGame", ASK)
        failure(here.call, "GetGame", ASK, "no token")
        assert (_calls("GetGame", "OK"), _calls("GetGame", "UNAUTHENTICATED")) == (good + 1, bad + 1)
        assert reason._value.get() == refusals + 1


def test_calls_that_are_told_together_are_counted_like_single_ones() -> None:
    seconds = [0.0001, 0.0005, 0.003, 0.003, 7.0]
    one_by_one, together = (metrics.CALL_SECONDS.labels(f"{way} at a time") for way in ("one", "all"))
    for amount in seconds:
        one_by_one.observe(amount)
    observe_all(together, [*seconds])

    def told(histogram: Histogram) -> list[tuple[str, str, float]]:
        samples = [sample for sample in histogram._child_samples() if "created" not in sample.name]
        return [(sample.name, sample.labels.get("le", ""), sample.value) for sample in samples]

    assert told(together) == told(one_by_one)
    assert ("_count", "", 5.0) in told(together)


# -- TLS ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA, tmp_path: Path) -> Settings:
    certificate = authority.issue_cert("127.0.0.1", "localhost")
    certificate.private_key_pem.write_to_path(tmp_path / "key.pem")
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(tmp_path / "chain.pem", append=True)
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    return replace(SETTINGS, tls_certificate=str(tmp_path / "chain.pem"), tls_key=str(tmp_path / "key.pem"))


def trusting(authority: trustme.CA, client: trustme.LeafCert | None = None) -> grpc.ChannelCredentials:
    key = client.private_key_pem.bytes() if client else None
    chain = b"".join(blob.bytes() for blob in client.cert_chain_pems) if client else None
    return grpc.ssl_channel_credentials(authority.cert_pem.bytes(), key, chain)


def unanswered(port: int, credentials: grpc.ChannelCredentials | None) -> bool:
    target = f"127.0.0.1:{port}"
    channel = grpc.secure_channel(target, credentials) if credentials else grpc.insecure_channel(target)
    with channel:
        stub: Any = service_pb2_grpc.GameServiceStub(channel)
        return failure(stub.GetGame, ASK, timeout=PATIENCE).code is grpc.StatusCode.UNAVAILABLE


def test_tls_is_spoken_with_those_who_trust_the_certificate(authority: trustme.CA, tls: Settings) -> None:
    with running(settings=tls, credentials=trusting(authority)) as here:
        assert here.call("GetGame", ASK).view.game == GAME
        assert unanswered(here.port, None)
        assert unanswered(here.port, trusting(trustme.CA()))


def test_with_an_authority_for_clients_only_those_with_a_certificate_are_let_in(
    authority: trustme.CA, tls: Settings, tmp_path: Path
) -> None:
    mutual = replace(tls, tls_client_authority=str(tmp_path / "authority.pem"))
    known, stranger = authority.issue_cert("client"), trustme.CA().issue_cert("client")
    with running(settings=mutual, credentials=trusting(authority, known)) as here:
        assert here.call("GetGame", ASK).view.game == GAME
        assert unanswered(here.port, trusting(authority))
        assert unanswered(here.port, trusting(authority, stranger))


def test_a_new_certificate_is_used_after_a_reload(authority: trustme.CA, tls: Settings) -> None:
    other = trustme.CA()
    with running(settings=tls, credentials=trusting(authority)) as here:
        here.call("GetGame", ASK)
        assert unanswered(here.port, trusting(other))
        fresh = other.issue_cert("127.0.0.1")
        fresh.private_key_pem.write_to_path(tls.tls_key)
        Path(tls.tls_certificate).write_bytes(b"".join(blob.bytes() for blob in fresh.cert_chain_pems))
        here.server.reload()
        with grpc.secure_channel(f"127.0.0.1:{here.port}", trusting(other)) as channel:
            stub: Any = service_pb2_grpc.GameServiceStub(channel)
            assert stub.GetGame(ASK, timeout=PATIENCE).view.game == GAME


def test_certificates_that_cannot_be_read_are_named(tls: Settings, tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("no certificate", encoding="utf-8")
    for name, fault in (("missing.pem", "Cannot read"), ("text.pem", "is not PEM")):
        with pytest.raises(BadSettings, match=fault), running(settings=replace(tls, tls_key=str(tmp_path / name))):
            pass


# -- Ports and settings ---------------------------------------------------------------------------------------------


def test_processes_share_a_port_and_strangers_do_not() -> None:
    with reserved(read_address("127.0.0.1:0")) as address:
        shared = replace(SETTINGS, listen=str(address))
        with running(settings=shared) as one, running(settings=shared) as other:
            assert one.port == other.port == address.port
            one.call("GetGame", ASK)
            with pytest.raises(BadSettings, match="Cannot listen"), reserved(address):
                pass
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(BadSettings, match="Cannot listen"), running(settings=replace(SETTINGS, listen=where)):
            pass


@pytest.mark.parametrize("address", ["0.0.0.0:50051", "[::]:50051", "192.0.2.1:50051"])
@pytest.mark.parametrize("name", ["listen", "metrics"])
def test_without_keys_nobody_listens_on_anything_but_loopback(name: str, address: str) -> None:
    with pytest.raises(BadSettings, match="name a file of API keys"):
        Settings(**{name: address}).check()  # type: ignore[arg-type]
    Settings(**{name: address}, keys="keys.toml").check()  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["127.0.0.1:0", "127.8.8.8:1", "[::1]:50051", "localhost:50051", "unix:/tmp/a"])
def test_loopback_needs_no_keys(address: str) -> None:
    Settings(listen=address).check()


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"listen": "50051"}, "must be an IP address"),
        ({"listen": "example.net:1"}, "must be an IP address"),
        ({"listen": "127.0.0.1:65536"}, "must be an IP address"),
        ({"listen": "[127.0.0.1:1"}, "must be an IP address"),
        ({"listen": "unix:a", "workers": 2}, "cannot be shared"),
        ({"durability": "never"}, "--durability must be one of"),
        ({"workers": -1}, "--workers must not be negative"),
        ({"workers": 1000}, "--workers must be at most 256"),
        ({"threads": 0}, "--threads must be at least 1"),
        ({"tls_key": "key.pem"}, "must be used together"),
        ({"tls_client_authority": "ca.pem"}, "needs --tls-certificate"),
        ({"trusted_proxies": "everybody"}, "--trusted-proxies"),
    ],
)
def test_settings_that_cannot_work_are_refused_with_a_sentence(wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadSettings, match=fault):
        replace(Settings(), **wrong).check()


def test_settings_come_from_flags_and_the_environment() -> None:
    variables = {"ALHAMBRA_WORKERS": "3", "ALHAMBRA_PIN": "yes", "ALHAMBRA_LISTEN": "[::1]:1", "ALHAMBRA_OTHER": "x"}
    found = Settings.from_environment(variables, listen="127.0.0.1:2", threads=None)
    assert found == Settings(workers=3, pin=True, listen="127.0.0.1:2")
    with pytest.raises(BadSettings, match="Invalid value of ALHAMBRA_WORKERS"):
        Settings.from_environment({"ALHAMBRA_WORKERS": "many"})
