"""A person in front of the table: looks, clicks and types, and knows no rule."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS = 30_000
TABLE = "play-table"
MOVES = "ol.moves button"
SPOTS = ".own play-board .spot"
STATE_AMONG = """states => {
    const state = document.querySelector("play-table")?.dataset.state;
    return states.includes(state) && state;
}"""


class Person:
    """One window of a browser."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base

    # -- The lobby ---------------------------------------------------------------------------------------------------

    def enter(self) -> Person:
        """Opens the lobby."""
        self.page.goto(f"{self.base}/play")
        self.page.wait_for_selector(".new-game")
        return self

    def seats(self, *kinds: str) -> None:
        """Says who plays, by the values of the choices: "me", "friend", or a word for a server player."""
        while self.page.locator(".seats li").count() < len(kinds):
            self.page.click("[data-key=another]")
        for place, kind in enumerate(kinds):
            self.page.select_option(f"[data-key='kind {place}']", kind)

    def start(self) -> None:
        """Starts the game that the lobby describes."""
        self.page.click("[data-key=create]")
        self.page.wait_for_selector(f"{TABLE}[data-state]")

    def open_game(self, game: str, token: str = "") -> None:
        """Opens a table by its link."""
        self.page.goto(f"{self.base}/play#game={game}" + (f"&token={token}" if token else ""))
        self.page.wait_for_selector(f"{TABLE}[data-state]")

    # -- The table ---------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Locator:
        return self.page.locator(TABLE)

    @property
    def moves(self) -> Locator:
        return self.page.locator(MOVES)

    @property
    def state(self) -> str:
        return self.table.get_attribute("data-state") or ""

    @property
    def version(self) -> str:
        return self.table.get_attribute("data-version") or ""

    @property
    def game(self) -> str:
        return self.page.url.partition("game=")[2]

    def wait_for(self, *states: str) -> str:
        """Waits until the table is in one of these states; the state that it was in then."""
        found = self.page.wait_for_function(STATE_AMONG, arg=list(states))
        self.leave_scoring()
        return str(found.json_value())

    def leave_scoring(self) -> None:
        """Closes the sheet of a scoring that has just been held, if there is one."""
        while self.page.locator("dialog.scoring").count():
            self.page.keyboard.press("Escape")

    def picks(self, chance: Random | None = None) -> None:
        """Picks what lights up, a thing or a cell, until a single move is left or nothing is left to pick."""
        for _ in range(6):
            if self.moves.count() < 2:
                return
            lit = self.page.locator(f"{SPOTS}[aria-pressed=false], .act .thing.lit")
            count = lit.count()
            if not count:
                return
            self.settle()
            lit.nth(chance.randrange(count) if chance else count - 1).click()

    def settle(self) -> None:
        """Waits until the table takes presses again: a new question, and moves that were drawn anew, take none."""
        self.page.wait_for_selector(f"{TABLE}:not([data-fresh])")

    def make(self, move: Locator) -> None:
        """Clicks on a move, and waits until it is made."""
        before = self.version
        self.settle()
        self.leave_scoring()
        move.click()
        self.page.wait_for_selector(f"{TABLE}:not([data-version='{before}']):not([data-state=busy])")

    def says(self, text: str) -> None:
        """Waits until the table says this."""
        expect(self.table).to_contain_text(text, timeout=PATIENCE_MS)

    def says_in(self, part: str, text: str) -> None:
        """Waits until a part of the page says this."""
        expect(self.page.locator(part).first).to_contain_text(text, timeout=PATIENCE_MS)
