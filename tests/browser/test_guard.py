"""No move by accident, and whose turn it is cannot be missed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person


def alone_against(client: Client, arrive: Arrive, server: str = "random", **window: str) -> Person:
    """A person with a running game against a computer."""
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": server}]
    created = client.post("/v1/games", {"seats": seats, "seed": "guard"}).json()
    person = arrive(**window)
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    return person


def test_a_double_click_on_a_move_makes_one_move(arrive: Arrive, client: Client) -> None:
    person = alone_against(client, arrive)
    person.wait_for("asked")
    person.settle()
    sent: list[str] = []
    person.page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    person.moves.last.dblclick()
    person.page.wait_for_selector("play-table:not([data-version='0']):not([data-state=busy])")
    person.wait_for("asked")
    person.settle()
    assert len([url for url in sent if url.endswith("/moves")]) == 1


def test_a_press_right_after_the_question_changed_does_nothing(arrive: Arrive, client: Client) -> None:
    person = alone_against(client, arrive)
    person.wait_for("asked")
    person.settle()
    person.page.evaluate(
        """() => {
            const table = document.querySelector("play-table");
            window.tried = 0;
            new MutationObserver(() => {
                if (table.dataset.fresh === undefined || table.dataset.state !== "asked") return;
                window.tried += 1;
                table.querySelector("ol.moves button")?.click();
            }).observe(table, { attributes: true, attributeFilter: ["data-fresh"] });
        }"""
    )
    person.make(person.moves.last)
    person.wait_for("asked")
    version = person.version
    person.settle()
    assert person.page.evaluate("window.tried") > 0
    assert (person.version, person.state) == (version, "asked")


def test_the_headline_and_the_title_say_whose_turn_it_is(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats}).json()
    asked = created["view"]["decision"]["seat"]
    name = seats[asked]["name"]
    mover, waiter = arrive(), arrive()
    mover.open_game(created["game"], created["seatKeys"][asked]["token"])
    waiter.open_game(created["game"], created["seatKeys"][1 - asked]["token"])
    mover.says_in(".question .mine", "Your turn")
    waiter.says_in(".question .theirs", f"{name} is choosing")
    expect(waiter.page.locator(".question")).not_to_contain_text("Which action do you take?")
    expect(mover.page).to_have_title(re.compile("Your turn"))
    expect(waiter.page).to_have_title(re.compile(f"{name} is choosing"))
    icons = [one.page.get_attribute("link[rel=icon]", "href") for one in (mover, waiter)]
    assert icons[0] != icons[1]


def test_a_computer_is_called_a_computer_in_the_language_of_the_reader(arrive: Arrive, client: Client) -> None:
    person = alone_against(client, arrive, "greedy", locale="de-DE")
    person.says_in("[data-key='score 1']", "Gierig (Computer)")
    person.wait_for("asked")
    person.make(person.moves.last)
    person.says_in(".log", "Gierig (Computer)")
    expect(person.table).not_to_contain_text("Player 2")


def test_the_key_u_takes_the_last_move_back(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats, "seed": "undo"}).json()
    asked = created["view"]["decision"]["seat"]
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][asked]["token"])
    person.wait_for("asked")
    for _ in range(4):  # until a move can be taken back
        person.make(person.moves.first)
        if person.page.locator("[data-key='tool undo']:enabled").count():
            break
        if person.state != "asked":
            return
    version = int(person.version)
    person.page.keyboard.press("u")
    person.page.wait_for_selector(f"play-table:not([data-version='{version}'])", timeout=PATIENCE_MS)


def test_the_second_visit_to_a_used_invitation_offers_to_watch(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben"}]
    created = client.post("/v1/games", {"seats": seats}).json()
    invitation = created["seatKeys"][1]["invitation"]
    friend, late = arrive(), arrive()
    for person in (friend, late):
        person.page.goto(f"{person.base}/play#game={created['game']}&invitation={invitation}")
        person.page.click("text=Join the game")
        if person is friend:
            person.wait_for("asked", "running", "waiting")
    late.page.wait_for_selector("form.taken")
    expect(late.page.locator(".refused")).to_have_text("This player has already joined. Watch instead?")
    late.page.click("[data-key=watch]")
    late.page.wait_for_selector("play-table[data-state]")
