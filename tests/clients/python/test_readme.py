"""The README and the examples of the client library are true: they are run against a real server."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import alhambra_client
from alhambra_client import Client, SeatSetup
from tests.gateway.product import Product

from .test_be_told import registered

LIBRARY = Path(alhambra_client.__file__).parents[1]
README = (LIBRARY / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
ADDRESS = "http://127.0.0.1:8080"
PATIENCE = 240.0


def run(folder: Path, *words: str) -> str:
    """Return what a program prints that has nothing but the client library."""
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(LIBRARY)}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_lines_play_a_whole_game(product: Product, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(BLOCKS[0].replace(ADDRESS, product.http))
    assert len(BLOCKS[0].splitlines()) <= 15
    lines = run(tmp_path, "game.py").splitlines()
    assert len(lines) > 30
    assert re.fullmatch(r"Ann \d+", lines[-2]) and re.fullmatch(r"Ben \d+", lines[-1])


@pytest.mark.check_only
def test_everything_that_the_readme_shows_works(product: Product, tmp_path: Path) -> None:
    with Client(product.http) as client:
        client.delete_webhook(registered(client).webhook.webhook)
    (tmp_path / "readme.py").write_text("\n".join(BLOCKS).replace(ADDRESS, product.http))
    printed = run(tmp_path, "readme.py")
    assert "Ben, join with: " in printed and "['NO_CONTACT']\n[5, 0]" in printed
    assert re.search(r"^ping pending\ngame_ended True$", printed, re.MULTILINE)
    assert {path.suffix for path in tmp_path.iterdir()} == {".py", ".svg", ".json"}


@pytest.mark.check_only
def test_the_bot_of_the_examples_wins_against_the_random_player(product: Product, tmp_path: Path) -> None:
    printed = run(tmp_path, str(LIBRARY / "examples" / "hundred_games.py"), product.http, "--games", "3")
    assert re.match(r"3 games, [23] won\. Points on average: \d+ against \d+\.", printed)


def test_the_announcer_of_the_examples_says_whose_turn_it_is(product: Product, tmp_path: Path) -> None:
    with Client(product.http) as client:
        seats = client.create_game([SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", claim=True)]).seats
        asked = next(game for game in seats.values() if game.is_asked)
        script = str(LIBRARY / "examples" / "turn_announcer.py")
        variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(LIBRARY)}
        watching = subprocess.Popen(
            [sys.executable, script, product.http, asked.id], env=variables, stdout=subprocess.PIPE, text=True
        )
        assert watching.stdout is not None
        name = asked.view.seats[asked.seat or 0].name
        assert watching.stdout.readline() == f"{name}: Which action do you take?\n"
        asked.play(asked.moves(verb="take_money")[0])
        asked.resign()
        rest = watching.stdout.read()
        assert watching.wait(PATIENCE) == 0
        watching.stdout.close()
    assert f"{name} takes " in rest
    assert re.search(r"1\. \w+ \(\d+\), 2\. \w+ \(\d+\)\n$", rest)


def test_the_readme_names_every_file_of_the_library() -> None:
    named = set(re.findall(r"`(\w+\.py)`", README.partition("## How it is made")[2]))
    assert named == {path.name for path in (LIBRARY / "alhambra_client").glob("*.py")} - {"__init__.py"}


def test_the_readme_states_its_sizes(tmp_path: Path) -> None:
    files = [*(LIBRARY / "alhambra_client").glob("*.py"), LIBRARY / "README.md"]
    with zipfile.ZipFile(tmp_path / "wheel", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in files:
            wheel.write(path, path.name)
    found = re.search(r"The package has (\d+) kB, and (\d+) kB of Python", README)
    assert found is not None
    installed = sum(path.stat().st_size for path in files if path.suffix == ".py")
    assert int(found[1]) == pytest.approx((tmp_path / "wheel").stat().st_size / 1000, rel=0.1)
    assert int(found[2]) == pytest.approx(installed / 1000, rel=0.05)
