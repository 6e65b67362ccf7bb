"""A reload in the middle of every kind of decision: the same choices are offered again, accessible by day and by night,
and one of them can be made."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from playwright.sync_api import Request, expect

from alhambra import Game, Move
from tests.conformance.results import rules_digest
from tests.gateway.http import Client

from .accessibility import complaints
from .conftest import Arrive
from .person import PATIENCE_MS, Person
from .walks import Walk

ELSEWHERE = {"bread_round"}
"""A kind that no walk leads to: the library of this process does not have the module of the third party. `test_lobby`
reloads in the middle of its decision."""


class Journey(NamedTuple):
    """Modules whose decisions come up in a game of this seed."""

    modules: tuple[str, ...]
    seed: str
    most: int = 250
    """How many moves the walk may take."""
    held_back: str = ""
    """A verb that is used only if it leads to a new kind of decision at once."""


JOURNEYS = (
    Journey(("handymen",), "113"),
    Journey(("street_trader", "palace_designers"), "k0"),
    Journey(("street_trader",), "57"),
    Journey(("thieves", "viziers_favour"), "k1"),
    Journey(("characters",), "319"),
    Journey(("characters",), "258"),
    Journey(("characters",), "167"),
    Journey(("travelling_craftsmen", "master_builders"), "k0"),
    Journey(("power_of_the_sultan",), "k1"),
    Journey(("gates_without_end", "orchards"), "k2"),
    Journey(("menagerie", "palace_staff"), "k1"),
    Journey(("personal_building_market", "exchange_certificates"), "k1"),
    Journey(("fresh_colours", "building_sites"), "105"),
    Journey(("new_building_grounds", "treasure_chamber"), "k2"),
    Journey(("arts_of_the_moors", "bonus_cards"), "k2"),
    Journey(("extensions",), "165"),
    Journey(("city_gates",), "65"),
    Journey(("falconers",), "84"),
    Journey(("buildings_of_power",), "k2"),
    Journey(("buildings_of_power",), "1", 400),
    Journey(("change",), "88", 400),
    Journey(("fresh_colours",), "24", 320, "complete_project"),
)


SAMPLE = 8
"""One journey of this many is made in each run of the tests, others whenever the rules change; `make browser-games`
makes all of them."""


def journeys() -> tuple[Journey, ...]:
    """The journeys of this run."""
    if "EVERY_RELOAD" in os.environ:
        return JOURNEYS
    return JOURNEYS[int(rules_digest()[:8], 16) % SAMPLE :: SAMPLE]


FOLLOW_LINK = """hash => {
    localStorage.clear();
    document.getElementById("main").replaceChildren();
    location.hash = hash;
}"""
"""Opens a link in a page that has forgotten what it knew, without loading its files once more."""


def offered(person: Person) -> list[str]:
    """Everything that a person can choose now: moves, kinds of moves, cells of the Alhambra, things on the table."""
    person.wait_for("asked")
    person.page.wait_for_selector(".own play-board svg")
    choices = person.page.locator(".moves .pick, .moves .move, .moves .note, .question .mine, .thing.lit")
    cells = person.page.locator(".own play-board .spot")
    return [*choices.all_inner_texts(), *sorted(cells.evaluate_all("found => found.map(one => one.dataset.key)"))]


def test_a_reload_in_the_middle_of_every_kind_of_decision_offers_the_same_choices(
    arrive: Arrive, client: Client
) -> None:
    person = arrive().enter()
    met: set[str] = set()

    def is_new(game: Game) -> bool:
        return game.decision is not None and game.decision.kind not in met

    chosen = journeys()
    for modules, seed, most, held_back in chosen:
        walk = Walk(seed, modules, held_back=held_back, confirm_turn=True)
        while walk.goes_to(is_new, most):
            assert walk.game.decision is not None
            met.add(walk.game.decision.kind)
            walk.send(client)
            walk.made(choose_after_a_reload(person, walk))
    kinds = {kind["key"] for kind in client.get("/v1/catalog/verbs").json()["decisions"]} - ELSEWHERE
    assert met <= kinds
    assert len(met) > len(chosen)
    assert met == kinds or chosen != JOURNEYS


def is_a_move(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/moves")


def choose_after_a_reload(person: Person, walk: Walk) -> Move:
    """Opens the game, reloads it, checks the page, and makes the first move by a click; the move."""
    person.page.evaluate(FOLLOW_LINK, f"game={walk.id}&token={walk.tokens[walk.asked]}")
    before = offered(person)
    person.page.reload()
    assert offered(person) == before
    assert complaints(person.page) == []
    with person.page.expect_request(is_a_move) as sent:
        person.make(person.moves.first)
    expect(person.page.locator(".moves .refused")).to_have_count(0, timeout=PATIENCE_MS)
    return Move.read(json.loads(sent.value.post_data or "{}")["move"])
