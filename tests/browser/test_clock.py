"""The time for a decision: shown, warned of before it ends, and chosen in days for games by correspondence."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person


def started(arrive: Arrive, client: Client, seconds: int = 0, **fields: object) -> Person:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    made = client.post("/v1/games", {"seats": seats, "turnSeconds": seconds, **fields}).json()
    view = client.get(f"/v1/games/{made['game']}").json()["view"]
    person = arrive()
    person.open_game(made["game"], made["seatKeys"][view["decision"]["seat"]]["token"])
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


# -- Clocks of players ---------------------------------------------------------------------------------------------


def test_the_table_shows_the_clocks_of_all_players_and_one_of_them_runs(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, clockSeconds=3 * 86400, clockIncrementSeconds=86400)
    running = person.page.locator(".standing .turn .clock")
    expect(running).to_contain_text(re.compile(r"3 d 23 h|4 d 0 h"), timeout=PATIENCE_MS)
    expect(person.page.locator(".standing tr:not(.turn) .clock.still")).to_contain_text("3 d 0 h")
    assert person.page.locator(".hurry").count() == 0


def test_a_player_whose_time_is_used_up_reads_what_has_happened(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, clockSeconds=4)
    person.says("Your time is used up: the computer plays on for you.")
    person.says_in(".standing .flagged", "time used up")


def test_a_player_whose_time_is_used_up_resigns_if_that_was_agreed(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, clockSeconds=2, flagFall="resigns")
    person.wait_for("over")
    person.says("Your time is used up: you have resigned.")


def test_clocks_and_hints_are_chosen_in_the_lobby_and_kept_in_a_rematch(arrive: Arrive, client: Client) -> None:
    person = arrive().enter()
    person.seats("me", "greedy")
    person.page.click("summary >> text=More")
    person.page.select_option("[data-key='time.player']", "600")
    person.page.select_option("[data-key='time.turn']", "30")
    person.page.select_option("[data-key=flag]", "resigns")
    person.page.check("[data-key='no hints']")
    person.start()
    agreed = {"clockSeconds": 600, "clockIncrementSeconds": 30, "flagFall": "resigns", "noHints": True}
    first = person.game
    assert client.get(f"/v1/games/{first}").json()["view"]["setup"].items() >= agreed.items()
    person.wait_for("asked")
    assert person.page.locator(".hint-button").count() == 0
    person.page.click("[data-key='tool resign']")
    person.page.click("dialog .danger")
    person.wait_for("over")
    person.settle()
    person.page.click("[data-key='end rematch']")
    person.page.wait_for_url(lambda address: address.endswith(person.game) and person.game != first)
    assert client.get(f"/v1/games/{person.game}").json()["view"]["setup"].items() >= agreed.items()


def test_times_have_the_letters_of_the_texts_around_them(arrive: Arrive) -> None:
    person = arrive(locale="sr-RS").enter()
    person.page.locator("play-lobby summary").last.click()
    assert "10 minuta" in person.page.locator("[data-key='time.player']").inner_text()
