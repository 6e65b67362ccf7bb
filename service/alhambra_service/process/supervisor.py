"""The parent of all processes of a service: it starts a store and one worker for each core, and stops them.

The parent answers no calls. It reserves the port so that no other process takes it, starts the embedded store if there
is one, checks the store, and keeps the workers running (`alhambra_runtime/child.py`). SIGTERM stops everything
gracefully, SIGINT without waiting for load balancers, a second signal at once. SIGHUP makes all workers read keys and
certificates again.

If the parent is killed, the workers stop because their input ends, and the kernel ends the store
(`alhambra_runtime/die_with_parent.py`).
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from alhambra_runtime.addresses import read_address
from alhambra_runtime.child import Child, await_end, await_ready, keep_running
from alhambra_runtime.meters import FOLDER_VARIABLE, all_processes, forget_process, metrics_folder
from alhambra_runtime.settings import exposed
from alhambra_runtime.signals import Signals, received
from alhambra_runtime.sockets import cannot_listen, reserved

from .. import limits, logs
from ..config import BadSettings, Settings
from ..store import Durability, EmbeddedStore, StoreError
from ..store.checks import require, troubles, warnings
from ..store.connection.connect import connect
from .worker import READY, RELOAD, STOP

_log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Called with the address when all workers are ready."""


def serve(settings: Settings, announce: Announce) -> None:
    """Serve until a signal ends it. Raises BadSettings with a sentence that says why if it cannot start."""
    settings.check()
    logs.begin(settings.log_level, settings.log)
    for warning in exposed(settings.service_key, settings.tls_key):
        _log.warning("%s", warning)
    with ExitStack() as stack:
        signals = stack.enter_context(received())
        address = stack.enter_context(reserved(settings.address))
        settings = dataclasses.replace(settings, listen=str(address), workers=settings.processes)
        store = stack.enter_context(_store(settings))
        metrics = stack.enter_context(_metrics(settings))
        workers = [Worker(number, settings, store, metrics) for number in range(settings.workers)]
        for worker in workers:
            stack.callback(worker.end)
            worker.launch()
        await_ready(workers, signals, limits.WORKER_START_SECONDS)
        if signals.stopping:
            return
        announce(str(address))
        keep_running(workers, signals)
        _stop(workers, signals, settings)


@contextmanager
def _store(settings: Settings) -> Iterator[str]:
    """Start the embedded store if there is one, and check that the store is as durable as promised. Returns its URL."""
    with ExitStack() as stack:
        try:
            folder, url = settings.embedded_folder, settings.store
            if folder is not None:
                fsync = "everysec" if settings.durability == Durability.EVERYSEC else "always"
                url = stack.enter_context(EmbeddedStore(folder, fsync=fsync, memory_mib=settings.store_memory)).url
            client = connect(url)
            try:
                require(client, Durability(settings.durability), settings.replicas)
                for warning in (*troubles(client), *warnings(client)):
                    _log.warning("%s", warning)
            finally:
                client.close()
        except StoreError as fault:
            raise BadSettings(str(fault)) from None
        yield url


@contextmanager
def _metrics(settings: Settings) -> Iterator[str]:
    """Serve the metrics of all workers, and return the folder into which they write; "" if metrics are off."""
    if not settings.metrics:
        yield ""
        return
    from prometheus_client import start_http_server

    with metrics_folder("alhambra-metrics-") as folder:
        address = read_address(settings.metrics)
        try:
            server, _ = start_http_server(address.port, address.host, all_processes(folder))
        except OSError as fault:
            raise cannot_listen(settings.metrics, fault) from None
        _log.info("Metrics are at %s:%d.", *server.server_address[:2])
        try:
            yield folder
        finally:
            server.shutdown()
            server.server_close()


class Worker(Child):
    """A worker process and its successors, which have the same number."""

    reads_stdin = True

    def __init__(self, number: int, settings: Settings, store: str, metrics: str) -> None:
        super().__init__({FOLDER_VARIABLE: metrics} if metrics else None)
        self._number = number
        self._metrics = metrics
        self._answer = ["", ""]
        """The answer of the worker after its start: READY or FAULT, and a sentence that says what is wrong."""
        facts = {"settings": dataclasses.asdict(settings), "store": store, "number": number}
        self._facts = json.dumps(facts)

    def command(self) -> list[str]:
        """Return the command to run."""
        return [sys.executable, "-P", "-m", "alhambra_service.process.worker"]

    def launch(self) -> None:
        """Start a worker, and send it its settings over its input, because a list of processes shows arguments."""
        self._answer = ["", ""]
        super().launch()
        self.write_line(self._facts)

    def read_line(self, line: str) -> None:
        """Note the answer of the worker."""
        with suppress(ValueError):
            self._answer = json.loads(line)

    @property
    def ready(self) -> bool:
        """Whether the worker answers calls."""
        return self._answer[0] == READY

    def start_fault(self) -> str:
        """Return why the worker did not become ready."""
        return self._answer[1] or "A worker did not start: its log says why."

    def died(self, pause: float) -> None:
        """Log the death, and forget the gauges of the worker."""
        if self._metrics:
            forget_process(self.process.pid, self._metrics)
        _log.error(
            "Worker %d ended with code %d and is started again in %.1f s. %s",
            *(self._number, self.process.returncode, pause, self._answer[1]),
        )

    def reload(self) -> None:
        """Let the worker read keys and certificates again."""
        self.write_line(RELOAD)


def _stop(workers: list[Worker], signals: Signals, settings: Settings) -> None:
    """Stop all workers gracefully. `Worker.end` kills those that take too long."""
    drain = 0.0 if signals.interrupted else settings.drain_seconds
    _log.info("Stopping.")
    for worker in workers:
        worker.write_line(f"{STOP} {drain} {settings.grace_seconds}")
    await_end(workers, signals, drain + settings.grace_seconds + limits.WORKER_STOP_SECONDS)
