"""Headers that say something: ETag, If-Match, If-None-Match, Idempotency-Key, Accept."""

from collections.abc import Iterator
from typing import Any

import pytest

from alhambra_gateway.routing.conditional_requests import (
    has_etag,
    merge_headers,
    takes_idempotency_key,
    takes_if_match,
    takes_if_none_match,
)
from alhambra_gateway.routing.content_negotiation import accepts, is_json
from alhambra_gateway.routing.routes import compile_routes

from .http import Answer, Client
from .product import Product
from .rest import Table, good, table


@pytest.fixture
def game(product: Product) -> Iterator[Table]:
    with table(product) as found:
        yield found


def a_move(game: Table) -> tuple[int, dict[str, Any], int]:
    """The seat that is asked, a move of it, and the version."""
    view = game.view()
    seat = view["decision"]["seat"]
    found = game.listed(seat, verb="take_money", minVersion=view["version"])
    return seat, found["moves"][0]["move"], view["version"]


def stale(answer: Answer, reason: str, status: int, version: int) -> None:
    assert (answer.reason, answer.status) == (reason, status)
    assert answer.json()["metadata"]["version"] == str(version)


# -- Which call knows which header -------------------------------------------------------------------------------------


def test_headers_are_known_where_they_mean_something() -> None:
    def names(question: Any) -> set[str]:
        return {route.name.partition(".")[2] for route in compile_routes() if question(route)}

    changes = {"CreateGame", "ApplyMove", "Undo", "Resign", "ClaimSeat", "RevealEntropy", "SetOrders", "LeaveSeat"}
    webhooks = {*(f"{verb}Webhook" for verb in ("Create", "Update", "Test")), "RotateWebhookSecret", "ReplayDeliveries"}
    assert names(takes_if_match) == {"ApplyMove", "Undo"}
    assert names(takes_idempotency_key) == changes | webhooks
    read = {route.name.partition(".")[2] for route in compile_routes() if route.method == "GET"} - {
        "WatchEvents",
        "WatchNotices",
    }
    assert names(takes_if_none_match) == read
    assert names(has_etag) == read | changes


@pytest.mark.parametrize("body", [[], ["requestId"], "text", 3, None])
def test_a_header_is_not_put_into_a_body_that_is_no_object(body: Any) -> None:
    """Reading the body says what is wrong with it."""
    (route,) = (route for route in compile_routes() if route.name.endswith(".ApplyMove"))
    before = repr(body)
    merge_headers(route, {"HTTP_IDEMPOTENCY_KEY": "a key"}, body)
    assert repr(body) == before


# -- If-None-Match -----------------------------------------------------------------------------------------------------


def test_what_the_caller_has_already_is_not_sent_again(game: Table) -> None:
    first = game.spectator.get(game.path)
    tag = first.headers["etag"]
    for header in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = game.spectator.get(game.path, {"If-None-Match": header})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    other = game.spectator.get(game.path, {"If-None-Match": '"other"'})
    assert (other.status, other.body) == (200, first.body)


def test_the_tag_of_a_view_changes_with_everything_that_can_be_seen(product: Product) -> None:
    with table(product, [{}, {"claim": True}]) as game:
        waiting = game.spectator.get(game.path).headers["etag"]
        assert game.spectator.get(game.path).headers["etag"] == waiting
        assert game.seats[1].get(game.path).headers["etag"] != waiting
        game.claim(0)
        dealt = game.spectator.get(game.path).headers["etag"]
        assert dealt != waiting
        assert dealt.partition("-")[0] == waiting.partition("-")[0] == '"0'
        good(game.apply(*a_move(game)))
        assert game.spectator.get(game.path).headers["etag"] != dealt


@pytest.mark.parametrize("path", ["/v1/catalog/modules", "/v1/catalog/tiles", "/v1/catalog/violations"])
def test_the_catalogue_is_sent_once(client: Client, path: str) -> None:
    first = client.get(path)
    assert client.get(path, {"If-None-Match": first.headers["etag"]}).status == 304
    german = client.get(path, {"If-None-Match": first.headers["etag"], "Accept-Language": "de"})
    assert german.status == 200
    assert "Accept-Language" in first.headers["vary"]


