"""Every failure is a problem document with a reason of the contract, whoever refuses: the gateway or the service."""

import re
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from alhambra.texts import languages, text
from alhambra_api.v1 import annotations_pb2, boards_pb2, games_pb2, reasons_pb2
from alhambra_api.values import to_value
from alhambra_gateway import limits
from alhambra_gateway.refusals.problem import KINDS, Problem
from alhambra_gateway.routing.routes import compile_routes

from .http import Answer, Client
from .product import Product, gateway
from .rest import good, table
from .scripted import Scripted, fails, info, refuses

GAME = "/v1/games/abcdefghijkl"
VALIDATE = f"{GAME}/placements:validate"
PLACEMENT = {"placement": {"tile": "garden-8-ne", "cell": {"x": 0, "y": 1}}}
MEMBERS = {"type", "title", "status", "detail", "reason", "metadata"}


def problem(answer: Answer) -> Any:
    """The document of a refusal, which has everything that the contract promises."""
    document = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert document.keys() - {"violations"} == MEMBERS
    address = "" if document["reason"] == "HOST_REFUSED" else r"http://[\w.:\[\]-]+"
    assert re.fullmatch(f"{address}/problems/{document['reason']}", document["type"])
    assert document["status"] == answer.status == KINDS[document["reason"]].status
    assert document["title"]
    assert document["detail"]
    assert answer.headers["cache-control"] == "no-store"
    return document


# -- The table ---------------------------------------------------------------------------------------------------------


def test_every_reason_has_a_status_and_a_title_from_the_contract() -> None:
    values = [value for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number]
    assert [f"REASON_{reason}" for reason in KINDS] == [value.name for value in values]
    for value, kind in zip(values, KINDS.values(), strict=True):
        said = value.GetOptions().Extensions[annotations_pb2.problem]
        assert (kind.status, kind.group) == (said.http_status, said.group)
        assert kind.title.endswith(".")
        assert "Metadata" not in kind.title


def test_a_reason_that_only_a_newer_service_knows_keeps_its_status() -> None:
    document = Problem("TOMORROWS_REASON", "No.", status=409).document()
    assert (document["status"], document["title"]) == (409, "TOMORROWS_REASON")


# -- Refused by the gateway itself -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/nothing", "/v1", "/v1/games/short", f"{GAME}/nothing", f"{GAME}:fly", f"{GAME}/"])
def test_an_unknown_address_is_404(client: Client, path: str) -> None:
    assert problem(client.get(path))["reason"] == "ROUTE_NOT_FOUND"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_a_method_that_an_address_does_not_know_is_405_and_the_known_ones_are_named(
    client: Client, method: str
) -> None:
    answer = client.send(method, "/v1/games")
    assert problem(answer)["reason"] == "METHOD_NOT_ALLOWED"
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize("accept", ["text/html", "application/xml, text/*", "application/json;q=0", "image/svg+xml"])
def test_an_answer_that_nobody_wants_is_406(client: Client, accept: str) -> None:
    for path in ("/v1/catalog/modules", GAME):
        assert problem(client.get(path, {"Accept": accept}))["reason"] == "NOT_ACCEPTABLE"
    assert problem(client.post(VALIDATE, PLACEMENT, {"Accept": accept}))["reason"] == "NOT_ACCEPTABLE"


def test_a_picture_is_no_json(product: Product) -> None:
    with table(product) as game:
        picture = f"{game.path}/board.svg?seat=0"
        answer = game.spectator.get(picture, {"Accept": "image/*"})
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        refused = game.spectator.get(picture, {"Accept": "application/json"})
        assert problem(refused)["reason"] == "NOT_ACCEPTABLE"


