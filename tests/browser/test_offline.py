"""Without a network: a page that is opened again shows how the table stood, says so, and goes on when it is back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

KEPT = "async () => (await (await caches.open('alhambra-kept-games')).keys()).length"
FORGET = "async () => { await caches.delete('alhambra-kept-games') }"


def seated(arrive: Arrive, client: Client) -> Person:
    """A person at a table whose page and names the browser has."""
    made = client.post("/v1/games", {"seats": [{"name": "Ann", "claim": True}, {"serverPlayer": "greedy"}]}).json()
    person = arrive(service_workers="allow")
    person.open_game(made["game"], made["seatKeys"][0]["token"])
    person.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    person.page.reload()
    person.wait_for("asked")
    person.page.wait_for_selector(".picture:not([src])", state="detached")
    return person


def test_a_page_opened_without_a_network_shows_how_the_table_stood(arrive: Arrive, client: Client) -> None:
    person = seated(arrive, client)
    person.page.wait_for_function(KEPT)
    hand = person.page.locator(".held.hand li").count()
    log = person.page.locator(".log li, .log p").count()
    person.page.context.set_offline(True)
    person.page.reload()
    person.wait_for("kept")
    person.says("this is how the table stood on")
    assert person.page.locator(".held.hand li").count() == hand
    assert person.page.locator(".log li, .log p").count() == log
    expect(person.page.locator(".own play-board svg").first).to_be_visible(timeout=PATIENCE_MS)
    assert person.moves.count() == 0
    assert person.page.locator("[data-key='tool resign']").count() == 0
    person.page.context.set_offline(False)
    person.wait_for("asked")
    assert person.page.locator(".offline").count() == 0
    person.make(person.moves.first)


def test_a_page_that_has_nothing_kept_says_that_the_server_does_not_answer(arrive: Arrive, client: Client) -> None:
    person = seated(arrive, client)
    person.page.wait_for_function(KEPT)
    person.page.evaluate(FORGET)
    person.page.context.set_offline(True)
    person.page.reload()
    person.says("The server is not responding.")
