"""One process of the gateway: gunicorn's threaded worker, with habits of its own.

No client holds a thread. The poller reads requests (`connection.py`), and a request takes a thread only when it is
complete; what a client does not read of its answer waits in memory and not in a thread; a client that hangs up ends the
call that is made for it. Connections that wait for their clients are counted by address (`peers.py`), and have bounded
time and memory. Streams do not take the threads of plain calls (`crew.py`), and questions for health have threads of
their own. Whatever cannot be read as HTTP is answered like every other refusal, with a problem document, and is not
repeated in the log.

The process stops in good order when it is told to: no more connections, streams are asked to resume elsewhere, what is
being answered is answered. If its parent dies it does the same in a hurry.
"""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import shutil
import signal
import socket
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from gunicorn.arbiter import Arbiter
from gunicorn.http import errors as unreadable

from alhambra_api.settings import pin

from . import limits
from .config import Settings
from .connection import Connection
from .crew import Crew, work_for
from .poller import PollingWorker, refusal
from .problems import Problem

PR_SET_PDEATHSIG = 1
TOO_MUCH = (
    (unreadable.LimitRequestLine, "request line", limits.REQUEST_LINE_BYTES),
    (unreadable.LimitRequestHeaders, "headers", limits.HEADER_BYTES),
)
LANES = tuple(
    (tuple(f"{method} {path} ".encode() for method in ("GET", "HEAD")), path) for path in ("/healthz", "/readyz")
)
"""Requests that begin like this are answered by a thread of their own. What they are is still gunicorn's to say."""

_log = logging.getLogger(__name__)


class Worker(PollingWorker):
    """The process. Its master has set `place`, its number among the workers that live now."""

    place = 0
    settings: Settings

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._sign = mmap.mmap(-1, 1)  # shared between the process and its master

    @property
    def ready(self) -> bool:
        """Whether it answers. For its master."""
        return self._sign[0] == 1

    def run(self) -> None:
        """Answers until it shall stop."""
        self._sign[0] = 1
        super().run()

    def init_process(self) -> None:
        """Settles down in the new process, and serves."""
        if sys.platform == "linux":  # elsewhere it looks once a second whether the parent has changed
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
        if self.settings.pin:
            pin(self.place)
        self.count_by(self.settings)
        code = 0
        try:
            super().init_process()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception:
            _log.exception("A worker failed.")
            code = 1 if self.booted else Arbiter.WORKER_BOOT_ERROR
        if os.getppid() != self.ppid:  # what the master would have done
            shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
        logging.shutdown()
        os._exit(code)  # what the master has to tidy up is not for this process, and no thread is waited for

    # -- Threads ---------------------------------------------------------------------------------------------------

    def get_thread_pool(self) -> Crew:  # type: ignore[override]
        """The threads."""
        self._crew = Crew(self.settings.threads, self._tell_crowded)
        self._lanes = [(begins, Crew(1)) for begins, _ in LANES]
        return self._crew

    def _tell_crowded(self, crowded: bool) -> None:
        self._extension("upstream").crowded = crowded

    def crew_for(self, conn: Connection) -> Crew:
        """Return the threads that answer the request that has just come in."""
        for begins, crew in self._lanes:
            if conn.received.startswith(begins):
                return crew
        return self._crew

    def handle(self, conn: Connection) -> Any:  # type: ignore[override]
        """Answers one request of a connection."""
        work_for(conn)
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Connection) -> Any:  # type: ignore[override]
        """Answers a request that was read."""
        if conn.continued or conn.cut:
            req._expected_100_continue = False  # it was sent already, or the rest of the body is not wanted
        if conn.cut:
            req.force_close()
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answers what could not be answered as usual."""
        problem = _problem(exc)
        if problem.reason == "INTERNAL_ERROR":
            _log.error("A request could not be answered.", exc_info=exc)
        with suppress(OSError):
            client.sendall(refusal(problem))

    def tick(self) -> None:
        """Looks after threads and streams. Called often."""
        self._crew.look()
        self._extension("streams").look()
        self.restless = self._crew.busy

    # -- The end ---------------------------------------------------------------------------------------------------

    def init_signals(self) -> None:
        """Who may tell the process what: Ctrl-C is for the master."""
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle_usr1(self, sig: int, frame: FrameType | None) -> None:
        """The gateway will go away soon: say so to who asks whether it is ready."""
        self._extension("readiness").draining = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The gateway goes away."""
        if self.alive:
            if os.getppid() != self.ppid:
                self.cfg.set("graceful_timeout", limits.ORPHAN_GRACE_SECONDS)
            super().handle_exit(sig, frame)
            self.method_queue.defer(self._leave)

    def is_parent_alive(self) -> bool:
        """Looked at once a second, and when a signal came."""
        if os.getppid() == self.ppid:
            return True
        self.handle_exit(signal.SIGTERM, None)
        return False

    def _extension(self, name: str) -> Any:
        """A part of the application that has to know what becomes of the process."""
        app: Any = self.wsgi
        return app.extensions[name]

    def _leave(self) -> None:
        """Takes no more connections, and asks the streams to go on elsewhere."""
        if os.getppid() != self.ppid:
            _log.error("The parent of this worker is gone.")
        self.set_accept_enabled(False)
        for listener in self.sockets:  # whoever comes next may have the port
            listener.close()
        self._extension("streams").stop()


def _problem(fault: BaseException) -> Problem:
    for kind, what, limit in TOO_MUCH:
        if isinstance(fault, kind):
            return Problem("LIMIT_EXCEEDED", f"Too long: the {what} of the request.", {"what": what, "limit": limit})
    if isinstance(fault, unreadable.UnsupportedTransferCoding):
        return Problem("NOT_SUPPORTED", "The request is sent in a way that this server does not know.")
    if isinstance(fault, unreadable.ParseException):
        return Problem("REQUEST_MALFORMED", "The request is not HTTP as it should be.", {"field": ""})
    return Problem("INTERNAL_ERROR", "The gateway made a mistake. Nothing was changed by it.")
