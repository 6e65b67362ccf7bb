"""The gateway as processes: a master without requests of its own, and workers (`worker.py`) that it restarts.

gunicorn is used as a library: its settings are made from ours, and no configuration files or variables of gunicorn are
read. The sockets are opened here, so that a port in use is reported in one sentence. SIGTERM stops the gateway after
DRAIN_SECONDS, SIGINT at once; SIGHUP replaces the workers by new ones, which read the key and the certificates again.
"""

from __future__ import annotations

import gc
import logging
import math
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from alhambra_runtime.addresses import read_address
from alhambra_runtime.machine import allow_open_files, prepare_grpc
from alhambra_runtime.meters import FOLDER_VARIABLE, forget_process, metrics_folder
from alhambra_runtime.settings import exposed
from alhambra_runtime.sockets import bound, ignore_new_connections

from .. import limits, logs
from ..config import Address, BadSettings, Settings
from ..middleware.cpu_accounts import CpuAccounts
from ..upstream import grpc_parts
from . import gunicorn_parts
from .worker import Worker

_log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Called with the address when all workers are ready."""


def serve(settings: Settings, announce: Announce) -> None:
    """Serve until a signal ends it. Raise BadSettings with a sentence that says why if it cannot start."""
    prepare_grpc()
    settings.check()
    settings.own_key()
    for path in (settings.tls_authority, settings.tls_certificate, settings.tls_key):
        if path and not os.access(path, os.R_OK):
            raise BadSettings(f"Cannot read {path}.")
    for package, missing in (("gunicorn", gunicorn_parts.missing()), ("grpcio", grpc_parts.missing())):
        if missing:
            raise BadSettings(f"This version of {package} cannot be used: it has no {', '.join(missing)}.")
    logs.begin(settings.log_level, settings.log)
    for warning in exposed(settings.key, settings.tls_key):
        _log.warning("%s", warning)
    allow_open_files(limits.OPEN_FILES)
    with ExitStack() as stack:
        addresses = [settings.address, *([read_address(settings.metrics)] if settings.metrics else [])]
        listeners = [stack.enter_context(bound(address, backlog=limits.BACKLOG)) for address in addresses]
        stack.enter_context(_metrics())
        host, port = listeners[0].getsockname()[:2]
        address = Address(host, port)
        _prepare_workers()
        Master(Gateway(settings, listeners), listeners, lambda: announce(f"http://{address}")).run()


def _prepare_workers() -> None:
    """Load the code of the workers before they are forked, so that they share its memory and start sooner. Nothing is
    opened here. The garbage collector leaves these objects alone, otherwise it would write to the shared pages."""
    from . import app  # noqa: F401  (the master itself does not need it)

    gc.collect()
    gc.freeze()


@contextmanager
def _metrics() -> Iterator[None]:
    """Make the folder into which workers write their metrics, so that each worker can report the sum."""
    with metrics_folder("alhambra-gateway-metrics-") as folder:
        os.environ[FOLDER_VARIABLE] = folder
        yield


class Gateway(BaseApplication):
    """The gateway as an application of gunicorn."""

    def __init__(self, settings: Settings, listeners: list[socket.socket]) -> None:
        self._settings = settings
        Worker.inherited = listeners
        # A gateway without an API key serves this machine only, and does not account CPU time.
        self._accounts = CpuAccounts() if settings.key else None
        # gunicorn closes what it is given: it gets sockets of its own.
        self._bind = [f"fd://{os.dup(listener.fileno())}" for listener in listeners]
        super().__init__()

    def load_config(self) -> None:
        """Set gunicorn's settings from ours."""
        ours = self._settings
        Worker.settings = ours
        for name, value in {
            "bind": self._bind,
            "workers": ours.processes,
            "worker_class": Worker,
            "threads": ours.threads,
            "worker_connections": ours.threads + ours.streams + limits.CONNECTIONS_BESIDE,
            "timeout": limits.WORKER_SILENCE_SECONDS,
            "graceful_timeout": math.ceil(ours.grace_seconds),
            "keepalive": limits.IDLE_CONNECTION_SECONDS,
            "limit_request_line": limits.REQUEST_LINE_BYTES,
            "limit_request_fields": limits.HEADERS,
            "limit_request_field_size": limits.HEADER_BYTES,
            "logger_class": logs.GunicornLog,
            "control_socket_disable": True,
            "proc_name": "alhambra-gateway",
            # Forwarding headers are judged by `middleware/request_checks.py`.
            "forwarded_allow_ips": "",
            "secure_scheme_headers": {},
            "forwarder_headers": "",
            "pre_fork": _assign_place,
            "child_exit": _forget_metrics,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Make the Flask application. Called in each worker after the fork."""
        from .app import create_app

        return create_app(self._settings, self._accounts)


class Master(Arbiter):
    """gunicorn's master, which also announces when all workers are ready, and drains before it stops."""

    def __init__(self, gateway: Gateway, listeners: list[socket.socket], announce: Callable[[], None]) -> None:
        self._listeners = listeners
        self._announce: Callable[[], None] | None = announce
        super().__init__(gateway)

    def wait_for_signals(self, timeout: float | None = 1.0) -> list[int]:
        """Wait for signals; announce the address as soon as all workers are ready."""
        if self._announce is not None:
            timeout = limits.START_TICK_SECONDS
            if [worker.ready for worker in living(self)] == [True] * Worker.settings.processes:
                self._announce()
                self._announce = None
        found: list[int] = super().wait_for_signals(timeout)
        return found

    def handle_term(self) -> None:
        """Let `/readyz` answer 503 for the drain time, so that load balancers notice, and close connections after their
        answers, so that clients open others elsewhere; then stop. A gateway that has not announced its address stops at
        once: nobody knows it."""
        if self._announce is not None:
            self.handle_int()
        self.kill_workers(signal.SIGUSR1)
        deadline = time.monotonic() + Worker.settings.drain_seconds
        while (left := deadline - time.monotonic()) > 0:
            if {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}.intersection(super().wait_for_signals(left)):
                break
        self._stop_listening()
        raise StopIteration

    def handle_int(self) -> None:
        """Stop without draining."""
        self._stop_listening()
        raise StopIteration

    def _stop_listening(self) -> None:
        """Stop accepting connections. The workers accept the waiting connections when they are told to stop."""
        for listener in self._listeners:
            ignore_new_connections(listener)
        time.sleep(limits.LAST_HANDSHAKES_SECONDS)
        for listener in self._listeners:  # the workers have sockets of their own
            listener.close()


def living(master: Arbiter) -> list[Worker]:
    """Return the living workers."""
    return [worker for worker in master.WORKERS.values() if isinstance(worker, Worker)]


def _assign_place(master: Master, worker: Worker) -> None:
    """Give a new worker the lowest number that no living worker has. It chooses the core of the worker."""
    taken = {other.place for other in living(master)}
    worker.place = next(number for number in range(len(taken) + 1) if number not in taken)


def _forget_metrics(master: Master, worker: Worker) -> None:
    """Remove the gauges of a dead worker, such as its open streams."""
    forget_process(int(worker.pid), os.environ[FOLDER_VARIABLE])
