"""The parent of all processes of a service: one store, a worker for each core, and none of them left behind.

The parent answers no calls. It starts the embedded store if there is one, checks the store, reserves the port so that
no other process takes it, starts the workers and starts those again that die, after a pause that grows while they keep
dying. SIGTERM stops everything in good order, SIGINT without waiting for load balancers, a second signal at once.
SIGHUP makes all workers read keys and certificates again.

If the parent is killed, the workers see their input end and stop, and the kernel ends the store with it
(`store/embedded/die_with_parent.py`).
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO

from alhambra_api.settings import FEW_ARENAS

from .. import limits, logs
from ..config import Address, BadSettings, Settings, read_address
from ..store import Durability, EmbeddedStore, StoreError
from ..store.checks import require, warnings
from ..store.connection.client import connect
from .worker import READY, RELOAD, STOP

_log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Told the address when everybody is ready."""


def serve(settings: Settings, announce: Announce) -> None:
    """Serves until a signal ends it. Raises BadSettings if it cannot begin, with a sentence that says why."""
    settings.check()
    logs.begin(settings.log_level)
    with ExitStack() as stack:
        signals = stack.enter_context(_signals())
        address = stack.enter_context(reserved(settings.address))
        settings = dataclasses.replace(settings, listen=str(address), workers=settings.processes)
        store = stack.enter_context(_store(settings))
        environment = stack.enter_context(_metrics(settings))
        crew = Crew(settings, store, environment)
        stack.callback(crew.end)
        crew.start(signals)
        if signals.stopping:
            return
        announce(str(address))
        crew.watch(signals)


class Signals:
    """What was asked for from outside since the last look."""

    def __init__(self) -> None:
        self.stopping = 0
        """How many signals to stop have come."""
        self.hurried = False
        """Whether one came from the keyboard (SIGINT): then no time is left for load balancers to look elsewhere."""
        self.reload = False

    def heard(self, number: int, frame: object) -> None:
        """A signal came."""
        if number == signal.SIGHUP:
            self.reload = True
        else:
            self.stopping += 1
            self.hurried = self.hurried or number == signal.SIGINT


@contextmanager
def _signals() -> Iterator[Signals]:
    signals = Signals()
    wanted = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {number: signal.signal(number, signals.heard) for number in wanted}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# -- Port, store, metrics ------------------------------------------------------------------------------------------


@contextmanager
def reserved(address: Address) -> Iterator[Address]:
    """The address with a port that no other service has. It is held by a socket that never listens, so that a worker
    can die and come back; a second service on it is refused instead of silently sharing the port."""
    if address.path:
        yield address
        return
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as alone:
            alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            alone.bind((address.host, address.port))
            port = alone.getsockname()[1]
        shared = socket.socket(family, socket.SOCK_STREAM)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        shared.bind((address.host, port))
    except OSError as fault:
        raise BadSettings(f"Cannot listen on {address}: {fault.strerror}.") from None
    with shared:
        yield Address(address.host, port)


@contextmanager
def _store(settings: Settings) -> Iterator[str]:
    """The address of a store that keeps what is promised."""
    with ExitStack() as stack:
        try:
            folder, url = settings.embedded_folder, settings.store
            if folder is not None:
                fsync = "everysec" if settings.durability == Durability.EVERYSEC else "always"
                url = stack.enter_context(EmbeddedStore(folder, fsync=fsync, memory_mib=settings.store_memory)).url
            client = connect(url)
            try:
                require(client, Durability(settings.durability), settings.replicas)
                for warning in warnings(client):
                    _log.warning("%s", warning)
            finally:
                client.close()
        except StoreError as fault:
            raise BadSettings(str(fault)) from None
        yield url


@contextmanager
def _metrics(settings: Settings) -> Iterator[dict[str, str]]:
    """What workers need in their environment; while it lasts, their numbers can be read at the metrics' address."""
    if not settings.metrics:
        yield {}
        return
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    folder = tempfile.mkdtemp(prefix="alhambra-metrics-")
    try:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
        address = read_address(settings.metrics)
        try:
            server, _ = start_http_server(address.port, address.host, registry)
        except OSError as fault:
            raise BadSettings(f"Cannot listen on {settings.metrics}: {fault.strerror}.") from None
        _log.info("Metrics are at %s:%d.", *server.server_address[:2])
        try:
            yield {"PROMETHEUS_MULTIPROC_DIR": folder}
        finally:
            server.shutdown()
            server.server_close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# -- Workers -------------------------------------------------------------------------------------------------------


