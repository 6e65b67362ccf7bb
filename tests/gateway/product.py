"""The product as a process, `alhambra run`, or a gateway alone, `alhambra gateway`: on free ports, in a folder of its
own, ended by its id."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from .http import Client

PATIENCE = 60.0
SMALL_LIMITS = str(Path(__file__).with_name("small_limits.py"))
GRPC, HTTP = "Alhambra is served at ", "Alhambra speaks HTTP at "


@dataclass
class Running:
    """A process that answers HTTP, and all that it has started."""

    process: subprocess.Popen[str]
    folder: Path
    http: str = ""
    """The address of the gateway, `http://127.0.0.1:4712`."""
    clients: list[Client] = field(default_factory=list)

    @property
    def log(self) -> str:
        """Everything that was logged until now, by all processes."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def client(self, token: str = "") -> Client:
        """A client with a connection of its own, closed with the process."""
        self.clients.append(Client(self.http, token))
        return self.clients[-1]

    def gateway(self) -> psutil.Process:
        """The master of the gateway."""
        return psutil.Process(self.process.pid)

    def gateway_workers(self) -> list[int]:
        """The ids of the processes that answer HTTP."""
        return [child.pid for child in self.gateway().children()]

    def family(self) -> list[psutil.Process]:
        """Everybody who was started."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def send(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends it by its id; its exit code."""
        if self.process.poll() is None:
            self.send(number)
        return self.process.wait(PATIENCE)


@dataclass
class Product(Running):
    """A running service with a gateway in front of it."""

    grpc: str = ""
    """The address of the service, `127.0.0.1:4711`."""

    def gateway(self) -> psutil.Process:
        """The master of the gateway."""
        (found,) = (child for child in psutil.Process(self.process.pid).children() if "gateway" in child.cmdline())
        return found

    def kill_service_workers(self) -> None:
        """Kill the processes that answer gRPC; their parent starts others."""
        for process in self.family():
            if "alhambra_service.process.worker" in process.cmdline():
                process.kill()


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "alhambra_cli", *arguments]


@contextmanager
def running(*arguments: str, variables: Mapping[str, str] | None = None) -> Iterator[Product]:
    """The product, ready; whatever is left of it afterwards is ended."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        words = ("--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", str(Path(name, "data")))
        found = Product(_start(Path(name), ("run", *words, *arguments), variables or {}), Path(name))
        with _ending(found):
            found.grpc, found.http = _said(found, GRPC), _said(found, HTTP)
            yield found


@contextmanager
def gateway(
    service: str,
    *arguments: str,
    limits: Mapping[str, float] | None = None,
    variables: Mapping[str, str] | None = None,
    port: int = 0,
    drain_seconds: int = 0,
) -> Iterator[Running]:
    """A gateway in front of a service that runs already, with other limits than usual if some are given."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        listen, drain = f"127.0.0.1:{port}", str(drain_seconds)
        words = ("--service", service, "--listen", listen, "--workers", "1", "--drain-seconds", drain)
        started = _start(Path(name), ("gateway", *words, *arguments), variables or {}, limits or {})
        found = Running(started, Path(name))
        with _ending(found):
            found.http = _said(found, HTTP)
            yield found


def _start(
    folder: Path, words: tuple[str, ...], variables: Mapping[str, str], limits: Mapping[str, float] | None = None
) -> subprocess.Popen[str]:
    small = (sys.executable, "-P", SMALL_LIMITS, *(f"{name}={value}" for name, value in (limits or {}).items()), "--")
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            [*small, *words] if limits else command(*words),
            cwd=folder,
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )


def _said(found: Running, says: str) -> str:
    """What the process says when it is ready."""
    assert found.process.stdout is not None
    line = found.process.stdout.readline()
    assert line.startswith(says), f"it said {line!r} and logged {found.log}"
    return line.removeprefix(says).strip()


@contextmanager
def _ending(found: Running) -> Iterator[None]:
    family: list[psutil.Process] = []
    try:
        yield
        if found.process.poll() is None:
            family = found.family()
    finally:
        for client in found.clients:
            client.close()
        found.stop(signal.SIGINT)
        assert found.process.stdout is not None
        found.process.stdout.close()
        _, left = psutil.wait_procs(family, PATIENCE)
        assert not left, f"left behind: {left}"