def test_a_document_has_a_tag_too(game: Table) -> None:
    for document in ("replay", "board.svg?seat=0", "placements?tile=garden-8-ne&seat=0"):
        path = f"{game.path}/{document}"
        first = game.spectator.get(path)
        assert first.status == 200, first.body
        assert game.spectator.get(path, {"If-None-Match": first.headers["etag"]}).status == 304


def test_head_is_get_without_the_body(game: Table) -> None:
    whole = game.spectator.get(game.path)
    head = game.spectator.send("HEAD", game.path)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]
    assert head.headers["content-length"] == str(len(whole.body))


# -- If-Match and versions ---------------------------------------------------------------------------------------------


def test_the_tag_of_a_view_and_of_a_change_can_be_matched(game: Table) -> None:
    seat, move, version = a_move(game)
    seen = game.seats[seat].get(game.path).headers["etag"]
    made = game.apply(seat, move, version, If_Match=seen)
    assert good(made)["version"] > version
    assert made.headers["etag"] == f'"{made.json()["version"]}"'
    seat, move, version = a_move(game)
    assert game.apply(seat, move, version, If_Match=made.headers["etag"]).status == 200


def test_if_match_stands_for_the_version(game: Table) -> None:
    seat, move, version = a_move(game)
    answer = game.seats[seat].post(f"{game.path}/moves", {"move": move}, {"If-Match": f'"{version}"'})
    assert answer.status == 200
    assert game.seats[seat].post(f"{game.path}/moves", {"move": move}).reason == "REQUEST_MALFORMED"


def test_a_game_that_has_moved_on_is_409_or_412_with_its_version(game: Table) -> None:
    seat, move, version = a_move(game)
    now = good(game.apply(seat, move, version))["version"]
    before = game.view()
    stale(game.apply(seat, move, version), "VERSION_STALE", 409, now)
    stale(game.apply(seat, move, version, If_Match=f'"{version}"'), "PRECONDITION_FAILED", 412, now)
    stale(game.apply(seat, move, now + 7), "VERSION_STALE", 409, now)
    undo = game.seats[seat].post(f"{game.path}:undo", {"version": version}, {"If-Match": f'"{version}-0"'})
    stale(undo, "PRECONDITION_FAILED", 412, now)
    stale(game.spectator.get(game.path, minVersion=now + 1), "VERSION_STALE", 409, now)
    assert game.view() == before


@pytest.mark.parametrize("condition", ["17", '"seventeen"', '"1", "2"', "W/17", '"99999999999999999999"', ""])
def test_a_condition_that_is_no_tag_of_ours_is_400(game: Table, condition: str) -> None:
    seat, move, version = a_move(game)
    answer = game.apply(seat, move, version, If_Match=condition)
    assert (answer.reason, answer.json()["metadata"]["field"]) == ("REQUEST_MALFORMED", "If-Match")
    assert game.view()["version"] == version


def test_header_and_body_must_not_disagree(game: Table) -> None:
    seat, move, version = a_move(game)
    answer = game.apply(seat, move, version, If_Match=f'"{version + 1}"')
    assert (answer.reason, answer.json()["metadata"]["field"]) == ("REQUEST_MALFORMED", "If-Match")
    body = {"move": move, "version": version, "requestId": "one"}
    named = game.seats[seat].post(f"{game.path}/moves", body, {"Idempotency-Key": "other"})
    assert (named.reason, named.json()["metadata"]["field"]) == ("REQUEST_MALFORMED", "Idempotency-Key")
    assert game.view()["version"] == version


def test_a_call_without_a_version_takes_no_if_match(game: Table) -> None:
    for path in (f"{game.path}:resign", f"{game.path}:setOrders"):
        assert game.seats[0].post(path, {}, {"If-Match": '"0"'}).reason == "REQUEST_MALFORMED"
    assert game.spectator.delete(game.path, {"If-Match": '"0"'}).reason == "REQUEST_MALFORMED"
    assert not game.view()["seats"][0]["resigned"]


# -- Idempotency-Key ---------------------------------------------------------------------------------------------------


