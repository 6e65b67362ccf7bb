"""Routes are the contract's: each RPC has one address, and its request is spread over path, query and body."""

import re

import pytest
from flask import Flask, Response
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Map, MapAdapter, Rule

from alhambra import BASE
from alhambra_api.v1 import annotations_pb2, service_pb2
from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_gateway.refusals.problem import Problem
from alhambra_gateway.routing.credentials import behind_credentials
from alhambra_gateway.routing.routes import CONVERTERS, Route, compile_routes, created_at
from alhambra_service.messages.catalogue.components import components_of, modules_known

GAME = "abcdefghijkl"
BY_NAME = {route.name: route for route in compile_routes()}


@pytest.fixture(scope="module")
def addresses() -> MapAdapter:
    rules = [Rule(route.rule, endpoint=route.name, methods=[route.method]) for route in compile_routes()]
    return Map(rules, converters=CONVERTERS, merge_slashes=False).bind("localhost")


def test_every_rpc_has_a_route_of_its_own() -> None:
    rpcs = [
        f"{service.name}.{method.name}"
        for service in service_pb2.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]
    assert list(BY_NAME) == rpcs
    assert len({(route.method, route.rule) for route in compile_routes()}) == len(rpcs)


def test_the_picture_of_every_component_has_an_address_that_is_found(addresses: MapAdapter) -> None:
    components = [found for module in (BASE, *modules_known()) for found in components_of(module, "en")]
    for found in components:
        wanted = ("CatalogService.GetComponentPicture", {"kind": found.kind, "id": found.id})
        assert addresses.match(found.picture, "GET") == wanted
    assert any("+" in found.id for found in components)


@pytest.mark.parametrize("route", compile_routes(), ids=list(BY_NAME))
def test_every_field_of_a_request_is_sent_in_exactly_one_way(route: Route) -> None:
    ways = [*route.path_fields, *route.body_fields, *route.query_fields]
    assert sorted(field.number for field in ways) == sorted(
        field.number for field in route.descriptor.input_type.fields
    )
    assert route.has_body == (route.method == "POST")
    assert not (route.body_fields and route.query_fields)


@pytest.mark.parametrize("route", compile_routes(), ids=list(BY_NAME))
def test_an_address_leads_to_its_rpc(route: Route, addresses: MapAdapter) -> None:
    fields = {"game": GAME, "kind": "card", "id": "denar-5", "webhook": GAME}
    named = {name: value for name, value in fields.items() if f"{{{name}}}" in route.path}
    assert addresses.match(route.path.format(**named), route.method) == (route.name, named)


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/games/{GAME}:unknown",
        f"/v1/games/{GAME}:undo:undo",
        "/v1/games/short",
        "/v1/games/" + "a" * 33,
        "/v1/games/ABCDEFGHIJKL",
        "/v1/games/abcdefghijk%2f",
        f"/v1/games/{GAME}/",
        f"/v1//games/{GAME}",
        f"/v1/games/{GAME}/placements:unknown",
    ],
)
def test_what_is_not_quite_an_address_is_none(path: str, addresses: MapAdapter) -> None:
    for method in ("GET", "POST"):
        with pytest.raises(NotFound):
            addresses.match(path, method)


def test_an_address_knows_its_methods(addresses: MapAdapter) -> None:
    with pytest.raises(MethodNotAllowed) as refused:
        addresses.match(f"/v1/games/{GAME}:undo", "GET")
    assert refused.value.valid_methods == ["POST"]
    assert sorted(addresses.allowed_methods(f"/v1/games/{GAME}")) == ["DELETE", "GET", "HEAD"]


def test_a_route_knows_who_may_call_and_what_comes_back() -> None:
    create, picture, watch = (
        BY_NAME[f"GameService.{name}"] for name in ("CreateGame", "GetBoardPicture", "WatchEvents")
    )
    assert (create.caller, create.scope) == (annotations_pb2.CALLER_HOST, "games.create")
    assert picture.http_body
    assert watch.streaming
    streaming = [route.name for route in compile_routes() if route.streaming]
    assert streaming == [watch.name, "GameService.WatchNotices"]


def test_what_changes_something_is_known() -> None:
    changes = {route.name.partition(".")[2] for route in compile_routes() if route.changes}
    seats = {"ApplyMove", "Undo", "Resign", "ClaimSeat", "RevealEntropy", "SetOrders", "LeaveSeat"}
    webhooks = {f"{verb}Webhook" for verb in ("Create", "Update", "Delete", "Test")}
    webhooks |= {"RotateWebhookSecret", "ReplayDeliveries"}
    assert changes == {*seats, *webhooks, "CreateGame", "CancelGame", "DeleteGame"}


def test_every_address_is_one_of_version_1() -> None:
    assert all(re.fullmatch(r"/v1(/[A-Za-z<>:.]+)+", route.rule) for route in compile_routes())


def test_only_the_catalogue_stays_the_same_as_long_as_the_service_does() -> None:
    kinds = {"Modules", "Components", "Tiles", "Editions", "Verbs", "Violations"}
    assert {name for name, route in BY_NAME.items() if route.unchanging} == {
        f"CatalogService.List{kind}" for kind in kinds
    }


def test_only_a_game_is_created_at_an_address_of_its_own() -> None:
    found = {name: created_at(route) for name, route in BY_NAME.items() if created_at(route)}
    assert found == {"GameService.CreateGame": "/v1/games"}


def through_a_gateway_with_a_key(rpc: str, header: str) -> int:
    """The status of a call with this authorization header, before it reaches the service."""
    view = behind_credentials(BY_NAME[rpc], Settings(key="gateway.key"), lambda: Response(status=200))
    with Flask(__name__).test_request_context(headers={"Authorization": header} if header else {}):
        try:
            return view().status_code
        except Problem as problem:
            assert problem.reason == "TOKEN_INVALID"
            return 401


LONGEST = "Bearer " + "t" * (limits.AUTHORIZATION_CHARS - len("Bearer "))


@pytest.mark.parametrize("header", ["Bearer a-token", "bearer a-token", LONGEST])
def test_a_gateway_with_a_key_passes_on_what_looks_like_credentials(header: str) -> None:
    assert through_a_gateway_with_a_key("GameService.ApplyMove", header) == 200


@pytest.mark.parametrize("header", ["", "Bearer ", "Basic a-token", "a-token", f"{LONGEST}t"])
def test_a_gateway_with_a_key_refuses_a_call_without_credentials_by_itself(header: str) -> None:
    assert through_a_gateway_with_a_key("GameService.ApplyMove", header) == 401
    assert through_a_gateway_with_a_key("CatalogService.ListTiles", header) == 200, "it needs none"
