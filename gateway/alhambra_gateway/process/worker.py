"""One process of the gateway: gunicorn's threaded worker, whose threads never wait for a client.

The poller reads requests (`connections/poller.py`), and a request takes a thread only when it is complete. The part of
an answer that a client does not read yet waits in memory, not in a thread. When a client disconnects, the call that is
made for it is cancelled. Streams take a thread only until they begin (`streams/stream_loop.py`); `/healthz` and
`/readyz` have threads of their own. A request that is not valid HTTP is answered with a problem document, as every
other refusal, and its bytes are not logged.

Before a gateway stops it drains: every answer says `Connection: close`. When the process is told to stop, it accepts
the connections that wait and no others, tells the streams to resume elsewhere, and answers what was sent. If its parent
dies it does the same with less time.
"""

from __future__ import annotations

import gc
import logging
import mmap
import os
import secrets
import shutil
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

from gunicorn.arbiter import Arbiter
from gunicorn.http import errors as unreadable

from alhambra_runtime.die_with_parent import signal_when_parent_dies
from alhambra_runtime.machine import pin, take_short_turns
from alhambra_runtime.meters import FOLDER_VARIABLE

from .. import limits
from ..config import Settings
from ..connections.connection import Connection
from ..connections.poller import PollingWorker
from ..connections.thread_pool import ThreadPool, serve_client
from ..logs import REQUEST
from ..refusals.problem import Problem, closing_answer

TOO_MUCH = (
    (unreadable.LimitRequestLine, "request line", limits.REQUEST_LINE_BYTES),
    (unreadable.LimitRequestHeaders, "headers", limits.HEADER_BYTES),
)
HEALTH_REQUESTS = tuple(
    (tuple(f"{method} {path} ".encode() for method in ("GET", "HEAD")), path) for path in ("/healthz", "/readyz")
)
"""First bytes of requests that are answered by threads of their own; gunicorn still parses them as usual."""

_log = logging.getLogger(__name__)


