"""After the game: a curve of points that is also a table, and the moves that mattered."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .walks import finished_by_computers


def opened(arrive: Arrive, client: Client) -> tuple[dict[str, Any], Person]:
    """A game that computers have finished, and a person who looks at how it went."""
    game = finished_by_computers(client)
    person = arrive()
    person.open_game(game)
    person.wait_for("over")
    person.page.click("[data-key='end review']")
    expect(person.page.locator("svg.curve")).to_be_visible(timeout=PATIENCE_MS)
    found: dict[str, Any] = client.get(f"/v1/games/{game}/review").json()
    return found, person


def test_the_curve_has_a_line_for_each_player_and_marks_the_scorings(arrive: Arrive, client: Client) -> None:
    found, person = opened(arrive, client)
    scorings = [point["scoring"] for point in found["points"] if point.get("scoring")]
    assert scorings == [1, 2, 3]
    assert person.page.locator("svg.curve .line").count() == 2
    assert person.page.locator("svg.curve .part").count() == len(scorings)


def test_the_numbers_of_the_curve_are_a_table_too(arrive: Arrive, client: Client) -> None:
    found, person = opened(arrive, client)
    person.page.click(".review summary")
    rows = person.page.locator(".review tbody tr")
    assert rows.count() == len(found["points"])
    expect(rows.last).to_contain_text(str(found["points"][-1]["scores"][0]))


def test_each_move_that_mattered_is_explained_and_can_be_looked_at(arrive: Arrive, client: Client) -> None:
    found, person = opened(arrive, client)
    moves = person.page.locator(".key-moves li")
    assert moves.count() == len(found["keyMoves"]) > 0
    expect(moves.first).to_contain_text("against the best other player")
    moves.first.locator("button").click()
    version = found["keyMoves"][0]["version"]
    expect(person.page.locator("dialog .moment")).to_contain_text(f"version {version}", timeout=PATIENCE_MS)
