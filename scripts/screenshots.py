"""Screenshots of the pages, of three Alhambras and of a table, taken in headless Chromium from a running product.

    python -m scripts.screenshots                 take them all anew, into docs/images/
    python -m scripts.screenshots --to FOLDER     the same into another folder

It also draws the Alhambra of the front page anew, which is a file: the page shows a picture before anybody has played.
`scripts/system_packages.sh` installs the browser.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alhambra import Game, Options
from alhambra.svg import draw_board
from tests.gateway.http import Client
from tests.gateway.product import running

from .play_screenshots import take_play_shots
from .play_series import take_series
from .polite import PoliteClient

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
FRONT_PICTURE = ROOT / "gateway" / "alhambra_gateway" / "static" / "alhambra.svg"
BROWSER = "chromium"
PATIENCE = 120
"""Seconds for one picture, on a machine that does a lot else."""
LOADING_MS = 8_000
"""What a page is given to load and to draw itself, in the browser's own time."""
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
DARK = "--blink-settings=preferredColorScheme=0"

EXAMPLE = (
    *(("pavilion-8", 0, 1), ("arcades-6-sw", 0, 2), ("arcades-9", 1, 2), ("tower-10-w", -1, 0)),
    *(("garden-8-ne", -1, -1), ("arcades-8-n", -2, -1), ("tower-11-n", 1, 0), ("pavilion-3-sw", -1, 1)),
    *(("chambers-6-es", -2, 0), ("seraglio-5-sw", -3, 0), ("pavilion-5-nw", 0, -1), ("tower-8-nes", 1, -1)),
    *(("chambers-9-w", 1, 3), ("garden-8-nw", -3, -1), ("seraglio-3-esw", 1, 4)),
)
EXAMPLE_RESERVE = ("pavilion-2-new", "chambers-8-nw", "arcades-6-ne")
EXAMPLE_SCORE = 117
NAMES = ("Amira", "Boabdil", "Zaynab")
ATTEMPTS = 8


@dataclass(frozen=True)
class Shot:
    """A picture to take."""

    name: str
    path: str
    size: tuple[int, int]
    says: tuple[str, ...]
    """What the page must hold once it is drawn."""
    dark: bool = False


def shots(client: Client) -> list[Shot]:
    """Everything there is to show, at a running gateway; the games of the boards are played first."""
    modules = [module["key"] for module in client.get("/v1/catalog/modules").json()["modules"]]
    shown = modules[len(modules) // 3]
    early, late, rich = board(client, 5), board(client, 15), board(client, 15, modules=modules)
    table = f"{rich.partition('/board.svg')[0]}/table.svg"
    return [
        Shot("front", "/", (1280, 1180), ("Alhambra", "curl -s", client.base)),
        Shot("front-dark", "/", (420, 1500), ("Alhambra", "curl -s"), dark=True),
        Shot("docs", "/docs", (1280, 1400), ("/v1/games/{game}/moves", "Makes a move")),
        Shot("problem", "/problems/UNDERPAID", (1100, 1350), ("UNDERPAID", "HTTP 422", "That is not enough")),
        Shot("module", f"/modules/{shown}", (1280, 1500), ("An example",)),
        Shot("module-small", f"/modules/{shown}?lang=de", (360, 1200), ("Spielmaterial",), dark=True),
        Shot("guide-small", "/guides/operator", (360, 1000), ("Run a server",)),
        Shot("board-early", early, (700, 800), ("fountain",)),
        Shot("board-late", late, (1400, 1000), ("fountain",)),
        Shot("board-modules", rich, (900, 1100), ("fountain", "vizier")),
        Shot("board-modules-small", rich, (300, 360), ("fountain", "vizier"), dark=True),
        Shot("table-modules", table, (1280, 2200), ("ducat", "coin")),
        Shot("table-modules-small", table, (360, 1200), ("ducat", "coin"), dark=True),
    ]


def board(client: Client, tiles: int, **options: Any) -> str:
    """The address of an Alhambra with so many tiles, in a game that the server plays against itself.

    It plays at random, and not always does anybody build as much: then it plays again, a few times.
    """
    found: dict[str, int] = {}
    for _ in range(ATTEMPTS):
        path, size = _play(client, tiles, options)
        found[path] = size
        if size >= tiles:
            break
    return max(found, key=lambda path: found[path])


def _play(client: Client, tiles: int, options: dict[str, Any]) -> tuple[str, int]:
    seats = [{"name": name, "serverPlayer": "random"} for name in NAMES]
    game = client.post("/v1/games", {"seats": seats, **options}).json()["game"]
    while True:  # each call lets the server play on for a while
        view = client.get(f"/v1/games/{game}").json()["view"]
        best = max(view["seats"], key=lambda seat: len(seat["alhambra"]))
        size = len(best["alhambra"])
        if view["status"] == "over" or size >= tiles:
            return f"/v1/games/{game}/board.svg?seat={best['seat']}", size


def take(base: str, shot: Shot, folder: Path) -> str:
    """Takes the picture into the folder; answers with the page as the browser has built it."""
    with TemporaryDirectory(prefix="alh-browser-") as profile:
        done = subprocess.run(
            [
                BROWSER,
                *FLAGS,
                *((DARK,) if shot.dark else ()),
                f"--user-data-dir={profile}",
                f"--virtual-time-budget={LOADING_MS}",
                f"--window-size={shot.size[0]},{shot.size[1]}",
                f"--screenshot={folder / shot.name}.png",
                "--dump-dom",
                base + shot.path,
            ],
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
    return done.stdout.decode("utf-8", "replace")


def front_picture() -> bytes:
    """The Alhambra of the front page, built tile by tile under the construction rules."""
    game = Game.new(Options(NAMES, "front"))
    owner = game.state.seats[0]
    for tile, x, y in EXAMPLE:
        owner.board.place(game.ruleset.tiles[tile], x, y)
    owner.reserve, owner.score = EXAMPLE_RESERVE, EXAMPLE_SCORE
    return draw_board(game, 0).encode()


def main() -> int:
    """Takes all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=IMAGES)
    folder = parser.parse_args().to.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    FRONT_PICTURE.write_bytes(front_picture())
    with running("--workers", "1") as product, PoliteClient(product.http) as client:
        for shot in shots(client):
            take(product.http, shot, folder)
            print(f"{shot.name}.png")
        take_play_shots(product.http, folder)
        take_series(product.http, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
