"""Choosing a move: what a placement would come to is shown before it is made, and why a cell does not do is said."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from alhambra import Game
from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, SPOTS, Person
from .walks import Walk, walk_to

POINTS = re.compile(r"(\d+) → (\d+) points, longest wall (\d+) → (\d+)")


def has_a_tile_to_place(game: Game) -> bool:
    """Whether a single tile waits to be placed, and some cell is free for it."""
    if game.decision is None or len(game.state.seats[game.decision.seat].pending) != 1:
        return False
    return any(move.verb == "place" for move in game.legal_moves())


def opened(arrive: Arrive, client: Client) -> tuple[Walk, Person]:
    """A game in which a tile is to be placed, opened by the person who is asked."""
    walk = walk_to(has_a_tile_to_place, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    return walk, person


def worth(client: Client, view: dict[str, Any], scoring: int) -> list[dict[str, Any]]:
    """What the boards of a view score at a scoring."""
    boards = [{"tiles": seat["alhambra"], "gates": seat["gates"]} for seat in view["seats"]]
    body = {"boards": boards, "scoring": scoring, "dirkTiles": view["table"]["dirk"]["tiles"]}
    found: list[dict[str, Any]] = client.post("/v1/boards:score", body).json()["scores"]
    return found


def test_a_placement_is_previewed_with_the_points_that_it_then_has(arrive: Arrive, client: Client) -> None:
    walk, person = opened(arrive, client)
    seat, path = walk.asked, f"/v1/games/{walk.id}"
    before = client.get(path).json()["view"]
    scoring = len(before["table"]["scoringsHeld"]) + 1
    person.page.locator(SPOTS).first.click()
    preview = person.page.locator(".own .preview")
    expect(preview).to_contain_text(POINTS, timeout=PATIENCE_MS)
    shown = POINTS.search(preview.inner_text())
    assert shown is not None
    person.make(person.moves.first)
    after = client.get(path).json()["view"]
    now, then = worth(client, before, scoring)[seat], worth(client, after, scoring)[seat]
    told = now["points"], then["points"], now["longestWall"], then["longestWall"]
    assert tuple(map(int, shown.groups())) == told


def test_a_cell_that_does_not_do_is_explained_in_words(arrive: Arrive, client: Client) -> None:
    _walk, person = opened(arrive, client)
    board = person.page.locator(".own play-board svg")
    lit = person.page.locator(SPOTS).evaluate_all("spots => spots.map(spot => spot.dataset.key)")
    x, y = (0, 0)  # the fountain lies there, which nothing is placed on
    assert f"{x},{y}" not in lit
    middle = board.evaluate(
        """(svg, [x, y]) => {
            const size = Number(svg.querySelector("#cells").dataset.cell);
            const at = new DOMPoint((x + 0.5) * size, (y + 0.5) * size);
            const found = at.matrixTransform(svg.querySelector("#cells").getScreenCTM());
            return [found.x, found.y];
        }""",
        [x, y],
    )
    person.page.mouse.click(*middle)
    expect(person.page.locator(".own .preview .refused")).to_contain_text(f"({x}, {y})", timeout=PATIENCE_MS)
