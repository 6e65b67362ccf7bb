"""The gateway as processes: a master that answers nobody, and workers (`worker.py`) that come back when they die.

gunicorn is used as a library: its settings are made from ours, and nothing else is read, neither files nor variables.
The sockets are opened here, so that a port that is taken is refused in one sentence. SIGTERM stops everything in good
order, SIGINT without waiting for load balancers; SIGHUP replaces the workers by new ones, which read the key and the
certificates again.
"""

from __future__ import annotations

import logging
import math
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from alhambra_api.settings import read_address

from . import gunicorn_parts, limits, logs
from .config import Address, BadSettings, Settings
from .worker import Worker

_log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Told the address when everybody is ready."""


def serve(settings: Settings, announce: Announce) -> None:
    """Serves until a signal ends it. Raises BadSettings if it cannot begin, with a sentence that says why."""
    settings.check()
    settings.own_key()
    for path in (settings.tls_authority, settings.tls_certificate, settings.tls_key):
        if path and not os.access(path, os.R_OK):
            raise BadSettings(f"The file {path} cannot be read.")
    missing = gunicorn_parts.missing()
    if missing:
        raise BadSettings(f"This version of gunicorn cannot be used: it has no {', '.join(missing)}.")
    logs.begin(settings.log_level)
    _allow_many_files()
    with ExitStack() as stack:
        listeners = [stack.enter_context(_listener(settings.address))]
        if settings.metrics:
            listeners.append(stack.enter_context(_listener(read_address(settings.metrics))))
        stack.enter_context(_metrics_folder())
        host, port = listeners[0].getsockname()[:2]
        address = Address(host, port)
        Master(Gateway(settings, listeners), lambda: announce(f"http://{address}")).run()


@contextmanager
def _listener(address: Address) -> Iterator[socket.socket]:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address.host, address.port))
            listener.listen(limits.BACKLOG)
        except OSError as fault:
            raise BadSettings(f"Nobody can listen on {address}: {fault.strerror}.") from None
        yield listener


@contextmanager
def _metrics_folder() -> Iterator[None]:
    """Where workers write their numbers, so that any of them can tell the sum."""
    folder = tempfile.mkdtemp(prefix="alhambra-gateway-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _allow_many_files() -> None:
    """Every stream is an open file; some systems allow a thousand unless asked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, limits.OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Log(Logger):
    """What gunicorn has to say, among our own lines. Requests are logged elsewhere (`operating.py`)."""

    def setup(self, cfg: Any) -> None:
        """Has no files of its own."""
        self.cfg = cfg
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)

    def access(self, *about: Any) -> None:
        """Is not for gunicorn."""

    def exception(self, msg: object, *args: object, **more: Any) -> None:
        """Something failed; but a client that does not read its answer is no news."""
        if not isinstance(sys.exception(), BlockingIOError):
            self.error_log.exception(msg, *args, **more)


class Gateway(BaseApplication):
    """The application, and how gunicorn shall run it."""

    def __init__(self, settings: Settings, listeners: list[socket.socket]) -> None:
        self._settings = settings
        # gunicorn closes what it is given: it gets sockets of its own.
        self._bind = [f"fd://{os.dup(listener.fileno())}" for listener in listeners]
        super().__init__()

    def load_config(self) -> None:
        """Our settings as those of gunicorn."""
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
            "keepalive": limits.KEEP_ALIVE_SECONDS,
            "limit_request_line": limits.REQUEST_LINE_BYTES,
            "limit_request_fields": limits.HEADERS,
            "limit_request_field_size": limits.HEADER_BYTES,
            "logger_class": Log,
            "control_socket_disable": True,
            "proc_name": "alhambra-gateway",
            # Who is a proxy, and what it may say, is decided at our own doors.
            "forwarded_allow_ips": "",
            "secure_scheme_headers": {},
            "forwarder_headers": "",
            "pre_fork": _find_place,
            "child_exit": _forget,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application, made in each worker after the fork."""
        from .app import create_app

        return create_app(self._settings)


class Master(Arbiter):
    """gunicorn's master, which also tells when everybody is ready, and drains before it stops."""

    def __init__(self, gateway: Gateway, announce: Callable[[], None]) -> None:
        self._announce: Callable[[], None] | None = announce
        super().__init__(gateway)

    def wait_for_signals(self, timeout: float | None = 1.0) -> list[int]:
        """Waits until there is something to do."""
        if self._announce is not None:
            timeout = limits.START_TICK_SECONDS
            if [worker.ready for worker in living(self)] == [True] * Worker.settings.processes:
                self._announce()
                self._announce = None
        found: list[int] = super().wait_for_signals(timeout)
        return found

    def handle_term(self) -> None:
        """Says that it goes away, waits until everybody may know, and stops."""
        self.kill_workers(signal.SIGUSR1)
        deadline = time.monotonic() + Worker.settings.drain_seconds
        while (left := deadline - time.monotonic()) > 0:
            if {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}.intersection(super().wait_for_signals(left)):
                break
        raise StopIteration

    def handle_int(self) -> None:
        """Stops without waiting for those who might ask whether it is ready."""
        raise StopIteration


def living(master: Arbiter) -> list[Worker]:
    """The workers that live."""
    return [worker for worker in master.WORKERS.values() if isinstance(worker, Worker)]


def _find_place(master: Master, worker: Worker) -> None:
    """The lowest number that no living worker has: by it a worker finds its core."""
    taken = {other.place for other in living(master)}
    worker.place = next(number for number in range(len(taken) + 1) if number not in taken)


def _forget(master: Master, worker: Worker) -> None:
    """What a dead worker had open counts no longer."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid, os.environ["PROMETHEUS_MULTIPROC_DIR"])  # type: ignore[no-untyped-call]