class Worker(PollingWorker):
    """The process. Its master has set `place`, its number among the living workers."""

    place = 0
    settings: Settings
    inherited: Sequence[socket.socket] = ()
    """Listening sockets of the master that a process has after the fork beside its own. It closes them, otherwise the
    port would stay open until it ends."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._sign = mmap.mmap(-1, 1)  # shared between the process and its master

    @property
    def ready(self) -> bool:
        """Whether the process answers requests. The master asks this."""
        return self._sign[0] == 1

    def run(self) -> None:
        """Answer requests until the process has to stop."""
        gc.collect()
        gc.freeze()  # these objects stay; each full collection would visit them and delay requests
        self._sign[0] = 1
        super().run()

    def init_process(self) -> None:
        """Prepare the new process after the fork, and serve until it has to stop."""
        signal_when_parent_dies(signal.SIGTERM)  # the worker also checks its parent once a second
        for listener in self.inherited:
            listener.close()
        take_short_turns()
        if self.settings.pin:
            pin(self.place)
        self.apply_settings(self.settings)
        code = 0
        try:
            super().init_process()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception:
            _log.exception("A worker failed.")
            code = 1 if self.booted else Arbiter.WORKER_BOOT_ERROR
        if os.getppid() != self.ppid:  # the master is dead and cannot tidy up
            shutil.rmtree(os.environ[FOLDER_VARIABLE], ignore_errors=True)
        logging.shutdown()
        os._exit(code)  # skips the exit handlers of the master, and does not wait for threads

    # -- Threads ---------------------------------------------------------------------------------------------------

    def get_thread_pool(self) -> ThreadPool:  # type: ignore[override]
        """Make the threads, and return those for unary calls."""
        self._pool = ThreadPool(self.settings.threads, self._set_crowded, self.release_turn)
        self._health_pools = [(first_bytes, ThreadPool(1)) for first_bytes, _ in HEALTH_REQUESTS]
        return self._pool

    def _set_crowded(self, crowded: bool) -> None:
        self._extension("upstream").crowded = crowded

    def pool_for(self, conn: Connection) -> ThreadPool:
        """Return the threads that answer the request that has just come in."""
        for first_bytes, pool in self._health_pools:
            if conn.received.startswith(first_bytes):
                return pool
        return self._pool

    def handle(self, conn: Connection) -> Any:  # type: ignore[override]
        """Answer one request of a connection."""
        serve_client(conn)
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Connection) -> Any:  # type: ignore[override]
        """Answer a request that was parsed."""
        if conn.continued or conn.cut:
            req._expected_100_continue = False  # the poller has sent it, or the rest of the body is not wanted
        if conn.cut or self._extension("readiness").draining:
            req.force_close()
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer a request that could not be parsed, or whose answer failed."""
        problem = _problem(exc)
        charges = self._extension("cpu_charges")
        if charges is not None and not self._is_trusted(str(addr[0])):
            charges.charge_address(str(addr[0]))
        name = secrets.token_hex(8)  # the application, which names all other requests, has not seen this one
        REQUEST.set(name)
        about = {"reason": problem.reason}
        if problem.reason == "INTERNAL_ERROR":
            _log.error("A request could not be answered.", exc_info=exc, extra=about)
        else:
            _log.info("A request was refused.", extra=about)
        with suppress(OSError):
            client.sendall(closing_answer(problem, name))

    def is_overdrawn(self, address: str) -> bool:
        """Whether the CPU time of an address is used up."""
        charges = self._extension("cpu_charges")
        return charges is not None and charges.is_overdrawn(address)

    def account_of(self, address: str, credentials: str | None) -> tuple[str, float] | None:
        """Return the account of CPU time that a request is charged to, and how much of what it can hold is left."""
        charges = self._extension("cpu_charges")
        return charges.account_of(address, credentials) if charges is not None else None

    def charge_unread(self, address: str) -> None:
        """Charge an address for a request that is refused before it is read."""
        self._extension("cpu_charges").charge_address(address)

    def tick(self) -> None:
        """Replace threads that are held up. Called often."""
        self._pool.look()
        self.restless = self._pool.busy

    # -- The end ---------------------------------------------------------------------------------------------------

    def init_signals(self) -> None:
        """Install the signal handlers. SIGINT is ignored, because Ctrl-C is for the master."""
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle_usr1(self, sig: int, frame: FrameType | None) -> None:
        """Answer `/readyz` with 503 and close connections after their answers, because the gateway will stop soon."""
        self._extension("readiness").draining = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        if self.alive:
            if os.getppid() != self.ppid:
                self.cfg.set("graceful_timeout", limits.ORPHAN_GRACE_SECONDS)
            super().handle_exit(sig, frame)
            self.method_queue.defer(self._leave)

    def is_parent_alive(self) -> bool:
        """Whether the master is alive; begin to stop if not. gunicorn asks once a second, and after a signal."""
        if os.getppid() == self.ppid:
            return True
        self.handle_exit(signal.SIGTERM, None)
        return False

    def _extension(self, name: str) -> Any:
        """Return a part of the Flask application that `app.py` registered under this name."""
        app: Any = self.wsgi
        return app.extensions[name]

    def _leave(self) -> None:
        """Close the listening sockets, and end all streams with `resume`."""
        if os.getppid() != self.ppid:
            _log.error("The parent of this worker is gone.")
        self.set_accept_enabled(False)
        for listener in self.sockets:  # the next gateway may use the port
            listener.close()
        self._extension("streams").stop()


def _problem(fault: BaseException) -> Problem:
    """Return the problem for an exception that gunicorn's parser or an answer raised."""
    for kind, what, limit in TOO_MUCH:
        if isinstance(fault, kind):
            return Problem("LIMIT_EXCEEDED", f"Too long: the {what} of the request.", {"what": what, "limit": limit})
    if isinstance(fault, unreadable.UnsupportedTransferCoding):
        return Problem("NOT_SUPPORTED", "The request is sent in a way that this server does not know.")
    if isinstance(fault, unreadable.ParseException):
        return Problem("REQUEST_MALFORMED", "Malformed HTTP request.", {"field": ""})
    return Problem("INTERNAL_ERROR", "The gateway made a mistake. Nothing was changed by it.")
