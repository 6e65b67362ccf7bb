"""Series of screenshots of the table on a phone, each as one picture: what a player sees one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from alhambra import Game
from tests.browser.walks import hold_scoring, scored_next, walk_to

from .browser import start_browser
from .play_screenshots import ENOUGH, PATIENCE_MS, PlayShot, play, shrink
from .polite import PoliteClient

PHONE = (390, 844)
GAP = 24
NEXT_LESSON = "[data-key='guide next']"
BUILD_UP = """at => {
    for (const one of document.getAnimations()) {
        one.pause();
        one.currentTime = at ?? one.effect.getComputedTiming().endTime;
    }
}"""
"""Stops a scoring that builds up line by line at a moment, in milliseconds; null for its end."""
SCORING_MOMENTS = (500, 1500, None)

BUILT = 4
"""Tiles of every player that make a scoring worth a look."""

Series = Callable[[Page, str], Iterator[bytes]]


def guided_game(page: Page, base: str) -> Iterator[bytes]:
    """The guided first game: two lessons, a building chosen, and a lesson that an exact payment brings."""
    page.goto(f"{base}/play#learn")
    for lesson in range(4):
        page.wait_for_selector("play-coach .explained")
        if lesson < 2:
            yield ready(page)
        page.click(NEXT_LESSON)
    page.wait_for_selector("play-table:not([data-fresh])")
    page.locator(".market .space.lit").first.click()
    page.wait_for_selector("play-table:not([data-fresh])")
    yield ready(page)
    page.locator(".move:has(.exact)").first.click()
    page.wait_for_selector("play-coach .explained")
    yield ready(page)


def much_is_built(game: Game) -> bool:
    """Whether a scoring can be held in which every player has something to score."""
    return min(len(owner.board.placed) for owner in game.state.seats) >= BUILT and scored_next(game)


def scoring(page: Page, base: str) -> Iterator[bytes]:
    """A scoring that builds up type by type, and the reason behind a figure."""
    with PoliteClient(base) as client:
        walk = walk_to(much_is_built, client, most=400, seats=3)
        page.goto(f"{base}/play#game={walk.id}&token={walk.tokens[walk.asked]}")
        page.wait_for_selector("play-table[data-state=asked]")
        hold_scoring(walk, client)
    page.wait_for_selector("dialog.scoring tr.sums")
    for moment in SCORING_MOMENTS:
        page.evaluate(BUILD_UP, moment)
        yield ready(page)
    page.locator("dialog.scoring tbody button").first.click()
    yield ready(page)


def rematch(page: Page, base: str) -> Iterator[bytes]:
    """The end of a game, how it went, and the next game with the same players."""
    game, token = play(base, PlayShot("series-rematch", PHONE, moves=ENOUGH))
    page.goto(f"{base}/play#game={game}&token={token}")
    page.wait_for_selector("play-table[data-state=over] .result")
    if page.locator("dialog.scoring").count():
        page.keyboard.press("Escape")
    page.locator(".result").scroll_into_view_if_needed()
    yield ready(page)
    page.click("[data-key='end review']")
    page.wait_for_selector("svg.curve")
    yield ready(page)
    page.keyboard.press("Escape")
    page.click("[data-key='end rematch']")
    page.wait_for_function("game => !location.hash.includes(game)", arg=game)
    page.wait_for_selector("play-table[data-state=asked]")
    yield ready(page)


SERIES: dict[str, Series] = {"series-guided": guided_game, "series-scoring": scoring, "series-rematch": rematch}


def ready(page: Page) -> bytes:
    """The page as a picture once its own pictures are there."""
    page.wait_for_selector(".picture:not([src])", state="detached")
    return page.screenshot()


def take_series(base: str, folder: Path) -> None:
    """Takes all series at a running gateway."""
    with sync_playwright() as playwright:
        browser = start_browser(playwright)
        for name, series in SERIES.items():
            take(browser, base, series, folder / f"{name}.png")
            print(f"{name}.png")
        browser.close()


def take(browser: Browser, base: str, series: Series, path: Path) -> None:
    """Takes one series."""
    width, height = PHONE
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    frames = [Image.open(BytesIO(frame)) for frame in series(context.new_page(), base)]
    context.close()
    side_by_side(frames).save(path)
    shrink(path)


def side_by_side(frames: Sequence[Image.Image]) -> Image.Image:
    """The frames in a row, on a transparent ground."""
    width, height = PHONE
    row = Image.new("RGBA", (len(frames) * (width + GAP) - GAP, height))
    for place, frame in enumerate(frames):
        row.paste(frame.convert("RGBA"), (place * (width + GAP), 0))
    return row
