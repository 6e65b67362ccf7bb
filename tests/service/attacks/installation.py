"""The product as `make run` starts it, in a folder of its own, and what its good callers feel."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from alhambra_api.v1 import games_pb2, service_pb2_grpc

from ..store.servers import free_port
from .peers import a_placement

START_SECONDS = 60.0
STOP_SECONDS = 40.0
CALL_SECONDS = 20.0
ROOT = Path(__file__).parents[3]


@dataclass
class Product:
    """A running product."""

    process: subprocess.Popen[bytes]
    port: int

    def channel(self) -> grpc.Channel:
        """A connection of its own."""
        return grpc.insecure_channel(f"127.0.0.1:{self.port}", [("grpc.use_local_subchannel_pool", 1)])


@contextmanager
def product(*arguments: str) -> Iterator[Product]:
    """`alhambra run --pin --reflection` with an embedded store; ended by its id."""
    with TemporaryDirectory(prefix="alh-attack-") as folder, (Path(folder) / "log").open("wb") as log:
        port = free_port()
        command = [sys.executable, "-m", "alhambra_cli", "run", "--pin", "--reflection", "--data", f"{folder}/data"]
        command += ["--grpc", f"127.0.0.1:{port}", "--http", f"127.0.0.1:{free_port()}", *arguments]
        environment = os.environ | {"ALHAMBRA_DRAIN_SECONDS": "0", "ALHAMBRA_GRACE_SECONDS": "1"}
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment)
        try:
            here = Product(process, port)
            _await_serving(here)
            yield here
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _await_serving(here: Product) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert here.process.poll() is None, "the product ended at its start"
        with here.channel() as channel:
            try:
                if serving(channel):
                    return
            except grpc.RpcError:
                time.sleep(0.1)
    raise AssertionError("the product does not serve")


def serving(channel: grpc.Channel, seconds: float = CALL_SECONDS) -> bool:
    """Whether the process at the other end says that it serves."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    status = stub.Check(health_pb2.HealthCheckRequest(), timeout=seconds).status
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


class Callers:
    """Good callers with a few connections, and one call of each pool."""

    def __init__(self, open_channel: Callable[[], grpc.Channel], connections: int = 4) -> None:
        self.channels = [open_channel() for _ in range(connections)]
        stubs: list[Any] = [service_pb2_grpc.GameServiceStub(channel) for channel in self.channels]
        self._stubs = stubs
        seats = [games_pb2.SeatSetup(claim=True)] * 3
        made = stubs[0].CreateGame(games_pb2.CreateGameRequest(seats=seats), timeout=CALL_SECONDS)
        self.game: str = made.game
        self.tokens = {key.seat: key.token for key in made.seat_keys}
        tile = a_placement(self.game)
        ask = games_pb2.GetGameRequest(game=self.game)
        create = games_pb2.CreateGameRequest(seats=seats)
        self.calls: dict[str, Callable[[int], object]] = {
            "read": lambda number: stubs[number].GetGame(ask, timeout=CALL_SECONDS),
            "quick": lambda number: stubs[number].ValidatePlacement(tile, timeout=CALL_SECONDS),
            "write": lambda number: stubs[number].CreateGame(create, timeout=CALL_SECONDS),
            "health": lambda number: serving(self.channels[number]),
        }

    def close(self) -> None:
        for channel in self.channels:
            channel.close()

    def took(self, seconds: float) -> dict[str, list[float]]:
        """How long calls of each pool take, one after another for this long. Changes wait for a disk: they are few."""
        found: dict[str, list[float]] = {name: [] for name in self.calls}
        until = time.monotonic() + seconds
        number = 0
        while time.monotonic() < until:
            for name, call in self.calls.items():
                if name == "write" and number % 20:
                    continue
                began = time.perf_counter()
                call(number % len(self.channels))
                found[name].append(time.perf_counter() - began)
            number += 1
        return found


def p99(times: list[float]) -> float:
    """The time that one call in a hundred exceeds."""
    return quantiles(times, n=100)[98] if len(times) > 1 else times[0]
