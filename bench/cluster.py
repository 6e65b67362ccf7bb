"""The cost of a commit on a Valkey Cluster of several masters, and of telling other processes about it.

The store sends a message about every commit to every process of the service, so that their memory is up to date. The
costs of sending and receiving it are measured, because they grow with the number of processes.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from statistics import median
from typing import Any

from alhambra_service.games.game_commands import GameCommands
from alhambra_service.games.loaded_game import decode
from alhambra_service.store import Commit, GameStore, StoredGame
from alhambra_service.store.checks import Durability
from alhambra_service.store.keys import state_key
from tests.service.store.servers import RealCluster, await_true

from . import cores
from .boards import moves, search
from .group import Effort, Group
from .rounds import Contest, Run

GAMES = 120
"""Games. Each run makes one commit in each."""
SETTLED = 30
"""Moves that the games have before the measurement."""
SIZES: dict[str, tuple[int, int]] = {
    "3 masters": (3, 0),
    "1 master": (1, 0),
    "6 masters": (6, 0),
    "3 masters, 4 processes listen": (3, 4),
    "3 masters, 8 processes listen": (3, 8),
}
"""Pairs of numbers: masters, and processes that listen."""
CHANGE = "a change, many at once"
CHANGES = 6_000
"""Changes in a run."""
A_DAY = 86_400_000
"""Milliseconds."""
QUIET_SECONDS = 0.3
"""Seconds after which listeners have received everything."""
PATIENCE = 60.0


class Shards:
    """A cluster with games, a process that commits to them (this one), and processes that listen."""

    def __init__(self, stack: ExitStack, masters: int, listeners: int, games: int) -> None:
        cluster = RealCluster(masters)
        stack.callback(cluster.stop)
        self._masters = cluster.masters
        for master in cluster.masters:
            cores.pin(master.pid, cores.FRONT)
        commands = GameStore.open(cluster.url, decode, durability=Durability.ALWAYS)
        self._games = [one.game for one in search(GameCommands(commands), games, moves(SETTLED), seats=3)]
        commands.close()
        self._store: GameStore[StoredGame] = GameStore.open(cluster.url, _as_it_is, durability=Durability.ALWAYS)
        stack.callback(self._store.close)
        self._listeners = [self._listener(stack, cluster.url) for _ in range(listeners)]

    @staticmethod
    def _listener(stack: ExitStack, url: str) -> int:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=listen, args=(url, theirs))
        process.start()

        def end() -> None:
            ours.close()
            process.join(PATIENCE)

        stack.callback(end)
        if not ours.poll(PATIENCE):
            raise AssertionError("the listener did not start")
        pid: int = ours.recv()
        return pid

    def run(self) -> Run:
        """Make one commit in each game."""
        records = [(game, self._store.read_game(game)) for game in self._games]
        before, own, traffic, took = self._cpu(), time.process_time(), self._bytes(), []
        for game, record in records:
            began = time.perf_counter()
            self._store.commit(Commit(game, record.advanced(["0 pass"])))
            took.append(time.perf_counter() - began)
        spent = {role: now - before[role] for role, now in self._cpu().items()}
        spent["client"] = time.process_time() - own
        sent = {name: (now - traffic[name]) / len(records) for name, now in self._bytes().items()}
        return Run(len(records), sum(took), spent, {**sent, "p50 ms": 1e3 * median(took)})

    def change(self, count: int) -> Run:
        """Change many games without a commit. This measures the command and the messages about it alone."""
        keys: dict[str, list[str]] = {}
        for key in map(state_key, self._games):
            keys.setdefault(self._store.client.server(key).name, []).append(key)
        before, own, began, made = self._cpu(), time.process_time(), time.perf_counter(), 0
        while made < count:
            for ours in keys.values():  # a store reports a key once per exchange, so each exchange has a key once
                self._store.client.server(ours[0]).exchange(*(("PEXPIRE", key, A_DAY) for key in ours))
                made += len(ours)
        seconds = time.perf_counter() - began
        time.sleep(QUIET_SECONDS)
        spent = {role: now - before[role] for role, now in self._cpu().items()}
        return Run(made, seconds, {**spent, "client": time.process_time() - own})

    def _cpu(self) -> dict[str, float]:
        listeners = [cores.seconds(pid) for pid in self._listeners]
        return {
            "store": sum(cores.seconds(master.pid) for master in self._masters),
            "listener": sum(listeners) / max(len(listeners), 1),
        }

    def _bytes(self) -> dict[str, float]:
        """Return the bytes that the masters have received, sent and written."""
        found = {"bytes in": 0.0, "bytes out": 0.0, "bytes on disk": 0.0}
        for server in self._store.client.servers():
            stats, disk = server.info("stats"), server.info("persistence")
            found["bytes in"] += int(stats["total_net_input_bytes"])
            found["bytes out"] += int(stats["total_net_output_bytes"])
            found["bytes on disk"] += int(disk["aof_current_size"])
        return found


def _as_it_is(record: StoredGame) -> StoredGame:
    return record


def listen(url: str, answers: Any) -> None:
    """Listen for commits in a child process until the other end of the pipe is closed."""
    store: GameStore[StoredGame] = GameStore.open(url, _as_it_is, durability=Durability.ALWAYS)
    try:
        await_true(lambda: store.cache.listening, "the process listens", PATIENCE)
        answers.send(multiprocessing.current_process().pid)
        answers.poll(None)
    finally:
        store.close()


def commits(effort: Effort) -> Group:
    """Measure commits on clusters of several sizes."""
    sizes = {"3 masters": (3, 0), "3 masters, 1 process listens": (3, 1)} if effort.quick else SIZES
    count = CHANGES // 10 if effort.quick else CHANGES
    with ExitStack() as stack:
        shards: dict[str, Shards] = {}
        entrants: dict[str, Callable[[], Run]] = {}
        for name, (masters, listeners) in sizes.items():
            effort.tick(f"cluster: {name}")
            shards[name] = Shards(stack, masters, listeners, 4 if effort.quick else GAMES)
            entrants[name] = shards[name].run
        found = effort.contest("cluster", Contest(entrants, role="store", rounds=effort.few, attempts=1))
        changes: dict[str, Callable[[], Run]] = {
            name.replace("3 masters", CHANGE): partial(one.change, count)
            for name, one in shards.items()
            if name.startswith("3 masters")
        }
        told = effort.contest("changes", Contest(changes, role="store", rounds=effort.few, attempts=1))
    how = (
        f"A process commits to {GAMES} games in turn, each {SETTLED} moves old, with `appendfsync always`; no service "
        "is in between. `store` is the time of all masters together; `listener` that of one process that keeps no "
        "game and only hears of the commits. Every process hears of every commit. The bytes are those of a commit, as "
        "the masters count them. The last lines are bare changes on the three masters, those of a master in one "
        "exchange: what a message costs both sides where there are many."
    )
    return Group("A cluster of several masters", how, [*found.rows(), *told.rows()], found.verdict())
