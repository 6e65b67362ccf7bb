"""The table in Firefox: a game from the lobby, moves, a reload, a scoring that the stream brings, and its sheet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.gateway.http import Client
from tests.sizes import FIREFOX

from .conftest import Arrive
from .firefox import start_firefox
from .person import PATIENCE_MS
from .walks import hold_scoring, scored_next, walk_to

pytestmark = pytest.mark.needs(FIREFOX)


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Firefox instead of Chromium."""
    found = start_firefox(playwright, tmp_path_factory.mktemp("firefox"))
    yield found
    found.close()


def test_a_game_from_the_lobby_goes_on_after_a_reload(arrive: Arrive, client: Client) -> None:
    person = arrive().enter()
    assert "Firefox" in person.page.evaluate("navigator.userAgent")
    person.page.fill("[data-key='name 0']", "Ann")
    person.seats("me", "random")
    person.start()
    for number in range(6):
        person.wait_for("asked")
        if number % 2:
            person.picks()
        person.make(person.moves.last)
    person.wait_for("asked")
    version, hand = person.version, person.page.locator(".hand .pictured").all_inner_texts()
    assert int(version) >= 6
    person.page.reload()
    person.wait_for("asked")
    assert person.version == version
    assert person.page.locator(".hand .pictured").all_inner_texts() == hand
    person.make(person.moves.first)
    assert client.get(f"/v1/games/{person.game}").json()["view"]["version"] == int(person.version)


def test_a_scoring_is_told_by_the_stream_and_can_be_seen_again(arrive: Arrive, client: Client) -> None:
    walk = walk_to(scored_next, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    hold_scoring(walk, client)
    sheet = person.page.locator("dialog.scoring")
    expect(sheet.locator("h2")).to_have_text("Scoring 1", timeout=PATIENCE_MS)
    person.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    person.page.reload()
    person.wait_for("asked", "running")
    person.page.click("[data-key='tool scorings']")
    totals = person.page.locator("dialog .score-table .totals td")
    expect(totals.first).to_have_text(str(walk.game.state.seats[0].score), timeout=PATIENCE_MS)
