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


def test_a_tile_that_is_too_dear_says_how_much_is_missing(arrive: Arrive, client: Client) -> None:
    walk = walk_to(lambda game: len(game.state.seats[game.decision.seat].hand) < 5 if game.decision else False, client)
    token = {"Authorization": f"Bearer {walk.tokens[walk.asked]}"}
    offers = client.send("GET", f"/v1/games/{walk.id}/moves", None, token).json()["offers"]
    dear = [offer for offer in offers if not offer["affordable"]]
    assert dear
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    expect(person.page.locator(".market .short")).to_have_count(len(dear))
    person.says_in(".market .short", f"of {dear[0]['price']} ({dear[0]['currency']})")


def test_payments_are_listed_by_what_they_waste(arrive: Arrive, client: Client) -> None:
    walk = walk_to(lambda game: len({move.slot for move in game.legal_moves() if move.cards}) > 1, client, most=120)
    token = {"Authorization": f"Bearer {walk.tokens[walk.asked]}"}
    legal = client.send(
        "GET", f"/v1/games/{walk.id}/moves?texts=true", None, {**token, "Accept-Language": "en"}
    ).json()["moves"]
    waste = {one["text"]: one.get("overpaid") for one in legal}
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    while person.page.locator("[data-key=more]").count():
        person.page.click("[data-key=more]")
    texts = [text.removesuffix("exact").strip() for text in person.moves.all_inner_texts()]
    paid = [waste[text] for text in texts if waste.get(text) is not None]
    assert paid == sorted(paid)
    assert len(paid) > 1


def test_equal_open_cards_are_both_lit(arrive: Arrive, client: Client) -> None:
    def twice(game: Game) -> bool:
        display = game.state.display
        asked = game.decision is not None and any(move.display for move in game.legal_moves())
        return asked and len(set(display)) < len(display)

    walk = walk_to(twice, client)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    expect(person.page.locator(".market .cards .thing.lit")).to_have_count(len(walk.game.state.display))


def test_a_tile_is_placed_by_dragging_it_onto_a_cell(arrive: Arrive, client: Client) -> None:
    _, person = opened(arrive, client)
    person.settle()
    before = person.version
    tile = person.page.locator(".held.pending .thing.lit").first
    tile.hover()
    person.page.mouse.down()
    spot = person.page.locator(f"{SPOTS}").first
    box = spot.bounding_box()
    assert box is not None
    person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
    expect(person.page.locator(".dragged")).to_have_count(1)
    box = spot.bounding_box()
    assert box is not None
    person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=2)
    person.page.mouse.up()
    person.page.wait_for_selector(f"play-table:not([data-version='{before}'])")
    expect(person.page.locator(".dragged")).to_have_count(0)


def turns_on_a_cell(game: Game) -> bool:
    """Whether a tile that waits to be placed can lie on some cell in several ways."""
    if game.decision is None or len(game.state.seats[game.decision.seat].pending) != 1:
        return False
    placed = [move for move in game.legal_moves() if move.verb == "place"]
    cells = [move.cell for move in placed]
    return any(cells.count(cell) > 1 for cell in cells)


def test_a_second_press_on_a_cell_turns_what_can_lie_in_several_ways(arrive: Arrive, client: Client) -> None:
    walk = walk_to(turns_on_a_cell, client, ["bathhouses"], most=120)
    placed = [move for move in walk.game.legal_moves() if move.verb == "place"]
    cell = next(move.cell for move in placed if [one.cell for one in placed].count(move.cell) > 1)
    assert cell is not None
    rotations = sorted(move.rotation or 0 for move in placed if move.cell == cell)
    person = arrive()
    person.open_game(walk.id, walk.tokens[walk.asked])
    person.wait_for("asked")
    spot = person.page.locator(f".own play-board .spot[data-key='{cell[0]},{cell[1]}']")
    ghost = spot.locator("image")
    spot.click()
    for rotation in [*rotations, rotations[0]]:
        expect(ghost).to_have_attribute("transform", re.compile(rf"^rotate\({rotation} "), timeout=PATIENCE_MS)
        spot.click()


def test_no_coordinate_stands_in_a_cell_that_can_be_picked(arrive: Arrive, client: Client) -> None:
    _, person = opened(arrive, client)
    inside = person.page.locator(".own play-board svg").evaluate(
        """svg => {
            const spots = [...svg.querySelectorAll(".spot rect")].map(one => one.getBoundingClientRect());
            const labels = [...svg.querySelectorAll("#cells > text")].map(one => one.getBoundingClientRect());
            const within = (label, spot) => label.right > spot.left && label.left < spot.right &&
                label.bottom > spot.top && label.top < spot.bottom;
            return [spots.length, labels.length, labels.filter(one => spots.some(spot => within(one, spot))).length];
        }"""
    )
    assert inside[0] > 0
    assert inside[1] > 0
    assert inside[2] == 0