def test_the_same_attempt_again_has_the_same_outcome(game: Table) -> None:
    seat, move, version = a_move(game)
    first = game.apply(seat, move, version, Idempotency_Key="attempt-1")
    again = game.apply(seat, move, version, Idempotency_Key="attempt-1")
    in_body = {"move": move, "version": version, "requestId": "attempt-1"}
    assert good(first) == good(again)
    assert good(game.seats[seat].post(f"{game.path}/moves", in_body)) == good(first)
    assert good(game.apply(seat, move, version, Idempotency_Key='"attempt-1"')) == good(first)
    assert game.view()["version"] == first.json()["version"]


def test_a_conditional_attempt_can_be_repeated_when_the_game_has_moved_on(game: Table) -> None:
    seat, move, version = a_move(game)
    headers = {"Idempotency_Key": "attempt-1", "If_Match": f'"{version}"'}
    assert good(game.apply(seat, move, version, **headers)) == good(game.apply(seat, move, version, **headers))


def test_the_same_name_for_something_else_is_409(game: Table) -> None:
    seat, move, version = a_move(game)
    now = good(game.apply(seat, move, version, Idempotency_Key="attempt-1"))["version"]
    other = game.apply(seat, {"verb": "pass"}, version, Idempotency_Key="attempt-1")
    assert (other.status, other.reason) == (409, "REQUEST_ID_REUSED")
    assert game.view()["version"] == now


def test_a_game_is_created_once_however_often_it_is_asked_for(client: Client) -> None:
    body, key = {"seats": [{"claim": True}, {}]}, {"Idempotency-Key": "created-once-over-http"}
    first, again = (good(client.post("/v1/games", body, key)) for _ in range(2))
    assert first == again
    other = client.post("/v1/games", {"seats": [{}, {}, {}]}, key)
    assert (other.status, other.reason) == (409, "REQUEST_ID_REUSED")


def test_a_name_that_cannot_be_one_is_400(game: Table) -> None:
    seat, move, version = a_move(game)
    answer = game.apply(seat, move, version, Idempotency_Key="x" * 65)
    assert (answer.reason, answer.json()["metadata"]["field"]) == ("REQUEST_MALFORMED", "requestId")
    for empty in ("", '""'):
        answer = game.apply(seat, move, version, Idempotency_Key=empty)
        assert (answer.reason, answer.json()["metadata"]["field"]) == ("REQUEST_MALFORMED", "Idempotency-Key")
    assert game.view()["version"] == version


# -- Forms -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "allowed"),
    [
        ("", True),
        ("*/*", True),
        ("application/*;q=0.1", True),
        ("text/html, application/json;q=0.5", True),
        ("APPLICATION/JSON", True),
        ("text/html, */*;q=0.1", True),
        ("*/*, application/json;q=0", False),
        ("text/html", False),
        ("application/json;q=0", False),
        ("application/json;q=much", False),
        ("application/problem+json", False),
    ],
)
def test_the_most_specific_range_decides(header: str, allowed: bool) -> None:
    assert accepts(header, "application/json") == allowed


def test_a_body_is_json_in_utf8() -> None:
    assert is_json("application/json")
    assert is_json("Application/JSON; charset=UTF-8")
    assert is_json('application/json;charset="utf-8"')
    assert not is_json("application/json; charset=utf-16")
    assert not is_json("application/jsonp")
    assert not is_json("")


def test_nothing_sent_is_an_empty_object(game: Table) -> None:
    answer = game.spectator.post(f"{game.path}/events:ticket")
    assert good(answer)["ticket"]
    assert good(game.seats[0].post(f"{game.path}:setOrders"))["version"] == 0


def test_a_move_that_was_listed_before_the_game_ended_is_too_late_for_good(client: Client) -> None:
    made = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}]}).json()
    path, asked = f"/v1/games/{made['game']}", made["view"]["decision"]["seat"]
    bearers = [{"Authorization": f"Bearer {key['token']}"} for key in made["seatKeys"]]
    listed = client.get(f"{path}/moves", bearers[asked], pageSize=1).json()
    assert client.post(f"{path}:resign", {}, bearers[1 - asked]).status == 200
    body = {"version": listed["version"], "move": listed["moves"][0]["move"]}
    tag = {"If-Match": f'"{body["version"]}"'}
    assert client.post(f"{path}/moves", body, bearers[asked]).reason == "GAME_OVER"
    assert client.post(f"{path}/moves", body, {**bearers[asked], **tag}).reason == "GAME_OVER"
