"""Every view of the table, and every kind of page, without a complaint of axe, by day and by night.

`test_reloads` checks the table in every kind of decision.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.gateway.http import Client

from .accessibility import complaints
from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .test_waiting_room import wait_for_friends
from .walks import finished_by_computers, hold_scoring, scored_next, walk_to

PAGES = (
    *("/", "/play", "/how-to-play", "/rules/", "/rules/diamonds", "/modules/", "/modules/diamonds"),
    *("/problems/", "/problems/UNDERPAID", "/guides/", "/guides/operator"),
)
SHEETS = {
    "rules": "dialog.rules",
    "tool scorings": "dialog p",
    "tool tiles": ".sheet-tiles li.seen",
    "tool replay": ".past-boards play-board svg",
    "tool links": ".link input",
    "tool record": "[data-key=download]",
    "tool settings": "dialog select, dialog input",
    "tool resign": ".sheet .danger",
    "score 1": ".sheet play-board svg",
}
"""By the button that opens it: what a sheet shows once it is there."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page(arrive: Arrive, path: str) -> None:
    person = arrive()
    person.page.goto(f"{person.base}{path}", wait_until="load")
    assert complaints(person.page) == []


def test_the_lobby_with_its_lists_open(arrive: Arrive) -> None:
    person = arrive().enter()
    for summary in person.page.locator("play-lobby summary").all():
        summary.click()
    assert complaints(person.page) == []


def test_the_waiting_room(arrive: Arrive) -> None:
    host = wait_for_friends(arrive())
    assert complaints(host.page) == []
    invited = arrive()
    invited.page.goto(host.page.locator(".gathering input").first.input_value())
    invited.page.wait_for_selector("[data-key=name]")
    assert complaints(invited.page) == []


def test_the_guided_first_game_on_a_phone(arrive: Arrive) -> None:
    person = arrive(390, 844)
    person.page.goto(f"{person.base}/play#learn")
    person.page.wait_for_selector("play-coach .explained")
    assert complaints(person.page) == []


def test_the_table_its_sheets_and_a_scoring(arrive: Arrive, client: Client) -> None:
    walk = walk_to(scored_next, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    assert complaints(person.page) == []
    person.page.click("[data-key='tool text.mode']")
    assert complaints(person.page) == []
    person.page.click("[data-key='tool text.mode']")
    for button, shown in SHEETS.items():
        found = sheet_complaints(person, button, shown)
        assert found == [], button
    hold_scoring(walk, client)
    expect(person.page.locator("dialog.scoring")).to_be_visible(timeout=PATIENCE_MS)
    assert complaints(person.page) == []


def test_the_end_and_the_review(arrive: Arrive, client: Client) -> None:
    person = arrive()
    person.open_game(finished_by_computers(client))
    person.wait_for("over")
    assert complaints(person.page) == []
    for button, shown in {"end review": "svg.curve", "end scorings": "dialog .score-table"}.items():
        assert sheet_complaints(person, button, shown) == [], button


def sheet_complaints(person: Person, button: str, shown: str) -> list[str]:
    """Open a sheet, return what axe finds, and close the sheet."""
    person.page.click(f"[data-key='{button}']")
    expect(person.page.locator(shown).first).to_be_visible(timeout=PATIENCE_MS)
    found = complaints(person.page)
    person.page.keyboard.press("Escape")
    expect(person.page.locator("dialog")).to_have_count(0)
    return found
