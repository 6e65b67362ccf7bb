"""Screenshots of the table in the browser: the lobby, tables in the middle of games, small, wide and by night."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from .browser import start_browser
from .polite import PoliteClient

NAMES = ("Amira", "Boabdil", "Zaynab")
SERVER = "random"
PATIENCE_MS = 60_000
ENOUGH = 1000
"""More moves than a person makes in a game."""
COLOURS = 256


@dataclass(frozen=True)
class PlayShot:
    """A picture of the table to take."""

    name: str
    size: tuple[int, int]
    moves: int = 0
    """How many moves the person has made; 0 for the lobby."""
    all_modules: bool = False
    dark: bool = False
    past: int = 0
    """Which entry of the list of turns and scorings of the past to open; 0 for the table as it is."""


SHOTS = (
    PlayShot("play-lobby", (1280, 900)),
    PlayShot("play-table", (1440, 900), moves=45),
    PlayShot("play-table-modules", (1440, 1100), moves=60, all_modules=True),
    PlayShot("play-phone", (390, 844), moves=30),
    PlayShot("play-dark", (1440, 900), moves=45, dark=True),
    PlayShot("play-past", (1440, 900), moves=45, past=20),
    PlayShot("play-wide", (2560, 1440), moves=60, all_modules=True),
)


def take_play_shots(base: str, folder: Path) -> None:
    """Takes all pictures at a running gateway."""
    with sync_playwright() as playwright:
        browser = start_browser(playwright)
        for shot in SHOTS:
            take_play_shot(browser, base, shot, folder)
            print(f"{shot.name}.png")
        browser.close()


def take_play_shot(browser: Browser, base: str, shot: PlayShot, folder: Path) -> None:
    """Takes a picture at a running gateway, as a PNG of its name."""
    width, height = shot.size
    scheme: Any = "dark" if shot.dark else "light"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    if shot.moves:
        game, token = play(base, shot)
        page.goto(f"{base}/play#game={game}&token={token}")
        page.wait_for_selector("play-table[data-state=asked] .own play-board svg")
        if shot.past:
            page.click("[data-key='tool replay']")
            page.select_option("[data-key=jump]", index=shot.past)
            page.wait_for_selector(".past-boards play-board svg")
    else:
        page.goto(f"{base}/play")
        page.click(".module-list summary >> nth=0")
        page.wait_for_selector(".face img[src]")
    page.wait_for_load_state("load")
    page.wait_for_selector(".picture:not([src])", state="detached")
    path = folder / f"{shot.name}.png"
    page.screenshot(path=path, animations="disabled")
    shrink(path)
    context.close()


def shrink(path: Path) -> None:
    """Rewrites a picture with 256 colours, which is a third of its size."""
    with Image.open(path) as picture:
        few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE if picture.mode == "RGBA" else None)
    few.save(path, optimize=True)


def play(base: str, shot: PlayShot) -> tuple[str, str]:
    """A game in which the first seat has made some moves: the game and the token of that seat.

    It pays exactly and builds where it can; it knows that only from what the server says about its moves.
    """
    chance = Random(shot.name)
    with PoliteClient(base) as client:
        known = client.get("/v1/catalog/modules").json()["modules"]
        seats = [{"name": NAMES[0], "claim": True}, *({"name": name, "serverPlayer": SERVER} for name in NAMES[1:])]
        body = {"seats": seats, "modules": [one["key"] for one in known if shot.all_modules], "seed": shot.name}
        created = client.post("/v1/games", body).json()
        game, client.token = created["game"], created["seatKeys"][0]["token"]
        for _ in range(shot.moves):
            view = client.get(f"/v1/games/{game}").json()["view"]
            if view["status"] == "over":
                break
            legal = client.get(f"/v1/games/{game}/moves").json()["moves"]
            new = view["seats"][0]["pending"]
            good = [
                one for one in legal if one.get("exact") or (one["move"].get("tile") in new and "cell" in one["move"])
            ]
            move = chance.choice(good or legal)["move"]
            client.post(f"/v1/games/{game}/moves", {"version": view["version"], "move": move})
        return game, client.token
