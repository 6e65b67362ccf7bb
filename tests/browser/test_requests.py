"""How much a decision asks of the server."""

from __future__ import annotations

from playwright.sync_api import Request, Route

from tests.gateway.http import Client

from .conftest import Arrive

PICTURES = "/catalog/components/"
"""Pictures of tiles and cards, which are asked for once."""


def test_a_decision_costs_one_request(arrive: Arrive, client: Client) -> None:
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
    about_the_game = [one for one in sent if PICTURES not in one.url]
    assert [(one.method, one.url.partition("?")[0].rpartition("/")[2]) for one in about_the_game] == [("POST", "moves")]


def test_a_decision_after_the_move_of_another_person_costs_no_request(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}], "seed": "two people"}).json()
    people = [arrive(), arrive()]
    for person, key in zip(people, created["seatKeys"], strict=True):
        person.open_game(created["game"], key["token"])
        person.page.wait_for_selector(".own play-board svg")
    first = client.get(f"/v1/games/{created['game']}").json()["view"]["decision"]["seat"]
    mover, waiting = people[first], people[1 - first]
    sent: list[Request] = []
    waiting.page.on("request", lambda one: sent.append(one) if one.url.startswith(waiting.base) else None)
    mover.wait_for("asked")
    mover.make(mover.page.locator("ol.moves button", has_text="Take").last)
    waiting.wait_for("asked")
    waiting.page.wait_for_selector("ol.moves button")
    assert [one.url for one in sent if PICTURES not in one.url] == []


def test_changes_that_do_not_fit_are_replaced_by_the_whole_view(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "seed": "drift"}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.wait_for("asked")

    def spoil(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        assert told["view"]["parts"]["changesOnly"]
        told["view"]["parts"]["checksum"] += 1
        route.fulfill(response=answer, json=told)

    person.page.route("**/moves", lambda route: spoil(route) if route.request.method == "POST" else route.continue_())
    with person.page.expect_request(lambda one: one.method == "GET" and "minVersion" in one.url) as read:
        person.make(person.page.locator("ol.moves button", has_text="Take").last)
    assert "knownChecksum" not in read.value.url
    person.wait_for("asked")
    now = client.get(f"/v1/games/{created['game']}").json()["view"]["version"]
    assert person.page.locator("play-table").get_attribute("data-version") == str(now)