def test_the_source_of_a_picture_is_sent_to_a_caller_that_accepts_only_text(product: Product) -> None:
    with table(product) as game:
        for accept in ("text/plain", "text/*", "text/plain, image/svg+xml;q=0"):
            answer = game.spectator.get(f"{game.path}/board.svg?seat=0", {"Accept": accept})
            assert (answer.status, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
            assert answer.body.startswith(b"<svg")


@pytest.mark.parametrize(
    "sent", ["application/x-www-form-urlencoded", "text/plain", "application/json; charset=latin1"]
)
def test_a_body_that_does_not_call_itself_json_is_415(client: Client, sent: str) -> None:
    answer = client.send("POST", "/v1/games", b'{"seats": [{}, {}]}', {"Content-Type": sent})
    assert problem(answer)["reason"] == "MEDIA_TYPE_UNSUPPORTED"


def test_a_body_without_any_type_is_415(client: Client) -> None:
    answer = client.send("POST", "/v1/games", b'{"seats": [{}, {}]}')
    assert problem(answer)["reason"] == "MEDIA_TYPE_UNSUPPORTED"


def test_a_body_that_is_too_large_is_413_and_the_limit_is_named(client: Client) -> None:
    body = b'{"seats": [{}, {}]}' + b" " * limits.BODY_BYTES
    found = problem(client.send("POST", "/v1/games", body, {"Content-Type": "application/json"}))
    assert (found["reason"], found["metadata"]) == ("BODY_TOO_LARGE", {"limit": str(limits.BODY_BYTES)})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", ""),
        (b"[]", ""),
        (b'{"seats": [{}, {}], "seats": []}', "seats"),
        (b'{"seats": [{}, {"claim": 1}]}', "seats[1].claim"),
        (b'{"seats": [{}, {}], "turnlimit": 5}', "turnlimit"),
        (b'{"\\ud800": 1}', "?"),
        (b'{"seats": [{}, {}], "options": {"\\ud800": 1}}', "options.?"),
        (b'{"edition": ""}', "seats"),
        (b"", "seats"),
        (b'{"seats": [{}, {"serverPlayer": "genius"}]}', "seats[1].serverPlayer"),
    ],
)
def test_a_body_that_cannot_be_read_is_400_and_the_place_is_named(client: Client, body: bytes, field: str) -> None:
    answer = client.send("POST", "/v1/games", body, {"Content-Type": "application/json"})
    found = problem(answer)
    assert (found["reason"], found["metadata"]["field"]) == ("REQUEST_MALFORMED", field)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/games?status=lost", "status"),
        (f"{GAME}?minVersion=-1", "minVersion"),
        ("/v1/games?colour=red", "colour"),
        (f"{GAME}?minVersion=x", "minVersion"),
        (f"{GAME}/placements", "tile"),
    ],
)
def test_a_query_that_cannot_be_read_is_400(client: Client, path: str, field: str) -> None:
    found = problem(client.get(path))
    assert (found["reason"], found["metadata"]["field"]) == ("REQUEST_MALFORMED", field)


def test_a_call_with_a_body_takes_no_query(client: Client) -> None:
    found = problem(client.post(f"{VALIDATE}?seat=0", PLACEMENT))
    assert (found["reason"], found["metadata"]["field"]) == ("REQUEST_MALFORMED", "seat")


# -- Refused by the service --------------------------------------------------------------------------------------------


def test_a_game_that_does_not_exist_is_404(client: Client) -> None:
    assert problem(client.get(GAME))["reason"] == "GAME_NOT_FOUND"


@pytest.mark.parametrize("credentials", ["", "Bearer nonsense", "Basic eDp5", "Bearer \xe4", "Bearer " + "x" * 5_000])
def test_bad_credentials_are_401_and_the_same_whatever_is_wrong(product: Product, credentials: str) -> None:
    with table(product) as game:
        headers = {"Authorization": credentials} if credentials else {}
        answer = game.spectator.get(f"{game.path}/moves", headers)
        assert answer.headers["www-authenticate"] == "Bearer"
        assert problem(answer)["reason"] == "TOKEN_INVALID"
        other = game.spectator.get(f"{game.path}/moves", {"Authorization": "Bearer something else"})
        assert answer.body == other.body


def test_an_illegal_move_is_422_and_every_violation_is_told(product: Product) -> None:
    with table(product) as game:
        view = game.view()
        seat, version = view["decision"]["seat"], view["version"]
        found = problem(game.apply(seat, {"verb": "buy", "slot": "market-denar", "cards": ["gulden-1"] * 3}, version))
        assert found["status"] == 422
        assert found["violations"][0]["code"] == found["reason"]
        assert all(violation["text"] for violation in found["violations"])
        waiting = problem(game.apply(1 - seat, {"verb": "pass"}, version))
        assert waiting["reason"] == "NOT_YOUR_DECISION"
        assert game.view() == view


def test_a_move_that_cannot_be_read_is_400(product: Product) -> None:
    with table(product) as game:
        view = game.view()
        seat = view["decision"]["seat"]
        assert problem(game.apply(seat, {"verb": "fly"}, view["version"]))["reason"] == "VERB_UNKNOWN"


def test_a_dry_run_is_no_failure(product: Product) -> None:
    with table(product) as game:
        view = game.view()
        body = {"move": {"verb": "fly"}, "version": view["version"], "validateOnly": True}
        answer = good(game.seats[view["decision"]["seat"]].post(f"{game.path}/moves", body))
        assert answer["verdict"]["violations"][0]["code"] == "VERB_UNKNOWN"
        assert "view" not in answer


