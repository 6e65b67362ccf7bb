"""Notices about many games over HTTP: as Server-Sent Events, or as pages of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from .product import Product

SECONDS = 60.0


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
