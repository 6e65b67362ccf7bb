"""What comes up during a game is accessible: waiting room, clocks, hints, phrases, the end and its review."""

from __future__ import annotations

from tests.gateway.http import Client

from .accessibility import complaints
from .conftest import Arrive
from .person import Person

PHONE = 360
FIELDS = {"clockSeconds": 3600, "clockIncrementSeconds": 15, "flagFall": "resigns", "turnSeconds": 600}


def check(person: Person, shown: str) -> None:
    """Wait for something, and check the page as it is then."""
    person.page.wait_for_selector(shown)
    assert complaints(person.page) == [], shown


def test_what_comes_up_during_a_game_is_accessible(arrive: Arrive, client: Client) -> None:
    person = arrive(width=PHONE, height=740).enter()
    person.page.click("summary >> text=More")
    person.page.select_option("[data-key='time.player']", "600")
    check(person, "[data-key=flag]")
    made = client.post("/v1/games", {"seats": [{"name": "Ann", "claim": True}, {"name": "Ben"}], **FIELDS}).json()
    mine, friend = made["seatKeys"]
    person.open_game(made["game"], mine["token"])
    check(person, ".waiting-room")
    ben = client.post(f"/v1/games/{made['game']}:claimSeat", {"invitation": friend["invitation"]}).json()["token"]
    check(person, ".standing .clock")
    asked = client.get(f"/v1/games/{made['game']}").json()["view"]["decision"]["seat"]
    if asked:
        person = arrive(width=PHONE, height=740)
        person.open_game(made["game"], ben)
    person.wait_for("asked")
    person.page.keyboard.press("h")
    check(person, "section.hint")
    person.page.keyboard.press("r")
    check(person, "dialog")
    person.page.keyboard.press("Escape")
    person.page.click("[data-key='tool scorings']")
    check(person, "dialog")
    person.page.keyboard.press("Escape")
    person.page.click("[data-key='tool resign']")
    check(person, "dialog .danger")
    person.page.click("dialog .danger")
    check(person, ".result")
    person.settle()
    person.page.click("[data-key='end review']")
    check(person, "dialog .review > :is(figure, p:not(.note))")


def test_six_players_with_all_modules_fit_a_phone(arrive: Arrive, client: Client) -> None:
    modules = [one["key"] for one in client.get("/v1/catalog/modules").json()["modules"]]
    seats = [{"name": "Ann", "claim": True}, *[{"serverPlayer": "random"}] * 5]
    made = client.post("/v1/games", {"seats": seats, "modules": modules, **FIELDS}).json()
    person = arrive(width=PHONE, height=740, locale="de-DE")
    person.open_game(made["game"], made["seatKeys"][0]["token"])
    person.page.wait_for_selector(".standing tbody tr >> nth=5")
    assert person.page.evaluate("document.documentElement.scrollWidth") <= PHONE
    scores = person.page.locator(".standing .sum").last.bounding_box()
    assert scores is not None
    assert scores["x"] + scores["width"] <= PHONE
    assert complaints(person.page) == []
    person.wait_for("asked")
    person.page.click("[data-key='tool orders']")
    check(person, ".orders li")
