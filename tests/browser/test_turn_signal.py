"""How a person is called whose turn it is: the title and the icon, a sound, a notice of the system."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

HEARD = """
window.tones = 0;
window.AudioContext = class {
    currentTime = 0; destination = {};
    resume() { return Promise.resolve(); }
};
window.OscillatorNode = class { connect(next) { return next; } start() { window.tones += 1; } stop() {} };
window.GainNode = class {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    connect(next) { return next; }
};
"""
"""Counts the tones in place of playing them."""
AWAY = """
window.notices = [];
Object.defineProperty(document, "hidden", { get: () => true });
Object.defineProperty(navigator.serviceWorker, "getRegistration", { value: async () => ({
    active: {}, showNotification: async (title, { body, data }) => void window.notices.push({ title, body, data }),
}) });
window.Notification = class {
    static permission = "granted";
    constructor() { throw new TypeError("Illegal constructor"); }
};
"""
"""A page on a phone that is not looked at: only the service worker can show a notice."""
WISHES = """localStorage["alhambra.wishes"] = '{"pace": "none", "sound": true, "notify": true}';"""


def two_people(arrive: Arrive, client: Client, *scripts: str) -> tuple[Person, Any]:
    """A table whose person waits for the other one, and what makes the other one move."""
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats, "seed": "signal"}).json()
    path = f"/v1/games/{created['game']}"
    asked = client.get(path).json()["view"]["decision"]["seat"]
    person = arrive()
    for script in (WISHES, *scripts):
        person.page.add_init_script(script)
    person.open_game(created["game"], created["seatKeys"][1 - asked]["token"])
    expect(person.page).to_have_title("Ann is choosing … – Alhambra" if asked == 0 else "Ben is choosing … – Alhambra")
    token = {"Authorization": f"Bearer {created['seatKeys'][asked]['token']}"}

    def move() -> None:
        legal = client.send("GET", f"{path}/moves", None, token).json()["moves"]
        money = next(one["move"] for one in legal if one["move"].get("display"))
        version = client.get(path).json()["view"]["version"]
        assert client.post(f"{path}/moves", {"version": version, "move": money}, token).status == 200

    return person, move


def test_the_title_and_the_icon_say_whose_turn_it_is(arrive: Arrive, client: Client) -> None:
    person, move = two_people(arrive, client)
    icon = person.page.locator("link[rel=icon]")
    quiet = icon.get_attribute("href")
    move()
    expect(person.page).to_have_title("● Your turn – Alhambra", timeout=PATIENCE_MS)
    assert icon.get_attribute("href") != quiet


def test_two_tones_call_a_person_who_wants_a_sound(arrive: Arrive, client: Client) -> None:
    person, move = two_people(arrive, client, HEARD)
    move()
    expect(person.page).to_have_title("● Your turn – Alhambra", timeout=PATIENCE_MS)
    assert person.page.evaluate("window.tones") == 2


def test_a_phone_shows_a_notice_that_leads_to_the_table(arrive: Arrive, client: Client) -> None:
    person, move = two_people(arrive, client, HEARD, AWAY)
    move()
    person.page.wait_for_function("() => window.notices.length > 0")
    (notice,) = person.page.evaluate("window.notices")
    assert notice["title"] == "Your turn"
    assert notice["data"].endswith(f"#game={person.game}")
