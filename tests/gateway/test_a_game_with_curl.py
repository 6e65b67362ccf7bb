"""The first game that the README and the front page show, pasted into a shell as it is."""

import html
import json
import re
import subprocess
from pathlib import Path

import pytest

from .product import Product

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BASE = "http://127.0.0.1:8080"
PATIENCE = 60


def shown(product: Product) -> str:
    """The lines of the README, for the product that runs here."""
    section = README.partition("\n## Use it over HTTP\n")[2].partition("\n## ")[0]
    (lines,) = re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    assert BASE in lines
    return str(lines).replace(BASE, product.http)


@pytest.mark.needs("curl", "jq")
def test_a_game_is_created_moves_are_made_and_events_arrive(product: Product, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh"], input=shown(product), cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    legal, moved, happened = (json.loads(line) for line in done.stdout.splitlines())
    assert legal["moves"][0]["move"]["verb"] == "take_money"
    assert moved["version"] > legal["version"], moved
    assert "money_taken" in {event["kind"] for event in happened["events"]}
    assert (tmp_path / "alhambra.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_front_page_shows_the_same_lines(product: Product) -> None:
    page = html.unescape(product.client().get("/").body.decode())
    commands = [line for line in shown(product).splitlines() if not line.startswith("#")]
    assert [line for line in commands if line not in page] == []
