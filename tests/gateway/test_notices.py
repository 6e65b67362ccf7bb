"""Notices about many games over HTTP: as Server-Sent Events, or as pages of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import httpx
import pytest

from alhambra_api.v1 import events_pb2, webhooks_pb2
from alhambra_gateway.upstream.service_channels import CHECK

from .product import Product, gateway
from .scripted import SERVING

SECONDS = 60.0
Message = webhooks_pb2.WatchNoticesResponse


@contextmanager
def watching(address: str, headers: dict[str, str] | None = None, **query: str) -> Iterator[Iterator[dict[str, Any]]]:
    accept = {"Accept": "text/event-stream", **(headers or {})}
    with httpx.stream("GET", f"{address}/v1/notices", params=query, headers=accept, timeout=SECONDS) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield messages(answer)


def messages(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    found: dict[str, Any] = {}
    for line in answer.iter_lines():
        name, _, value = line.partition(": ")
        if not line and "event" in found:
            found["data"] = json.loads(found["data"])
            yield found
            found = {}
        elif line:
            found[name] = value


def create(address: str) -> dict[str, Any]:
    seats = [{"claim": True}, {"claim": True}]
    made: dict[str, Any] = httpx.post(f"{address}/v1/games", json={"seats": seats}, timeout=SECONDS).json()
    return made


def test_notices_are_told_as_events_that_are_resumed_by_their_id(product: Product) -> None:
    address = product.http
    with watching(address) as told:
        opened = next(told)
        assert (opened["event"], opened["data"]) == ("opened", {"missed": False})
        first = create(address)["game"]
        found = [next(told) for _ in range(2)]
        assert [one["data"]["kind"] for one in found] == ["game_started", "decision_opened"]
        assert {one["data"]["game"] for one in found} == {first}
    second = create(address)["game"]
    with watching(address, {"Last-Event-ID": found[-1]["id"]}) as told:
        assert next(told)["id"] == found[-1]["id"]
        assert [next(told)["data"]["game"] for _ in range(2)] == [second, second]
    with watching(address, after=opened["id"], kinds="game_started") as told:
        next(told)
        assert [next(told)["data"]["game"] for _ in range(2)] == [first, second]


def test_notices_are_told_as_pages(product: Product) -> None:
    address = product.http
    start = httpx.get(f"{address}/v1/notices", headers={"Accept": "application/json"}, timeout=SECONDS).json()
    with watching(address) as told:
        next(told)
        game = create(address)["game"]
        next(told)
        next(told)
    asked = {"after": start["nextAfter"], "pageSize": "1"}
    page = httpx.get(f"{address}/v1/notices", params=asked, headers={"Accept": "application/json"}).json()
    assert [notice["game"] for notice in page["notices"]] == [game]
    assert (page["more"], page["missed"]) == (True, False)


def test_a_ticket_of_seats_opens_one_stream(product: Product) -> None:
    address = product.http
    made = create(address)
    seats = [{"game": made["game"], "token": made["seatKeys"][0]["token"]}]
    ticket = httpx.post(f"{address}/v1/notices:ticket", json={"seats": seats}, timeout=SECONDS).json()
    assert ticket["refusedGames"] == []
    with watching(address, ticket=ticket["ticket"]) as told:
        assert next(told)["event"] == "opened"
    again = httpx.get(f"{address}/v1/notices", params={"ticket": ticket["ticket"]}, timeout=SECONDS)
    assert (again.status_code, again.json()["reason"]) == (401, "TOKEN_INVALID")


# -- A reader that has fallen behind -----------------------------------------------------------------------------------


class NoticesAsWritten(grpc.GenericRpcHandler):
    """A service whose streams of notices say what a test has written, one list for each stream."""

    def __init__(self) -> None:
        self.streams: list[list[Message]] = []
        self.asked: list[webhooks_pb2.WatchNoticesRequest] = []
        """The requests of the streams that were opened."""
        self._server = grpc.server(ThreadPoolExecutor(8))
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def stop(self) -> None:
        self._server.stop(None).wait()

    def service(self, details: Any) -> Any:
        if details.method == CHECK:
            return grpc.unary_unary_rpc_method_handler(lambda request, context: SERVING.SerializeToString())
        assert details.method.endswith("/WatchNotices")
        return grpc.unary_stream_rpc_method_handler(
            self._watch, webhooks_pb2.WatchNoticesRequest.FromString, Message.SerializeToString
        )

    def _watch(self, request: webhooks_pb2.WatchNoticesRequest, context: grpc.ServicerContext) -> Iterator[Message]:
        self.asked.append(request)
        yield from self.streams[len(self.asked) - 1]


@pytest.fixture
def service() -> Iterator[NoticesAsWritten]:
    found = NoticesAsWritten()
    yield found
    found.stop()


def opened(place: str, *, missed: bool = False) -> Message:
    return Message(opened=webhooks_pb2.NoticesOpened(missed=missed), id=place)


def notice(place: str) -> Message:
    kind = webhooks_pb2.NOTICE_KIND_GAME_STARTED
    return Message(notice=webhooks_pb2.Notice(id=f"msg_{place}", kind=kind, game="a" * 24), id=place)


def fell_behind(place: str) -> Message:
    return Message(resume=events_pb2.Resume(after=place, because="fell_behind"), id=place)


def test_a_reader_that_fell_behind_is_told_where_to_go_on(service: NoticesAsWritten) -> None:
    """Its ticket is used up, so the gateway cannot open another stream for it."""
    service.streams = [[opened("1-0"), notice("2-0"), fell_behind("2-0")]]
    with gateway(service.address) as front, watching(front.http, ticket="alh_ticket_of-seats") as told:
        last = list(told)[-1]
    assert (last["event"], last["id"]) == ("resume", "2-0")
    assert last["data"] == {"after": "2-0", "because": "fell_behind"}
    assert len(service.asked) == 1


@pytest.mark.parametrize("missed", [False, True], ids=["all", "some-are-gone"])
def test_the_gateway_goes_on_for_a_reader_that_fell_behind(service: NoticesAsWritten, missed: bool) -> None:
    service.streams = [
        [opened("1-0"), notice("2-0"), fell_behind("2-0")],
        [opened("2-0", missed=missed), notice("3-0")],
    ]
    with gateway(service.address) as front, watching(front.http, after="1-0") as told:
        found = [(message["event"], message["id"]) for message in told]
    again = [("opened", "2-0")] if missed else []
    assert found == [("opened", "1-0"), ("notice", "2-0"), *again, ("notice", "3-0")]
    assert [request.after for request in service.asked] == ["1-0", "2-0"]
