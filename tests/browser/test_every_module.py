"""The beginning of a game with every module and six players, by clicks on the table and in the list of moves.

`make browser-games` plays such a game to its end.
"""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from tests.gateway.http import Client

from .conftest import Arrive

DECISIONS = 24
FEWEST_KINDS = 4


def test_six_players_and_every_module_by_clicks(arrive: Arrive, client: Client) -> None:
    modules = [module["key"] for module in client.get("/v1/catalog/modules").json()["modules"]]
    seats = [{"name": "Ann", "claim": True}, *[{"serverPlayer": "random"}] * 5]
    created = client.post("/v1/games", {"seats": seats, "modules": modules, "seed": "browser"}).json()
    person = arrive()
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    chance = Random("by clicks")
    met: set[str] = set()
    for _ in range(DECISIONS):
        person.wait_for("asked")
        kind = client.get(f"/v1/games/{created['game']}").json()["view"]["decision"]["kind"]
        if kind not in met:  # on the table the first time, from the list afterwards
            met.add(kind)
            person.picks(chance)
        person.make(person.moves.nth(chance.randrange(person.moves.count())))
        expect(person.page.locator(".moves .refused")).to_have_count(0)
    assert len(met) >= FEWEST_KINDS
    expect(person.page.locator(".pieces .module").first).to_be_visible()
    expect(person.page.locator(".log li").first).to_be_visible()
