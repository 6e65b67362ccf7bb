"""The whole product on one machine: a service, a gateway in front of it, and a process that plays for bots, as children
of one parent.

Gateway and bots are started when the service serves, and stopped before it. Each looks after its own workers; should
one of them die as a whole it is started again, where it was. SIGTERM stops all in good order, SIGINT without waiting
for load balancers, a second signal at once; SIGHUP is passed on to the servers. If the parent is killed, the kernel
ends the children (`die_with_parent.py` of the service's store).

A service with API keys or TLS gets a process for bots only if variables give that a key and an authority to trust.
"""

from __future__ import annotations

import dataclasses
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

import click

import alhambra_service
from alhambra_api.settings import FEW_ARENAS, Address, BadSettings, Choices, flag
from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_service.config import Settings as ServiceSettings

from .bots import CALL_SECONDS, PLAYS_FOR, BotSettings
from .serve import SERVED_AT

HTTP_AT = "Alhambra speaks HTTP at "
LEASH = Path(alhambra_service.__file__).with_name("store") / "embedded" / "die_with_parent.py"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run_product(
    service: ServiceSettings, front: Settings, bots: BotSettings, announce: Callable[[str, str], None]
) -> int:
    """Serves until a signal ends it, and returns the exit code. Raises BadSettings if it cannot begin."""
    service.check()
    front.check()
    bots.check()
    _require_free(front.address)
    with ExitStack() as stack:
        heard = stack.enter_context(_signals())
        games = stack.enter_context(_child("serve", service, SERVED_AT))
        games.start(heard)
        service = dataclasses.replace(service, listen=games.address)
        games.settings = service
        front = dataclasses.replace(front, service=games.address)
        rest = stack.enter_context(_child("gateway", front, HTTP_AT))
        if games.address and not heard.stopping:
            rest.start(heard)
            rest.settings = dataclasses.replace(front, listen=rest.address.removeprefix("http://"))
        if heard.stopping:
            return 0
        announce(games.address, rest.address)
        players = stack.enter_context(_child("bots", dataclasses.replace(bots, service=games.address), PLAYS_FOR))
        if _can_reach(bots, service):
            players.start(heard)
            _look_after((games, rest, players), heard)
            players.stop(heard, CALL_SECONDS)
        else:
            _look_after((games, rest), heard)
        rest.stop(heard, front.drain_seconds + front.grace_seconds)
        games.stop(heard, service.drain_seconds + service.grace_seconds)
    return 0


class Heard:
    """The signals that came and were not obeyed yet."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.stopping: list[int] = []
        """Every signal to stop that came."""

    def tell(self, number: int, frame: object) -> None:
        """A signal came."""
        if number != signal.SIGHUP:
            self.stopping.append(number)
        self._waiting.put(number)

    def next(self, seconds: float) -> int | None:
        """The next signal; None if none comes for so long."""
        with suppress(queue.Empty):
            return self._waiting.get(timeout=seconds)
        return None


class Child:
    """One of the two, as a process."""

    def __init__(self, command: str, settings: Choices, says: str) -> None:
        self.settings = settings
        self.address = ""
        """Where it can be reached, once it has said so."""
        self._command = command
        self._says = says
        self._process: subprocess.Popen[str] | None = None
        self._due: float | None = None
        self._began = 0.0
        self._pause = limits.CHILD_FIRST_PAUSE_SECONDS

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def start(self, heard: Heard) -> None:
        """Starts it and waits until it is ready, or somebody wants to stop; raises BadSettings if it fails."""
        self._launch()
        deadline = time.monotonic() + limits.CHILD_START_SECONDS
        while not self.address and not heard.stopping:
            if not self.alive or time.monotonic() > deadline:
                raise BadSettings(f"`alhambra {self._command}` did not start.")
            time.sleep(limits.SUPERVISOR_TICK_SECONDS / 4)

    def _launch(self) -> None:
        self._began = time.monotonic()
        leash = (sys.executable, "-I", "-S", str(LEASH), str(os.getpid()))
        command = (sys.executable, "-P", "-m", "alhambra_cli", self._command, *_arguments(self.settings))
        self._process = subprocess.Popen(
            (*leash, *command),
            stdout=subprocess.PIPE,
            env={**FEW_ARENAS, **os.environ},
            text=True,
            process_group=0,
        )
        threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()

    def _listen(self, said: IO[str]) -> None:
        with said:
            for line in said:
                if line.startswith(self._says):
                    self.address = line.removeprefix(self._says).strip()

    def send(self, number: int) -> None:
        """Passes a signal on."""
        if self.alive and self._process is not None:
            self._process.send_signal(number)

    def revive(self) -> None:
        """Starts it again if it has died, after a pause that grows while it keeps dying."""
        now = time.monotonic()
        if self._due is not None:
            if now >= self._due:
                self._due = None
                self._launch()
        elif not self.alive:
            if now - self._began > limits.CHILD_QUIET_SECONDS:
                self._pause = limits.CHILD_FIRST_PAUSE_SECONDS
            click.echo(f"`alhambra {self._command}` ended and is started again in {self._pause:.1f} s.", err=True)
            self._due = now + self._pause
            self._pause = min(2 * self._pause, limits.CHILD_LONGEST_PAUSE_SECONDS)

    def stop(self, heard: Heard, seconds: float) -> None:
        """Stops it in good order, as long as nobody asks again."""
        self.send(heard.stopping[0])
        asked = len(heard.stopping)
        deadline = time.monotonic() + seconds + limits.CHILD_STOP_SECONDS
        while self.alive and time.monotonic() < deadline and len(heard.stopping) == asked:
            time.sleep(limits.SUPERVISOR_TICK_SECONDS / 4)

    def end(self) -> None:
        """Ends it if it still runs, by its id."""
        if self._process is not None:
            if self.alive:
                self._process.kill()
            self._process.wait()


@contextmanager
def _child(command: str, settings: Choices, says: str) -> Iterator[Child]:
    child = Child(command, settings, says)
    try:
        yield child
    finally:
        child.end()


def _look_after(children: tuple[Child, ...], heard: Heard) -> None:
    """Keeps the children alive until somebody asks to stop."""
    while not heard.stopping:
        if heard.next(limits.SUPERVISOR_TICK_SECONDS) == signal.SIGHUP:
            for child in children:
                child.send(signal.SIGHUP)
        for child in children:
            child.revive()


@contextmanager
def _signals() -> Iterator[Heard]:
    heard = Heard()
    before = {number: signal.signal(number, heard.tell) for number in SIGNALS}
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _can_reach(bots: BotSettings, service: ServiceSettings) -> bool:
    """Whether the bots have what the service asks of its callers: a key, and the authority of its certificate."""
    return bool(bots.key or not service.keys) and bool(bots.tls_authority or not service.tls_certificate)


def _arguments(settings: Choices) -> Iterator[str]:
    """The flags that say the same as these settings, where they are not what a variable or the default says."""
    usual = type(settings).from_environment()
    for choice in dataclasses.fields(settings):
        value = getattr(settings, choice.name)
        if value == getattr(usual, choice.name):
            continue
        if isinstance(value, bool):
            yield flag(choice.name) if value else flag(f"no_{choice.name}")
        else:
            yield f"{flag(choice.name)}={value}"


def _require_free(address: Address) -> None:
    """Refuses a port that is taken before anything is started; the service looks after its own."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as fault:
            raise BadSettings(f"Cannot listen on {address}: {(fault.strerror or str(fault)).lower()}.") from None
