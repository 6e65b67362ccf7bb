"""What compose.yaml describes, started here: the same commands with the same arguments, on loopback and free ports.

Two services share a port on two addresses of loopback, as two containers do on two addresses of a network; a name
server knows both. Only addresses, ports and folders are replaced.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from alhambra_runtime.die_with_parent import dies_with_parent
from alhambra_service.store.embedded import embedded_store
from tests.service.store.servers import await_true, free_port

from .files import DEPLOY, Words, composed
from .names import name_server

ALHAMBRA = (sys.executable, "-m", "alhambra_cli")
HOSTS = ("127.0.0.1", "127.0.0.2")
PATIENCE = 90.0


@dataclass
class Running:
    """A process."""

    process: subprocess.Popen[str]
    log: Path

    def await_line(self, says: str) -> None:
        """Waits until it says something."""
        assert self.process.stdout is not None
        bound = threading.Timer(PATIENCE, self.process.kill)
        bound.start()
        line = self.process.stdout.readline()
        bound.cancel()
        assert line.startswith(says), f"it said {line!r} and logged {self.log.read_text()}"


@dataclass
class Installation:
    """Where everything is. `tests.deploy.images` has another one, whose processes run in containers."""

    folder: Path
    ports: dict[str, int]
    """By the port that the files name."""

    def folders(self) -> dict[str, str]:
        """The folders of this machine for the folders that the files name."""
        secrets = dict.fromkeys(("/run/secrets/alhambra/", "/run/secrets/"), f"{self.folder}/secrets/")
        return {**secrets, **{f"/{name}": f"{self.folder}/{name}" for name in ("data", "backups")}}

    def command(self, name: str, words: Words, variables: Mapping[str, str]) -> Words:
        """The command that starts a service of compose.yaml; what it is called there is `name`."""
        if name == "valkey":
            return (str(embedded_store.find_program()), *words[1:])
        return (*ALHAMBRA, *words)

    def end(self, process: subprocess.Popen[str]) -> None:
        """Ask a process to end."""
        process.send_signal(signal.SIGINT)

    def secret(self, name: str) -> str:
        """One of the secrets that were drawn."""
        return (self.folder / "secrets" / name).read_text(encoding="utf-8").strip()

    def here(self, words: Words, host: str = HOSTS[0]) -> Words:
        """The words of a command with addresses and folders of this machine."""
        folders, ports = self.folders(), self.ports
        places = {name: folder for name, folder in folders.items() if name.endswith("/")}
        if "53" in ports:
            places["dns:///service:50051"] = f"dns://127.0.0.1:{ports['53']}/service:{ports['50051']}"
        for port, own in ports.items():
            places |= {f"0.0.0.0:{port}": f"{host}:{own}", f"127.0.0.1:{port}": f"{host}:{own}"}
        alone = folders | {port: str(own) for port, own in ports.items()}
        pattern = re.compile("|".join(map(re.escape, places)))
        return tuple(alone.get(word) or pattern.sub(lambda found: places[found[0]], word) for word in words)

    @contextmanager
    def process(self, words: Words, variables: Mapping[str, str] | None = None) -> Iterator[Running]:
        """A process, ended by its id, or with the test run."""
        log = self.folder / f"log-{len([*self.folder.glob('log-*')])}"
        with log.open("w") as errors:
            process = subprocess.Popen(
                dies_with_parent(*words),
                cwd=self.folder,
                env={**os.environ, **(variables or {})},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        try:
            yield Running(process, log)
        finally:
            if process.poll() is None:
                self.end(process)
            assert process.stdout is not None
            process.stdout.close()
            process.wait(PATIENCE)

    def alhambra(self, words: Words) -> subprocess.CompletedProcess[str]:
        """A command that ends by itself."""
        return subprocess.run(
            [*ALHAMBRA, *words], check=False, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE
        )


def draw_secrets(folder: Path, store: str) -> None:
    """Runs secrets.sh with the command `alhambra` of this Python."""
    command = folder / "alhambra"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m alhambra_cli "$@"\n')
    command.chmod(0o700)
    subprocess.run(
        ["sh", str(DEPLOY / "secrets.sh"), str(folder / "secrets")],
        env={**os.environ, "ALHAMBRA": str(command), "STORE": store},
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )


@contextmanager
def installed(found: Installation) -> Iterator[None]:
    """Start the whole of compose.yaml, except for Prometheus and Grafana. The ports are chosen here."""
    with ExitStack() as stack:
        found.ports |= {port: free_port() for port in ("6379", "50051", "9464", "8080", "9465")}
        found.ports["53"] = stack.enter_context(name_server([*HOSTS]))
        draw_secrets(found.folder, f"127.0.0.1:{found.ports['6379']}")
        (found.folder / "data").mkdir(exist_ok=True)

        def start(name: str, host: str = HOSTS[0], *more: str, **variables: str) -> Running:
            words = (*found.here(tuple(composed(name)["command"]), host), *more)
            return stack.enter_context(found.process(found.command(name, words, variables), variables))

        start("valkey", HOSTS[0], "--bind", HOSTS[0])
        await_true((found.folder / "data" / "appendonlydir").exists, "the store starts")
        variable, _, store = found.secret("store.env").partition("=")
        services = [start("service", host, **{variable: store}) for host in HOSTS]
        gateway = start("gateway")
        for each in services:
            each.await_line("Alhambra is served at ")
        gateway.await_line("Alhambra speaks HTTP at ")
        start("bots").await_line("Alhambra plays for bots at ")
        yield
