"""Counts reads that give an older state than the caller's own acknowledged change.

    python -m tests.gateway.read_your_writes [--pairs 100000] [--players 2] [--seed 1]

Starts a service of four processes with its store, and two gateways. Every player makes moves in a game of its own and
reads after each acknowledged one, without `minVersion`: through either gateway, on its kept connection or on a fresh
one, the view, the legal moves or the events. Players run at the same time, so that processes are busy
when a read arrives. A read is older if its version is lower than the one that was acknowledged.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rich.progress import Progress

from .http import Answer, Client
from .product import gateway, running

PROCESSES = 4
FRESH = 0.2
"""The share of reads on a connection that was made for them."""
BUSY = 429


@dataclass
class Found:
    """What the players saw."""

    pairs: int = 0
    older: list[str] = field(default_factory=list)
    """One line for each read that was older than the change before it."""
    reads: Counter[str] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    """By status: answers that were neither a move made nor a state read, 429 apart."""


class _Player(threading.Thread):
    """Writes and reads, strictly one after the other."""

    def __init__(self, number: int, gateways: Sequence[str], pairs: int, rng: Random, found: Found) -> None:
        super().__init__(name=f"player {number}")
        self._gateways = gateways
        self._pairs = pairs
        self._rng = rng
        self._found = found
        self._kept = [Client(address) for address in gateways]
        self._game = ""
        self._tokens: dict[int, str] = {}
        self._view: dict[str, Any] = {}
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End after the next pair."""
        self._stopping.set()

    def run(self) -> None:
        done = 0
        while done < self._pairs and not self._stopping.is_set():
            if not self._view or self._view.get("decision") is None:
                self._begin()
            move = self._legal_move()
            if move is None:
                continue
            answer = self._send(self._path("/moves"), {"move": move, "version": self._view["version"]})
            if answer.status != 200:
                self._found.refused[answer.status] += 1
                self._view = {}
                continue
            self._view = answer.json()["view"]
            self._read()
            self._found.pairs += 1
            done += 1
        for client in self._kept:
            client.close()

    def _begin(self) -> None:
        answer = self._send("/v1/games", {"seats": [{"claim": True}] * self._rng.choice((2, 3, 4))})
        assert answer.status == 200, answer.body
        made = answer.json()
        self._game, self._view = made["game"], made["view"]
        self._tokens = {key["seat"]: key["token"] for key in made["seatKeys"]}

    def _path(self, suffix: str) -> str:
        return f"/v1/games/{self._game}{suffix}"

    def _bearer(self) -> dict[str, str]:
        decision = self._view.get("decision")
        seat = decision["seat"] if decision else 0
        return {"Authorization": f"Bearer {self._tokens[seat]}"} if self._tokens else {}

    def _legal_move(self) -> dict[str, Any] | None:
        query = {"minVersion": self._view["version"], "pageSize": 8}
        while True:
            answer = self._client().get(self._path("/moves"), self._bearer(), **query)
            if answer.status != BUSY:
                break
            self._wait(answer)
        if answer.status != 200:
            self._found.refused[answer.status] += 1
            self._view = {}
            return None
        move: dict[str, Any] = self._rng.choice(answer.json()["moves"])["move"]
        return move

    def _read(self) -> None:
        """Read the state in one of three ways, and compare its version with the acknowledged one."""
        kind = self._rng.choice(("game", "moves", "events")) if self._view.get("decision") else "game"
        fresh = self._rng.random() < FRESH
        which = self._rng.randrange(len(self._gateways))
        client = Client(self._gateways[which]) if fresh else self._kept[which]
        headers = {**self._bearer(), "Accept": "application/json"}
        while True:
            answer = client.get(self._path("" if kind == "game" else f"/{kind}"), headers, **self._query(kind))
            if answer.status != BUSY:
                break
            self._wait(answer)
        if fresh:
            client.close()
        if answer.status != 200:
            self._found.refused[answer.status] += 1
            return
        self._found.reads[kind] += 1
        seen, due = _version(kind, answer.json()), int(self._view["version"])
        if seen < due:
            how = "fresh" if fresh else "kept"
            self._found.older.append(f"{self._game}: {kind} on a {how} connection to gateway {which}: {seen} < {due}")

    def _query(self, kind: str) -> dict[str, object]:
        if kind == "moves":
            return {"pageSize": 1}
        if kind == "events":
            return {"after": f"{max(0, int(self._view['version']) - 1)}.0"}
        return {}

    def _send(self, path: str, body: object) -> Answer:
        while True:
            answer = self._client().post(path, body, self._bearer() if path != "/v1/games" else {})
            if answer.status != BUSY:
                return answer
            self._wait(answer)

    def _client(self) -> Client:
        return self._rng.choice(self._kept)

    def _wait(self, answer: Answer) -> None:
        time.sleep(min(2.0, float(answer.headers["retry-after"] or 1)))


def _version(kind: str, document: dict[str, Any]) -> int:
    """Return the version of the state that an answer shows."""
    if kind == "game":
        return int(document["view"]["version"])
    if kind == "events":
        return max((int(event["id"].partition(".")[0]) for event in document["events"]), default=0)
    return int(document["version"])


def measure(pairs: int, players: int = 2, seed: int = 1, progress: Progress | None = None) -> Found:
    """Return what the players saw in so many pairs of a change and a read."""
    found = Found()
    with running("--workers", str(PROCESSES)) as product, gateway(product.grpc, "--workers", "2") as second:
        addresses = (product.http, second.http)
        crew = [
            _Player(number, addresses, pairs // players, Random(f"{seed} {number}"), found) for number in range(players)
        ]
        task = progress.add_task("pairs of a change and a read", total=pairs // players * players) if progress else None
        for player in crew:
            player.start()
        try:
            while any(player.is_alive() for player in crew):
                time.sleep(0.2)
                if progress is not None and task is not None:
                    progress.update(task, completed=found.pairs)
        except KeyboardInterrupt:  # what was seen until now is told
            for player in crew:
                player.stop()
            for player in crew:
                player.join()
    return found


def main() -> int:
    """Print what was seen; returns 1 if a read was older than the change before it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with Progress() as progress:
        found = measure(given.pairs, given.players, given.seed, progress)
    print(*found.older[:20], sep="\n")
    print(f"{found.pairs:,} pairs, reads {dict(found.reads)}, refused {dict(found.refused)}: {len(found.older)} older")
    return 1 if found.older or found.pairs < given.pairs // given.players * given.players else 0


if __name__ == "__main__":
    sys.exit(main())
