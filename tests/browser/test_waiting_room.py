"""Before a game begins: friends who do not come, players who leave, games that are cancelled, games open to anyone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

WAITING = ".waiting-room"


def wait_for_friends(person: Person, friends: int = 1, *, anyone: bool = False) -> Person:
    """Creates a game that waits for friends, or for anyone."""
    person.enter()
    person.page.fill("[data-key='name 0']", "Ann")
    person.seats("me", *["friend"] * friends)
    if anyone:
        person.page.check("[data-key='open to anyone']")
    person.start()
    person.wait_for("waiting")
    return person


def follow_link(host: Person, friend: Person, name: str = "Ben") -> None:
    """The friend joins by the first link that the waiting room shows."""
    friend.page.goto(host.page.locator(".gathering input").first.input_value())
    friend.page.fill("[data-key=name]", name)
    friend.page.click("text=Join the game")


def test_a_game_that_is_cancelled_is_gone_for_everyone(arrive: Arrive) -> None:
    host, friend = wait_for_friends(arrive(), friends=2), arrive()
    follow_link(host, friend)
    expect(host.page.locator(".gathering .here")).to_have_count(2, timeout=PATIENCE_MS)
    host.page.click("[data-key='cancel game']")
    host.page.click("[data-key=sure]")
    host.page.wait_for_selector(".new-game")
    expect(host.page.locator(".known li")).to_have_count(0)
    friend.says("This game was cancelled")


def test_the_computer_plays_for_a_friend_who_does_not_come_until_the_friend_comes(arrive: Arrive) -> None:
    host, friend = wait_for_friends(arrive()), arrive()
    address = host.page.locator(".gathering input").first.input_value()
    host.page.click("[data-key='seat.computer.instead 1']")
    host.wait_for("asked", "running")
    host.says("(computer)")
    friend.page.goto(address)
    friend.page.fill("[data-key=name]", "Ben")
    friend.page.click("text=Join the game")
    friend.wait_for("asked", "running")
    expect(host.page.locator(".standing")).not_to_contain_text("(computer)", timeout=PATIENCE_MS)


def test_a_friend_leaves_and_the_link_is_good_for_another(arrive: Arrive) -> None:
    host, friend, other = wait_for_friends(arrive(), friends=2), arrive(), arrive()
    follow_link(host, friend)
    expect(host.page.locator(".gathering .here")).to_have_count(2, timeout=PATIENCE_MS)
    friend.page.click("[data-key='seat.leave 1']")
    expect(host.page.locator(".gathering .here")).to_have_count(1, timeout=PATIENCE_MS)
    follow_link(host, other, "Cleo")
    expect(host.page.locator(".gathering")).to_contain_text("Cleo", timeout=PATIENCE_MS)


def test_the_host_removes_a_player_who_is_told(arrive: Arrive) -> None:
    host, friend = wait_for_friends(arrive(), friends=2), arrive()
    follow_link(host, friend)
    host.page.click("[data-key='seat.free 1']", timeout=PATIENCE_MS)
    expect(host.page.locator(".gathering .here")).to_have_count(1, timeout=PATIENCE_MS)
    friend.says("your place was given away")


def test_a_game_that_is_open_to_anyone_is_listed_and_joined_with_one_press(arrive: Arrive) -> None:
    host, stranger = wait_for_friends(arrive(), anyone=True), arrive()
    closed = wait_for_friends(arrive())
    game = host.game
    stranger.enter()
    expect(stranger.page.locator(f"[data-key='open {game}']")).to_be_visible(timeout=PATIENCE_MS)
    expect(stranger.page.locator(f"[data-key='open {closed.game}']")).to_have_count(0)
    stranger.page.click(f"[data-key='open {game}']")
    for person in (host, stranger):
        person.wait_for("asked", "running")


def test_a_player_lets_the_computer_play_on_and_comes_back(arrive: Arrive, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}]}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][created["view"]["decision"]["seat"]]["token"])
    person.wait_for("asked")
    person.page.click("[data-key='tool resign']")
    person.page.click("[data-key=computer]")
    expect(person.page.locator(".standing")).to_contain_text("(computer)", timeout=PATIENCE_MS)
    person.settle()
    person.page.click("[data-key='take back']")
    expect(person.page.locator(".standing")).not_to_contain_text("(computer)", timeout=PATIENCE_MS)
    expect(person.page.locator("[data-key='take back']")).to_have_count(0)
