"""Schemathesis in small: ten requests to every operation, the same ones each time. `make fuzz` sends many more.

The judge is judged too: a gateway that breaks a promise is found out.
"""

import json
from collections.abc import Iterator
from http.client import HTTPMessage
from typing import Any

import pytest
import schemathesis

from alhambra_gateway.openapi import document

from .conformity import answer_faults
from .fuzz.campaign import ROUTES, Call, Report, Twist, run
from .fuzz.world import RUNNING, World
from .http import Answer
from .product import Product
from .rest import good

REQUESTS = 10


@pytest.fixture(scope="module")
def world(product: Product) -> Iterator[World]:
    found = World(product.http)
    yield found
    found.close()


def test_strange_requests_break_nothing_and_change_nothing(world: World) -> None:
    report = Report()
    run(world, REQUESTS, report)
    assert [str(fault) for fault in report.kinds().values()] == []
    # None is left out, and they are not all turned away at the door.
    assert report.calls == REQUESTS * len(ROUTES)
    # The product of this test has no sender of webhooks, so that there are none to ask about.
    of_webhooks = {
        "GetWebhook",
        "UpdateWebhook",
        "RotateWebhookSecret",
        "TestWebhook",
        "ListDeliveries",
        "ReplayDeliveries",
    }
    assert {name for name, status in report.answers if status == 200} >= set(ROUTES) - of_webhooks - {"Undo"}
    assert {400, 404, 409, 422} <= {status for _, status in report.answers}


# -- The judge is judged -----------------------------------------------------------------------------------------------


def read_game(world: World) -> Any:
    """A good request for the game that runs."""
    operation = schemathesis.openapi.from_dict(document())["/v1/games/{game}"]["GET"]
    case = operation.Case(path_parameters={"game": world.tables[RUNNING].id})
    return Call(world, ROUTES["GetGame"], case, Twist(RUNNING, 0, frozenset(), ""))


def test_a_change_by_a_call_that_only_reads_is_noticed(world: World) -> None:
    world.go_on()
    report = Report()
    read_game(world).judge(report)
    assert report.faults == []
    _, token, body = world.good_move()
    table = world.tables[RUNNING]
    good(table.spectator.post(f"{table.path}/moves", body, {"Authorization": f"Bearer {token}"}))
    read_game(world).judge(report)
    assert [fault.kind for fault in report.faults] == ["changed something with status 200"]


def test_a_game_whose_token_was_replaced_is_not_used_any_more(world: World) -> None:
    before = world.tables[RUNNING]
    good(before.seats[0].post(f"{before.path}:claimSeat", {"seat": 0}))
    world.go_on()
    assert world.tables[RUNNING].id != before.id
    assert "TOKEN_INVALID" not in world.print


def test_a_server_that_does_not_answer_is_noticed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report()
    call = read_game(world)
    monkeypatch.setattr(world, "base", "http://127.0.0.1:1")
    call.judge(report)
    assert [fault.kind for fault in report.faults] == ["no answer"]


def changed(answer: Answer, **members: Any) -> Answer:
    """The same answer with other members; without those that are None."""
    data = {**answer.json(), **members}
    kept = {name: value for name, value in data.items() if value is not None}
    return Answer(answer.status, answer.headers, json.dumps(kept).encode())


def test_an_answer_that_is_not_as_described_is_noticed(world: World) -> None:
    table = world.tables[RUNNING]
    address = "/v1/games/{game}/placements"
    answer = table.spectator.get(f"{table.path}/placements", tile="tower-11-s", seat=0)
    assert list(answer_faults("GET", address, answer)) == []
    bare = HTTPMessage()
    bare["Content-Type"] = "text/plain"
    for wrong in (
        changed(answer, version=None),
        changed(answer, version="17"),
        changed(answer, weather="fine"),
        changed(answer, placements=[{"tile": "tower-11-s"}]),
        Answer(201, answer.headers, answer.body),
        Answer(500, answer.headers, answer.body),
        Answer(200, bare, answer.body),
    ):
        assert list(answer_faults("GET", address, wrong)) != []
