"""Plays a whole game in the browser by clicks alone, from the lobby to the result:

    python -m tests.browser.whole_game                          the base game
    python -m tests.browser.whole_game --modules everything     with every module
    python -m tests.browser.whole_game --images FOLDER          with screenshots of its stages

A person who knows no rule plays against players of the server: picks things and cells that light up, then presses one
of the sentences that are left, one that pays exactly if there is any. In a game with every module it gives standing
orders first. `make check` plays the base game to its end, and the beginning of a game with every module
(`test_playing`); this plays both to their ends.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from scripts.browser import start_browser
from scripts.polite import PoliteClient
from tests.gateway.http import Client
from tests.gateway.product import command, running

from .person import PATIENCE_MS, Person

BASE, EVERYTHING = "base", "everything"
SERVER = "random"
SIZE = (1440, 900)
PICKS_EVERY = {BASE: 3, EVERYTHING: 20}
"""At every so many questions the person picks on the table; at the others it reads in text mode and uses the list."""
TEXT_MODE = "[data-key='tool text.mode']"
MOST_MOVES = 20_000
WITHOUT_STEPS = """localStorage["alhambra.wishes"] ??= '{"pace": "none"}'"""
REPORT_EVERY = 100


class WholeGame:
    """One game, and the pictures of its stages."""

    def __init__(self, person: Person, client: Client, name: str, images: Path | None) -> None:
        self._person = person
        self._client = client
        self._name = name
        self._images = images
        self._taken: set[str] = set()
        self._chance = Random(name)
        self.moves = 0

    def begin(self, opponents: int) -> None:
        """Describes the game in the lobby and starts it."""
        person = self._person.enter()
        person.page.fill("[data-key='name 0']", "Amira")
        person.seats("me", *[SERVER] * opponents)
        person.page.click(".module-list summary >> nth=0")
        person.page.wait_for_selector(".face img[src]")
        if self._name == EVERYTHING:
            for place in range(person.page.locator("[data-key^='module ']").count()):
                person.page.locator("[data-key^='module ']").nth(place).check()
        person.start()

    def give_orders(self) -> None:
        """Orders the first answer to every kind of question that takes orders, so that few of them are asked."""
        person = self._person
        person.wait_for("asked")
        person.page.click("[data-key='tool orders']")
        answers = person.page.locator(".orders li select:first-of-type")
        for place in range(answers.count()):
            answers.nth(place).select_option(index=1)
        person.page.click(".sheet .primary")
        person.page.wait_for_selector("dialog", state="detached")

    def play(self) -> None:
        """Makes moves until the game is over."""
        began = time.monotonic()
        while self._person.wait_for("asked", "over") == "asked":
            assert self.moves < MOST_MOVES
            self._look()
            if self.moves % PICKS_EVERY[self._name] == 0:
                self._read(text=False)
                self._person.picks(self._chance)
                if self._person.page.locator(".preview li").count():
                    self._picture("choosing")
            else:
                self._read(text=True)
            exact = self._person.page.locator(".move:has(.exact)")
            moves = exact if exact.count() else self._person.moves
            self._person.make(moves.nth(self._chance.randrange(moves.count())))
            self.moves += 1
            if self.moves % REPORT_EVERY == 0:
                print(f"{self._name}: {self.moves} moves, {time.monotonic() - began:.0f} s", flush=True)
        self._picture("over")

    def _read(self, *, text: bool) -> None:
        """Switches to the text mode, or back to the table."""
        button = self._person.page.locator(TEXT_MODE)
        if (button.get_attribute("aria-pressed") == "true") != text:
            button.click()

    def _look(self) -> None:
        """Takes the pictures of stages that have just come."""
        if self._images is not None and {"scoring-1", "scoring-2"} - self._taken:
            held = self._client.get(f"/v1/games/{self._person.game}").json()["view"]["table"]["scoringsHeld"]
            if held:
                self._picture(f"scoring-{len(held)}")

    def _picture(self, stage: str) -> None:
        if self._images is None or stage in self._taken:
            return
        self._taken.add(stage)
        page = self._person.page
        self._read(text=False)
        page.wait_for_selector(".own play-board svg")
        page.wait_for_load_state("load")
        page.wait_for_selector(".picture:not([src])", state="detached")
        page.screenshot(path=self._images / f"{self._name}-{stage}.png", animations="disabled")

    def verify(self) -> str:
        """Downloads the record of the finished game by a click and checks it with the command that the table shows."""
        page = self._person.page
        page.click("[data-key='tool record']")
        with TemporaryDirectory() as folder, page.expect_download() as started:
            page.click("[data-key=download]")
            path = Path(folder) / started.value.suggested_filename
            started.value.save_as(path)
            done = subprocess.run(command("verify", str(path)), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()


def play_whole_game(browser: Browser, base: str, name: str, images: Path | None, opponents: int) -> None:
    """Plays a game to its end and says how long it took."""
    began = time.monotonic()
    width, height = SIZE
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    context.add_init_script(WITHOUT_STEPS)
    context.set_default_timeout(2 * PATIENCE_MS)
    with PoliteClient(base) as client:
        game = WholeGame(Person(context.new_page(), base), client, name, images)
        game.begin(opponents)
        if name == EVERYTHING:
            game.give_orders()
        game.play()
        checked = game.verify()
    context.close()
    print(f"{name}: over after {game.moves} moves by clicks, {time.monotonic() - began:.0f} s; {checked}", flush=True)


def main() -> None:
    """Plays the game that the command line describes."""
    parser = argparse.ArgumentParser(description="Play a whole game in the browser by clicks.")
    parser.add_argument("--modules", choices=(BASE, EVERYTHING), default=BASE)
    parser.add_argument("--opponents", type=int, default=2, help="players of the server, 1 to 5")
    parser.add_argument("--images", type=Path, help="a folder for screenshots")
    wanted = parser.parse_args()
    with running("--workers", "1") as product, sync_playwright() as playwright:
        browser = start_browser(playwright)
        play_whole_game(browser, product.http, wanted.modules, wanted.images, wanted.opponents)
        browser.close()


if __name__ == "__main__":
    main()
