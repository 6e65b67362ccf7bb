"""How far an installation grows: a load model whose constants `make bench` measured, and a simulation of 1, 10 and 100
shards.

    python -m bench.scale_model      write the tables of docs/scale.md from bench/results.json

The model adds up the CPU time that a move costs in each process; every process hears of every move. The simulation
models the queue of each shard: a store takes all waiting commits, applies them, writes them to its disk once and
answers all of them. Games are spread over shards at random, so one shard has more than the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

from .cluster import CHANGE
from .report import BEGIN, END, ROOT, markdown, read

PAGE = ROOT / "docs" / "scale.md"
NOTE = "<!-- Everything down to the next mark is written by `python -m bench.scale_model`. -->"
MICRO, GB = 1e-6, 1e9
SHARDS = (1, 10, 100)
GAMES = (1_000, 10_000, 100_000, 1_000_000)
COMMITS = 40_000
"""Commits of a simulation."""


@dataclass(frozen=True)
class Habits:
    """How people play. These are assumptions: change them and run the model again."""

    seconds_per_move: float = 10.0
    watchers: float = 3.2
    """Open streams of a game: three seats and sometimes a spectator."""
    lists: float = 1.0
    """Lists of legal moves for each move."""
    reads: float = 0.5
    """Reads of a game for each move."""
    over_http: float = 1.0
    """The share of calls that come through a gateway."""


@dataclass(frozen=True)
class Machines:
    """How machines are used and what they cost. These are assumptions too."""

    busy_process: float = 0.6
    """The share of a core that a process of the service or gateway may use, so that answers stay quick."""
    busy_shard: float = 0.5
    shard_memory: float = 8 * GB
    """`maxmemory` of a shard; its machine has twice as much."""
    streams: int = 2_000
    """Open streams of a process of the service: four fifths of its limit (`WATCHERS`)."""
    gateway_streams: int = 4_800
    """Open streams of a process of the gateway: four fifths of its limit (`STREAMS`)."""
    connections: int = 10_000
    """Connections that a server of the store accepts (`maxclients`)."""
    connections_of_a_process: int = 16
    """Connections of a process to each server of the store; at most 64."""
    core_month: float = 15.0
    gb_month: float = 3.0
    """Prices in any currency; they were not looked up."""


PEOPLE, USUAL = Habits(), Machines()


@dataclass(frozen=True)
class Costs:
    """Measured: microseconds on a core, bytes and milliseconds."""

    move: float
    list_moves: float
    read: float
    watcher: float
    gateway: float
    commit: float
    listener_at_store: float
    listener: float
    bytes_in: float
    bytes_out: float
    bytes_on_disk: float
    game: float
    disk_ms: float

    @classmethod
    def measured(cls, results: Mapping[str, Any]) -> Costs:
        """Return the constants from the stored figures of `make bench`."""

        def row(group: str, what: str) -> Mapping[str, Any]:
            (found,) = (row for row in results["groups"][group]["rows"] if row["what"] == what)
            return dict(found)

        alone = row("cluster", "3 masters")
        quiet, heard = row("cluster", CHANGE), row("cluster", f"{CHANGE}, 8 processes listen")
        working = (alone["store µs"] + alone["client µs"]) / 1e3
        return cls(
            move=row("calls", "ApplyMove, appendfsync always")["server µs"],
            list_moves=row("calls", "ListLegalMoves")["server µs"],
            read=row("calls", "GetGame")["server µs"],
            watcher=row("streams", "one move for one watcher")["server µs"],
            gateway=row("rest", "placements:validate")["gateway µs"],
            commit=alone["store µs"],
            listener_at_store=max((heard["store µs"] - quiet["store µs"]) / 8, 0.1),
            listener=heard["listener µs"],
            bytes_in=alone["bytes in"],
            bytes_out=alone["bytes out"],
            bytes_on_disk=alone["bytes on disk"],
            game=max(row["bytes"] for row in results["groups"]["room"]["rows"]),
            disk_ms=max(alone["p50 ms"] - working, 0.1),
        )


@dataclass(frozen=True)
class Need:
    """What a number of games needs, in one installation."""

    games: float
    moves: float
    """Moves per second."""
    processes: float
    """Processes of the service; infinite if messages about moves take all their time."""
    gateways: float
    shards: float
    shard_commit: float
    """Microseconds of a shard for one commit, with all messages about it."""
    connections: float
    """Connections of each server of the store."""
    store_bytes: float
    disk_rate: float
    """Bytes a second that all shards write."""
    money: float
    """Price per month."""


def needed(games: float, costs: Costs, habits: Habits = PEOPLE, machines: Machines = USUAL) -> Need:
    """Return what this number of simultaneous games needs."""
    moves = games / habits.seconds_per_move
    each = costs.move + habits.lists * costs.list_moves + habits.reads * costs.read + habits.watchers * costs.watcher
    left = machines.busy_process - moves * costs.listener * MICRO
    by_work = moves * each * MICRO / left if left > 0 else inf
    streams = games * habits.watchers
    processes = max(by_work, streams / machines.streams, 1)
    calls = moves * (1 + habits.lists + habits.reads) * habits.over_http
    gateways = max(calls * costs.gateway * MICRO / machines.busy_process, streams / machines.gateway_streams, 1)
    commit = costs.commit + processes * costs.listener_at_store
    stored = games * costs.game
    shards = max(moves * commit * MICRO / machines.busy_shard, stored / machines.shard_memory, 1)
    money = (processes + gateways + shards) * machines.core_month + 2 * stored / GB * machines.gb_month
    return Need(
        games,
        moves,
        processes,
        gateways,
        shards,
        commit,
        processes * machines.connections_of_a_process,
        stored,
        moves * costs.bytes_on_disk,
        money,
    )


def most_games(shards: int, costs: Costs, habits: Habits = PEOPLE, machines: Machines = USUAL) -> int:
    """Return the most games that an installation with this number of shards can serve."""
    low, high = 0, 10**9
    while low < high - 1:
        middle = (low + high) // 2
        need = needed(middle, costs, habits, machines)
        fits = need.shards <= shards and need.connections <= machines.connections
        low, high = (middle, high) if fits else (low, middle)
    return low


# -- The queues -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Queues:
    """The waiting times of a simulation."""

    median_ms: float
    p99_ms: float
    busiest: float
    """The share of its time that the busiest shard works."""
    unevenness: float
    """The games of the fullest shard against the average."""


def simulated(shards: int, moves: float, commit: float, disk_ms: float, games: int, seed: int = 1) -> Queues:
    """Simulate commits at random times, `moves` a second over all shards. Each costs a shard `commit` µs."""
    rng = Random(seed)
    share = _shares(shards, games, rng)
    seconds = COMMITS / moves
    waits: list[float] = []
    busiest = 0.0
    for part in share:
        arrivals = _arrivals(part * moves, seconds, rng)
        took, busy = _served(arrivals, commit * MICRO, disk_ms / 1e3)
        waits += took
        busiest = max(busiest, busy / seconds)
    cuts = quantiles(waits, n=100)
    return Queues(1e3 * cuts[49], 1e3 * cuts[98], busiest, max(share) * shards)


def _shares(shards: int, games: int, rng: Random) -> list[float]:
    """Return the random share of games of each shard, drawn from a normal distribution."""
    mean = games / shards
    spread = (mean * (1 - 1 / shards)) ** 0.5
    drawn = [max(rng.gauss(mean, spread), 0.0) for _ in range(shards)]
    return [one / sum(drawn) for one in drawn]


def _arrivals(rate: float, seconds: float, rng: Random) -> list[float]:
    found, now = [], rng.expovariate(rate)
    while now < seconds:
        found.append(now)
        now += rng.expovariate(rate)
    return found


def _served(arrivals: Sequence[float], commit: float, disk: float) -> tuple[list[float], float]:
    """Return how long each commit took, and how long the shard worked. Waiting for the disk is not work."""
    took: list[float] = []
    now, first = 0.0, 0
    while first < len(arrivals):
        now = max(now, arrivals[first])
        last = bisect_right(arrivals, now)
        now += (last - first) * commit + disk
        took += [now - arrivals[at] for at in range(first, last)]
        first = last
    return took, len(arrivals) * commit


# -- The page ---------------------------------------------------------------------------------------------------------


def tables(costs: Costs) -> str:
    """Return the tables of the page."""
    return "\n\n".join(
        (
            "### Measured constants",
            markdown(_constants(costs)),
            "### What a number of games needs, in one installation",
            markdown([_need_row(needed(games, costs)) for games in GAMES]),
            "### The same in cells of 20,000 games",
            markdown([_cells_row(games, 20_000, costs) for games in GAMES[2:]]),
            "### 1, 10 and 100 shards, simulated",
            markdown([row for shards in SHARDS for row in _shard_rows(shards, costs)]),
        )
    )


def _constants(costs: Costs) -> list[dict[str, Any]]:
    figures = {
        "a move, service": (costs.move, "µs"),
        "a list of moves, service": (costs.list_moves, "µs"),
        "a read, service": (costs.read, "µs"),
        "a move sent to one watcher, service": (costs.watcher, "µs"),
        "a request, gateway": (costs.gateway, "µs"),
        "a commit, shard": (costs.commit, "µs"),
        "a commit sent to one process, shard": (costs.listener_at_store, "µs"),
        "a commit heard of, each process of the service": (costs.listener, "µs"),
        "waiting for the disk": (costs.disk_ms, "ms"),
        "a commit, received / sent / written": (
            f"{costs.bytes_in:,.0f} / {costs.bytes_out:,.0f} / {costs.bytes_on_disk:,.0f}",
            "bytes",
        ),
        "a game of 200 moves, memory of the store": (costs.game, "bytes"),
    }
    return [
        {"what": what, "value": round(value, 1) if isinstance(value, float) else value, "unit": unit}
        for what, (value, unit) in figures.items()
    ]


def _need_row(need: Need) -> dict[str, Any]:
    return {
        "games": f"{need.games:,.0f}",
        "moves a second": f"{need.moves:,.0f}",
        "service processes": _whole(need.processes),
        "gateways": _whole(need.gateways),
        "shards": _whole(need.shards),
        "µs a commit takes a shard": _whole(need.shard_commit),
        "connections of a shard": _whole(need.connections),
        "store GB": f"{need.store_bytes / GB:,.1f}",
        "disk MB/s": f"{need.disk_rate / 1e6:,.1f}",
        "cost a month": _whole(need.money),
    }


def _cells_row(games: int, size: int, costs: Costs) -> dict[str, Any]:
    cells, need = ceil(games / size), needed(size, costs)
    return {
        "games": f"{games:,}",
        "cells": cells,
        "service processes": f"{cells * ceil(need.processes):,}",
        "gateways": f"{cells * ceil(need.gateways):,}",
        "shards": f"{cells * ceil(need.shards):,}",
        "cost a month": f"{cells * need.money:,.0f}",
    }


def _shard_rows(shards: int, costs: Costs) -> list[dict[str, Any]]:
    most = most_games(shards, costs)
    rows = []
    for part in (0.5, 1.0, 1.6):
        games = int(part * most)
        need = needed(games, costs)
        found = simulated(shards, need.moves, need.shard_commit, costs.disk_ms, games) if need.processes < inf else None
        rows.append(
            {
                "shards": shards,
                "games": f"{games:,}",
                "of the most": f"{part:.0%}",
                "service processes": _whole(need.processes),
                "busiest shard": f"{found.busiest:.0%}" if found else "–",
                "fullest against average": f"{found.unevenness:.2f}" if found else "–",
                "commit p50 ms": f"{found.median_ms:,.1f}" if found else "–",
                "commit p99 ms": f"{found.p99_ms:,.1f}" if found else "–",
            }
        )
    return rows


def _whole(value: float) -> str:
    return "impossible" if value == inf else f"{ceil(value):,}"


def with_tables(page: str, results: Mapping[str, Any]) -> str:
    """Return the page with new tables. Raises ValueError if the marks are missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{NOTE}\n\n{tables(Costs.measured(results))}\n\n{END}{after}"


def write(path: Path = PAGE) -> None:
    """Write the tables of the page."""
    path.write_text(with_tables(path.read_text(encoding="utf-8"), read()), encoding="utf-8")


if __name__ == "__main__":
    write()
    print(f"written: {PAGE.relative_to(ROOT)}")
