"""The lobby creates the game that it describes: edition, options, variants, opponents, modules of others."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests import bakers
from tests.gateway.http import Client

from .conftest import Arrive
from .person import Person

BOT = "search_easy"


def setup_of(client: Client, person: Person) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/v1/games/{person.game}").json()["view"]["setup"]
    return found


def choose_module(person: Person, key: str) -> None:
    """Opens the list of modules and ticks one."""
    person.page.click(".module-list summary >> nth=0")
    person.page.wait_for_selector(".face img[src]")
    person.page.check(f"[data-key='module {key}']")


def test_edition_and_options_stand_behind_more(arrive: Arrive, client: Client) -> None:
    listed = client.get("/v1/catalog/editions", {"Accept-Language": "en"}).json()
    edition = listed["editions"][-1]
    option = next(one for one in listed["options"] if one["key"] not in ("undo",) and len(one["values"]) > 1)
    person = arrive().enter()
    expect(person.page.locator("[data-key=edition]")).to_be_hidden()
    person.page.click(".more summary")
    person.page.select_option("[data-key=edition]", edition["key"])
    person.says_in(".more", edition["text"])
    for one in listed["options"]:
        shown = person.page.locator(f"[data-key='option {one['key']}'] option:checked").inner_text()
        usual = edition["options"][one["key"]]
        assert shown == next(value["name"] for value in one["values"] if value["value"] == usual)
    other = next(value for value in option["values"] if value["value"] != edition["options"][option["key"]])
    person.page.select_option(f"[data-key='option {option['key']}']", label=other["name"])
    person.page.select_option("[data-key='option undo']", index=1)
    person.start()
    agreed = setup_of(client, person)
    assert agreed["edition"] == edition["key"]
    assert agreed["options"][option["key"]] == other["value"]
    assert agreed["options"]["undo"] == "none"


def test_a_variant_of_a_module_is_offered_with_it(arrive: Arrive, client: Client) -> None:
    modules = client.get("/v1/catalog/modules").json()["modules"]
    module = next(one for one in modules if one["variants"])
    variant = module["variants"][0]["key"]
    person = arrive().enter()
    expect(person.page.locator(f"[data-key='variant {variant}']")).to_have_count(0)
    choose_module(person, module["key"])
    person.page.check(f"[data-key='variant {variant}']")
    person.start()
    agreed = setup_of(client, person)
    assert (agreed["modules"], agreed["variants"]) == ([module["key"]], [variant])


def test_spectators_can_be_kept_some_moves_behind(arrive: Arrive, client: Client) -> None:
    person = arrive().enter()
    person.page.click("details.more summary")
    person.page.select_option("[data-key='watch']", "spectators_delayed")
    person.start()
    agreed = setup_of(client, person)
    assert (agreed["visibility"], agreed["spectatorDelay"]) == ("spectators_delayed", 10)


def test_an_opponent_that_looks_ahead_answers(arrive: Arrive, client: Client) -> None:
    person = arrive().enter()
    person.seats("me", BOT)
    person.start()
    person.wait_for("asked")
    before = int(person.version)
    person.make(person.moves.first)
    person.wait_for("asked")
    seats = client.get(f"/v1/games/{person.game}").json()["view"]["seats"]
    assert seats[1]["serverPlayer"] == BOT
    assert int(person.version) >= before + 1


def test_a_module_of_a_third_party_is_shown_and_played(arrive: Arrive, client: Client) -> None:
    """Nothing in the page knows it: it declares its texts, and that is enough."""
    listed = client.get("/v1/catalog/modules", {"Accept-Language": "en"}).json()["modules"]
    module = next(one for one in listed if one["key"] == bakers.KEY)
    person = arrive().enter()
    choose_module(person, bakers.KEY)
    person.says_in(".module-list", module["text"])
    person.start()
    person.wait_for("asked")
    person.settle()
    person.page.click("[data-key='pick verb=buy_loaf'], [data-key^='pick group=buy_loaf']")
    person.make(person.moves.first)
    person.says_in(".story .log", "loaf")
    expect(person.page.locator(".module-name", has_text=module["name"]).first).to_be_visible()
    person.wait_for("asked")
    sentences = person.moves.all_inner_texts()
    person.page.reload()
    person.wait_for("asked")
    assert person.moves.all_inner_texts() == sentences
    person.make(person.moves.first)
