"""What an operator sees: health, readiness, numbers, logs and ids; and that none of it holds a secret."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator

import pytest

from alhambra_service.auth.credentials import SEAT, new_secret
from tests.service.commands import served
from tests.service.store.servers import RealServer, await_true, free_port

from .http import Client
from .product import Product, Running, gateway
from .raw import exchange
from .sse import Stream
from .tables import RestGame


@pytest.fixture(scope="module")
def metrics_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def front(product: Product, metrics_port: int) -> Iterator[Running]:
    """A gateway that logs everything, with an address of its own for the numbers."""
    with gateway(product.grpc, "--log-level", "debug", "--metrics", f"127.0.0.1:{metrics_port}") as found:
        yield found


def lines(front: Running) -> list[dict[str, object]]:
    """The log; what is not a line of JSON fails."""
    return [json.loads(line) for line in front.log.splitlines()]


# -- Health ------------------------------------------------------------------------------------------------------------


def test_a_gateway_is_alive_and_ready(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"status": "ready"}
    assert client.get("/readyz").headers["cache-control"] == "no-store"


def test_without_a_service_it_is_alive_and_says_why_it_is_not_ready() -> None:
    with gateway(f"127.0.0.1:{free_port()}") as lonely, Client(lonely.http) as client:
        assert client.get("/healthz").status == 200
        refused = client.get("/readyz")
        assert (refused.status, refused.json()["detail"]) == (
            503,
            "No service answers. Nothing was changed; try again.",
        )
        assert int(refused.headers["retry-after"]) > 0
        call = client.get("/v1/catalog/editions")
        assert (call.status, call.reason) == (503, "STORE_UNAVAILABLE")
        with Stream(lonely.http, "/v1/games/nosuchgamehere/events") as stream:
            assert stream.status == 503


def test_before_it_stops_it_says_that_it_is_not_ready_and_goes_on_answering(product: Product) -> None:
    with gateway(product.grpc, "--drain-seconds", "30") as front, Client(front.http) as client:
        front.send(signal.SIGTERM)
        await_true(lambda: client.get("/readyz").status == 503, "it says so")
        assert "stopping" in client.get("/readyz").json()["detail"]
        assert client.get("/v1/catalog/editions").status == 200
        assert front.stop(signal.SIGTERM) == 0  # asked again, it does not wait any longer


# -- Numbers -----------------------------------------------------------------------------------------------------------


def test_the_numbers_are_for_this_machine(client: Client) -> None:
    RestGame(client)
    text = client.get("/metrics").body.decode()
    assert 'alhambra_gateway_requests_total{route="GameService.CreateGame",status="200"}' in text
    assert 'alhambra_gateway_request_seconds_count{route="GameService.CreateGame"}' in text


def test_refusals_are_counted_by_reason(client: Client) -> None:
    client.get("/v1/games/nosuchgamehere")
    assert 'alhambra_gateway_refusals_total{reason="GAME_NOT_FOUND"}' in client.get("/metrics").body.decode()


def test_numbers_with_an_address_of_their_own_are_nowhere_else(front: Running, metrics_port: int) -> None:
    with Client(front.http) as client, Client(f"http://127.0.0.1:{metrics_port}") as prometheus:
        client.get("/healthz")
        assert client.get("/metrics").reason == "ROUTE_NOT_FOUND"
        assert prometheus.get("/healthz").reason == "ROUTE_NOT_FOUND"
        assert prometheus.get("/v1/catalog/editions").reason == "ROUTE_NOT_FOUND"
        found = prometheus.get("/metrics", {"Host": "10.0.0.7:9100"})
        assert found.status == 200
        assert b'route="healthz"' in found.body


def test_all_processes_are_counted_together(product: Product) -> None:
    with gateway(product.grpc, "--workers", "2") as front:

        def counted() -> bool:
            """Each process tells the others what it has counted only now and then."""
            with Client(front.http) as client:
                return 'requests_total{route="healthz",status="200"} 12.0' in client.get("/metrics").body.decode()

        for _ in range(12):  # each on a connection of its own, so that both processes get some
            with Client(front.http) as client:
                assert client.get("/healthz").status == 200
        await_true(counted, "all are counted")
        (first, _) = front.gateway_workers()
        os.kill(first, signal.SIGKILL)
        await_true(lambda: len(set(front.gateway_workers()) - {first}) == 2, "another one is started")
        assert counted()  # what a dead process has counted stays counted


# -- Ids and logs ------------------------------------------------------------------------------------------------------


def test_a_good_request_id_is_kept_and_any_other_is_replaced(client: Client) -> None:
    good = "0123456789abcdef-0123"
    assert client.get("/healthz", {"X-Request-Id": good}).headers["x-request-id"] == good
    for bad in ("short", "not hexadecimal!", new_secret(SEAT), "a" * 100, ""):
        fresh = client.get("/healthz", {"X-Request-Id": bad}).headers["x-request-id"]
        assert fresh != bad
        assert len(fresh) == 16


def test_a_refusal_stands_in_the_logs_of_gateway_and_service_under_the_same_id(
    product: Product, client: Client
) -> None:
    name = "feed0000" + f"{time.time_ns():x}"
    client.get("/v1/games/nosuchgamehere", {"X-Request-Id": name})
    await_true(lambda: product.log.count(name) == 2, "both have logged it")
    told = [json.loads(line) for line in product.log.splitlines() if name in line]
    assert {line["logger"].partition(".")[0] for line in told} == {"alhambra_gateway", "alhambra_service"}
    assert {line["reason"] for line in told} == {"GAME_NOT_FOUND"}


def test_no_secret_and_no_query_is_logged_or_counted(front: Running, metrics_port: int) -> None:
    with Client(front.http) as client:
        made = client.post("/v1/games", {"seats": [{"claim": True}, {"name": "Quetzalcoatl"}]}).json()
        game, token, invitation = made["game"], made["seatKeys"][0]["token"], made["seatKeys"][1]["invitation"]
        path = f"/v1/games/{game}"
        bearer = {"Authorization": f"Bearer {token}"}
        ticket = client.post(f"{path}/events:ticket", headers=bearer).json()["ticket"]
        with Stream(front.http, f"{path}/events?ticket={ticket}&snapshots=true") as stream:
            next(stream)
        for word in (
            path,
            f"{path}/moves",
            f"{path}/{token}",
            f"{path}?token={token}",
            f"{path}?min_version=Popocatepetl",
        ):
            client.get(word, {**bearer, "Cookie": "Xochimilco"})
        client.post(f"{path}:claimSeat", {"invitation": invitation[:-1]})
        claimed = client.post(f"{path}:claimSeat", {"invitation": invitation}).json()["token"]
        client.post(f"{path}/moves", {"move": {"verb": "Tenochtitlan"}}, bearer)
        exchange(front.http, f"GET /{token} {token}\r\n\r\n".encode())
        exchange(front.http, f"GET / HTTP/1.1\r\nAuthorization {token}\r\n\r\n".encode())
    with Client(f"http://127.0.0.1:{metrics_port}") as prometheus:
        numbers = prometheus.get("/metrics").body.decode()
    paths = {line.get("path") for line in lines(front)}
    assert {path, f"{path}/events", f"{path}:claimSeat"} <= paths  # with 'debug' every request is told
    words = ("Quetzalcoatl", "Popocatepetl", "Xochimilco", "Tenochtitlan", "snapshots", "?")
    for secret in (token, invitation, invitation[:-1], ticket, claimed, *words):
        assert secret not in front.log
        assert secret not in numbers
    assert game not in numbers


def test_usually_only_what_was_refused_is_logged(product: Product, client: Client) -> None:
    before = len(product.log)
    RestGame(client).play(2)
    client.get("/v1/games/nosuchgamehere")
    await_true(lambda: "nosuchgamehere" in product.log[before:], "the refusal is logged")
    told = [json.loads(line) for line in product.log[before:].splitlines()]
    assert {line["status"] for line in told if line["logger"] == "alhambra_gateway.middleware.request_log"} == {404}


def test_a_store_that_is_away_is_told_in_one_sentence() -> None:
    store = RealServer()
    try:
        with (
            served(
                "--listen", "127.0.0.1:0", "--workers", "1", "--store", store.url, "--drain-seconds", "0"
            ) as service,
            gateway(service.address) as front,
            Client(front.http) as client,
        ):
            assert client.get("/readyz").status == 200
            store.stop()
            await_true(lambda: client.get("/readyz").status == 503, "it is noticed")
            assert "does not serve games: The store at " in client.get("/readyz").json()["detail"]
            assert client.get("/healthz").status == 200
    finally:
        store.stop()
