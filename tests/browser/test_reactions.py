"""Phrases at the table: seen by the others in their own language, and muted by whoever does not want them."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

SAID = ".said-edge .said"


def together(arrive: Arrive, client: Client, locale: str = "de-DE") -> tuple[Person, Person]:
    """Two people at a table; the second one reads another language."""
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    made = client.post("/v1/games", {"seats": seats}).json()
    people = arrive(), arrive(locale=locale)
    for person, key in zip(people, made["seatKeys"], strict=True):
        with person.page.expect_response(lambda answer: "/events?" in answer.url and "snapshots" in answer.url):
            person.open_game(made["game"], key["token"])
    return people


def speak(person: Person, phrase: str) -> None:
    person.page.keyboard.press("r")
    person.page.click(f"[data-key='say {phrase}']")


def test_a_phrase_is_seen_by_the_other_in_their_language_and_by_its_speaker(arrive: Arrive, client: Client) -> None:
    ann, ben = together(arrive, client)
    speak(ann, "well_played")
    expect(ben.page.locator(SAID)).to_contain_text("Ann: Gut gespielt!", timeout=PATIENCE_MS)
    expect(ann.page.locator(SAID)).to_contain_text("Well played!", timeout=PATIENCE_MS)


def test_a_muted_player_is_not_heard(arrive: Arrive, client: Client) -> None:
    ann, ben = together(arrive, client)
    ben.page.keyboard.press("r")
    ben.page.check("[data-key='mute 0']")
    ben.page.keyboard.press("Escape")
    speak(ann, "hello")
    expect(ann.page.locator(SAID)).to_contain_text("Hello", timeout=PATIENCE_MS)
    speak(ben, "thanks")
    expect(ben.page.locator(SAID)).to_contain_text("Danke", timeout=PATIENCE_MS)
    assert "Hallo" not in ben.page.locator(".said-edge").inner_text()


def test_the_others_are_told_that_somebody_asked_for_a_hint(arrive: Arrive, client: Client) -> None:
    people = together(arrive, client, "en-GB")
    asked = next(person for person in people if person.wait_for("asked", "running") == "asked")
    other = next(person for person in people if person is not asked)
    asked.settle()
    asked.page.keyboard.press("h")
    expect(other.page.locator(SAID)).to_contain_text("has asked for a hint", timeout=PATIENCE_MS)
