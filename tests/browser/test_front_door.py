"""What a new player finds: a game at once, a guided first game, the rules inside the game, links of friends."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from alhambra.handbook import LESSONS, lessons, majority_table
from alhambra.texts import languages
from tests.gateway.http import Client

from .conftest import Arrive
from .person import Person

LESSON = "play-coach .explained"
NEXT = "[data-key='guide next']"


def learn(person: Person) -> None:
    """Begins the guided first game."""
    person.page.goto(f"{person.base}/play")
    person.page.click("[data-key=learn]")
    person.page.wait_for_selector(LESSON)


def is_told(person: Person, key: str, language: str = "en") -> None:
    """Waits until the guide shows a lesson."""
    lesson = next(one for one in lessons(language) if one.key == key)
    expect(person.page.locator(LESSON)).to_contain_text(lesson.first)


def test_one_click_starts_a_game_against_the_computer(arrive: Arrive, client: Client) -> None:
    person = arrive()
    person.page.goto(f"{person.base}/play")
    person.page.click("[data-key='play now']")
    person.page.wait_for_selector("play-table[data-state=asked]")
    view = client.get(f"/v1/games/{person.game}").json()["view"]
    assert [seat["occupancy"] for seat in view["seats"]] == ["claimed", "server"]
    assert view["fairness"]["entropyCommitments"][0]


def test_the_guide_explains_each_rule_when_it_first_matters(arrive: Arrive) -> None:
    person = arrive()
    learn(person)
    for key in ("goal", "turn", "buying"):
        is_told(person, key)
        person.page.click(NEXT)
    is_told(person, "money")
    person.page.click(NEXT)
    expect(person.page.locator("play-coach")).to_be_hidden()
    person.settle()
    person.page.locator("ol.moves button", has=person.page.locator(".exact")).first.click()
    is_told(person, "exact")


def test_the_guide_goes_on_after_a_reload_and_in_another_language(arrive: Arrive) -> None:
    person = arrive()
    learn(person)
    is_told(person, "goal")
    person.page.click(NEXT)
    person.page.reload()
    is_told(person, "turn")
    person.page.select_option("[data-key=language]", "hu")
    is_told(person, "turn", "hu")


def test_a_person_can_leave_the_guide_and_play_on(arrive: Arrive) -> None:
    person = arrive()
    learn(person)
    person.page.click("[data-key='guide leave']")
    expect(person.page.locator("play-coach")).to_have_count(0)
    person.page.reload()
    person.page.wait_for_selector("play-table[data-state=asked]")
    expect(person.page.locator("play-coach")).to_have_count(0)


def test_a_link_begins_the_guided_game(arrive: Arrive) -> None:
    person = arrive()
    person.page.goto(f"{person.base}/play#learn")
    is_told(person, "goal")


def test_the_rules_open_where_they_matter_and_name_all_points(arrive: Arrive) -> None:
    person = arrive()
    person.page.goto(f"{person.base}/play")
    person.page.click("[data-key='play now']")
    person.page.wait_for_selector("play-table[data-state=asked]")
    person.page.click("[data-key=rules]")
    expect(person.page.locator("dialog.rules [data-lesson=turn]")).to_be_focused()
    rows = person.page.locator("dialog.rules .majorities tbody tr")
    shown = [[int(cell) for cell in row.locator("td").all_inner_texts()] for row in rows.all()]
    assert shown == [[points for places in scorings for points in places] for scorings in majority_table().values()]


def test_the_rules_hold_the_modules_in_play_and_no_others(arrive: Arrive, client: Client) -> None:
    seats = [{"claim": True}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "modules": ["squares", "diamonds"]}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.page.click("[data-key=rules]")
    person.page.wait_for_selector("dialog.rules")
    sections = person.page.locator("dialog.rules [data-lesson]").all()
    keys = [section.get_attribute("data-lesson") for section in sections]
    assert keys == [*LESSONS, "squares", "diamonds"]


def test_the_rules_show_what_they_speak_of(arrive: Arrive, client: Client) -> None:
    created = client.post(
        "/v1/games", {"seats": [{"claim": True}, {"serverPlayer": "random"}], "modules": ["diamonds"]}
    )
    person = arrive()
    person.open_game(created.json()["game"], created.json()["seatKeys"][0]["token"])
    person.page.click("[data-key=rules]")
    exact = person.page.locator("[data-lesson=exact] .illustration")
    expect(exact.locator("img[src]")).to_have_count(3)
    assert re.fullmatch(r"garden 8 .+ = dirham 3 \+ dirham 5 ✓", exact.get_attribute("aria-label") or "")
    diamonds = person.page.locator("[data-lesson=diamonds]")
    diamonds.scroll_into_view_if_needed()
    expect(diamonds.locator(".gallery img[src]")).to_have_count(7)
    walls = person.page.locator("[data-lesson=walls] img")
    walls.scroll_into_view_if_needed()
    person.page.wait_for_function("found => found.complete && found.naturalWidth > 0", arg=walls.element_handle())


def test_the_alhambra_of_a_lesson_is_drawn_and_others_are_not(client: Client) -> None:
    drawn = client.get("/how-to-play/walls.svg?lang=de")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "Außenmauer 5" in drawn.body.decode()
    assert client.get("/how-to-play/end.svg").status == 404


def test_how_to_play_fits_a_phone(arrive: Arrive) -> None:
    person = arrive(360, 740)
    person.page.goto(f"{person.base}/how-to-play")
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_table_that_is_not_there_leads_back_to_the_lobby(arrive: Arrive) -> None:
    person = arrive()
    person.page.goto(f"{person.base}/play#game=abcdefghijklmnop")
    person.page.click("play-table a.button")
    person.page.wait_for_selector("play-lobby .new-game")


def test_a_friend_joins_with_a_pasted_link(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"name": "Ann", "claim": True}, {"name": "Bob"}]}).json()
    invitation = created["seatKeys"][1]["invitation"]
    friend = arrive()
    friend.page.goto(f"{friend.base}/play")
    friend.page.fill("[data-key='join link']", "nonsense")
    friend.page.click("[data-key=join]")
    expect(friend.page.locator(".welcome .refused")).to_be_visible()
    friend.page.fill("[data-key='join link']", f"{friend.base}/play#game={created['game']}&invitation={invitation}")
    friend.page.click("[data-key=join]")
    friend.page.click("main > form button.primary")
    friend.page.wait_for_selector("play-table[data-state]")
    assert client.get(f"/v1/games/{created['game']}").json()["view"]["seats"][1]["occupancy"] == "claimed"


def test_the_page_of_the_rules_is_there_in_every_language(client: Client) -> None:
    for language in languages():
        page = client.get(f"/how-to-play?lang={language}").body.decode()
        for lesson in lessons(language):
            assert lesson.title in page


def test_a_page_without_tls_plays_and_contributes_nothing_to_the_shuffle(arrive: Arrive, client: Client) -> None:
    person = arrive()
    # What a browser takes away from pages that come over plain HTTP from another machine.
    missing = (
        "delete Crypto.prototype.subtle; delete Crypto.prototype.randomUUID; delete Navigator.prototype.clipboard;"
    )
    person.page.add_init_script(missing)
    person.page.goto(f"{person.base}/play")
    person.page.click("[data-key='play now']")
    person.page.wait_for_selector("play-table[data-state=asked]")
    version = person.page.get_attribute("play-table", "data-version")
    person.settle()
    person.page.locator("ol.moves button").last.click()
    expect(person.page.locator(f"play-table[data-version='{version}']")).to_have_count(0)
    assert not any(client.get(f"/v1/games/{person.game}").json()["view"]["fairness"]["entropyCommitments"])
