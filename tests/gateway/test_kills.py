"""Processes of the gateway are killed while games are played over REST: nothing acknowledged is lost, nothing is done
twice, and a watcher that comes back has missed nothing."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any

import pytest

from tests.service.store.servers import alive, await_true

from .http import Client
from .product import Product, running
from .sse import Stream
from .tables import RestGame

PLAYERS = 3
PATIENCE = 60.0
KILLS = 2
BETWEEN = 4
"""Moves of each player between two kills."""


@pytest.fixture(scope="module")
def installation() -> Iterator[Product]:
    """A product of its own, with two processes that answer HTTP."""
    with running(variables={"ALHAMBRA_WORKERS": "1", "ALHAMBRA_GATEWAY_WORKERS": "2"}) as found:
        yield found


class Player(threading.Thread):
    """Plays both seats of a game; repeats whatever was not answered, with the same key, until it is."""

    def __init__(self, installation: Product) -> None:
        super().__init__(daemon=True)
        self._client = Client(installation.http, timeout=PATIENCE)
        self.game = RestGame(self._client)
        self.acknowledged: list[int] = []
        """The versions that were answered, one for each move."""
        self.repeated = 0
        self.enough = threading.Event()
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.enough.is_set() and self.game.view["status"] == "running":
                legal = self._insist(
                    "GET", f"{self.game.path}/moves?pageSize=1&minVersion={self.game.version}", {}, None
                )
                move = {"move": legal["moves"][0]["move"], "version": legal["version"]}
                key = {"Idempotency-Key": f"move {len(self.acknowledged)}", "Content-Type": "application/json"}
                answer = self._insist("POST", f"{self.game.path}/moves", key, json.dumps(move).encode())
                self.acknowledged.append(answer["version"])
                self.game.view = answer["view"]
        except BaseException as fault:
            self.fault = fault
        finally:
            self.repeated += self._client.reconnected
            self._client.close()

    def _insist(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Any:
        """The answer, however often it has to be asked for."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._client.send(method, path, body, {**headers, **self.game.bearer()})
                if answer.status < 500:
                    assert answer.status == 200, answer.body
                    return answer.json()
            except (OSError, HTTPException):
                pass
            assert time.monotonic() < deadline, "nobody answers"
            self.repeated += 1
            time.sleep(0.02)


class Watcher(threading.Thread):
    """Follows a game; opens the stream again whenever it breaks, behind the last event that it has."""

    def __init__(self, installation: Product, game: RestGame, last: str) -> None:
        super().__init__(daemon=True)
        self._house = installation
        self._path = f"{game.path}/events"
        self._stream: Stream | None = None
        self.received = [last]
        self.opened = 0
        self.enough = False

    def run(self) -> None:
        while not self.enough:
            try:
                with Stream(self._house.http, self._path, {"Last-Event-ID": self.received[-1]}) as self._stream:
                    if self._stream.status == 200:
                        self.opened += 1
                        for told in self._stream:
                            if told.type == "event":
                                self.received.append(told.id)
            except (OSError, ValueError, IndexError):  # it broke somewhere in the middle
                time.sleep(0.02)

    def stop(self) -> None:
        self.enough = True
        if self._stream is not None:
            self._stream.cut()
        self.join(PATIENCE)


def kill_each_worker(installation: Product) -> None:
    """The two processes that answer HTTP, one after the other."""
    for victim in installation.gateway_workers():
        os.kill(victim, signal.SIGKILL)
        await_true(lambda dead=victim: _replaced(installation, dead), "another one is started", PATIENCE)  # type: ignore[misc]


def _replaced(installation: Product, dead: int) -> bool:
    return not alive(dead) and len(installation.gateway_workers()) == 2


def kill_the_gateway(installation: Product) -> None:
    """All of it: the workers do not outlive their master, and another master is started at the same address."""
    master, workers = installation.gateway(), installation.gateway_workers()
    master.kill()
    await_true(lambda: not any(map(alive, (master.pid, *workers))), "nobody outlives the master", PATIENCE)
    await_true(lambda: _answers(installation), "another one is started", PATIENCE)


def _moved_on(goal: dict[Player, int]) -> bool:
    return all(player.fault or len(player.acknowledged) >= count for player, count in goal.items())


def _answers(installation: Product) -> bool:
    try:
        with Client(installation.http) as client:
            return client.get("/readyz").status == 200
    except OSError:
        return False


@pytest.mark.parametrize("kill", [kill_each_worker, kill_the_gateway])
def test_nothing_acknowledged_is_lost_and_nothing_is_done_twice(
    installation: Product, kill: Callable[[Product], None]
) -> None:
    players = [Player(installation) for _ in range(PLAYERS)]
    watchers = [Watcher(installation, player.game, player.game.events()[-1]["id"]) for player in players]
    for thread in (*players, *watchers):
        thread.start()
    try:
        for _ in range(KILLS):
            goal = {player: len(player.acknowledged) + BETWEEN for player in players}
            await_true(lambda goal=goal: _moved_on(goal), "the games go on", PATIENCE)  # type: ignore[misc]
            kill(installation)
        goal = {player: len(player.acknowledged) + BETWEEN for player in players}
        await_true(lambda: _moved_on(goal), "the games go on", PATIENCE)
    finally:
        for player in players:
            player.enough.set()
            player.join(PATIENCE)
    assert [player.fault for player in players] == [None] * PLAYERS
    assert any(player.repeated for player in players)  # or nobody has noticed anything
    with Client(installation.http) as client:
        for player, watcher in zip(players, watchers, strict=True):
            game = player.game
            # Each move was acknowledged with the version behind the one before: none is missing, none was made twice.
            assert player.acknowledged == list(range(1, len(player.acknowledged) + 1))
            assert client.get(game.path).json()["view"]["version"] == player.acknowledged[-1]
            told = [event["id"] for event in game.events(client)]
            await_true(lambda w=watcher, t=told: w.received[-1] == t[-1], "the watcher has seen all")  # type: ignore[misc]
            watcher.stop()
            assert watcher.received == told[told.index(watcher.received[0]) :]
    assert sum(watcher.opened for watcher in watchers) > PLAYERS
