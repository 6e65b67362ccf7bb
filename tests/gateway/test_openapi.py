"""The API document: valid, made from the contract, and true: answers of a running gateway are as it says."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from openapi_spec_validator import validate

from alhambra_api.contract import comments
from alhambra_api.limits import limits_of
from alhambra_api.v1 import annotations_pb2, service_pb2
from alhambra_gateway.json_messages import json_name, writer
from alhambra_gateway.openapi import document
from alhambra_gateway.openapi.schemas import is_always_there, reached
from alhambra_gateway.refusals.problem import KINDS, example_problems
from alhambra_gateway.routing.routes import Route, compile_routes

from . import examples
from .conformity import check, faults_of
from .http import Client
from .product import Product

OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
}
ROUTES = {route.descriptor.name: route for route in compile_routes()}
SCHEMAS = document()["components"]["schemas"]
RECORDED = json.loads(examples.FILE.read_text(encoding="utf-8"))

route = pytest.mark.parametrize("route", [pytest.param(route, id=name) for name, route in ROUTES.items()])


def operation_of(route: Route) -> Any:
    return document()["paths"][route.path][route.method.lower()]


def inside(part: Any) -> Iterator[Any]:
    """A part of the document and all that it refers to."""
    seen: set[str] = set()
    waiting = [part]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list):
            waiting += found
        elif isinstance(found, dict):
            yield found
            reference = found.get("$ref", "")
            if reference and reference not in seen:
                seen.add(reference)
                _, _, kind, name = reference.split("/")
                waiting.append(document()["components"][kind][name])
            waiting += [value for key, value in found.items() if key not in ("example", "examples")]


# -- The document by itself --------------------------------------------------------------------------------------------


def test_the_document_is_valid_openapi() -> None:
    assert document()["openapi"].startswith("3.1.")
    validate(document())


def test_every_operation_has_a_name_of_its_own_a_summary_and_a_heading() -> None:
    assert len(OPERATIONS) == len(ROUTES)
    tags = {tag["name"] for tag in document()["tags"]}
    assert tags == {"games", "boards", "catalog", "audit", "webhooks", "notices"}
    for name, (_, _, operation) in OPERATIONS.items():
        assert re.fullmatch(r"[a-z][A-Za-z]+", name)
        assert operation["summary"]
        assert set(operation["tags"]) <= tags


def both_ways() -> set[str]:
    """The messages that are answered and sent."""
    sent = reached(route.descriptor.input_type for route in ROUTES.values() if route.has_body)
    answered = reached(route.descriptor.output_type for route in ROUTES.values() if not route.http_body)
    return {message.name for message in sent & answered if "properties" in SCHEMAS.get(message.name, {})}


@route
def test_an_operation_says_who_may_call_it(route: Route) -> None:
    expected: dict[int, list[Any]] = {
        annotations_pb2.CALLER_ANYONE: [{}, {"apiKey": []}],
        annotations_pb2.CALLER_SPECTATOR: [{}, {"seatToken": []}, {"apiKey": []}],
        annotations_pb2.CALLER_SEAT: [{"seatToken": []}],
        annotations_pb2.CALLER_HOST: [{}, {"apiKey": []}],
    }
    assert operation_of(route)["security"] == expected[route.caller]
    assert "Who may call" in operation_of(route)["description"]


@route
def test_an_operation_names_only_reasons_that_its_caller_and_its_request_allow(route: Route) -> None:
    answers = operation_of(route)["responses"]
    problems = {status: answer for status, answer in answers.items() if "$ref" in answer}
    named = {reason for answer in problems.values() for reason in re.findall(r"`(\w+)`", answer["description"])}
    assert all(answer["description"] for answer in problems.values())
    assert ("SCOPE_MISSING" in named) == (bool(route.scope) or route.descriptor.name == "WatchNotices")
    assert ("PAGE_TOKEN_INVALID" in named) == route.asks_for("page_token")
    assert ("REQUEST_ID_REUSED" in named) == route.asks_for("request_id")
    assert ("WATCHERS_EXCEEDED" in named) == route.streaming
    assert ("OUTCOME_UNKNOWN" in named) == route.changes


def test_everything_that_is_only_sent_is_closed() -> None:
    bodies = [operation["requestBody"] for _, _, operation in OPERATIONS.values() if "requestBody" in operation]
    both = [SCHEMAS[name] for name in both_ways()]
    objects = [found for found in inside(bodies) if "properties" in found and found not in both]
    assert len(objects) > len(bodies)
    assert [found for found in objects if found.get("additionalProperties") is not False] == []


def test_answers_are_open() -> None:
    answered = [operation["responses"] for _, _, operation in OPERATIONS.values()]
    objects = [found for found in inside(answered) if "properties" in found]
    assert len(objects) > len(OPERATIONS)
    assert [found for found in objects if "additionalProperties" in found] == []


def test_texts_speak_of_members_as_json_spells_them() -> None:
    fields = {name.rpartition(".")[2] for name in comments() if "_" in name.rpartition(".")[2]}
    texts = [found["description"] for found in inside(document()) if isinstance(found.get("description"), str)]
    assert len(texts) > 500
    quoted = {word for text in texts for word in re.findall(r"`([a-z_]+)`", text)}
    assert quoted & {field for field in fields if field.islower()} == set()
    assert [text for text in texts if re.search(r"\b(PAYMENTS|CURRENCY|ORDER_UNTIL)_[A-Z]", text)] == []


# -- What is always there, as the writer of JSON has it ---------------------------------------------------------------

ANSWERED = sorted(
    {
        message.name: message
        for message in reached(
            [
                *(route.descriptor.output_type for route in ROUTES.values() if not route.http_body),
                service_pb2.DESCRIPTOR.pool.FindMessageTypeByName("alhambra_api.v1.EventPage"),
            ]
        )
        if message.name in SCHEMAS and "properties" in SCHEMAS[message.name]
    }.items()
)


@pytest.mark.parametrize("message", [pytest.param(message, id=name) for name, message in ANSWERED])
def test_whatever_an_empty_message_writes_is_required_of_an_answer(message: Any) -> None:
    from google.protobuf.message_factory import GetMessageClass

    written = set(writer(message)(GetMessageClass(message)()))
    required = set(SCHEMAS[message.name].get("required", ()))
    if message.name in both_ways():  # whoever sends one may leave lists and enums out
        written -= {json_name(field) for field in message.fields if field.is_repeated or field.enum_type is not None}
    assert written <= required
    with_presence = {
        json_name(field)
        for field in message.fields
        if field.message_type is not None or field.enum_type is not None or field.has_presence
    }
    if not message.GetOptions().Extensions[annotations_pb2.sparse]:
        assert required - written <= with_presence


def test_absence_follows_the_comments_of_the_contract() -> None:
    assert SCHEMAS["Event"]["required"] == ["kind", "id", "version", "index", "level"]
    assert SCHEMAS["Move"]["required"] == ["verb"]
    assert "view" in SCHEMAS["GetGameResponse"]["required"]
    assert SCHEMAS["ApplyMoveResponse"]["required"] == ["version", "events"]
    assert SCHEMAS["LeaveSeatResponse"]["required"] == ["version", "events"]
    assert {"decision", "result", "viewer"} & set(SCHEMAS["View"]["required"]) == set()
    message = service_pb2.DESCRIPTOR.pool.FindMessageTypeByName("alhambra_api.v1.Offer")
    assert not is_always_there(message.fields_by_name["currency"])


def test_what_may_be_absent_is_said_in_the_form_that_the_document_reads() -> None:
    texts = {
        field.full_name: comments().get(field.full_name, "")
        for _, message in ANSWERED
        for field in message.fields
        if not field.is_repeated and (field.message_type or field.enum_type) and is_always_there(field)
    }
    assert [name for name, text in texts.items() if re.search(r"(^|\. )(Absent|Present|Unspecified)\b", text)] == []


def test_what_is_answered_and_sent_back_has_one_schema() -> None:
    assert both_ways() == {"Move", "Order", "Placement", "PlacedTile", "Edge", "Cell"}
    assert [name for name in SCHEMAS if name.endswith("Input")] == []
    move = SCHEMAS["ApplyMoveRequest"]["properties"]["move"]
    assert move["$ref"] == SCHEMAS["LegalMove"]["properties"]["move"]["$ref"]
    assert SCHEMAS["Order"]["required"] == ["decision", "answer"]
    assert SCHEMAS["Cell"]["required"] == ["x", "y"]


def test_every_tag_has_a_description_of_its_own() -> None:
    texts = [tag["description"] for tag in document()["tags"]]
    assert len(set(texts)) == len(texts)
    assert all(texts)


# -- Examples ----------------------------------------------------------------------------------------------------------


@route
def test_the_example_of_a_call_is_as_the_document_says(route: Route) -> None:
    recorded = RECORDED[route.descriptor.name]
    place = ("paths", route.path, route.method.lower())
    shown = {parameter["name"]: parameter for parameter in operation_of(route)["parameters"] if "name" in parameter}
    for name, value in {**recorded.get("path", {}), **recorded.get("query", {})}.items():
        index = str(list(shown).index(name))
        assert faults_of(value, *place, "parameters", index, "schema") == []
        assert shown[name]["example"] == value
    if route.has_body:
        assert faults_of(recorded["body"], *place, "requestBody", "content", "application/json", "schema") == []
    if "answer" in recorded:
        content = ("responses", "200", "content", "application/json", "schema")
        assert faults_of(recorded["answer"], *place, *content) == []


def test_the_example_of_a_problem_is_as_the_document_says() -> None:
    assert example_problems().keys() == KINDS.keys()
    for reason, example in example_problems().items():
        problem = example["en"]
        name = f"Problem{problem['status']}"
        if name not in document()["components"]["responses"]:
            assert problem["status"] in (405, 499)  # no operation answers so
            assert faults_of(problem, "components", "schemas", "Problem") == []
            continue
        content = document()["components"]["responses"][name]["content"]["application/problem+json"]
        assert content["examples"][reason]["value"] == problem
        place = ("components", "responses", name, "content", "application/problem+json", "schema")
        assert faults_of(problem, *place) == []


def test_the_examples_are_what_the_gateway_answers_today(client: Client) -> None:
    assert examples.as_text(examples.record(client)) == examples.FILE.read_text(encoding="utf-8"), (
        "run `python -m tests.gateway.examples` and read the difference"
    )


def test_the_examples_hold_no_secret() -> None:
    text = examples.FILE.read_text(encoding="utf-8")
    said = {value for name in examples.NAMES for value in re.findall(rf'"{name}": "([^"]+)"', text)}
    assert said == set(examples.NAMES.values())


# -- Limits ------------------------------------------------------------------------------------------------------------

BASE = {name: json.loads(json.dumps(call)) for name, call in RECORDED.items()}
BASE["CreateGame"]["body"]["visibility"] = "spectators_delayed"  # spectatorDelay goes with no other one
BASE["CreateGame"]["body"]["clockSeconds"] = 60  # clockIncrementSeconds goes with it


def limited() -> Iterator[Any]:
    """Every limited number, text and list of a request, with the largest good and the smallest bad value."""
    for name, found in ROUTES.items():
        for field in (*found.query_fields, *found.body_fields):
            if field.name == "address":  # a long text of one letter is within its limits, and no address
                continue
            for good, bad in edges(schema_of(found, field)):
                yield pytest.param(name, json_name(field), good, bad, id=f"{name}-{json_name(field)}-{bad}"[:70])


def schema_of(found: Route, field: Any) -> Any:
    """What the document says about a field of a request."""
    operation = document()["paths"][found.path][found.method.lower()]
    if field in found.body_fields:
        reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        return SCHEMAS[reference.rpartition("/")[2]]["properties"][json_name(field)]
    return next(one["schema"] for one in operation["parameters"] if one.get("name") == json_name(field))


KEYWORDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
}


def test_the_document_says_every_limit_of_the_contract() -> None:
    compared = 0
    for found in ROUTES.values():
        top = [
            (field, schema_of(found, field)) for field in (*found.path_fields, *found.query_fields, *found.body_fields)
        ]
        inner = [
            (field, SCHEMAS[message.name]["properties"][json_name(field)])
            for message in reached([found.descriptor.input_type]) - {found.descriptor.input_type}
            if "properties" in SCHEMAS.get(message.name, {})
            for field in message.fields
        ]
        for field, schema in (*top, *inner):
            limits = limits_of(field)
            expected = {
                KEYWORDS[option.name]: value for option, value in limits.ListFields() if option.name in KEYWORDS
            }
            if limits.pattern:
                expected["pattern"] = f"^{limits.pattern}$"
            if limits.numbers:
                expected["enum"] = list(limits.numbers)
            assert {keyword: schema.get(keyword) for keyword in expected} == expected, field.full_name
            assert not ({*KEYWORDS.values(), "pattern"} - set(expected)) & set(schema), field.full_name
            compared += len(expected)
    assert compared > 100


def edges(limits: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    if "minimum" in limits:
        yield limits["minimum"], limits["minimum"] - 1
    if "maximum" in limits:
        yield limits["maximum"], limits["maximum"] + 1
    if "maxLength" in limits:
        yield "x" * limits["maxLength"], "x" * (limits["maxLength"] + 1)
    if "enum" in limits:
        yield limits["enum"][-1], limits["enum"][-1] + 1


@pytest.fixture(scope="module")
def table(product: Product) -> dict[str, Any]:
    """A game with one seat for the tests below."""
    body = {"seats": [{"claim": True}, {"serverPlayer": "random"}]}
    created: dict[str, Any] = product.client().post("/v1/games", body).json()
    return created


@pytest.mark.parametrize(("rpc", "member", "good", "bad"), list(limited()))
def test_the_last_good_value_is_read_and_the_first_bad_one_refused(
    product: Product, table: dict[str, Any], rpc: str, member: str, good: Any, bad: Any
) -> None:
    client = product.client(table["seatKeys"][0]["token"])
    assert refused_for(client, table["game"], ROUTES[rpc], member, bad)
    assert not refused_for(client, table["game"], ROUTES[rpc], member, good)


def refused_for(client: Client, game: str, route: Route, member: str, value: Any) -> bool:
    """Whether a call that is otherwise as in its example is refused because it cannot be read."""
    call = BASE[route.descriptor.name]
    path = route.path.replace("{game}", game).replace("{webhook}", "w" * 20)
    accept = {"Accept": "application/json"}
    if route.has_body:
        answer = client.post(path, {**call["body"], member: value}, accept)
    else:
        more = {"open": "true"} if member == "seatCount" else {}  # only open games are listed by their seats
        answer = client.get(path, accept, **{**call.get("query", {}), **more, member: value})
    return answer.status == 400 and answer.reason in ("REQUEST_MALFORMED", "LIMIT_EXCEEDED", "OPTION_INVALID")


# -- It is true --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "modules"),
    [(2, []), (3, ["thieves", "characters", "city_gates"]), (4, ["change", "military_camps", "squares"])],
    ids=["base", "three-modules", "three-others"],
)
def test_every_answer_of_a_game_is_as_the_document_says(product: Product, seats: int, modules: list[str]) -> None:
    rng = random.Random(f"{seats} {modules}")
    host = product.client()
    body = {"seats": [{"claim": True}] * seats, "modules": modules, "seed": "conformity"}
    answer = host.post("/v1/games", body)
    check("POST", "/v1/games", answer)
    created = answer.json()
    path = f"/v1/games/{created['game']}"
    players = [product.client(key["token"]) for key in created["seatKeys"]]
    kinds: set[str] = set()
    view = created["view"]
    for _ in range(40):
        if view["status"] == "over":
            break
        player = players[view["decision"]["seat"]]
        listed = player.get(f"{path}/moves", pageSize=50)
        check("GET", f"{path}/moves", listed)
        chosen = rng.choice(listed.json()["moves"])
        move = dict(chosen["move"])
        if "amountMin" in chosen:
            move["amount"] = chosen["amountMin"]
        dry = player.post(f"{path}/moves", {"move": move, "version": view["version"], "validateOnly": True})
        check("POST", f"{path}/moves", dry)
        made = player.post(f"{path}/moves", {"move": move, "version": view["version"]}, {"Accept-Language": "de"})
        check("POST", f"{path}/moves", made)
        view = made.json()["view"]
        kinds |= {event["kind"] for event in made.json()["events"]}
    assert len(kinds) > 5
    for address in ("", "?logTail=200", "/replay", "/board.svg?seat=0", "/events"):
        answer = host.get(path + address, {"Accept": "application/json, image/svg+xml"})
        assert answer.status == 200
        check("GET", path + address, answer)


def test_views_that_are_sent_as_changes_are_as_the_document_says(product: Product) -> None:
    seats = [{"claim": True}, {"serverPlayer": "random"}]
    body: dict[str, Any] = {"seats": seats, "modules": ["thieves", "squares"], "seed": "changes"}
    created = product.client().post("/v1/games", body).json()
    path, player = f"/v1/games/{created['game']}", product.client(created["seatKeys"][0]["token"])
    answer = player.get(path, include="changes")
    check("GET", path, answer)
    left_out = 0
    for _ in range(12):
        view = answer.json()["view"]
        move = player.get(f"{path}/moves", pageSize=1).json()["moves"][0]["move"]
        body = {"move": move, "version": view["version"], "include": ["changes", "scores"]}
        answer = player.post(f"{path}/moves", {**body, "knownChecksum": view["parts"]["checksum"]})
        check("POST", f"{path}/moves", answer)
        left_out += without_unnamed_parts(answer.json()["view"])
    assert left_out > 12


def without_unnamed_parts(view: dict[str, Any]) -> int:
    """Check that a view that is sent as changes holds no part that is not named. Return how many it leaves out."""
    marks = view["parts"]["marks"]
    assert view["parts"]["changesOnly"]
    unnamed = [name for name in ("table", "setup", "orders") if name not in marks]
    assert not any(view.get(name) for name in unnamed)
    assert {f"modules.{key}" for key in view["modules"]} <= marks.keys()
    for seat in view["seats"]:
        name = f"seats.{seat['seat']}"
        assert {name, f"{name}.alhambra"} & marks.keys()
        if f"{name}.alhambra" not in marks:
            unnamed.append(f"{name}.alhambra")
            assert seat["alhambra"] == seat["gates"] == []
        if name not in marks:
            unnamed.append(name)
            assert (seat["name"], seat["hand"], seat["score"]) == ("", [], 0)
    return len(unnamed)


def test_the_catalogue_is_as_the_document_says(client: Client) -> None:
    for name in ("modules", "tiles", "editions", "verbs", "violations"):
        answer = client.get(f"/v1/catalog/{name}")
        assert answer.status == 200
        check("GET", f"/v1/catalog/{name}", answer)


# -- Served ------------------------------------------------------------------------------------------------------------


def test_the_document_is_served_and_not_sent_twice(client: Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.status == 200
    assert answer.headers.get_content_type() == "application/json"
    assert answer.json() == document()
    again = client.get("/openapi.json", {"If-None-Match": answer.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


def test_the_page_needs_nothing_from_elsewhere_and_no_script_of_its_own(client: Client) -> None:
    page = client.get("/docs")
    assert page.status == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    text = page.body.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", text) == []
    addresses = re.findall(r'(?:src|href|data-document)="([^"]+)"', text)
    assert [address for address in addresses if not re.match(r"/\w*", address) or address.startswith("//")] == []
    for address in addresses:
        if address.startswith("/docs/") or address == "/openapi.json":
            assert client.get(address).status == 200, address


def test_a_lock_of_the_page_is_closed_until_a_credential_is_typed_in(client: Client) -> None:
    """Swagger UI draws locks the other way round, from `isAuthorized`; the page inverts it for both of its buttons."""
    swagger_ui = client.get("/docs/swagger-ui-bundle.js").body.decode()
    script = client.get("/docs/docs.js").body.decode()
    assert "isAuthorized: !props.isAuthorized" in script
    for button in ("authorizeBtn", "authorizeOperationBtn"):
        assert f"{button}: inverted" in script
        assert f"{button}:" in swagger_ui
    assert re.search(r"plugins: \[.*\blocks\b", script)


def test_a_file_that_the_page_does_not_need_is_not_there(client: Client) -> None:
    for name in ("docs.html", "oauth2-redirect.html", "..%2f__init__.py"):
        assert client.get(f"/docs/{name}").status == 404
