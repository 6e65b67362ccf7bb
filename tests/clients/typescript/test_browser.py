"""The library in Chromium, loaded as it is by a page of another origin than the server."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from alhambra_client import Client, SeatSetup
from tests.gateway.product import Product

from .node_tests import LIBRARY

PATIENCE_MS = 120_000
NAME = "<b>Ann</b>"
"""A name that would show if a page read it as HTML."""
PLAY = """async (address) => {
    const { Client, IllegalMove } = await import("/src/index.js");
    const client = new Client(address, { language: "en" });
    const created = await client.createGame([{ name: "Ann", claim: true }, { serverPlayer: "random" }]);
    const game = created.seats[0];
    const texts = [];
    for await (const { moves } of game.turns({ texts: true })) {
        texts.push(moves[0].text);
        await game.play(moves[0]);
        if (texts.length === 4) break;
    }
    const error = await game.play({ verb: "dance" }).catch((found) => found);
    const controller = new AbortController();
    const told = [];
    try {
        for await (const message of game.watch({ fromVersion: 0, signal: controller.signal })) {
            told.push(message.type);
            if (message.type === "snapshot") controller.abort();
        }
    } catch (reason) {
        told.push(reason.name);
    }
    const { entropyCommitments } = game.view.fairness;
    return { texts, refused: [error instanceof IllegalMove, error.reason], told, entropyCommitments };
}"""


class Files(SimpleHTTPRequestHandler):
    """Serves the files of the library, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """The address of a server that has nothing but the files of the library."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(LIBRARY))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window. Whatever the page complains about fails the test."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 900, "height": 520})
    found = context.new_page()
    found.set_default_timeout(PATIENCE_MS)
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.on("console", lambda said: complaints.append(said.text) if said.type == "warning" else None)
    yield found
    context.close()
    assert complaints == []


def test_a_page_of_another_origin_plays_and_watches(product: Product, origin: str, page: Page) -> None:
    page.goto(f"{origin}/examples/embed.html")
    found: dict[str, Any] = page.evaluate(PLAY, product.http)
    assert len(found["texts"]) == 4 and all(found["texts"])
    assert found["refused"] == [True, "VERB_UNKNOWN"]
    assert found["told"][0] == "event" and found["told"][-2:] == ["snapshot", "AbortError"]
    assert [len(commitment) for commitment in found["entropyCommitments"]] == [64, 0]


def test_the_element_of_the_examples_shows_a_game_live(product: Product, origin: str, page: Page) -> None:
    with Client(product.http, language="en") as client:
        seats = client.create_game([SeatSetup(name=NAME, claim=True), SeatSetup(name="Ben", claim=True)]).seats
        asked = next(game for game in seats.values() if game.is_asked)
        names = [seat.name for seat in asked.view.seats]
        page.goto(f"{origin}/examples/embed.html?game={asked.id}&server={product.http}&language=en")
        table = page.locator("alhambra-table")
        expect(table.get_by_role("status")).to_have_text(f"{names[asked.seat or 0]}: Which action do you take?")
        assert table.locator(".name").all_text_contents() == [NAME, "Ben"]
        assert table.locator(".score").all_text_contents() == ["0", "0"]
        expect(table.locator("li[aria-current=true] .name")).to_have_text(names[asked.seat or 0])
        for picture in table.locator("img").all():
            expect(picture).to_have_js_property("complete", True)
            page.wait_for_function("one => one.naturalWidth > 0", arg=picture.element_handle())
        expect(page).to_have_title(f"{names[asked.seat or 0]}: Alhambra")
        asked.play(asked.moves(verb="take_money")[0])
        asked.read()
        assert asked.view.decision is not None
        then = names[asked.view.decision.seat]
        expect(table.locator("li[aria-current=true] .name")).to_have_text(then)
        asked.resign()
        expect(table.get_by_role("status")).to_contain_text("1. ")
    assert page.locator("alhambra-table b").count() == 0


def test_the_element_says_what_is_wrong(product: Product, origin: str, page: Page) -> None:
    page.goto(f"{origin}/examples/embed.html?game=nosuchgame123456&server={product.http}")
    expect(page.locator("alhambra-table").get_by_role("status")).to_contain_text("GAME_NOT_FOUND")
    assert json.loads(page.evaluate("JSON.stringify(document.querySelector('alhambra-table').isConnected)"))
