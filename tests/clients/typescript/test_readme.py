"""The README and the examples of the library are true: they are run against a real server."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from alhambra_client import Client, SeatSetup, ServerFault
from tests.gateway.node import NODE
from tests.gateway.product import Product

from .node_tests import LIBRARY, PATIENCE, run

README = (LIBRARY / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```js\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the library is installed."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "alhambra-client").symlink_to(LIBRARY)
    return tmp_path


def test_the_first_lines_play_a_whole_game(product: Product, folder: Path) -> None:
    (folder / "game.mjs").write_text(BLOCKS[0].replace(ADDRESS, product.http))
    assert len(BLOCKS[0].splitlines()) <= 15
    lines = run(["game.mjs"], folder).splitlines()
    assert len(lines) > 30
    assert re.fullmatch(r"Ann \d+", lines[-2]) and re.fullmatch(r"Ben \d+", lines[-1])


def wait_for_the_sender(product: Product) -> None:
    """Wait until webhooks can be registered: the process that sends to them is started last."""
    deadline = time.monotonic() + PATIENCE
    with Client(product.http) as client:
        while True:
            try:
                made = client.create_webhook("https://example.com/")
                return client.delete_webhook(made.webhook.webhook)
            except ServerFault:
                assert time.monotonic() < deadline
                time.sleep(0.2)


def test_everything_that_the_readme_shows_works(product: Product, folder: Path) -> None:
    wait_for_the_sender(product)
    (folder / "readme.mjs").write_text("\n".join(BLOCKS).replace(ADDRESS, product.http))
    printed = run(["readme.mjs"], folder)
    assert "Ben, join with: " in printed and "AbortError" in printed
    assert "\ngame_ended true\n" in printed
    assert "\nSeat 1\n" in printed and re.search(r"^ping pending$", printed, re.MULTILINE)
    assert "[ 'NO_CONTACT' ]\n[ 5, 0 ]\n<svg <svg\nalhambra-game/1\n" in printed


def test_the_bot_of_the_examples_plays_to_the_end(product: Product) -> None:
    lines = run(["examples/node-bot.mjs", product.http], LIBRARY).splitlines()
    assert len(lines) >= 2 and all(re.fullmatch(r"\d\. (Bot|Random|Dirk): \d+", line) for line in lines)


def test_the_announcer_of_the_examples_says_whose_turn_it_is(product: Product) -> None:
    with Client(product.http) as client:
        seats = client.create_game([SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", claim=True)]).seats
        asked = next(game for game in seats.values() if game.is_asked)
        words = [str(NODE), "examples/turn-announcer.mjs", product.http, asked.id]
        with subprocess.Popen(words, cwd=LIBRARY, stdout=subprocess.PIPE, text=True) as watching:
            assert watching.stdout is not None
            name = asked.view.seats[asked.seat or 0].name
            assert watching.stdout.readline() == f"{name}: Which action do you take?\n"
            asked.play(asked.moves(verb="take_money")[0])
            asked.resign()
            rest = watching.stdout.read()
            assert watching.wait(PATIENCE) == 0
    assert f"{name} takes " in rest
    assert re.search(r"1\. \w+ \(\d+\), 2\. \w+ \(\d+\)", rest.splitlines()[-1])


def test_the_readme_names_every_file_of_the_library() -> None:
    named = set(re.findall(r"`([\w-]+\.(?:d\.ts|js))`", README.partition("## How it is made")[2]))
    assert named == {path.name for path in (LIBRARY / "src").iterdir()} - {"index.js"}
