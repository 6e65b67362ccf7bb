"""Kills in the middle of a load, then darkness, then a look at what is left, then everything goes on."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from .house import House
from .load import Load
from .verdict import judge
from .watcher import watching

MOVES_BETWEEN_KILLS = 15
FEWEST_TABLES, MOST_TABLES = 8, 60
WATCHED = 8
WOKEN_SECONDS = 8.0
"""A watcher whom nobody woke would look by itself only after ten seconds."""

Kill = Callable[[Random], None]
Tell = Callable[[str], None]


@dataclass
class Report:
    """What a run has come to."""

    rounds: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    games: int = 0
    acknowledged: int = 0
    lost: int = 0
    interrupted: int = 0
    repeated: int = 0

    def add(self, load: Load) -> None:
        self.games += len(load.games)
        self.acknowledged += len(load.acknowledged)
        self.interrupted += load.counts["interrupted"]
        self.repeated += load.counts["repeated"]

    def __str__(self) -> str:
        kills = ", ".join(f"{count} × {name}" for name, count in sorted(self.kills.items()))
        return (
            f"{self.rounds} rounds; kill -9: {kills or 'none'}; {self.games} games, "
            f"{self.acknowledged} acknowledged moves, {self.interrupted} interrupted calls, "
            f"{self.repeated} repeated requests answered alike; lost {self.lost}"
        )


def one_round(house: House, kills: Sequence[str], seed: int, report: Report, tell: Tell = lambda text: None) -> None:
    """Plays, kills, and finds everything that was acknowledged, and those who watch have heard of everything."""
    rng = Random(seed)
    load = Load(house.address, seed=seed)
    try:
        load.set_up(FEWEST_TABLES)
        while not house.everywhere(load.games):
            load.set_up(1)
            assert len(load.games) < MOST_TABLES
        with watching(house.address, list(load.games)[:WATCHED]) as watchers:
            with load.playing():
                for name in kills:
                    load.await_more(MOVES_BETWEEN_KILLS)
                    time.sleep(rng.random() / 20)
                    _kill(house, name, rng, report)
                    tell(f"killed a {name}, {len(load.acknowledged)} moves acknowledged")
                load.await_more(MOVES_BETWEEN_KILLS)
                house.crash()
                load.dark.set()
                report.kills["everything"] += 1
            tell("all dead; looking at the store")
            with house.opened() as store:
                lost = set(judge(store, load, answered=False))
            house.start()
            tell("started again")
            with load.playing():
                load.await_more(2 * MOVES_BETWEEN_KILLS)
            with house.opened() as store:
                lost |= set(judge(store, load, answered=True))
                report.lost += len(lost)
                for watcher in watchers:
                    watcher.await_version(store.load(watcher.game, fresh=True).version, WOKEN_SECONDS)
            for watcher in watchers:
                assert watcher.seen == watcher.past(), "a watcher missed an event, or heard one twice"
                assert watcher.cuts, "nobody was cut off"
        report.rounds += 1
    finally:
        report.add(load)
        load.close()
    assert load.counts["interrupted"], "nobody was interrupted"


def _kill(house: House, name: str, rng: Random, report: Report) -> None:
    kills: dict[str, Kill] = {
        "worker": house.kill_worker,
        "store": house.kill_store,
        "service": house.kill_service,
    }
    kills[name](rng)
    report.kills[name] += 1
