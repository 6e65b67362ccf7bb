"""Headers that say what an answer is: its language, where the new game is, and whether it was given before."""

from __future__ import annotations

from uuid import uuid4

import grpc
import pytest

from alhambra_api.v1 import games_pb2, service_pb2_grpc

from .http import Client
from .product import Product
from .rest import good

SEATS = {"seats": [{"claim": True}, {"claim": True}]}
PLACEMENT = {"seat": 0, "placement": {"tile": "garden-8-ne", "cell": {"x": 3, "y": 0}}}


@pytest.fixture(scope="module")
def game(product: Product) -> tuple[str, str]:
    """The address of a game, and the token of its seat that is asked."""
    made = good(product.client().post("/v1/games", SEATS))
    seat = made["view"]["decision"]["seat"]
    return f"/v1/games/{made['game']}", made["seatKeys"][seat]["token"]


def test_an_answer_with_texts_names_their_language(client: Client, game: tuple[str, str]) -> None:
    for asked, language in (("de", "de"), ("hu;q=0.9, xx", "hu"), ("xx", "en"), (None, "en")):
        headers = {"Accept-Language": asked} if asked else {}
        answers = [
            client.get("/v1/catalog/modules", headers),
            client.get(game[0], headers),
            client.post(f"{game[0]}/placements:validate", PLACEMENT, headers),
            client.get("/v1/games/aaaaaaaaaaaa", headers),
        ]
        assert [answer.status for answer in answers] == [200, 200, 200, 404]
        assert [answer.headers["content-language"] for answer in answers] == [language] * len(answers)


def test_a_list_of_moves_without_texts_has_no_language(client: Client, game: tuple[str, str]) -> None:
    bearer = {"Authorization": f"Bearer {game[1]}", "Accept-Language": "de"}
    assert client.get(f"{game[0]}/moves", bearer).headers["content-language"] is None
    assert client.get(f"{game[0]}/moves", bearer, texts="true").headers["content-language"] == "de"


def test_a_new_game_is_at_its_location(client: Client) -> None:
    answer = client.post("/v1/games", SEATS)
    assert answer.status == 200
    assert answer.headers["location"] == f"/v1/games/{answer.json()['game']}"
    assert client.get(answer.headers["location"]).status == 200


def test_an_answer_that_is_given_again_says_so(client: Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (client.post("/v1/games", SEATS, key) for _ in range(2))
    assert first.json() == again.json()
    assert (first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]) == (None, "true")
    made = first.json()
    path, seat = f"/v1/games/{made['game']}", made["view"]["decision"]["seat"]
    bearer = {"Authorization": f"Bearer {made['seatKeys'][seat]['token']}"}
    move = client.get(f"{path}/moves", bearer, pageSize=1).json()
    body = {"version": move["version"], "move": move["moves"][0]["move"]}
    for replayed in (None, "true", "true"):
        answer = client.post(f"{path}/moves", body, {**bearer, "Idempotency-Key": "one"})
        assert answer.status == 200
        assert answer.headers["idempotency-replayed"] == replayed
    assert client.get(path).headers["idempotency-replayed"] is None


def test_a_claim_that_is_given_again_says_so(client: Client) -> None:
    made = good(client.post("/v1/games", {"seats": [{}, {"claim": True}]}))
    body = {"invitation": made["seatKeys"][0]["invitation"], "requestId": str(uuid4())}
    answers = [client.post(f"/v1/games/{made['game']}:claimSeat", body) for _ in range(2)]
    assert answers[0].json()["token"] == answers[1].json()["token"]
    assert [answer.headers["idempotency-replayed"] for answer in answers] == [None, "true"]


def test_callers_of_grpc_are_told_in_the_trailers(product: Product) -> None:
    request = games_pb2.CreateGameRequest(
        seats=[games_pb2.SeatSetup(claim=True), games_pb2.SeatSetup(claim=True)], request_id=str(uuid4())
    )
    with grpc.insecure_channel(product.grpc) as channel:
        create = service_pb2_grpc.GameServiceStub(channel).CreateGame
        said = [dict(create.with_call(request)[1].trailing_metadata() or ()) for _ in range(2)]
    assert [trailers.get("idempotency-replayed") for trailers in said] == [None, "true"]


def test_the_type_of_a_problem_is_the_address_of_its_page(client: Client) -> None:
    found = client.get("/v1/games/aaaaaaaaaaaa").json()["type"]
    assert found == f"{client.base}/problems/GAME_NOT_FOUND"
    assert client.get(found.removeprefix(client.base)).status == 200
