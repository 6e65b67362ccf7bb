"""Two people and a spectator in three browsers lose their connections: everybody sees the same game in the end."""

from __future__ import annotations

import re

from playwright.sync_api import Route

from tests.gateway.http import Client

from .conftest import Arrive
from .person import Person
from .test_playing import two_people

OFFLINE = "No connection"


def see_the_same(*people: Person, version: int) -> None:
    """Waits until everybody has come to a version of the game, with nothing missing in the log."""
    for person in people:
        person.page.wait_for_selector(f"play-table[data-version='{version}']:not([data-state=busy])")
    told = [person.page.locator(".log li:not(.detail)").all_inner_texts()[-3:] for person in people]
    assert all(lines == told[0] for lines in told), told


def test_lost_in_the_middle_of_the_stream(arrive: Arrive, client: Client) -> None:
    mover, waiting = two_people(arrive, client)
    spectator = arrive()
    spectator.open_game(mover.game)
    for person in (waiting, spectator):
        person.page.context.set_offline(True)
    mover.make(mover.moves.last)
    for person in (waiting, spectator):
        person.says(OFFLINE)
        person.page.context.set_offline(False)
    version = int(mover.version)
    see_the_same(mover, waiting, spectator, version=version)
    asked = mover if mover.state == "asked" else waiting
    asked.make(asked.moves.last)
    see_the_same(mover, waiting, spectator, version=version + 1)


def test_lost_in_the_middle_of_a_move(arrive: Arrive, client: Client) -> None:
    mover, waiting = two_people(arrive, client)
    spectator = arrive()
    spectator.open_game(mover.game)
    keys: list[str] = []

    def lose_the_connection(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        keys.append((route.request.post_data_json or {})["requestId"])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()  # the move arrives; its answer and everything after it do not
        mover.page.context.set_offline(True)
        return route.abort("connectionreset")

    mover.page.route(re.compile(r"/moves$"), lose_the_connection)
    version = int(mover.version) + 1
    mover.settle()
    mover.moves.last.click()
    see_the_same(waiting, spectator, version=version)
    mover.says(OFFLINE)
    mover.page.context.set_offline(False)
    see_the_same(mover, waiting, spectator, version=version)
    assert len(set(keys)) == 1, "the move was sent again as what it was"
    assert client.get(f"/v1/games/{mover.game}").json()["view"]["version"] == version


def test_lost_before_the_move_is_sent(arrive: Arrive, client: Client) -> None:
    mover, waiting = two_people(arrive, client)
    version = int(mover.version)
    mover.settle()
    mover.page.context.set_offline(True)
    mover.moves.last.click()
    mover.says(OFFLINE)
    assert client.get(f"/v1/games/{mover.game}").json()["view"]["version"] == version
    mover.page.context.set_offline(False)
    see_the_same(mover, waiting, version=version + 1)
