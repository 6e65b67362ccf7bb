"""How old the answer to a read without `min_version` can be: the time from the acknowledged commit of one process until
another process, which has the game in memory, returns the new version.
"""

from __future__ import annotations

import multiprocessing
import time
from statistics import quantiles
from typing import Any

from alhambra_service.store import Commit, GameStore, StoredGame
from alhambra_service.store.checks import Durability

from .boards import moves, search
from .group import Effort, Group
from .processes import Processes

COMMITS = 400
PAUSE = 0.004
"""Seconds between two commits."""
PATIENCE = 60.0
RESTS = {"a process that rests between reads": 0.0001, "a process that does nothing but read": 0.0}
"""How long a reader sleeps between two reads."""


def seen(effort: Effort) -> Group:
    """Measure the lag."""
    commits = COMMITS // 10 if effort.quick else COMMITS
    rows = []
    with Processes() as processes:
        store = processes.store()
        (game,) = search(processes.commands(store), 1, moves(5))
        reader: GameStore[StoredGame] = GameStore.open(store.url, _as_it_is, durability=Durability.EVERYSEC)
        try:
            for what, rest in RESTS.items():
                effort.tick(f"how soon a commit is seen by {what}")
                rows.append({"what": what, **_lags(reader, store.url, game.game, commits, rest)})
        finally:
            reader.close()
    how = (
        f"Another process commits {commits} times, {1000 * PAUSE:g} ms apart. A commit counts as seen late if a read "
        "that began after it was acknowledged still gave the version before; nothing is ever given that is older than "
        "the `min_version` that was asked for, and nothing stays old (tests/service/store/test_cache.py). A read "
        "applies the reports that have arrived before it trusts the memory."
    )
    return Group("How old an answer can be", how, rows)


def _as_it_is(record: StoredGame) -> StoredGame:
    return record


def _lags(reader: GameStore[StoredGame], url: str, game: str, commits: int, rest: float) -> dict[str, Any]:
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    first = reader.load(game, fresh=True).revision
    writer = spawn.Process(target=write, args=(url, game, commits, theirs))
    writer.start()
    stale_until: dict[int, float] = {}
    deadline = time.monotonic() + PATIENCE
    newest = first
    while newest < first + commits and time.monotonic() < deadline:
        began = time.monotonic()
        newest = reader.load(game).revision
        stale_until[newest] = began  # the last read that gave this revision began then
        if rest:
            time.sleep(rest)
    if not ours.poll(PATIENCE):
        writer.kill()
        raise AssertionError("the writer did not come to an end")
    acknowledged: list[float] = ours.recv()
    writer.join(PATIENCE)
    lags = []
    for number, when in enumerate(acknowledged):
        before = max((until for revision, until in stale_until.items() if revision <= first + number), default=0.0)
        lags.append(max(0.0, before - when))
    late = [lag for lag in lags if lag > 0]
    spread = quantiles(lags, n=100)
    return {
        "commits": len(lags),
        "seen late": f"{100 * len(late) / len(lags):.1f} %",
        "median ms": round(1e3 * spread[49], 3),
        "p99 ms": round(1e3 * spread[98], 3),
        "longest ms": round(1e3 * max(lags), 3),
    }


def write(url: str, game: str, commits: int, answers: Any) -> None:
    """Commit in a child process, and report when each commit was acknowledged, by the clock of the machine."""
    store: GameStore[StoredGame] = GameStore.open(url, _as_it_is, durability=Durability.EVERYSEC)
    acknowledged = []
    try:
        for _ in range(commits):
            time.sleep(PAUSE)
            store.commit(Commit(game, store.read_game(game).advanced()))
            acknowledged.append(time.monotonic())
    finally:
        store.close()
    answers.send(acknowledged)
