"""Processes of a world: each with a folder, a log and a clock of its own, started, killed and paused by its id."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil

from alhambra_runtime.die_with_parent import dies_with_parent

from .clocks import Clock

PATIENCE = 60.0
START_SECONDS = 120.0
"""Longer than any fault that keeps a process from starting."""
TICK_SECONDS = 0.02

_starter = ThreadPoolExecutor(1, thread_name_prefix="starter")
"""`dies_with_parent` ends a process with the thread that started it, so one thread starts them all and stays."""


class Gone(Exception):
    """Something did not happen in time."""


def await_true(holds: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until something holds; raises Gone after a bounded time."""
    deadline = time.monotonic() + patience
    while not holds():
        if time.monotonic() > deadline:
            raise Gone(f"in vain: {what}")
        time.sleep(TICK_SECONDS)


class Program:
    """A process with everything that it starts. It dies with this process."""

    def __init__(self, name: str, folder: Path, library: Path | None, command: Sequence[str], says: str = "") -> None:
        self.name = name
        self.folder = folder / name
        self.folder.mkdir()
        self.clock = Clock(self.folder, library)
        self.command = list(command)
        self.variables: dict[str, str] = {}
        """Beside those of this process and those of the clock."""
        self._says = says
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process that was started last."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process that was started last still runs."""
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Start the process without waiting for it."""
        _starter.submit(self._launch).result()

    def _launch(self) -> None:
        environment = {**os.environ, **self.variables, **self.clock.variables}
        with (self.folder / "out").open("wb") as out, (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                dies_with_parent(*self.command),
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
            )

    def start(self, patience: float = START_SECONDS) -> None:
        """Start the process and wait until it says that it is ready. One that gives up is started again, as by a
        supervisor: it may have met a store that was not there."""
        deadline = time.monotonic() + patience
        while True:
            self.launch()
            while self.running and time.monotonic() < deadline:
                if self.ready():
                    return
                time.sleep(TICK_SECONDS)
            if time.monotonic() >= deadline:
                raise Gone(f"{self.name} does not start: {self.tail()}")
            time.sleep(0.2)

    def ready(self) -> bool:
        """Whether the process has said that it is ready."""
        return (self.folder / "out").read_text("utf-8").startswith(self._says)

    def tail(self) -> str:
        """The last lines of the log."""
        return (self.folder / "log").read_text("utf-8", "replace")[-2000:]

    # -- Signals -------------------------------------------------------------------------------------------------

    def family(self) -> list[psutil.Process]:
        """The process and everything that it started, as far as they run."""
        if not self.running:
            return []
        try:
            own = psutil.Process(self.pid)
            return [own, *own.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def signal_all(self, number: int) -> None:
        """Send a signal to the whole family, by their ids."""
        for one in self.family():
            with suppress(psutil.NoSuchProcess):
                one.send_signal(number)

    def kill_child(self, choice: int) -> bool:
        """kill -9 of one process that the first one has started; False if there is none just now."""
        children = self.family()[1:]
        if not children:
            return False
        with suppress(psutil.NoSuchProcess):
            children[choice % len(children)].kill()
        return True

    def kill(self) -> None:
        """kill -9 of the whole family."""
        family = self.family()
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        if self._process is not None:
            self._process.wait(PATIENCE)
        psutil.wait_procs(family, PATIENCE)

    def stop(self) -> None:
        """End the process in good order, and what is left of it by force."""
        family = self.family()
        if self.running:
            os.kill(self.pid, signal.SIGCONT)
            os.kill(self.pid, signal.SIGTERM)
            assert self._process is not None
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(20)
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        if self._process is not None:
            self._process.wait(PATIENCE)


def alhambra(*arguments: str) -> list[str]:
    """The command line of a command of the product."""
    return [sys.executable, "-m", "alhambra_cli", *arguments]


def tree_variables(tree: Path) -> Mapping[str, str]:
    """What a process must have in its environment to run the source tree at a path instead of the installed one."""
    parts = ("rules", "cli", "service", "gateway", "runtime", "proto", "")
    return {"PYTHONPATH": os.pathsep.join(str(tree / part) for part in parts)}
