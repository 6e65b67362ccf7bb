"""How much a decision asks of the server."""

from __future__ import annotations

from playwright.sync_api import Request

from tests.gateway.http import Client

from .conftest import Arrive

DRAWN = ("/catalog/components/", "/board.svg", "/boards:score")
"""Pictures and scores, which are asked for only if what they show has changed."""


def test_a_decision_costs_one_move_and_one_list_of_moves(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "seed": "requests"}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.wait_for("asked")
    person.page.wait_for_selector(".own play-board svg")
    sent: list[Request] = []
    person.page.on("request", lambda one: sent.append(one) if one.url.startswith(person.base) else None)
    person.make(person.page.locator("ol.moves button", has_text="Take").last)
    person.wait_for("asked")
    asked = [(one.method, one.url.partition("?")[0].rpartition("/")[2]) for one in sent]
    about_the_game = [
        one for one, request in zip(asked, sent, strict=True) if not any(part in request.url for part in DRAWN)
    ]
    assert about_the_game == [("POST", "moves"), ("GET", "moves")]
