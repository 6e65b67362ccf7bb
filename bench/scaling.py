"""Two processes of the service against one."""

from __future__ import annotations

from . import cores
from .boards import search, twenty_tiles
from .group import Effort, Group
from .house import House, clock
from .load import Asking
from .rounds import Contest, Figure, Run

GAMES = 16
"""Connections. The kernel spreads connections over processes, not calls."""
IN_FLIGHT = 64
CALLS = 4_800


def processes(effort: Effort) -> Group:
    """Measure how many more calls two processes answer."""
    with House() as house:
        store = house.store()
        games = search(house.commands(store), effort.games(4), effort.enough(twenty_tiles))
        questions = [game.question() for game in games] * (GAMES // len(games))
        alone = house.service(store)
        first = house.service(store)
        second = house.service(store, listen=first.address, where=set(cores.ALL[1:2]) or cores.FRONT)
        one = clock(server=alone.pid, store=store.pid or 0)
        two = clock(server=first.pid, other=second.pid, store=store.pid or 0)
        asking = Asking(house.files, alone.address, questions, IN_FLIGHT, effort.calls(CALLS))
        spread = Asking(house.files, first.address, questions, IN_FLIGHT, effort.calls(CALLS))

        def both() -> Run:
            run = spread.run(two)
            share = run.cpu["other"] / (run.cpu["server"] + run.cpu["other"])
            joint = {"server": run.cpu["server"] + run.cpu["other"], **{r: run.cpu[r] for r in ("store", "client")}}
            return run._replace(cpu=joint, extra={"share of the second": share})

        def single() -> Run:
            return asking.run(one)._replace(extra={"share of the second": 0.0})

        entrants = {"one process": single, "two processes": both}
        found = effort.contest("processes", Contest(entrants, rounds=effort.few, attempts=1))
    rates = {name: [run.calls / run.seconds for run in runs] for name, runs in found.runs.items()}
    factor = Figure.of([two / one for one, two in zip(rates["one process"], rates["two processes"], strict=True)])
    rows = found.rows()
    rows[-1]["calls/s against one"] = round(factor.value, 2)
    how = (
        f"{GAMES} connections. Each process has a core; the clients have the cores that are left, and where there are "
        "only two, they share the second one with the second process: then less than double is what can be had."
    )
    return Group("Two processes", how, rows, found.verdict())