def test_problems_are_told_in_the_callers_language(product: Product) -> None:
    with table(product) as game:
        view = game.view()
        waiting = 1 - view["decision"]["seat"]
        english, german = (
            problem(game.apply(waiting, {"verb": "pass"}, view["version"], Accept_Language=language))
            for language in ("en", "de-CH, de;q=0.9")
        )
        assert english["reason"] == german["reason"] == "NOT_YOUR_DECISION"
        assert english["detail"] != german["detail"]
        assert english["violations"][0]["text"] != german["violations"][0]["text"]


# -- Whatever else a service can do ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[Scripted]:
    found = Scripted()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def before(service: Scripted) -> Iterator[Client]:
    """A client of a gateway before the scripted service."""
    with gateway(service.address) as running, Client(running.http) as found:
        yield found


READ, CHANGE = ("GET", GAME), ("POST", f"{GAME}:resign")


@pytest.mark.parametrize(
    ("code", "call", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, READ, "STORE_UNAVAILABLE"),
        (grpc.StatusCode.UNAVAILABLE, CHANGE, "OUTCOME_UNKNOWN"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, READ, "DEADLINE_PASSED"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, CHANGE, "RATE_LIMITED"),
        (grpc.StatusCode.CANCELLED, READ, "STORE_UNAVAILABLE"),
        (grpc.StatusCode.CANCELLED, CHANGE, "OUTCOME_UNKNOWN"),
        (grpc.StatusCode.UNIMPLEMENTED, READ, "NOT_SUPPORTED"),
        (grpc.StatusCode.INTERNAL, READ, "INTERNAL_ERROR"),
        (grpc.StatusCode.UNKNOWN, CHANGE, "INTERNAL_ERROR"),
    ],
)
def test_a_status_without_details_is_told_without_what_it_says(
    service: Scripted, before: Client, code: grpc.StatusCode, call: tuple[str, str], reason: str
) -> None:
    service.say = fails(code, "something about the inside of the service")
    answer = before.send(*call)
    assert problem(answer)["reason"] == reason
    assert b"inside" not in answer.body
    assert (answer.headers["retry-after"] is not None) == (answer.status in (429, 503))


def test_a_429_says_what_is_left_and_what_is_allowed(service: Scripted, before: Client) -> None:
    facts = {"retry_after": "7", "calls": "40", "seconds": "2"}
    service.say = refuses(grpc.StatusCode.RESOURCE_EXHAUSTED, info("RATE_LIMITED", **facts))
    headers = before.post(VALIDATE, PLACEMENT).headers
    assert (headers["ratelimit"], headers["ratelimit-policy"]) == ('"calls";r=0;t=7', '"calls";q=40;w=2')
    service.say = refuses(grpc.StatusCode.RESOURCE_EXHAUSTED, info("RATE_LIMITED"))
    headers = before.post(VALIDATE, PLACEMENT).headers
    assert (headers["ratelimit"], headers["ratelimit-policy"]) == ('"calls";r=0;t=1', None)


def test_retry_after_says_what_the_service_says(service: Scripted, before: Client) -> None:
    service.say = refuses(grpc.StatusCode.RESOURCE_EXHAUSTED, info("RATE_LIMITED", retry_after="7"))
    answer = before.get(GAME)
    assert problem(answer)["reason"] == "RATE_LIMITED"
    assert answer.headers["retry-after"] == "7"


@pytest.mark.parametrize(
    "reason",
    [
        *("OUTCOME_UNKNOWN", "ENGINE_TOO_OLD", "RULES_CHANGED", "STORE_UNAVAILABLE"),
        *("STORE_FULL", "STORE_READ_ONLY", "STORE_REPLICAS_MISSING", "STORE_SLOW"),
    ],
)
def test_what_may_be_over_soon_is_503_and_says_when_to_come_back(
    service: Scripted, before: Client, reason: str
) -> None:
    service.say = refuses(grpc.StatusCode.UNAVAILABLE, info(reason))
    answer = before.get(GAME)
    assert problem(answer)["reason"] == reason
    assert answer.headers["retry-after"] == str(limits.RETRY_SECONDS)


def test_reason_facts_and_violations_of_a_refusal_are_told(service: Scripted, before: Client) -> None:
    violation = reasons_pb2.Violation(code="UNDERPAID", noun="cards", metadata={"due": to_value(9)}, text="No.")
    refusal = reasons_pb2.Refusal(violations=[violation], version=3)
    service.say = refuses(grpc.StatusCode.FAILED_PRECONDITION, info("UNDERPAID", due="9", paid="7"), refusal)
    found = problem(before.get(GAME))
    assert found["metadata"] == {"due": "9", "paid": "7"}
    assert found["violations"] == [{"code": "UNDERPAID", "noun": "cards", "metadata": {"due": 9}, "text": "No."}]


