"""Scorings and the end of a game: told when they happen, explained, and to be seen again."""

from __future__ import annotations

from playwright.sync_api import expect

from alhambra import Game
from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS
from .walks import Walk, walk_to


def scored_next(game: Game) -> bool:
    """Whether some legal move leads to the first scoring at once."""
    if game.decision is None or game.state.held:
        return False
    for move in game.legal_moves():
        tried = game.clone()
        tried.apply(move)
        if tried.state.held:
            return True
    return False


def test_the_end_names_the_winner_and_shows_what_each_scoring_gave(arrive: Arrive, client: Client) -> None:
    walk = Walk("over")
    walk.goes_to(lambda game: False, 600)
    assert walk.game.over
    walk.send(client)
    view = client.get(f"/v1/games/{walk.id}").json()["view"]
    winner = view["result"]["winners"][0]
    person, other = arrive(), arrive()
    person.open_game(walk.id, walk.tokens[winner])
    other.open_game(walk.id, walk.tokens[1 - winner])
    if len(view["result"]["winners"]) == 1:
        person.says_in(".result h2", "You won")
        other.says_in(".result h2", "You lost")
    rows = person.page.locator(".result .score-table tbody tr")
    expect(rows).to_have_count(3)  # two players and Dirk
    for seat in view["seats"]:
        expect(rows.nth(seat["seat"]).locator("td").last).to_have_text(str(seat["score"]))
    person.page.click("[data-key='tool scorings']")
    table = person.page.locator("dialog .score-table")
    expect(table.locator(".totals td").first).to_have_text(str(view["seats"][0]["score"]), timeout=PATIENCE_MS)
    table.locator("tbody button").first.click()
    expect(table.locator(".why:not([hidden]) p").first).to_contain_text("point")


def test_a_rematch_has_the_same_players_and_the_next_seat_first(arrive: Arrive, client: Client) -> None:
    seats = [{"name": "Ann", "claim": True}, {"name": "Bea", "serverPlayer": "random"}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "modules": ["diamonds"]}).json()
    token = created["seatKeys"][0]["token"]
    client.post(f"/v1/games/{created['game']}:resign", {}, {"Authorization": f"Bearer {token}"})
    person = arrive()
    person.open_game(created["game"], token)
    person.wait_for("over")
    person.page.click("[data-key='end rematch']")
    person.page.wait_for_function("id => !location.hash.includes(id)", arg=created["game"])
    person.page.wait_for_selector("play-table[data-state]")
    again = client.get(f"/v1/games/{person.game}").json()["view"]
    assert [seat["name"] for seat in again["seats"]] == ["Bea", "Player 2", "Ann"]
    assert [seat["serverPlayer"] for seat in again["seats"]] == ["random", "random", ""]
    assert again["setup"]["modules"] == ["diamonds"]


def test_a_scoring_is_told_when_it_happens(arrive: Arrive, client: Client) -> None:
    walk = walk_to(scored_next, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    for move in walk.game.legal_moves():
        tried = walk.game.clone()
        tried.apply(move)
        if tried.state.held:
            break
    token = {"Authorization": f"Bearer {walk.tokens[walk.asked]}"}
    version = int(person.version)
    client.post(f"/v1/games/{walk.id}/moves", {"version": version, "move": move.as_dict()}, token)
    sheet = person.page.locator("dialog.scoring")
    expect(sheet).to_be_visible(timeout=PATIENCE_MS)
    expect(sheet.locator("h2")).to_have_text("Scoring 1")
    person.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_the_standing_table_counts_every_type_and_says_which_scoring_comes_next(arrive: Arrive, client: Client) -> None:
    walk = Walk("standing")
    walk.goes_to(lambda game: len(game.state.seats[0].board.placed) > 3, 120)
    walk.send(client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[0])
    person.says_in(".standing caption", "scoring")
    cells = person.page.locator(".standing tbody tr").first.locator("td")
    expect(cells).to_have_count(9)  # six types, the wall, the next scoring, the points
    expect(cells.nth(7)).to_contain_text("+", timeout=PATIENCE_MS)
    expect(person.page.locator(".standing tbody tr")).to_have_count(3)
