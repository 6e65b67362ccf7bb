"""The table without a look and without a mouse: keys, and what a screen reader says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from playwright.sync_api import Locator, expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

MOST_TABS = 120
MOST_DECISIONS = 150
COMPUTERS = 4
"""Enough of them that a person makes few moves until the game is over."""
SERVER_KEYS = ("Home", "ArrowDown", "ArrowDown")
"""The third of the choices who plays: a computer that plays at random."""
LISTEN = """() => {
    const live = "[role=status], [role=log], [role=alert], [aria-live]";
    window.spoken = [];
    new MutationObserver((records) => {
        for (const { target, addedNodes } of records) {
            const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
            if (!region) continue;
            const place = `${region.className} ${document.querySelector("play-table").dataset.version}`;
            for (const { textContent } of addedNodes) window.spoken.push([place, textContent]);
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Writes down what a screen reader says by itself: what is added to a live region, with the version of the game."""


class Reader(Person):
    """A person who knows the page by roles and names alone, and has only keys."""

    def goes_to(self, wanted: Locator, key: str = "Tab") -> None:
        """Presses Tab until something has the focus."""
        for _ in range(MOST_TABS):
            if wanted.and_(self.page.locator(":focus")).count():
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not reach {wanted}")

    def presses(self, role: str, name: str) -> None:
        """Goes to a button by its name and presses it."""
        self.goes_to(self.page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]
        self.page.keyboard.press("Enter")

    @property
    def answers(self) -> Locator:
        """The moves of the open question: the last list of their region."""
        return self.page.get_by_role("region", name="What you can do").get_by_role("list").last.get_by_role("button")

    def decisions(self) -> Iterator[int]:
        """Generates the numbers of the person's decisions until the game is over."""
        for number in count():
            if self.wait_for("asked", "over") == "over":
                return
            assert number < MOST_DECISIONS
            yield number

    def answer(self, place: int) -> None:
        """Makes a move of the list."""
        before = self.version
        self.goes_to(self.answers.nth(place))
        self.settle()
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(f"play-table:not([data-version='{before}']):not([data-state=busy])")


def test_a_whole_game_by_keyboard_and_text_alone(arrive: Arrive, client: Client) -> None:
    window = arrive().enter()
    reader = Reader(window.page, window.base)
    for _ in range(COMPUTERS - 1):
        reader.presses("button", "Add a player")
    for seat in range(COMPUTERS):
        reader.goes_to(reader.page.get_by_role("combobox", name=f"Player {seat + 2}", exact=True), "Shift+Tab")
        for key in SERVER_KEYS:
            reader.page.keyboard.press(key)
    reader.presses("button", "Start the game")
    reader.wait_for("asked")
    reader.presses("button", "Text")
    expect(reader.page.get_by_role("region", name="Building market")).to_have_count(0)
    for number in reader.decisions():
        expect(reader.page.get_by_role("status").first).to_contain_text("Your turn", timeout=PATIENCE_MS)
        reader.answer(min(number % 3, reader.answers.count() - 1))
    view = client.get(f"/v1/games/{reader.game}").json()["view"]
    assert [seat["serverPlayer"] for seat in view["seats"]] == ["", *["random"] * COMPUTERS]
    assert view["result"]["because"] == "scored"
    expect(reader.page.get_by_role("heading", name=re.compile("won|lost|draw"))).to_be_visible(timeout=PATIENCE_MS)
    reader.presses("button", "Scorings")
    expect(reader.page.get_by_role("dialog").get_by_role("table")).to_contain_text(str(view["seats"][0]["score"]))
    reader.page.keyboard.press("Escape")
    reader.settle()
    reader.presses("button", "Rematch")
    reader.page.wait_for_function("game => !location.hash.includes(game)", arg=view["game"])
    reader.wait_for("asked", "running")


def test_live_regions_say_what_is_new_once_and_nothing_again(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "seed": "aloud"}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.wait_for("asked")
    log = person.page.get_by_role("log", name="What has happened").get_by_role("listitem")
    said_before = log.all_inner_texts()
    assert said_before
    person.page.evaluate(LISTEN)
    person.page.locator(".act .thing.lit").first.click()
    person.page.wait_for_selector("[aria-pressed=true]")
    assert person.page.evaluate("window.spoken") == [], "picking a card is no news"
    for _ in range(3):
        person.make(person.moves.last)
        person.wait_for("asked")
    spoken: list[list[str]] = person.page.evaluate("window.spoken")
    new = log.all_inner_texts()[len(said_before) :]
    assert new
    assert [text for place, text in spoken if place.startswith("log ")] == new
    headlines = [(place, text) for place, text in spoken if place.startswith("question ")]
    assert headlines
    assert len(headlines) == len(set(headlines)), "a question is said once"
