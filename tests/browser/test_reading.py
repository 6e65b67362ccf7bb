"""The table for every reader: languages, sizes, and what stands beside the table."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.gateway.http import Client
from tests.gateway.product import command

from .conftest import Arrive
from .person import Person

SIZES = ((360, 640), (768, 1024), (2560, 1440))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_nothing_is_wider_than_the_window(arrive: Arrive, size: tuple[int, int]) -> None:
    person = arrive(*size).enter()
    assert person.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    person.start()
    person.wait_for("asked")
    assert person.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_reader_chooses_the_language_and_it_is_remembered(arrive: Arrive) -> None:
    person = arrive().enter()
    person.page.select_option("[data-key=language]", "de")
    expect(person.page.locator("h1")).to_have_text("Willkommen")
    person.start()
    person.wait_for("asked")
    person.says("Welche Aktion führst du aus?")
    person.page.reload()
    person.wait_for("asked")
    assert person.page.evaluate("document.documentElement.lang") == "de"


def test_what_stands_beside_the_table_is_one_click_away(arrive: Arrive) -> None:
    person = arrive().enter()
    person.start()
    person.wait_for("asked")
    for tool, shown in (
        ("tool tiles", ".sheet-tiles li.seen"),
        ("tool replay", ".moment .sentence"),
        ("tool links", ".link input"),
        ("tool record", "[data-key=download]"),
        ("score 1", ".sheet play-board svg"),
    ):
        person.page.click(f"[data-key='{tool}']")
        expect(person.page.locator(shown).first).to_be_visible()
        person.page.keyboard.press("Escape")
        expect(person.page.locator("dialog")).to_have_count(0)


def seated(arrive: Arrive, client: Client, *modules: str) -> Person:
    """Opens a game with these modules."""
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "random"}]
    made = client.post("/v1/games", {"seats": seats, "modules": list(modules)}).json()
    person = arrive()
    person.open_game(made["game"], made["seatKeys"][0]["token"])
    person.wait_for("asked")
    return person


@pytest.mark.parametrize(("module", "times"), [("squares", 0), ("viziers_favour", 1)])
def test_orders_are_offered_for_what_can_be_asked(arrive: Arrive, client: Client, module: str, times: int) -> None:
    person = seated(arrive, client, module)
    person.page.click("[data-key='tool orders']")
    expect(person.page.locator(".orders li", has_text="Between turns")).to_have_count(times)
    expect(person.page.locator(".orders li", has_text="Which action do you take?")).to_have_count(1)


@pytest.mark.parametrize(
    ("modules", "asked"),
    [
        (["squares"], []),
        (["bonus_cards"], ["Bonus cards before a scoring"]),
        (["master_builders"], ["End of the turn"]),
        (["characters"], ["Start of the turn", "End of the turn", "Auction"]),
        (["thieves", "bakers"], ["Between turns", "bread round"]),
    ],
)
def test_orders_are_offered_for_nothing_that_these_modules_never_ask(
    arrive: Arrive, client: Client, modules: list[str], asked: list[str]
) -> None:
    person = seated(arrive, client, *modules)
    person.page.click("[data-key='tool orders']")
    expect(person.page.locator(".orders strong")).to_have_text(["Action", *asked])


def test_the_base_game_has_nothing_to_order(arrive: Arrive, client: Client) -> None:
    expect(seated(arrive, client).page.locator("[data-key='tool orders']")).to_have_count(0)


def test_a_standing_order_is_given_and_shown_again(arrive: Arrive, client: Client) -> None:
    person = seated(arrive, client, "viziers_favour")
    person.page.click("[data-key='tool orders']")
    answer = person.page.locator(".orders select").first
    answer.select_option(index=1)
    person.page.click(".sheet .primary")
    person.page.wait_for_selector("play-table:not([data-state=busy])")
    person.page.click("[data-key='tool orders']")
    assert person.page.locator(".orders select").first.input_value() != ""


def test_resigning_asks_first(arrive: Arrive) -> None:
    person = arrive().enter()
    person.start()
    person.wait_for("asked")
    person.page.click("[data-key='tool resign']")
    person.page.keyboard.press("Escape")
    assert person.state == "asked"
    person.page.click("[data-key='tool resign']")
    person.page.click(".sheet .danger")
    person.page.wait_for_selector("play-table:not([data-state=asked])")


def test_a_preset_creates_the_game_that_it_describes(arrive: Arrive) -> None:
    person = arrive().enter()
    choice = person.page.locator("[data-key=preset]")
    choice.select_option(index=1)
    chosen = choice.input_value()
    with person.page.expect_request("**/v1/games") as sent:
        person.page.click("[data-key=create]")
    assert json.loads(sent.value.post_data or "{}")["preset"] == chosen
    person.page.wait_for_selector("play-table[data-state]")


def test_the_record_is_saved_and_the_command_beside_it_proves_it(arrive: Arrive, tmp_path: Path) -> None:
    person = arrive().enter()
    person.start()
    person.wait_for("asked")
    person.page.click("[data-key='tool resign']")
    person.page.click(".sheet .danger")
    person.wait_for("over")
    person.page.click("[data-key='tool record']")
    program, *words = person.page.locator(".sheet pre").inner_text().split()
    with person.page.expect_download() as saved:
        person.page.click("[data-key=download]")
    assert (program, words[-1]) == ("alhambra", saved.value.suggested_filename)
    saved.value.save_as(tmp_path / words[-1])
    done = subprocess.run(command(*words), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
