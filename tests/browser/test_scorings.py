"""Scorings and the end of a game: told when they happen, explained, and to be seen again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from alhambra.texts import languages
from scripts.play_series import much_is_built
from tests.gateway.http import Client

from .accessibility import complaints
from .conftest import Arrive
from .person import PATIENCE_MS
from .walks import Walk, hold_scoring, scored_next, walk_to

FILL_WITH_LARGE_NUMBERS = """table => {
    for (const sum of table.querySelectorAll(".sum")) sum.textContent = "188";
    for (const next of table.querySelectorAll("td.coming")) next.textContent = "+144";
    return table.offsetWidth - table.parentElement.clientWidth;
}"""
"""The numbers of a late game; how much wider the table is than its place."""

FIGURES_OF_A_LATE_GAME = """place => {
    for (const points of place.querySelectorAll("td strong")) points.textContent = "+88";
    for (const counted of place.querySelectorAll(".counted > :first-child")) counted.textContent = "12.5 ×";
    for (const sum of place.querySelectorAll(".sums td")) sum.textContent = "+144";
    for (const total of place.querySelectorAll(".totals td")) total.textContent = "344";
    const edge = place.getBoundingClientRect().right;
    const parts = [...place.querySelectorAll("thead th, tbody th button, strong, .counted > :not(.shared)")];
    return Math.max(...parts.map((part) => part.scrollWidth - part.clientWidth, place.scrollWidth - place.clientWidth),
        ...parts.map((part) => part.getBoundingClientRect().right - edge));
}"""
"""Fills a sheet with large numbers; by how much anything in it is wider than its place."""

POINTS_OF_A_LATE_GAME = """place => {
    const points = [...place.querySelectorAll("tbody td")];
    for (const one of points) one.textContent = "188 (244)";
    return Math.max(...points.map((one) => one.scrollWidth - one.clientWidth), place.scrollWidth - place.clientWidth);
}"""


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


def test_the_sheet_of_a_scoring_holds_every_point_whatever_modules_tell_in_between(
    arrive: Arrive, client: Client
) -> None:
    walk = walk_to(scored_next, client, ["invaders"])
    hold_scoring(walk, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool scorings']")
    sums = person.page.locator("dialog .score-table .sums td")
    expect(sums.first).to_be_visible(timeout=PATIENCE_MS)
    state = walk.game.state
    scores = [*(seat.score for seat in state.seats), state.dirk_score]
    assert [int(text) for text in sums.all_inner_texts()] == scores
    assert any(scores)


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
    hold_scoring(walk, client)
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


@pytest.mark.parametrize("width", [360, 768, 1366, 1440])
def test_the_standing_table_shows_three_digits_of_every_score(arrive: Arrive, client: Client, width: int) -> None:
    seats = [
        {"name": "Amira", "claim": True},
        *({"name": name, "serverPlayer": "random"} for name in ("Boabdil", "Zoe")),
    ]
    created = client.post("/v1/games", {"seats": seats, "seed": "wide"}).json()
    person = arrive(width, 800)
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    expect(person.page.locator(".standing .coming").first).to_contain_text("+", timeout=PATIENCE_MS)
    too_wide = person.page.locator(".standing").evaluate(FILL_WITH_LARGE_NUMBERS)
    assert too_wide <= 0


def test_a_scoring_builds_up_to_the_total(arrive: Arrive, client: Client) -> None:
    walk = walk_to(scored_next, client)
    person = arrive(pace="normal")
    person.open_game(walk.id, walk.tokens[0])
    person.page.wait_for_selector("play-table[data-state]")
    hold_scoring(walk, client)
    lines = person.page.locator("dialog.scoring tbody tr:not(.why)")
    expect(lines.last).to_have_class("totals builds", timeout=PATIENCE_MS)
    delays = lines.evaluate_all("rows => rows.map((row) => parseFloat(row.style.animationDelay))")
    assert delays == sorted(set(delays)), "each line comes after the one above it"


def six_players_scored(client: Client) -> Walk:
    """Return a game of six that has just been scored."""
    walk = walk_to(scored_next, client, most=400, seats=6)
    hold_scoring(walk, client)
    return walk


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_scoring_of_three_players_fits_a_phone(arrive: Arrive, client: Client, language: str) -> None:
    walk = walk_to(much_is_built, client, most=400, seats=3)
    hold_scoring(walk, client)
    person = arrive(360, 740, locale=language)
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool scorings']")
    table = person.page.locator("dialog .wide")
    expect(table.locator(".totals td")).to_have_count(3)
    assert table.evaluate("place => place.scrollWidth - place.clientWidth") == 0


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("language", languages())
def test_a_scoring_of_six_players_fits_a_phone(arrive: Arrive, client: Client, language: str, width: int) -> None:
    walk = six_players_scored(client)
    person = arrive(width, 740, locale=language)
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool scorings']")
    place = person.page.locator("dialog .wide")
    expect(place.locator(".totals td")).to_have_count(6)
    assert place.evaluate(FIGURES_OF_A_LATE_GAME) <= 0


def test_a_scoring_of_six_players_is_a_table_for_readers_who_do_not_see_it(arrive: Arrive, client: Client) -> None:
    walk = six_players_scored(client)
    person = arrive(360, 740)
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool scorings']")
    table = person.page.get_by_role("dialog").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_count(6)
    total = table.get_by_role("row").filter(has=person.page.get_by_role("rowheader", name="Total"))
    expect(total.get_by_role("cell")).to_have_text([str(seat.score) for seat in walk.game.state.seats])
    table.get_by_role("button").first.click()
    expect(table.locator(".why:not([hidden]) p").first).to_be_visible()
    assert complaints(person.page) == []


def test_the_wall_is_called_so_even_if_a_module_has_pieces_of_that_name(arrive: Arrive, client: Client) -> None:
    walk = walk_to(scored_next, client, ["city_walls"], most=400)
    hold_scoring(walk, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[0])
    person.page.click("[data-key='tool scorings']")
    expect(person.page.locator("dialog .score-table tbody th").first).to_have_text("Longest outer wall")


def test_the_review_of_six_players_fits_a_phone(arrive: Arrive, client: Client) -> None:
    made = client.post("/v1/games", {"seats": [{"name": f"Player {seat}", "claim": True} for seat in range(6)]}).json()
    tokens = [key["token"] for key in made["seatKeys"]]
    for token in tokens[1:]:
        client.post(f"/v1/games/{made['game']}:resign", {}, {"Authorization": f"Bearer {token}"})
    person = arrive(360, 740)
    person.open_game(made["game"], tokens[0])
    person.page.click("[data-key='end review']")
    person.page.click("dialog details summary")
    place = person.page.locator("dialog .wide")
    expect(place.locator("thead th")).to_have_count(6)
    assert place.evaluate(POINTS_OF_A_LATE_GAME) <= 0
