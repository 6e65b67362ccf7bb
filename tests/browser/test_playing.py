"""People play in the browser: by clicks, with friends, through reloads and cuts."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Route, expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import MOVES, PATIENCE_MS, Person

SERVER = "random"
MOST_CLICKS = 120
"""A person among six makes fewer moves than this until the game is over."""


def test_a_whole_game_against_the_server_by_clicks(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, *[{"serverPlayer": SERVER}] * 5]
    created = client.post("/v1/games", {"seats": seats, "seed": "a whole game"}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    clicks = 0
    while person.wait_for("asked", "over") == "asked":
        assert clicks < MOST_CLICKS
        if clicks % 4 == 0:
            person.picks()
        person.make(person.moves.first)
        clicks += 1
    expect(person.page.locator(".result li")).to_have_count(6)
    view = client.get(f"/v1/games/{created['game']}").json()["view"]
    assert view["result"]["because"] == "scored"


def test_a_friend_takes_a_seat_by_link_and_both_see_the_same_game(arrive: Arrive) -> None:
    host, friend = arrive().enter(), arrive()
    host.page.fill("[data-key='name 0']", "Ann")
    host.seats("me", "friend")
    host.start()
    host.wait_for("waiting")
    friend.page.goto(host.page.locator(".gathering input").input_value())
    friend.page.fill("[data-key=name]", "Ben")
    friend.page.click("text=Join the game")
    assert "invitation" not in friend.page.url
    first = host if host.wait_for("asked", "running") == "asked" else friend
    second = friend if first is host else host
    second.says("Ann")
    second.says("Ben")
    before = second.version
    first.make(first.moves.last)
    second.page.wait_for_selector(f"play-table:not([data-version='{before}'])")
    assert second.version == first.version


def test_a_reload_in_the_middle_keeps_the_seat(arrive: Arrive) -> None:
    person = arrive().enter()
    person.seats("me", SERVER)
    person.start()
    person.wait_for("asked")
    person.make(person.moves.last)
    person.wait_for("asked")
    version, hand = person.version, person.page.locator(".hand .pictured").all_inner_texts()
    person.page.reload()
    person.wait_for("asked")
    assert person.version == version
    assert person.page.locator(".hand .pictured").all_inner_texts() == hand
    person.enter()
    expect(person.page.locator(".known li")).to_contain_text("Your turn")


def test_a_move_whose_answer_is_lost_is_made_once(arrive: Arrive, client: Client) -> None:
    mover, _ = two_people(arrive, client)
    sent: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        sent.append(json.loads(route.request.post_data or "")["requestId"])
        if len(sent) > 1:
            return route.continue_()
        route.fetch()  # it arrives, and the answer does not
        return route.abort("connectionreset")

    mover.page.route(re.compile(r"/moves$"), lose_the_first_answer)
    before = int(mover.version)
    mover.make(mover.moves.last)
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert client.get(f"/v1/games/{mover.game}").json()["view"]["version"] == before + 1


def test_a_cut_network_is_told_and_nothing_is_missed(arrive: Arrive, client: Client) -> None:
    mover, watcher = two_people(arrive, client)
    watcher.page.context.set_offline(True)
    mover.make(mover.moves.last)
    watcher.says("No connection")
    watcher.page.context.set_offline(False)
    watcher.page.wait_for_selector(f"play-table[data-version='{mover.version}']")
    told = [event["text"] for event in events(client, mover.game) if event["level"] == "story"]
    watcher.says(told[-1])


def test_the_text_mode_is_fully_playable(arrive: Arrive) -> None:
    person = arrive(width=360, height=640).enter()
    person.start()
    person.wait_for("asked")
    person.page.click("text=Text >> nth=0")
    expect(person.page.locator("[data-key='tool text.mode']")).to_have_attribute("aria-pressed", "true")
    expect(person.page.locator(".own")).to_be_hidden()
    expect(person.page.locator("section.text")).to_contain_text("Building market")
    person.make(person.moves.last)


def test_two_people_at_one_screen_see_their_own_hands_only(arrive: Arrive) -> None:
    person = arrive().enter()
    person.page.fill("[data-key='name 0']", "Ann")
    person.page.fill("[data-key='name 1']", "Ben")
    person.seats("me", "me")
    person.start()
    seen: set[str] = set()
    for _ in range(MOST_CLICKS):
        person.page.wait_for_selector(f"[data-key=curtain], {MOVES}")
        if person.page.locator("[data-key=curtain]").count():
            expect(person.page.locator(".hand")).to_have_count(0)
            person.page.click("[data-key=curtain]")
        person.page.wait_for_selector(MOVES)
        seen.add(person.page.locator(".question strong").inner_text().partition(",")[0])
        if seen == {"Ann", "Ben"}:
            return
        person.make(person.moves.last)
    raise AssertionError(f"only {seen} had a turn")


def test_a_refused_placement_is_explained_in_words(arrive: Arrive) -> None:
    person = arrive().enter()
    person.start()
    person.wait_for("asked")
    asked = json.dumps({"detail": "No.", "violations": [{"text": "That does not go."}], "reason": "X"})
    refuse = {"status": 422, "content_type": "application/problem+json", "body": asked}
    person.page.route(
        re.compile(r"/moves$"),
        lambda route: route.fulfill(**refuse) if route.request.method == "POST" else route.continue_(),
    )
    person.settle()
    person.moves.last.click()
    expect(person.page.locator(".moves .refused")).to_have_text("That does not go.", timeout=PATIENCE_MS)


def two_people(arrive: Arrive, client: Client) -> tuple[Person, Person]:
    """Two people in two windows, the one who is asked first."""
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats}).json()
    people = []
    for key in created["seatKeys"]:
        people.append(arrive())
        people[-1].open_game(created["game"], key["token"])
    people.sort(key=lambda person: person.wait_for("asked", "running"))
    return people[0], people[1]


def events(client: Client, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(
        f"/v1/games/{game}/events?pageSize=1000", {"Accept": "application/json", "Accept-Language": "en"}
    ).json()["events"]
    return found


def test_a_link_without_a_secret_opens_a_place_for_spectators(arrive: Arrive, client: Client) -> None:
    mover, _ = two_people(arrive, client)
    spectator = arrive()
    spectator.open_game(mover.game)
    spectator.says("You are watching")
    expect(spectator.moves).to_have_count(0)
    expect(spectator.page.locator(".hand .thing")).to_have_count(0)
    mover.make(mover.moves.last)
    spectator.page.wait_for_selector(f"play-table[data-version='{mover.version}']")
