"""Nothing leaks over HTTP: what a seat receives does not depend on anything that it must not know, headers included.

By twins and by two stories, as `tests/service/test_wire_noninterference.py` does it for gRPC; every question of that
test is asked here in its HTTP form, and whole answers are compared: status, every header but the hour and the id of
the request, and the body byte by byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from google.protobuf.message import Message

from alhambra import known_modules
from alhambra_api.v1 import moves_pb2, views_pb2
from alhambra_gateway.json_messages import dumps, json_name, writer
from alhambra_gateway.routing.routes import compile_routes
from alhambra_service.games.loaded_game import decode
from alhambra_service.messages.translate import move_to
from alhambra_service.store import EmbeddedStore
from tests.service.playing import Game, Host, play
from tests.service.serving import GameServer
from tests.service.test_wire_noninterference import STORIES, put, questions, quiet_moves, story_of

from .http import Client
from .product import gateway

ROUTES = {route.name.partition(".")[2]: route for route in compile_routes()}
OF_THE_HOUR = {"date", "x-request-id"}
NEVER = 500
SPREAD = 9
"""Moves between two looks."""
LOOKS = 4
Viewer = int | None


class Received(NamedTuple):
    """Everything of an answer that reaches the caller."""

    call: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Installation(NamedTuple):
    """A server in this process, whose store can be tampered with, and a gateway before it."""

    server: GameServer
    host: Host
    client: Client


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="always") as store:
        server = GameServer(store.url)
        host = Host(server.address)
        with gateway(server.address) as found, Client(found.http) as client:
            yield Installation(server, host, client)
        host.close()
        server.stop()


def over_http(method: str, message: Message) -> tuple[str, str, bytes | None]:
    """A call of the contract as it is made over HTTP: method, address, body."""
    route = ROUTES[method]
    sent = writer(message.DESCRIPTOR)(message)
    path = route.path.replace("{game}", sent.pop("game"))
    if route.has_body:
        return route.method, path, dumps(sent)
    said = {json_name(field) for field, _ in message.ListFields()}
    query = {name: value for name, value in sent.items() if name in said}
    return route.method, f"{path}?{urlencode(query, doseq=True)}" if query else path, None


def ask(client: Client, method: str, message: Message, token: str) -> Received:
    """Asks, and keeps everything that comes back."""
    verb, path, body = over_http(method, message)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    answer = client.send(verb, path, body, headers)
    assert answer.status < NEVER, (path, answer.body)
    told = tuple((name, value) for name, value in answer.headers.items() if name.lower() not in OF_THE_HOUR)
    return Received(f"{verb} {path} {body!r}", answer.status, told, answer.body)


# -- By twins ----------------------------------------------------------------------------------------------------------


def look(installation: Installation, game: Game, viewer: Viewer, rng: Random) -> int:
    """Compares what the viewer receives from the game and from a twin; answers with how many moves were compared."""
    store = installation.server.store
    record = store.read_game(game.id)
    stored = decode(record).game
    assert stored is not None
    sample = stored.determinize(viewer, rng)
    token = "" if viewer is None else game.seats[viewer].token
    view = game.view() if viewer is None else game.seats[viewer].view()
    asked = list(questions(stored, game.id, view, rng))
    asked_seat = stored.decision is not None and stored.decision.seat == viewer
    moves = quiet_moves(stored, sample, rng) if asked_seat else []
    received = []
    for state in (record.state, sample.state_bytes()):
        put(installation.server, game.id, record, state)
        answers = [ask(installation.client, method, request, token) for method, request in asked]
        for move in moves:
            request = moves_pb2.ApplyMoveRequest(game=game.id, move=move_to(move), version=record.version)
            answers.append(ask(installation.client, "ApplyMove", request, token))
            assert answers[-1].status == 200, answers[-1]
            put(installation.server, game.id, record, state)
        received.append(answers)
    put(installation.server, game.id, record, record.state)
    for mine, other in zip(*received, strict=True):
        assert mine == other, mine.call
    assert any(answer.status == 200 for answer in received[0])
    assert any(name == "ETag" for answer in received[0] for name, _ in answer.headers)
    return len(moves)


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.check_only)])
def test_what_a_seat_receives_is_byte_identical_in_the_redealt_twin(installation: Installation, seats: int) -> None:
    rng = Random(f"twins over http {seats}")
    game = installation.host.create(seats, seed=f"noninterference over http {seats}", modules=known_modules())
    compared = 0
    for _ in range(LOOKS):
        for viewer in (None, *range(seats)):
            compared += look(installation, game, viewer, rng)
        view = play(game, rng, moves=SPREAD)
        assert view.status == views_pb2.GAME_STATUS_RUNNING
    assert compared > LOOKS / 2


# -- By two stories ----------------------------------------------------------------------------------------------------


DIGITS = re.compile(rb"\b(\d+\.\d+)\.[0-9a-f]{6}\b")
"""The id of an event, of which the digits of the link are to be left out."""


def told(installation: Installation, game: Game, viewer: Viewer) -> list[Any]:
    """Events, view and export of a seat or a spectator, without what names the game and its secret; ids of events have
    digits of links, which are keyed by the secret."""
    headers = {"Accept": "application/json"}
    if viewer is not None:
        headers["Authorization"] = f"Bearer {game.seats[viewer].token}"
    stream = {**headers, "Accept": "text/event-stream"}
    sent = installation.client.get(f"/v1/games/{game.id}/events?pastOnly=true&fromVersion=0", stream)
    assert sent.headers["content-type"].startswith("text/event-stream"), sent.body
    snapshot, *events = (DIGITS.sub(rb"\1", part) for part in sent.body.split(b"\n\n") if b"data:" in part)
    assert events
    found: list[Any] = [len(snapshot), events]
    for path in ("/events?pastOnly=true&fromVersion=0", "?logTail=200", "/replay"):
        answer = installation.client.get(f"/v1/games/{game.id}{path}", headers)
        assert answer.status == 200, answer.body
        length = len(answer.body)
        document = json.loads(DIGITS.sub(rb"\1", answer.body))
        document.get("view", {}).pop("game", None)
        document.get("view", {}).pop("fairness", None)
        found += [document, length]
    return found


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_what_a_seat_chose_in_secret_is_told_to_nobody_else(installation: Installation, viewer: Viewer) -> None:
    one, other = (story_of(installation.host, story) for story in STORIES)
    assert told(installation, one, viewer) == told(installation, other, viewer)
    assert told(installation, one, 1) != told(installation, other, 1)
