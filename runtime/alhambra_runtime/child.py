"""Child processes that are kept running until the parent is asked to stop.

    child.launch()
    await_ready([child], signals, seconds)
    keep_running([child], signals)          # returns after a signal to stop
    child.send(signals.stopping[0])
    await_end([child], signals, seconds)
    child.end()

A child has a session of its own, so that Ctrl-C reaches only the parent, which then stops its children gracefully.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, ClassVar

from .backoff import Backoff
from .machine import server_environment
from .settings import BadSettings
from .signals import Signals

TICK_SECONDS = 0.1
"""How often the parent checks whether its children are alive."""
START_TICK_SECONDS = 0.025
LAST_LINE_SECONDS = 1.0
"""How long to wait for the last line of a child that has died."""


class Child(ABC):
    """A process that is restarted when it dies, after a pause that grows while it keeps dying. A subclass defines the
    command and reads the lines of its standard output."""

    reads_stdin: ClassVar[bool] = False
    """Whether the child reads lines from its standard input."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        self._environment = environment or {}
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self._backoff = Backoff()
        self._began = 0.0
        self._due: float | None = None
        """When the next process is started; None while one runs."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return the command to run."""

    @abstractmethod
    def read_line(self, line: str) -> None:
        """Process a line of the child's standard output. Called by another thread."""

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether the child has reported that it is ready."""

    @abstractmethod
    def start_fault(self) -> str:
        """Return a sentence that says why the child did not become ready."""

    @abstractmethod
    def died(self, pause: float) -> None:
        """Log that the child has died and is restarted after this number of seconds."""

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def process(self) -> subprocess.Popen[str]:
        """The process that was started last."""
        assert self._process is not None
        return self._process

    def launch(self) -> None:
        """Start a process without waiting until it is ready."""
        self._began = time.monotonic()
        self._process = process = subprocess.Popen(
            self.command(),
            stdin=subprocess.PIPE if self.reads_stdin else None,
            stdout=subprocess.PIPE,
            env=server_environment(**self._environment),
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._listener = threading.Thread(target=self._listen, args=(process.stdout,), daemon=True)
        self._listener.start()

    def _listen(self, output: IO[str]) -> None:
        with output:
            for line in output:
                self.read_line(line)

    def await_last_line(self) -> None:
        """Wait until all output of a dead child has been read."""
        if self._listener is not None:
            self._listener.join(LAST_LINE_SECONDS)

    def send(self, number: int) -> None:
        """Send a signal, if the process runs."""
        if self.alive:
            self.process.send_signal(number)

    def write_line(self, line: str) -> None:
        """Write a line to the child's standard input. A dead child does not read it."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def reload(self) -> None:
        """Make the child read its files again."""
        self.send(signal.SIGHUP)

    def restart_if_dead(self) -> None:
        """Restart the child if it has died and the pause is over."""
        now = time.monotonic()
        if self._due is not None:
            if now >= self._due:
                self._due = None
                self.launch()
        elif not self.alive:
            self.await_last_line()
            self.end()
            pause = self._backoff.pause(now - self._began)
            self.died(pause)
            self._due = now + pause

    def end(self) -> None:
        """Kill the process if it still runs, by its id, and close its input."""
        if self._process is None:
            return
        if self.alive:
            self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()


def await_ready(children: Sequence[Child], signals: Signals, seconds: float) -> None:
    """Wait until all children are ready or a signal to stop arrives. Raise BadSettings if a child dies first or is not
    ready within this time."""
    deadline = time.monotonic() + seconds
    while not signals.stopping:
        waiting = [child for child in children if not child.ready]
        if not waiting:
            return
        for child in waiting:
            if not child.alive:
                child.await_last_line()
            if not child.ready and (not child.alive or time.monotonic() > deadline):
                raise BadSettings(child.start_fault())
        time.sleep(START_TICK_SECONDS)


def keep_running(children: Sequence[Child], signals: Signals) -> None:
    """Restart children that die, and reload all of them on SIGHUP, until a signal to stop arrives."""
    while not signals.stopping:
        if signals.wait(TICK_SECONDS) == signal.SIGHUP:
            for child in children:
                child.reload()
        for child in children:
            child.restart_if_dead()


def await_end(children: Sequence[Child], signals: Signals, seconds: float) -> None:
    """Wait until all children have ended, at most this long. Another signal to stop ends the wait."""
    asked = len(signals.stopping)
    deadline = time.monotonic() + seconds
    while any(child.alive for child in children) and time.monotonic() < deadline and len(signals.stopping) == asked:
        time.sleep(START_TICK_SECONDS)