def test_a_reason_of_tomorrow_has_the_status_of_its_code(service: Scripted, before: Client) -> None:
    service.say = refuses(grpc.StatusCode.ABORTED, info("TOMORROWS_REASON"))
    answer = before.get(GAME)
    assert (answer.status, answer.reason) == (409, "TOMORROWS_REASON")


def test_an_answer_that_is_no_message_is_a_defect_that_tells_nothing(service: Scripted, before: Client) -> None:
    class Noise(Message):
        def SerializeToString(self, **options: Any) -> bytes:  # noqa: N802
            return b"\xff\xff\xff"

    service.say = lambda context, request: Noise()
    answer = before.get(GAME, {"X-Request-Id": "0123456789abcdef"})
    assert problem(answer)["reason"] == "INTERNAL_ERROR"
    assert answer.json()["metadata"] == {"request": "0123456789abcdef"}


def test_the_caller_is_passed_on_as_it_is(service: Scripted, before: Client) -> None:
    service.say = lambda context, request: games_pb2.GetGameResponse()
    headers = {"Authorization": "Bearer secret", "Accept-Language": "de", "X-Request-Id": "0123456789abcdef"}
    assert before.get(GAME, headers).status == 200
    assert service.method == "GetGame"
    assert service.heard["authorization"] == "Bearer secret"
    assert service.heard["accept-language"] == "de"
    assert service.heard["x-request-id"] == "0123456789abcdef"
    assert not service.heard.keys() & {"gateway-authorization", "x-forwarded-for", "cookie"}


def test_every_plain_rpc_is_reached_by_its_address(service: Scripted, before: Client) -> None:
    for route in compile_routes():
        if route.streaming:
            continue
        answer = route.response()
        service.say = lambda context, request, answer=answer: answer
        path = route.path.format(game="abcdefghijkl", kind="card", id="denar-5", webhook="abcdefghijkl")
        body = BODIES.get(route.name.partition(".")[2], {}) if route.has_body else None
        query = "?tile=garden-8-ne" if route.name.endswith("ListLegalPlacements") else ""
        sent = before.post(path, body) if route.has_body else before.send(route.method, path + query)
        assert (sent.status, service.method) == (200, route.name.partition(".")[2]), sent.body


BODIES: dict[str, Any] = {
    "CreateGame": {"seats": [{}, {}]},
    "CreateWebhook": {"address": "https://example.com/hook"},
    "CreateNoticeTicket": {"seats": [{"game": "abcdefghijkl", "token": "alh_seat_x"}]},
    "ApplyMove": {"move": {"verb": "pass"}, "version": 0},
    "React": {"phrase": "hello"},
    "RevealEntropy": {"entropy": "00" * 16},
    "Undo": {"version": 0},
    "ValidatePlacement": PLACEMENT,
    "BatchValidatePlacements": {"placements": [PLACEMENT["placement"]]},
    "ValidateBoardPlacement": {"board": {}, **PLACEMENT},
    "ScoreBoard": {"boards": [{}], "scoring": 1},
}


def test_a_service_that_is_away_is_503() -> None:
    silent = Scripted()
    with gateway(silent.address) as running, Client(running.http) as client:
        silent.say = lambda context, request: boards_pb2.ValidatePlacementResponse()
        assert client.post(VALIDATE, PLACEMENT).status == 200
        silent.stop()
        answer = client.post(VALIDATE, PLACEMENT)
        assert problem(answer)["reason"] == "STORE_UNAVAILABLE"
        assert answer.headers["retry-after"] == str(limits.RETRY_SECONDS)
        assert problem(client.post(f"{GAME}:resign"))["reason"] == "STORE_UNAVAILABLE"  # it was not sent


# -- In the language of the request ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/nowhere", {}),
        ("/v1/games?nonsense=1", {}),
        ("/v1/games?token=x", {}),
        ("/v1/catalog/modules", {"Accept": "image/png"}),
        ("/v1/games", {"Host": "elsewhere.example"}),
        ("/v1/catalog/components/card/none", {}),
    ],
)
def test_what_is_refused_is_told_in_the_language_of_the_request(
    client: Client, language: str, path: str, headers: dict[str, str]
) -> None:
    english = problem(client.get(path, headers))
    told = problem(client.get(path, {**headers, "Accept-Language": language}))
    assert told["title"] == text(f"refusal.{told['reason']}", language)
    assert told["detail"] != english["detail"]
    assert {**told, "title": "", "detail": ""} == {**english, "title": "", "detail": ""}
