"""The past in the browser: the table as it stood, turn by turn, by hand or by itself."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .walks import Walk, walk_to

MOVES = 30


def opened(arrive: Arrive, client: Client) -> tuple[Walk, Person]:
    """The past of a game of some moves, opened by its first seat."""
    walk = walk_to(lambda game: len(game.log) == MOVES, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool replay']")
    expect(person.page.locator(".past-table")).to_have_attribute("data-version", str(MOVES), timeout=PATIENCE_MS)
    return walk, person


def test_the_past_shows_the_table_as_it_stood(arrive: Arrive, client: Client) -> None:
    walk, person = opened(arrive, client)
    token = {"Authorization": f"Bearer {walk.tokens[0]}"}
    person.page.locator(".slider input").fill("1")
    expect(person.page.locator(".past-table")).to_have_attribute("data-version", "0", timeout=PATIENCE_MS)
    hand = client.get(f"/v1/games/{walk.id}", token, atVersion=0).json()["view"]["seats"][0]["hand"]
    expect(person.page.locator(".past-goods .cards").last.locator("li")).to_have_count(len(hand))
    boards = person.page.locator(".past-boards play-board svg")
    expect(boards).to_have_count(2, timeout=PATIENCE_MS)
    expect(boards.first.locator("title").first).to_have_text(re.compile(r"Ann · 0 · .* 0$"), timeout=PATIENCE_MS)


def test_the_past_jumps_from_turn_to_turn(arrive: Arrive, client: Client) -> None:
    _, person = opened(arrive, client)
    turns = person.page.locator("[data-key=jump] option")
    assert turns.count() > 2
    person.page.select_option("[data-key=jump]", index=2)
    expect(person.page.locator(".moment .sentence")).to_contain_text("to play", timeout=PATIENCE_MS)
    assert person.page.locator(".past-table").get_attribute("data-version") != "0"


def test_the_past_plays_by_itself(arrive: Arrive, client: Client) -> None:
    _, person = opened(arrive, client)
    person.page.click("[data-key=play]")
    slider = person.page.locator(".slider input")
    expect(slider).to_have_value("3", timeout=PATIENCE_MS)
    person.page.click("[data-key=play]")
    expect(person.page.locator("[data-key=play]")).to_have_text("Play")


def test_a_spectator_of_the_past_sees_no_hand(arrive: Arrive, client: Client) -> None:
    walk = walk_to(lambda game: len(game.log) == MOVES, client)
    person = arrive()
    person.open_game(walk.id)
    person.page.click("[data-key='tool replay']")
    expect(person.page.locator(".past-boards play-board svg").first).to_be_visible(timeout=PATIENCE_MS)
    expect(person.page.locator(".past-goods .cards")).to_have_count(1)
