"""A game that spectators see some moves later, over REST: bodies, tags, pages and streams stay as they are until then;
and what hosts did, as a list."""

from __future__ import annotations

import pytest

from .http import Client
from .product import Product
from .sse import Stream
from .tables import RestGame

DELAY = 2
READS = ("", "?logTail=50", "?atVersion=0", "/board.svg?seat=0", "/table.svg", "/replay", "/events")
AHEAD = ("?minVersion=1", "?atVersion=1", "?minVersion=999", "/events?fromVersion=999", "/table.svg?minVersion=1")


@pytest.fixture
def client(product: Product) -> Client:
    return product.client()


@pytest.fixture
def game(client: Client) -> RestGame:
    return RestGame(client, visibility="spectators_delayed", spectatorDelay=DELAY)


def answers(client: Client, game: RestGame) -> dict[str, tuple[int, bytes, str]]:
    """By question: what a spectator is answered, apart from the id of the call in refusals."""
    found = {}
    for question in (*READS, *AHEAD):
        answer = client.get(game.path + question, {"Accept": "application/json, image/svg+xml"})
        told = answer.json() if "json" in answer.headers["content-type"] else {}
        stable = (
            answer.body if answer.status == 200 else str([told["reason"], told["metadata"], told["detail"]]).encode()
        )
        found[question] = (answer.status, stable, answer.headers.get("etag", ""))
    return found


def test_no_answer_and_no_tag_changes_before_the_delay(client: Client, game: RestGame) -> None:
    before = answers(client, game)
    assert {before[question][0] for question in READS} == {200}
    assert {before[question][0] for question in AHEAD} == {409}
    tag = {"If-None-Match": before[""][2]}
    for _ in range(DELAY):
        game.play()
        assert answers(client, game) == before
        assert client.get(game.path, tag).status == 304
    game.play()
    assert client.get(game.path, tag).status == 200
    assert client.get(game.path).json()["view"]["version"] == 1


def test_a_stream_of_server_sent_events_delivers_what_is_old_enough(
    product: Product, client: Client, game: RestGame
) -> None:
    with Stream(product.http, f"{game.path}/events") as stream:
        assert next(stream).type == "snapshot"
        game.play(DELAY + 1)
        assert next(stream).id.startswith("1.")


def test_what_hosts_did_is_listed_newest_first(client: Client, game: RestGame) -> None:
    other = RestGame(client)
    for one in (game, other):
        assert client.send("DELETE", one.path).status == 200
    found = client.get("/v1/audit?pageSize=2").json()["entries"]
    assert [(entry["action"], entry["game"]) for entry in found] == [
        ("game_deleted", other.id),
        ("game_deleted", game.id),
    ]
    assert len(client.get(f"/v1/audit?game={game.id}").json()["entries"]) == 1
