"""Measures what a decision costs at the table, in the base game and with every module:

    python -m tests.browser.decision_costs

Requests, and bytes on the wire by Chromium's count, the stream included. Pictures of components are left out: they are
asked for once. The time goes from the click on a move to the next question, with two computers that play at random in
between; beside it stands how much of it the page waits for the answer of the server. The two games take turns move by
move, so that a busy machine slows both: read the ratio, not the times.
"""

from __future__ import annotations

import argparse
from statistics import mean, median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from scripts.browser import start_browser
from scripts.polite import PoliteClient
from tests.gateway.http import Client
from tests.gateway.product import running

from .person import PATIENCE_MS, Person
from .whole_game import BASE, EVERYTHING, WITHOUT_STEPS

DECISIONS = 24
PICTURES = "/catalog/components/"
TIME = """() => {
    const table = document.querySelector("play-table");
    let clicked = 0, before = "";
    document.addEventListener("click", () => { clicked = performance.now(); before = table.dataset.version; }, true);
    new MutationObserver(() => {
        if (!clicked || table.dataset.state !== "asked" || table.dataset.version === before) return;
        window.took = performance.now() - clicked;
        clicked = 0;
    }).observe(table, { attributes: true });
}"""
"""Writes down how long it took from the last click to the next question."""
WAITED = """() => {
    const entries = performance.getEntriesByType("resource");
    const { startTime, responseEnd } = entries.findLast(({ name }) => name.endsWith("/moves"));
    performance.clearResourceTimings();
    return responseEnd - startTime;
}"""
"""How long the last move waited for its answer."""


class Costs:
    """A person at a table, and what the decisions cost."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.requests: list[int] = []
        self.received: list[int] = []
        self.times: list[float] = []
        self.waited: list[float] = []
        self._pictures: set[str] = set()
        self._sent = self._bytes = 0
        network = person.page.context.new_cdp_session(person.page)
        network.on("Network.requestWillBeSent", self._count_request)
        network.on("Network.dataReceived", self._count_bytes)
        network.send("Network.enable")
        person.page.evaluate(TIME)

    def _count_request(self, event: dict[str, Any]) -> None:
        if PICTURES in event["request"]["url"]:
            self._pictures.add(event["requestId"])
        elif event["request"]["url"].startswith(self.person.base):
            self._sent += 1

    def _count_bytes(self, event: dict[str, Any]) -> None:
        """Count what arrives on the wire, by answers and by the stream, which was opened before."""
        if event["requestId"] not in self._pictures:
            self._bytes += event["encodedDataLength"]

    def decide(self) -> bool:
        """Make a move, in turn one from the front and one from the back of the list; False when the game is over."""
        person = self.person
        if person.wait_for("asked", "over") == "over":
            return False
        self._sent = self._bytes = 0
        person.make(person.moves.first if len(self.times) % 2 else person.moves.last)
        if person.wait_for("asked", "over") == "over":
            return False
        person.settle()  # the stream has told the same by then
        self.requests.append(self._sent)
        self.received.append(self._bytes)
        self.times.append(person.page.evaluate("window.took"))
        self.waited.append(person.page.evaluate(WAITED))
        return True

    def __str__(self) -> str:
        """The figures of a row."""
        figures = f"{mean(self.requests):.1f} requests, {median(self.received):,.0f} bytes"
        return f"{figures}, {median(self.times):.0f} ms, {median(self.waited):.0f} of them for the answer"


def sit_down(browser: Browser, client: Client, base: str, modules: list[str]) -> Costs:
    """Open a game against two computers."""
    seats = [{"name": "Ann", "claim": True}, {"serverPlayer": "random"}, {"serverPlayer": "random"}]
    created = client.post("/v1/games", {"seats": seats, "modules": modules, "seed": "costs"}).json()
    context = browser.new_context(service_workers="block", locale="en-GB")
    context.add_init_script(WITHOUT_STEPS)
    context.set_default_timeout(2 * PATIENCE_MS)
    person = Person(context.new_page(), base)
    person.open_game(created["game"], created["seatKeys"][0]["token"])
    person.wait_for("asked")
    return Costs(person)


def measure(browser: Browser, base: str, decisions: int) -> dict[str, Costs]:
    """Play both games in turns."""
    with PoliteClient(base) as client:
        modules = [module["key"] for module in client.get("/v1/catalog/modules").json()["modules"]]
        games = {BASE: sit_down(browser, client, base, []), EVERYTHING: sit_down(browser, client, base, modules)}
        for _ in range(decisions):
            going = [costs.decide() for costs in games.values()]
            if not all(going):
                break
    return games


def first_load(person: Person) -> tuple[int, int]:
    """Return the bytes on the wire until a browser that has nothing kept shows the lobby, and the first question."""
    sizes: list[int] = []
    network = person.page.context.new_cdp_session(person.page)
    network.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    network.send("Network.enable")
    person.enter()
    person.page.wait_for_load_state("networkidle")
    lobby = sum(sizes)
    person.start()
    person.wait_for("asked")
    person.page.wait_for_selector(".own play-board svg")
    person.page.wait_for_selector(".picture:not([src])", state="detached")
    return lobby, sum(sizes)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure what a decision costs at the table.")
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    wanted = parser.parse_args().decisions
    with running("--workers", "1") as product, sync_playwright() as playwright:
        browser = start_browser(playwright)
        person = Person(browser.new_page(service_workers="block", locale="en-GB"), product.http)
        lobby, table = first_load(person)
        person.page.close()
        print(f"first load: {lobby:,} bytes until the lobby, {table:,} until the first question")
        games = measure(browser, product.http, wanted)
        browser.close()
    for name, costs in games.items():
        print(f"{name}: {costs} (median of {len(costs.times)} decisions)")
    times = {name: median(costs.times) for name, costs in games.items()}
    print(f"from click to next question, {EVERYTHING} / {BASE}: {times[EVERYTHING] / times[BASE]:.2f}")


if __name__ == "__main__":
    main()
