"""Who is let in, and in what an answer goes out: hosts, proxies, secrets in addresses, sizes, origins, packing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from alhambra_gateway import limits
from alhambra_gateway.json_messages import json_name
from alhambra_gateway.middleware.request_checks import SECRET_PARAMETERS
from alhambra_gateway.routing.routes import compile_routes
from alhambra_runtime.log_lines import is_request_id
from alhambra_service.auth.credentials import INVITATION, KEY, SEAT, TICKET, new_secret

from .http import Client
from .product import Product, Running, gateway
from .raw import connect, exchange
from .tables import RestGame

BODY_BYTES = 5_000
ORIGIN = "https://play.example"
EDITIONS = "/v1/catalog/editions"


@pytest.fixture(scope="module")
def front(product: Product) -> Iterator[Running]:
    """A gateway behind a proxy on this machine, open to the pages of one origin, for small bodies."""
    words = ("--trusted-proxies", "127.0.0.1/32, 192.0.2.0/24", "--hosts", "games.example", "--cors-origins", ORIGIN)
    with gateway(product.grpc, *words, "--body-bytes", str(BODY_BYTES)) as found:
        yield found


@pytest.fixture
def proxied(front: Running) -> Iterator[Client]:
    with Client(front.http) as found:
        yield found


# -- Hosts and proxies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1", "LOCALHOST:8080", "[::1]:80", "localhost."])
def test_on_loopback_a_request_is_for_this_machine(client: Client, host: str) -> None:
    assert client.get(EDITIONS, {"Host": host}).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example", "", "a, localhost"]
)
def test_a_foreign_host_is_refused(client: Client, host: str) -> None:
    refused = client.get(EDITIONS, {"Host": host})
    assert (refused.status, refused.reason) == (403, "HOST_REFUSED")


def test_two_hosts_are_none(product: Product) -> None:
    head = f"GET {EDITIONS} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"
    assert exchange(product.http, head.encode()).status in (400, 403)


def test_a_host_that_was_named_is_ours(proxied: Client, client: Client) -> None:
    assert proxied.get(EDITIONS, {"Host": "games.example"}).status == 200
    assert client.get(EDITIONS, {"Host": "games.example"}).status == 403


def test_those_who_ask_for_health_may_come_by_any_name(client: Client) -> None:
    for path in ("/healthz", "/readyz"):
        assert client.get(path, {"Host": "10.1.2.3:8080"}).status == 200


@pytest.mark.parametrize(
    "header", ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"]
)
def test_a_proxy_that_is_not_trusted_is_refused(client: Client, header: str) -> None:
    refused = client.get(EDITIONS, {header: "203.0.113.7"})
    assert (refused.status, refused.reason) == (403, "HOST_REFUSED")


@pytest.mark.parametrize(
    ("chain", "status"),
    [
        ("", 200),
        ("203.0.113.7", 404),
        ("127.0.0.1, 203.0.113.7", 404),  # what a client has written itself is not believed
        ("203.0.113.7, 192.0.2.4", 404),  # a second trusted proxy behind the first
        ("127.0.0.1", 200),
        ("nonsense", 200),
    ],
)
def test_the_address_of_a_client_is_the_last_one_that_is_no_trusted_proxy(
    proxied: Client, chain: str, status: int
) -> None:
    """Seen from outside by what is for this machine alone."""
    assert proxied.get("/metrics", {"X-Forwarded-For": chain} if chain else {}).status == status


# -- Secrets in addresses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*sorted(SECRET_PARAMETERS), "Access-Token", "%74oken"])
def test_a_parameter_for_a_secret_is_refused_whatever_it_holds(client: Client, name: str) -> None:
    refused = client.send("GET", f"{EDITIONS}?{name}=Open-Sesame")
    assert (refused.status, refused.reason) == (400, "REQUEST_MALFORMED")
    assert b"Open-Sesame" not in refused.body
    assert "Authorization" in refused.json()["detail"]


@pytest.mark.parametrize("kind", [SEAT, INVITATION, KEY, TICKET])
def test_a_secret_is_refused_wherever_in_an_address_it_stands(client: Client, kind: str) -> None:
    game, secret = RestGame(client), new_secret(kind)
    for path in (f"{game.path}?after={secret}", f"/v1/games/{secret}", f"{game.path}?{secret}", f"/{secret}"):
        refused = client.get(path)
        assert (refused.status, refused.reason) == (400, "REQUEST_MALFORMED")
        assert secret not in refused.body.decode()
    bent = secret.replace("_", "%5F")
    assert client.get(f"{game.path}?minVersion={bent}").reason == "REQUEST_MALFORMED"


def test_the_real_token_of_a_seat_is_refused_in_an_address_too(client: Client) -> None:
    game = RestGame(client)
    for path in (f"{game.path}?access_token=", f"{game.path}/events?ticket=", f"{game.path}/moves?token="):
        assert client.get(path + game.tokens[0]).status == 400
    assert client.get(f"{game.path}/moves", game.bearer()).status == 200


def test_no_parameter_of_the_contract_is_called_like_a_secret() -> None:
    names = {json_name(field).lower() for route in compile_routes() for field in route.query_fields}
    assert names
    assert not names & SECRET_PARAMETERS


# -- Sizes -------------------------------------------------------------------------------------------------------------


def test_a_body_of_the_largest_size_is_read_and_one_byte_more_is_not(proxied: Client) -> None:
    empty = json.dumps({"seats": [{"claim": True}] * 2}).encode()
    for size, status in ((BODY_BYTES, 200), (BODY_BYTES + 1, 413)):
        body = empty.ljust(size)
        answer = proxied.send("POST", "/v1/games", body, {"Content-Type": "application/json"})
        assert answer.status == status
        if status == 413:
            assert answer.reason == "BODY_TOO_LARGE"
            assert answer.json()["metadata"] == {"limit": str(BODY_BYTES)}


def chunked(front: Running, *chunks: bytes, path: str = "/v1/games") -> tuple[bytes, ...]:
    host = urlsplit(front.http).netloc
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    return (head.encode(), *(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b"")))


def test_a_body_in_chunks_is_read_like_any_other(front: Running) -> None:
    assert exchange(front.http, *chunked(front, b'{"seats":', b'[{"claim":true},', b'{"claim":true}]}')).status == 200


def test_a_body_in_chunks_is_no_larger_than_any_other(front: Running) -> None:
    answer = exchange(front.http, *chunked(front, *[b" " * 1_000] * 6))
    assert answer.problem["reason"] == "BODY_TOO_LARGE"


def test_chunks_that_are_none_are_refused(front: Running) -> None:
    head = chunked(front)[0]
    assert exchange(front.http, head, b"lots\r\nof\r\n").problem["reason"] == "REQUEST_MALFORMED"


@pytest.mark.parametrize(
    ("request_line", "reason"),
    [
        (b"NONSENSE", "REQUEST_MALFORMED"),
        (b"GET /healthz HTTP/9.9", "REQUEST_MALFORMED"),
        (b"GET /" + b"a" * limits.REQUEST_LINE_BYTES + b" HTTP/1.1", "LIMIT_EXCEEDED"),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"a" * limits.HEADER_BYTES, "LIMIT_EXCEEDED"),
        (b"GET / HTTP/1.1" + b"\r\nX-Many: 1" * (limits.HEADERS + 1), "LIMIT_EXCEEDED"),
        (b"GET / HTTP/1.1\r\nBad Header: 1", "REQUEST_MALFORMED"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: unheard-of, chunked", "NOT_SUPPORTED"),
    ],
)
def test_what_is_not_http_is_answered_with_a_problem_too(product: Product, request_line: bytes, reason: str) -> None:
    answer = exchange(product.http, request_line + b"\r\n\r\n")
    assert answer.problem["reason"] == reason
    assert answer.headers["connection"] == "close"
    assert is_request_id(answer.headers["x-request-id"])


def test_clients_that_say_nothing_or_too_little_hold_up_nobody(product: Product, client: Client) -> None:
    silent = [connect(product.http) for _ in range(3 * limits.THREADS)]
    try:
        for connection in silent[limits.THREADS :]:
            connection.sendall(b"POST /v1/games HTTP/1.1\r\nContent-Le")
        assert [client.get("/healthz").status for _ in range(20)] == [200] * 20
    finally:
        for connection in silent:
            connection.close()


# -- Other origins -----------------------------------------------------------------------------------------------------


def test_a_page_of_an_origin_that_was_named_may_call(proxied: Client) -> None:
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, idempotency-key",
    }
    allowed = proxied.send("OPTIONS", "/v1/games", None, asked)
    assert allowed.status == 204
    assert allowed.headers["access-control-allow-origin"] == ORIGIN
    assert {"POST", "DELETE"} <= set(allowed.headers["access-control-allow-methods"].split(", "))
    headers = {name.lower() for name in allowed.headers["access-control-allow-headers"].split(", ")}
    assert {"authorization", "content-type", "idempotency-key", "if-match", "last-event-id"} <= headers
    answer = proxied.get(EDITIONS, {"Origin": ORIGIN})
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert {"ETag", "Retry-After", "X-Request-Id"} <= set(answer.headers["access-control-expose-headers"].split(", "))
    assert "Origin" in answer.headers["vary"].split(", ")
    assert "access-control-allow-credentials" not in answer.headers


def test_a_refusal_can_be_read_by_a_page_that_may_call(proxied: Client) -> None:
    refused = proxied.get("/v1/games/nosuchgamehere", {"Origin": ORIGIN})
    assert refused.reason == "GAME_NOT_FOUND"
    assert refused.headers["access-control-allow-origin"] == ORIGIN


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ORIGIN + ".evil.example", ORIGIN.upper()])
def test_pages_of_other_origins_are_not_told_that_they_may(proxied: Client, origin: str) -> None:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    for answer in (proxied.send("OPTIONS", "/v1/games", None, asked), proxied.get(EDITIONS, {"Origin": origin})):
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_unless_the_operator_wants_it_no_other_origin_may_call(client: Client) -> None:
    answer = client.get(EDITIONS, {"Origin": ORIGIN})
    assert answer.status == 200
    assert "access-control-allow-origin" not in answer.headers


def test_a_form_of_another_page_cannot_send_json(client: Client) -> None:
    """What a browser lets any page send without asking is no request that changes something."""
    refused = client.send("POST", "/v1/games", b'{"seats": [{}, {}]}', {"Content-Type": "text/plain", "Origin": ORIGIN})
    assert (refused.status, refused.reason) == (415, "MEDIA_TYPE_UNSUPPORTED")


# -- Packing and marks -------------------------------------------------------------------------------------------------


def test_a_long_answer_is_packed_for_who_can_unpack_it(client: Client) -> None:
    plain = client.get(EDITIONS)
    packed = client.get(EDITIONS, {"Accept-Encoding": "br;q=1, gzip;q=0.8"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert len(packed.body) < len(plain.body) / 2
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] == "W/" + plain.headers["etag"]
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["vary"]
    again = client.get(EDITIONS, {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "br", "gzip;q=0.0, br"])
def test_nothing_is_packed_for_who_cannot_unpack_it(client: Client, accepted: str) -> None:
    assert "content-encoding" not in client.get(EDITIONS, {"Accept-Encoding": accepted}).headers


def test_a_short_answer_is_not_packed(client: Client) -> None:
    assert "content-encoding" not in client.get("/healthz", {"Accept-Encoding": "gzip"}).headers


def test_headers_alone_say_how_the_answer_would_come(client: Client) -> None:
    head = client.send("HEAD", EDITIONS, None, {"Accept-Encoding": "gzip"})
    assert (head.status, head.headers["content-encoding"], head.body) == (200, "gzip", b"")


def test_a_packed_tag_can_be_sent_as_the_version_that_was_seen(client: Client) -> None:
    game = RestGame(client)
    seen = client.get(game.path, {"Accept-Encoding": "gzip"})
    assert seen.headers["etag"].startswith('W/"0-')
    move = {"move": game.next_move()["move"]}
    applied = client.post(f"{game.path}/moves", move, {**game.bearer(), "If-Match": seen.headers["etag"]})
    assert applied.status == 200


def test_browsers_take_an_answer_for_nothing_else_than_it_is(client: Client) -> None:
    game = RestGame(client)
    for path in (EDITIONS, "/v1/games/nosuchgamehere", game.path, f"{game.path}/board.svg?seat=0"):
        answer = client.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "cache-control" in answer.headers


def test_a_picture_runs_nothing(client: Client) -> None:
    game = RestGame(client)
    picture = client.get(f"{game.path}/board.svg?seat=0")
    assert picture.headers["referrer-policy"] == "no-referrer"
    policy = picture.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "sandbox" in policy
    assert "script-src" not in policy


def test_what_holds_a_token_is_not_kept(client: Client) -> None:
    made = client.post("/v1/games", {"seats": [{"claim": True}, {}]})
    assert made.headers["cache-control"] == "no-store"
    invitation = made.json()["seatKeys"][1]["invitation"]
    claimed = client.post(f"/v1/games/{made.json()['game']}:claimSeat", {"invitation": invitation})
    assert (claimed.status, claimed.headers["cache-control"]) == (200, "no-store")