class Worker:
    """One process, its orders and its answers."""

    def __init__(self, number: int, settings: Settings, store: str, environment: dict[str, str]) -> None:
        self.number = number
        self.began = time.monotonic()
        self.answer: list[str] | None = None
        """What it said when it began: that it is ready, or what is wrong."""
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "alhambra_service.process.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**FEW_ARENAS, **os.environ, **environment},
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the parent, which then stops its workers in good order
        )
        facts = {"settings": dataclasses.asdict(settings), "store": store, "number": number}
        self.order(json.dumps(facts))  # secrets in addresses stand in no list of processes
        assert self.process.stdout is not None
        threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def order(self, words: str) -> None:
        """Tells it something; one that is dead does not listen."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            self.process.stdin.write(words + "\n")
            self.process.stdin.flush()

    def _listen(self, answers: IO[str]) -> None:
        with answers:
            line = answers.readline()
        with suppress(ValueError):
            self.answer = json.loads(line)

    def bury(self) -> None:
        """Ends it if it still runs, by its id."""
        if self.alive:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()


class Crew:
    """All workers."""

    def __init__(self, settings: Settings, store: str, environment: dict[str, str]) -> None:
        self._settings = settings
        self._store = store
        self._environment = environment
        self._workers: list[Worker] = []
        self._due: dict[int, float] = {}
        """Workers that died, by number: when they are started again."""
        self._pauses: dict[int, float] = {}

    def start(self, signals: Signals) -> None:
        """Starts all workers and waits until they are ready; raises BadSettings if one cannot be."""
        self._workers = [self._begin(number) for number in range(self._settings.workers)]
        deadline = time.monotonic() + limits.WORKER_START_SECONDS
        while not signals.stopping:
            waiting = [worker for worker in self._workers if worker.answer is None]
            for worker in self._workers:
                if worker.answer is not None and worker.answer[0] != READY:
                    raise BadSettings(worker.answer[1])
            if not waiting:
                return
            if time.monotonic() > deadline or not all(worker.alive for worker in waiting):
                raise BadSettings("A worker did not start: its log says why.")
            time.sleep(limits.SUPERVISOR_TICK_SECONDS / 4)

    def _begin(self, number: int) -> Worker:
        return Worker(number, self._settings, self._store, self._environment)

    def watch(self, signals: Signals) -> None:
        """Keep all workers alive until a signal to stop comes, then stop them."""
        while not signals.stopping:
            if signals.reload:
                signals.reload = False
                for worker in self._workers:
                    worker.order(RELOAD)
            self._revive()
            time.sleep(limits.SUPERVISOR_TICK_SECONDS)
        self._stop(signals)

    def _revive(self) -> None:
        now = time.monotonic()
        for place, worker in enumerate(self._workers):
            number = worker.number
            if number in self._due:
                if now >= self._due[number]:
                    del self._due[number]
                    self._workers[place] = self._begin(number)
            elif not worker.alive:
                worker.bury()
                self._forget(worker)
                quiet = now - worker.began > limits.WORKER_QUIET_SECONDS
                pause = limits.WORKER_FIRST_PAUSE_SECONDS if quiet else self._pauses.get(number, 0.0)
                pause = max(pause, limits.WORKER_FIRST_PAUSE_SECONDS)
                code, words = worker.process.returncode, worker.answer or ["", ""]
                _log.error(
                    "Worker %d ended with code %d and is started again in %.1f s. %s", number, code, pause, words[1]
                )
                self._due[number] = now + pause
                self._pauses[number] = min(2 * pause, limits.WORKER_LONGEST_PAUSE_SECONDS)

    def _forget(self, worker: Worker) -> None:
        """What a dead worker had open counts no longer."""
        folder = self._environment.get("PROMETHEUS_MULTIPROC_DIR")
        if folder:
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(worker.process.pid, folder)  # type: ignore[no-untyped-call]

    def _stop(self, signals: Signals) -> None:
        drain = 0.0 if signals.hurried else self._settings.drain_seconds
        _log.info("Stopping.")
        for worker in self._workers:
            worker.order(f"{STOP} {drain} {self._settings.grace_seconds}")
        asked = signals.stopping
        deadline = time.monotonic() + drain + self._settings.grace_seconds + limits.WORKER_STOP_SECONDS
        while any(worker.alive for worker in self._workers) and time.monotonic() < deadline:
            if signals.stopping > asked:
                break  # asked again: at once
            time.sleep(limits.SUPERVISOR_TICK_SECONDS / 4)

    def end(self) -> None:
        """Ends whoever is left."""
        for worker in self._workers:
            worker.bury()
