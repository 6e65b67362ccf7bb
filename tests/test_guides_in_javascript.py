"""What the guide for client authors shows in JavaScript works: its blocks are run by Node.js against a product."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .gateway.node import NODE
from .gateway.product import Product, running
from .test_guides import PAGE_ORIGIN, script_output

NODE_WITH_EVENTS = (str(NODE), "--no-warnings", "--experimental-eventsource")
SAID_IN_JAVASCRIPT = (
    "dealt: running",
    *(r"open money cards: \[.*\]", r"it happened: \[.*'money_taken',.*\]", r"409 VERSION_STALE"),
    *(r"watching from version \d+", r"taken back: true", r"orders in force: 1", r"decide before \d{4}-.*Z"),
    *(r"legal cells: \[ \[ 0, -1 \], \[ 1, 0 \] \]", r"fits: true points: \[ 5, 7 \]"),
)


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    """A product that lets the pages of one origin call it, as the page for client authors assumes."""
    with running("--workers", "1", variables={"ALHAMBRA_GATEWAY_CORS_ORIGINS": PAGE_ORIGIN}) as found:
        yield found


def test_the_same_tasks_are_done_in_javascript(product: Product, tmp_path: Path) -> None:
    printed = script_output("js", product, tmp_path, *NODE_WITH_EVENTS)
    assert re.fullmatch("\n".join(SAID_IN_JAVASCRIPT) + "\n", printed, re.DOTALL), printed


WATCH_AND_MOVE = """
const moves = `/games/${game}/moves`;
const seen = await new Promise((done) => {
  let moved = false;
  const stop = watch(game, token, async (kind, data) => {
    if (kind === "event") { stop(); done(`event ${data.kind}`); }
    if (kind === "snapshot" && !moved) {
      moved = true;
      const { version, moves: [first] } = await call("GET", moves, { token });
      await call("POST", moves, { body: { version, move: first.move }, token });
    }
  });
});
console.log(seen);
"""


def test_a_page_in_a_browser_hears_of_the_next_move(product: Product, tmp_path: Path) -> None:
    printed = script_output("js", product, tmp_path, *NODE_WITH_EVENTS, added=WATCH_AND_MOVE)
    assert re.fullmatch(r"event \w+", printed.splitlines()[-1])
