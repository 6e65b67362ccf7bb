"""A whole installation on loopback: a store, two services, a gateway before each, and a line before every one of them.

clients ──front──▶ gateway ──rpc──▶ service ──store──▶ server
clients ─────────────────────rpc──▶ service

If services are to go up and down behind the gateways (`Schedule.always_served`), there is one more service, which is
started later, and every gateway has the addresses of all services:

clients ──front──▶ gateway ──▶ services
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.service.store.servers import free_port

from .clocks import compiled
from .hosts import HostStore
from .kinds import SEVERAL
from .processes import START_SECONDS, Gone, Program, alhambra, await_true, tree_variables
from .proxy import Network, Proxy
from .schedule import Schedule
from .stores import SHAPES, Store

SERVICES = 2
STORES: dict[str, type[Store]] = {**SHAPES, "hosts": HostStore, SEVERAL: SHAPES["single"]}
"""Stores by the name that the command line uses."""
SAYS_GRPC, SAYS_HTTP = "Alhambra is served at ", "Alhambra speaks HTTP at "
BACKUP_SECONDS = 60.0
CHECK_SECONDS = 5.0


class World:
    """The processes and lines of one round."""

    def __init__(self, folder: Path, schedule: Schedule, other_version: Path | None = None) -> None:
        self.folder = folder
        self.other_version = other_version
        self.network = Network()
        self._library = compiled(folder)
        self.store: Store = STORES[schedule.store](folder, self._library, self.network, schedule.durability)
        self._durability = schedule.durability
        self._several = schedule.always_served
        self.added: Program | None = None
        """A service that is not started with the others."""
        self._ports: list[int] = []
        """Where the services listen."""
        self.services: list[Program] = []
        self.gateways: list[Program] = []
        self.rpc: list[Proxy] = []
        self.front: list[Proxy] = []

    def start(self) -> None:
        """Start the store, then the services, then the gateways."""
        self.store.start()
        for number in range(SERVICES + self._several):
            self._add_service(number)
        if self._several:
            self.added = self.services.pop()
        for number in range(SERVICES):
            self._add_gateway(number)
        for programs in (self.services, self.gateways):
            with ThreadPoolExecutor(len(programs)) as pool:
                list(pool.map(Program.start, programs))

    def _add_service(self, number: int) -> None:
        port = free_port()
        words = (
            *("serve", "--listen", f"127.0.0.1:{port}", "--store", self.store.address(number), "--workers", "1"),
            *("--durability", self._durability, "--drain-seconds", "0.2", "--grace-seconds", "2"),
            *("--service-key", str(self._service_key()), "--log-level", "warning"),
        )
        self._ports.append(port)
        name = f"service-{number + 1}"
        self.services.append(Program(name, self.folder, self._library, alhambra(*words), SAYS_GRPC))
        self.rpc.append(self.network.line(port))

    def _service_key(self) -> Path:
        """One key for both services: a repeated request to create a game finds the same game."""
        file = self.folder / "service.key"
        file.write_text("0123456789abcdef" * 4, "ascii")
        file.chmod(0o600)
        return file

    def _add_gateway(self, number: int) -> None:
        port = free_port()
        words = (
            *("gateway", "--listen", f"127.0.0.1:{port}", "--service", self._addresses(number)),
            *("--workers", "1", "--drain-seconds", "0.2", "--grace-seconds", "2", "--log-level", "warning"),
        )
        name = f"gateway-{number + 1}"
        self.gateways.append(Program(name, self.folder, self._library, alhambra(*words), SAYS_HTTP))
        self.front.append(self.network.line(port))

    def _addresses(self, number: int) -> str:
        """The services of a gateway: one by its line, or all without lines, by address and by name."""
        if not self._several:
            return f"127.0.0.1:{self.rpc[number].port}"
        hosts = ("127.0.0.1", "dns:///localhost")
        return ",".join(f"{hosts[(number + place) % 2]}:{port}" for place, port in enumerate(self._ports))

    def await_services(self) -> None:
        """Wait until every service serves games, also one whose worker is being started again."""
        for port in self._ports[: len(self.services)]:
            with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
                stub: Any = health_pb2_grpc.HealthStub(channel)
                await_true(lambda stub=stub: _serves(stub), "a service serves", START_SECONDS)  # type: ignore[misc]

    @property
    def lines(self) -> list[Proxy]:
        """Every line that a fault can hit."""
        return [*self.front, *self.rpc, *self.store.lines]

    def use_version(self, service: Program, *, other: bool) -> None:
        """Let the next start of a service run the other version, or this one again."""
        assert self.other_version is not None
        service.variables = dict(tree_variables(self.other_version)) if other else {}

    def heal(self) -> None:
        """Repair everything that faults have left behind, and wait until it works."""
        for line in self.lines:
            line.clear("lines")
        self.store.heal()
        for program in (*self.services, *self.gateways):
            program.clock.set(0)
            program.variables = {}
            if not program.running:
                program.start()

    def backup(self) -> Path:
        """Write all games of the store into a file, with the command for operators."""
        file = self.folder / "backup.jsonl"
        file.unlink(missing_ok=True)
        command = alhambra("backup", str(file), "--store", self.store.url)
        done = subprocess.run(command, capture_output=True, text=True, timeout=BACKUP_SECONDS, check=False)
        if not file.exists():
            raise Gone(f"the store cannot be backed up: {done.stderr}")
        return file

    def stop(self) -> None:
        """End all processes and lines."""
        for program in (*self.gateways, *self.services, *([self.added] if self.added else [])):
            program.kill()
        self.store.stop()
        self.network.close()


def _serves(stub: Any) -> bool:
    try:
        answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=CHECK_SECONDS, wait_for_ready=True)
    except grpc.RpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@contextmanager
def running(schedule: Schedule, folder: Path, other_version: Path | None = None) -> Iterator[World]:
    """A world that runs in an empty folder. Everything in it is ended afterwards; the folder stays, with the logs."""
    world = World(folder, schedule, other_version)
    try:
        world.start()
        yield world
    finally:
        world.stop()
