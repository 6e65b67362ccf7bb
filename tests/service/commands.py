"""`alhambra serve` as a process, started in a folder of its own and ended by its id."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .store.servers import alive, await_true

PATIENCE = 60.0
SAYS = "Alhambra is served at "


@dataclass
class Served:
    """A running service."""

    process: subprocess.Popen[str]
    folder: Path
    address: str = ""

    @property
    def log(self) -> str:
        """Everything that was logged until now."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def processes(self) -> dict[int, str]:
        """Everybody who was started by the service, with their command lines."""
        return dict(_descendants(self.process.pid))

    def send(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends the service by its id; its exit code."""
        if self.process.poll() is None:
            self.send(number)
        return self.process.wait(PATIENCE)


def _descendants(pid: int) -> Iterator[tuple[int, str]]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text("ascii").rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if parent == pid:
            yield int(folder.name), command
            yield from _descendants(int(folder.name))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "alhambra_cli", *arguments]


@contextmanager
def served(*arguments: str, ready: bool = True, variables: Mapping[str, str] | None = None) -> Iterator[Served]:
    """The service, ready; whatever is left of it afterwards is ended. `variables` are set in its environment."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        folder = Path(name)
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                command("serve", *arguments),
                cwd=folder,
                env={**os.environ, **(variables or {})},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        found = Served(process, folder)
        family: dict[int, str] = {}
        try:
            assert process.stdout is not None
            if ready:
                line = process.stdout.readline()
                assert line.startswith(SAYS), f"it said {line!r} and logged {found.log}"
                found.address = line.removeprefix(SAYS).strip()
            family = found.processes()
            yield found
        finally:
            found.stop(signal.SIGINT)
            assert process.stdout is not None
            process.stdout.close()
            await_true(lambda: not any(map(alive, family)), "nobody is left behind")
