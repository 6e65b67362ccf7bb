"""Each operation of the API document lists the reasons that it can fail with: what is driven out of it is listed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from alhambra_gateway.openapi import document
from alhambra_gateway.routing.routes import Route, compile_routes

from .http import Answer, Client
from .product import Product
from .rest import Table, table
from .test_openapi import RECORDED

ROUTES = compile_routes()
JSON = {"Accept": "application/json, image/svg+xml"}
NO_ROUTE = "nosuchgamehere"
STRANGE: dict[str, list[Any]] = {
    "game": [],
    "tile": ["no_such_tile", "!"],
    "seat": [-1, 9],
    "version": [0, 99_999],
    "minVersion": [99_999],
    "fromVersion": [99_999],
    "pageToken": ["!"],
    "pageSize": [-1, 10**6],
    "modules": [["no_such_module"]],
    "options": [{"no_such_option": 1}, {"undo": "sometimes"}],
    "edition": ["no_such_edition"],
    "seats": [[], [{}], [{}] * 9, [{"colour": "plaid"}, {}], [{"serverPlayer": "deity"}, {}]],
    "invitation": ["no such invitation"],
    "move": [
        {"verb": "fly"},
        {"verb": "pass"},
        {"verb": "pass", "tile": "start-0"},
        {"verb": "take_money"},
        {"verb": "take_money", "display": ["gulden-1", "gulden-1"]},
        {"verb": "buy", "slot": "market-denar", "cards": ["denar-1"]},
        {"verb": "place", "tile": "garden-8-ne", "cell": {"x": 5, "y": 5}},
    ],
    "orders": [[{"decision": "dinner", "answer": "pass"}]],
    "consent": [True],
    "board": [{"tiles": []}, {"tiles": [{"tile": "no_such_tile", "cell": {"x": 0, "y": 0}}]}],
    "boards": [[], [{"tiles": []}]],
    "placement": [
        {"tile": "no_such_tile", "cell": {"x": 0, "y": 0}},
        {"tile": "garden-8-ne", "cell": {"x": 500, "y": 0}},
        {"tile": "garden-8-ne", "cell": {"x": 5, "y": 5}, "rotation": 45},
    ],
    "placements": [[], [{"tile": "no_such_tile", "cell": {"x": 0, "y": 0}}]],
    "rules": [{"modules": ["no_such_module"]}],
    "kind": ["no_such_kind"],
    "id": ["no_such_id"],
    "rotation": [45],
    "cell": [{"x": 500, "y": 0}],
    "after": ["!"],
    "ticket": ["!"],
    "entropy": ["not hexadecimal", "00ff"],
    "entropyCommitment": ["not hexadecimal", "0" * 64],
    "module": ["no_such_module"],
    "verb": ["fly"],
}
"""By member: values that are strange in some way. Members that are not here are sent as in the example."""


def listed(route: Route) -> set[str]:
    """The reasons that the document names for an operation."""
    answers = document()["paths"][route.path][route.method.lower()]["responses"].values()
    return {
        reason for answer in answers if "$ref" in answer for reason in re.findall(r"`(\w+)`", answer["description"])
    }


@pytest.fixture(scope="module")
def tables(product: Product) -> Iterator[dict[str, Table]]:
    """A game that waits for a seat, one that runs, and one that is over."""
    with (
        table(product, [{"claim": True}, {}]) as waiting,
        table(product, 2, seed="reasons") as running,
        table(product, 2) as over,
    ):
        over.seats[0].post(f"{over.path}:resign", {})
        yield {"waiting": waiting, "running": running, "over": over}


def sent(route: Route) -> Iterator[dict[str, Any]]:
    """The members of calls: as in the example, none, and with one strange value each."""
    call = RECORDED[route.descriptor.name]
    usual = {**call.get("path", {}), **call.get("query", {}), **call.get("body", {})}
    usual.pop("game", None)
    yield usual
    yield {name: value for name, value in usual.items() if name in ("kind", "id")}
    known = {field.json_name for field in (*route.path_fields, *route.query_fields, *route.body_fields)}
    for name, values in STRANGE.items():
        if name in known:
            yield from ({**usual, name: value} for value in values)
    yield {**usual, "noSuchMember": 1}


def ask(client: Client, route: Route, game: str, members: Mapping[str, Any]) -> Answer:
    path, rest = route.path.replace("{game}", game), dict(members)
    for field in route.path_fields:
        path = path.replace(f"{{{field.json_name}}}", str(rest.pop(field.json_name, "")))
    if route.has_body:
        return client.post(path, rest, JSON)
    query = {**rest, "pastOnly": "true"} if route.streaming else rest
    return client.send(route.method, path + (f"?{urlencode(query, doseq=True)}" if query else ""), None, JSON)


@pytest.mark.parametrize("route", [pytest.param(route, id=route.descriptor.name) for route in ROUTES])
def test_an_operation_fails_only_with_reasons_that_it_lists(
    product: Product, tables: dict[str, Table], route: Route
) -> None:
    if route.method == "DELETE":
        games: dict[str, str] = {NO_ROUTE: ""}  # the others are needed
    else:
        tokens = {found.id: found.created["seatKeys"][0]["token"] for found in tables.values()}
        games = {NO_ROUTE: "", **tokens}
    seen: set[str] = set()
    for game, token in games.items() if "{game}" in route.path else {"": ""}.items():
        for credential in dict.fromkeys(["", token, "no such token"]):
            client = product.client(credential)
            for members in sent(route):
                if game == tables["running"].id and route.descriptor.name == "Resign":
                    continue  # the game is needed
                answer = ask(client, route, game, members)
                if answer.status >= 400:
                    seen.add(answer.reason)
    assert seen
    assert seen - listed(route) - {"ROUTE_NOT_FOUND"} == set()


def test_reasons_of_the_rules_are_listed_where_a_move_is_sent() -> None:
    with_reason = {
        reason: {route.descriptor.name for route in ROUTES if reason in listed(route)}
        for reason in (
            *("UNDERPAID", "EDGE_MISMATCH", "NOT_YOUR_DECISION", "UNDO_REFUSED"),
            *("SEATS_INVALID", "ENTROPY_REFUSED", "GAME_OVER"),
        )
    }
    assert with_reason == {
        "UNDERPAID": {"ApplyMove"},
        "EDGE_MISMATCH": {"ApplyMove"},
        "NOT_YOUR_DECISION": {"ApplyMove"},
        "UNDO_REFUSED": {"Undo"},
        "SEATS_INVALID": {"CreateGame", "ClaimSeat"},
        "ENTROPY_REFUSED": {"ClaimSeat", "RevealEntropy"},
        "GAME_OVER": {"ApplyMove", "Resign"},
    }


def test_an_operation_without_a_reason_of_a_status_does_not_have_the_status() -> None:
    statuses = {
        route.descriptor.name: document()["paths"][route.path][route.method.lower()]["responses"] for route in ROUTES
    }
    for name in ("GetGame", "DeleteGame", "WatchEvents", "CreateEventTicket"):
        assert "422" not in statuses[name]
    assert "422" in statuses["GetBoardPicture"]
