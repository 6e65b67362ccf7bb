"""The table on a phone: what matters next is in view, and nothing lies over it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from alhambra.texts import languages
from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, SPOTS, Person
from .test_choosing import has_a_tile_to_place
from .test_front_door import LESSON, NEXT, learn
from .walks import walk_to

PHONE: dict[str, Any] = {"width": 360, "height": 740}
ON_TOP = """(selector) => {
    const found = document.querySelector(selector);
    if (!found) return false;
    const {x, y, width, height} = found.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return Boolean(top?.closest(selector));
}"""
"""Whether the middle of an element is in the window and nothing lies over it."""

HIDDEN_SIDEWAYS = "place => place.scrollWidth - place.clientWidth"
CUT_CHOICES = """selects => selects.filter((one) => {
    const shown = one.clientWidth;
    one.style.cssText = "width: max-content; max-width: none";
    const cut = one.clientWidth > shown;
    one.style.cssText = "";
    return cut;
}).map((one) => one.value)"""
"""The lists whose longest choice is wider than their place."""


def is_in_sight(person: Person, selector: str) -> None:
    """Waits until nothing lies over an element in the window."""
    person.page.wait_for_function(ON_TOP, arg=selector)


def test_the_guide_steps_aside_while_others_move(arrive: Arrive) -> None:
    person = arrive(**PHONE, pace="slow")
    learn(person)
    for _ in range(3):
        person.page.click(NEXT)
    is_in_sight(person, LESSON)
    person.settle()
    person.page.locator(".market .cards .thing.lit").last.click()
    expect(person.page.locator("play-coach")).to_be_hidden()
    person.settle()
    person.moves.first.click()
    person.page.wait_for_selector("play-table[data-state=showing]")
    is_in_sight(person, ".question .step")
    expect(person.page.locator("play-coach")).to_be_hidden()
    person.page.click("[data-key=skip]")
    is_in_sight(person, ".question .mine")


def about_to_place(arrive: Arrive, client: Client) -> Person:
    """Return a person with a tile to place, who sees their board."""
    walk = walk_to(has_a_tile_to_place, client)
    person = arrive(**PHONE)
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    is_in_sight(person, ".own play-board")
    return person


def test_the_board_comes_into_view_for_a_tile_and_the_market_after_it(arrive: Arrive, client: Client) -> None:
    person = about_to_place(arrive, client)
    person.page.locator(SPOTS).first.click()
    person.make(person.moves.first)
    is_in_sight(person, ".market .spaces")


def test_a_finished_game_has_no_sheet_of_moves(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats}).json()
    token = {"Authorization": f"Bearer {created['seatKeys'][0]['token']}"}
    client.post(f"/v1/games/{created['game']}:resign", {}, token)
    person = arrive(**PHONE)
    person.open_game(created["game"], created["seatKeys"][1]["token"])
    person.wait_for("over")
    expect(person.page.locator("section.moves")).to_be_hidden()
    is_in_sight(person, "[data-key='end rematch']")


@pytest.mark.parametrize("language", languages())
def test_nothing_is_wider_than_the_screen_in_any_language(arrive: Arrive, language: str) -> None:
    person = arrive(**PHONE, locale=language)
    learn(person)
    expect(person.page.locator("play-table .market .thing").first).to_be_visible(timeout=PATIENCE_MS)
    assert person.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_lost_connection_is_seen_wherever_the_page_stands(arrive: Arrive, client: Client) -> None:
    person = about_to_place(arrive, client)
    person.page.context.set_offline(True)
    is_in_sight(person, ".offline")
    person.page.context.set_offline(False)


@pytest.mark.parametrize("language", languages())
def test_the_headline_covers_nothing_of_the_alhambra(arrive: Arrive, client: Client, language: str) -> None:
    walk = walk_to(has_a_tile_to_place, client)
    person = arrive(**PHONE, locale=language, reduced_motion="reduce")
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    is_in_sight(person, ".own play-board")
    person.page.wait_for_selector(".question .mine .picture[src]")
    headline, board = (person.page.locator(one).bounding_box() for one in (".question", ".own .seat-board"))
    assert headline is not None
    assert board is not None
    assert headline["y"] + headline["height"] <= board["y"]


def test_a_tablet_shows_all_tools_without_scrolling(arrive: Arrive, client: Client) -> None:
    walk = walk_to(has_a_tile_to_place, client, ["squares"])
    person = arrive(768, 1024, locale="de")
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    assert person.page.locator(".tools .buttons").evaluate(HIDDEN_SIDEWAYS) <= 0


def test_a_laptop_shows_the_other_alhambras_of_six_players_as_a_whole(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, *[{"serverPlayer": "random"}] * 5]
    made = client.post("/v1/games", {"seats": seats}).json()
    person = arrive(1366, 768)
    person.open_game(made["game"], made["seatKeys"][0]["token"])
    person.wait_for("asked")
    expect(person.page.locator(".others play-board")).to_have_count(5)
    assert person.page.locator(".others").evaluate("place => place.scrollHeight - place.clientHeight") <= 0


@pytest.mark.parametrize("language", languages())
def test_the_options_of_a_new_game_can_be_read_as_a_whole(arrive: Arrive, language: str) -> None:
    person = arrive(768, 1024, locale=language).enter()
    person.page.click(".more > summary")
    for width in (768, 1366):
        person.page.set_viewport_size({"width": width, "height": 1024})
        cut = person.page.locator(".more select").evaluate_all(CUT_CHOICES)
        assert cut == [], width
