"""The time for a decision: shown, warned of before it ends, and chosen in days for games by correspondence."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person


def started(arrive: Arrive, client: Client, seconds: int) -> Person:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    made = client.post("/v1/games", {"seats": seats, "turnSeconds": seconds}).json()
    view = client.get(f"/v1/games/{made['game']}").json()["view"]
    person = arrive()
    person.open_game(made["game"], made["seatKeys"][view["decision"]["seat"]]["token"])
    person.wait_for("asked")
    return person


def test_a_clock_warns_before_the_time_ends(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, 20)
    expect(person.page.locator(".clock.hurry")).to_be_visible(timeout=PATIENCE_MS)
    expect(person.page.locator("body > [role=alert]")).to_contain_text("running out")


def test_a_clock_of_days_tells_days_and_does_not_warn_at_first(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, 3 * 86400)
    expect(person.page.locator(".clock")).to_contain_text(re.compile(r"2 d 23 h|3 d 0 h"))
    assert person.page.locator(".clock.hurry").count() == 0


@pytest.mark.parametrize("seconds", [86400, 259200, 604800])
def test_days_can_be_chosen_for_a_game_by_correspondence(arrive: Arrive, client: Client, seconds: int) -> None:
    person = arrive().enter()
    person.seats("me", "friend")
    person.page.click("summary >> text=More")
    person.page.select_option("[data-key=time]", str(seconds))
    person.start()
    view = client.get(f"/v1/games/{person.game}").json()["view"]
    assert view["setup"]["turnSeconds"] == seconds
