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

from alhambra_service.store.embedded import embedded_store
from tests.service.store.servers import await_true, free_port

from .files import DEPLOY, Words, composed
from .names import name_server

ALHAMBRA = (sys.executable, "-m", "alhambra_cli")
HOSTS = ("127.0.0.1", "127.0.0.2")
LEASH = Path(embedded_store.__file__).with_name("die_with_parent.py")
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
    """Where everything is."""

    folder: Path
    ports: dict[str, int]
    """By the port that the files name."""

    def secret(self, name: str) -> str:
        """One of the secrets that were drawn."""
        return (self.folder / "secrets" / name).read_text(encoding="utf-8").strip()

    def here(self, words: Words, host: str = HOSTS[0]) -> Words:
        """The words of a command with addresses and folders of this machine."""
        folder, ports = str(self.folder), self.ports
        places = {"/run/secrets/alhambra/": f"{folder}/secrets/", "/run/secrets/": f"{folder}/secrets/"}
        if "53" in ports:
            places["dns:///service:50051"] = f"dns://127.0.0.1:{ports['53']}/service:{ports['50051']}"
        for port, own in ports.items():
            places |= {f"0.0.0.0:{port}": f"{host}:{own}", f"127.0.0.1:{port}": f"{host}:{own}"}
        alone = {"/data": f"{folder}/data", **{port: str(own) for port, own in ports.items()}}
        pattern = re.compile("|".join(map(re.escape, places)))
        return tuple(alone.get(word) or pattern.sub(lambda found: places[found[0]], word) for word in words)

    @contextmanager
    def process(self, words: Words, variables: Mapping[str, str] | None = None) -> Iterator[Running]:
        """A process, ended by its id, or with the test run."""
        log = self.folder / f"log-{len([*self.folder.glob('log-*')])}"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), *words],
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
                process.send_signal(signal.SIGINT)
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
def installed(folder: Path) -> Iterator[Installation]:
    """The whole of compose.yaml, except for Prometheus and Grafana."""
    with ExitStack() as stack:
        ports = {port: free_port() for port in ("6379", "50051", "9464", "8080", "9465")}
        ports["53"] = stack.enter_context(name_server([*HOSTS]))
        found = Installation(folder, ports)
        draw_secrets(folder, f"127.0.0.1:{ports['6379']}")
        (folder / "data").mkdir()
        program, *words = composed("valkey")["command"]
        assert program == "valkey-server"
        stack.enter_context(
            found.process((str(embedded_store.find_program()), *found.here(tuple(words)), "--bind", "127.0.0.1"))
        )
        await_true((folder / "data" / "appendonlydir").exists, "the store starts")
        name, _, store = found.secret("store.env").partition("=")
        words = tuple(composed("service")["command"])
        services = [
            stack.enter_context(found.process((*ALHAMBRA, *found.here(words, host)), {name: store})) for host in HOSTS
        ]
        command = (*ALHAMBRA, *found.here(tuple(composed("gateway")["command"])))
        gateway = stack.enter_context(found.process(command))
        for each in services:
            each.await_line("Alhambra is served at ")
        gateway.await_line("Alhambra speaks HTTP at ")
        yield found
