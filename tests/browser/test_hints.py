"""Hints on request: what computers would do is said and lights up, and is made only by a press on its sentence."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .test_choosing import opened

PICKED = ".thing[aria-pressed=true], .own play-board .spot[aria-pressed=true], .picked .pick"


def started(arrive: Arrive, client: Client, **more: object) -> Person:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "serverPlayer": "greedy"}]
    made = client.post("/v1/games", {"seats": seats, **more}).json()
    person = arrive()
    person.open_game(made["game"], made["seatKeys"][0]["token"])
    person.wait_for("asked")
    return person


def test_a_hint_lights_up_what_it_means_and_says_why(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client)
    person.settle()
    person.page.click("[data-key=hint]")
    hint = person.page.locator("section.hint")
    expect(hint).to_contain_text("scoring", timeout=PATIENCE_MS)
    expect(person.page.locator(PICKED).first).to_be_visible()


def test_a_hint_is_asked_for_with_a_key_and_makes_no_move(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client)
    before = person.version
    person.page.keyboard.press("h")
    expect(person.page.locator("section.hint")).to_be_visible(timeout=PATIENCE_MS)
    assert person.version == before
    assert person.state == "asked"


def test_a_hint_for_a_tile_shows_its_cell(arrive: Arrive, client: Client) -> None:
    _, person = opened(arrive, client)
    person.page.keyboard.press("h")
    expect(person.page.locator(".hint-move").first).to_be_visible(timeout=PATIENCE_MS)


def test_the_move_of_a_hint_is_made_by_a_press_on_its_sentence(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client)
    person.page.keyboard.press("h")
    hinted = person.page.locator(".hint-move").first
    expect(hinted).to_be_visible(timeout=PATIENCE_MS)
    text = hinted.inner_text()
    person.make(person.page.locator("ol.moves button", has_text=text).first)


def test_a_game_without_hints_offers_none(arrive: Arrive, client: Client) -> None:
    person = started(arrive, client, noHints=True)
    assert person.page.locator("[data-key=hint]").count() == 0
    person.page.keyboard.press("h")
    assert person.page.locator(".hint").count() == 0
