"""People at one table: moves that are taken back by consent, and time that runs out."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from alhambra import Game
from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .walks import walk_to

UNDO = "[data-key='tool undo']"
MINUTES = re.compile(r"◷ (\d+):(\d\d)")


def needs_consent(game: Game) -> bool:
    """Whether the last move can be taken back only if the others agree."""
    seat = game.last_mover
    return seat is not None and game.can_undo(seat) is not None and game.can_undo(seat, consent=True) is None


def test_a_move_is_taken_back_across_anothers_decision_once_the_other_agrees(arrive: Arrive, client: Client) -> None:
    walk = walk_to(needs_consent, client, ["thieves"], undo="by_consent")
    mover = walk.game.last_mover
    assert mover is not None
    asking, other = arrive(), arrive()
    asking.open_game(walk.id, walk.tokens[mover])
    other.open_game(walk.id, walk.tokens[1 - mover])
    before = asking.version
    asking.page.click(UNDO)
    asking.says("Still to agree")
    other.says("wants to take back the last move")
    other.page.click("[data-key=refuse]")
    for person in (asking, other):
        expect(person.page.locator(".wanted")).to_have_count(0, timeout=PATIENCE_MS)
        assert person.version == before
    asking.page.click(UNDO)
    other.page.click("[data-key=agree]")
    for person in (asking, other):
        person.page.wait_for_selector(f"play-table[data-version='{int(before) + 1}']")
    assert asking.wait_for("asked") == "asked"


def test_a_move_that_cannot_be_taken_back_is_refused_in_words(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Ben", "claim": True}]
    created = client.post("/v1/games", {"seats": seats, "options": {"undo": "by_consent"}}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.page.click(UNDO)
    expect(person.page.locator(".moves .refused")).not_to_be_empty(timeout=PATIENCE_MS)
    assert person.version == "0"


def test_time_that_runs_out_is_shown_and_told(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}], "turnSeconds": 3}).json()
    asked = created["view"]["decision"]["seat"]
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][asked]["token"])
    expect(person.page.locator(".clock")).to_have_text(MINUTES)
    person.says("Your time ran out")
    assert int(person.version) > 0


def minutes_left(person: Person) -> float:
    """The time that is left, as the table shows it."""
    clock = person.page.locator(".clock")
    expect(clock).to_have_text(MINUTES, timeout=PATIENCE_MS)
    found = MINUTES.search(clock.inner_text())
    assert found is not None
    return int(found[1]) + int(found[2]) / 60


def test_the_time_for_a_decision_is_agreed_in_the_lobby(arrive: Arrive) -> None:
    person = arrive().enter()
    person.page.click(".more summary")
    person.page.select_option("[data-key=time]", "300")
    person.start()
    person.wait_for("asked")
    assert 3 < minutes_left(person) <= 5


def test_a_browser_whose_clock_is_wrong_shows_the_time_that_is_left(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}], "turnSeconds": 300}).json()
    asked = created["view"]["decision"]["seat"]
    person = arrive()
    person.page.clock.set_system_time(datetime.now(UTC) - timedelta(hours=1))
    person.open_game(created["game"], created["seatKeys"][asked]["token"])
    assert 3 < minutes_left(person) <= 5.1


def test_what_another_does_shines_for_a_moment(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}]}).json()
    asked = created["view"]["decision"]["seat"]
    mover, watcher, calm = arrive(), arrive(), arrive(reduced_motion="reduce")
    mover.open_game(created["game"], created["seatKeys"][asked]["token"])
    watcher.open_game(created["game"], created["seatKeys"][1 - asked]["token"])
    calm.open_game(created["game"])
    expect(watcher.page.locator(".novel")).to_have_count(0)
    mover.make(mover.moves.last)
    for person, shines in ((watcher, "glow"), (calm, "none")):
        told = person.page.locator(".log .novel").first
        expect(told).to_have_css("animation-name", shines, timeout=PATIENCE_MS)


def test_a_game_for_its_players_only_is_shown_to_nobody_else(arrive: Arrive) -> None:
    host, friend, stranger = arrive().enter(), arrive(), arrive()
    host.page.click(".more summary")
    host.page.select_option("[data-key=watch]", "seats")
    host.seats("me", "friend")
    host.start()
    host.wait_for("waiting")
    friend.page.goto(host.page.locator(".gathering input").input_value())
    friend.page.click("text=Join the game")
    for person in (host, friend):
        person.wait_for("asked", "running")
        expect(person.page.locator(".others play-board svg")).to_be_visible(timeout=PATIENCE_MS)
    stranger.page.goto(f"{stranger.base}/play#game={host.game}")
    expect(stranger.page.locator(".refused")).to_contain_text("There is no such game", timeout=PATIENCE_MS)
    host.page.click("[data-key='tool links']")
    expect(host.page.locator(".link")).to_have_count(1)
    host.enter()
    expect(host.page.locator(".known li .note")).not_to_have_text("no longer there", timeout=PATIENCE_MS)


def test_a_delayed_spectator_is_told_how_many_moves_the_view_is_behind(arrive: Arrive, client: Client) -> None:
    seats = [{"claim": True}, {"claim": True}]
    agreed = {"seats": seats, "visibility": "spectators_delayed", "spectatorDelay": 3}
    created = client.post("/v1/games", agreed).json()
    asked = created["view"]["decision"]["seat"]
    player, spectator = arrive(), arrive()
    player.open_game(created["game"], created["seatKeys"][1 - asked]["token"])
    spectator.open_game(created["game"])
    spectator.says("3 moves behind")
    player.says("Waiting for")
    expect(player.table).not_to_contain_text("moves behind")
