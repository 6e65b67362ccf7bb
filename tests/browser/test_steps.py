"""What others did is seen: step by step, in order, and said once."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person


def against_a_computer(client: Client, arrive: Arrive, **window: str) -> Person:
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "greedy"}]
    created = client.post("/v1/games", {"seats": seats, "seed": "steps"}).json()
    person = arrive(**window)
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.wait_for("asked")
    return person


def money(person: Person) -> Locator:
    """A move that takes money, which ends the turn."""
    return person.page.locator("ol.moves button", has_text="Take").last


def test_the_moves_of_others_are_shown_one_after_the_other_and_can_be_skipped(arrive: Arrive, client: Client) -> None:
    person = against_a_computer(client, arrive, pace="slow")
    person.settle()
    money(person).click()
    person.wait_for("showing")
    expect(person.page.locator(".question .step")).to_be_visible()
    expect(person.page.locator("ol.moves")).to_have_count(0)
    person.page.click("[data-key=skip]")
    assert person.wait_for("asked") == "asked"
    expect(person.page.locator(".question .mine")).to_be_visible()


def test_readers_who_want_no_motion_get_marks_and_no_steps(arrive: Arrive, client: Client) -> None:
    person = against_a_computer(client, arrive, pace="slow", reduced_motion="reduce")
    person.make(money(person))
    assert person.wait_for("asked", "showing") == "asked"
    expect(person.page.locator(".log .novel").first).to_be_attached()
    expect(person.page.locator(".log .since")).to_have_count(1)


def test_the_log_reads_downwards_and_only_adds_what_is_new(arrive: Arrive, client: Client) -> None:
    person = against_a_computer(client, arrive)
    person.page.evaluate(
        """() => {
            window.removed = 0;
            const log = document.querySelector("div.log");
            new MutationObserver((changes) => {
                for (const change of changes) window.removed += change.removedNodes.length;
            }).observe(log, { childList: true, subtree: true });
        }"""
    )
    person.make(money(person))
    person.wait_for("asked")
    told = [
        event["text"]
        for event in client.send(
            "GET",
            f"/v1/games/{person.game}/events?pageSize=500",
            None,
            {"Accept": "application/json", "Accept-Language": "en"},
        ).json()["events"]
        if event["level"] == "story"
    ]
    shown = person.page.locator(".log li > span:not(.dot):not(.points)")
    expect(shown).to_have_count(len(told), timeout=PATIENCE_MS)
    assert [text.replace("Greedy (computer)", "Player 2") for text in shown.all_inner_texts()] == told
    assert person.page.evaluate("window.removed") == 0


def test_a_question_that_stays_is_not_said_again(arrive: Arrive, client: Client) -> None:
    person = against_a_computer(client, arrive)
    person.page.evaluate(
        """() => {
            window.said = 0;
            const place = document.querySelector(".question");
            new MutationObserver((changes) => (window.said += changes.length)).observe(place, { childList: true });
        }"""
    )
    person.settle()
    person.page.locator(".hand .thing.lit, .market .thing.lit").first.click()
    expect(person.page.locator(".thing[aria-pressed=true]").first).to_be_visible()
    assert person.page.evaluate("window.said") == 0


def test_the_end_of_the_log_stays_in_sight_until_the_reader_scrolls_away(arrive: Arrive, client: Client) -> None:
    person = against_a_computer(client, arrive)
    at_end = "({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight < 40"
    whether = f"() => ({at_end})(document.querySelector('div.log'))"
    person.page.wait_for_function(whether)
    for _ in range(3):
        person.make(money(person))
        person.wait_for("asked")
        person.page.wait_for_function(whether)
    person.page.evaluate("document.querySelector('div.log').scrollTop = 0")
    person.make(money(person))
    person.wait_for("asked")
    person.page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    assert person.page.evaluate("document.querySelector('div.log').scrollTop") == 0
