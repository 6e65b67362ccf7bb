"""One process of the gateway: gunicorn's threaded worker, with three habits of its own.

A connection takes a thread only while there is something to read or to write, so that clients who connect and say
nothing hold up nobody; streams do not take the threads of plain calls (`crew.py`); and whatever cannot be read as HTTP
is answered like every other refusal, with a problem document, and is not repeated in the log.

The process stops in good order when it is told to: no more connections, streams are asked to resume elsewhere, what is
being answered is answered. If its parent dies it does the same in a hurry.
"""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import selectors
import shutil
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

from gunicorn.arbiter import Arbiter
from gunicorn.http import errors as unreadable
from gunicorn.workers.gthread import TConn, ThreadWorker

from alhambra_api.settings import pin

from . import limits
from .config import Settings
from .crew import Crew, begin_reading
from .problems import Problem, response

PR_SET_PDEATHSIG = 1
TOO_MUCH = (
    (unreadable.LimitRequestLine, "request line", limits.REQUEST_LINE_BYTES),
    (unreadable.LimitRequestHeaders, "headers", limits.HEADER_BYTES),
)
_STALLED = struct.pack("ll", limits.STALLED_SECONDS, 0)

_log = logging.getLogger(__name__)


class Worker(ThreadWorker):
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

    def get_thread_pool(self) -> Crew:  # type: ignore[override]
        """The threads."""
        self._crew = Crew(self.settings.threads)
        return self._crew

    # -- Connections -----------------------------------------------------------------------------------------------

    def accept(self, listener: socket.socket) -> None:
        """Takes a connection in, and waits for what it has to say."""
        try:
            connection, client = listener.accept()
        except OSError:  # another process was faster, or the client is gone already
            return
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _STALLED)
        self.nr_conns += 1
        conn = TConn(self.cfg, connection, client, listener.getsockname())
        conn.timeout = time.monotonic() + limits.REQUEST_SECONDS
        self.pending_conns.append(conn)
        self.poller.register(connection, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: TConn) -> Any:
        """Answers one request of a connection."""
        begin_reading(conn.sock)
        return super().handle(conn)

    def murder_pending(self) -> None:
        """Closes connections that were silent for too long; all silent ones if the process stops. Called often."""
        self._crew.look()
        if not self.alive:
            for conn in self.pending_conns:
                conn.timeout = 0.0
        super().murder_pending()

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answers what could not be answered as usual."""
        problem = _problem(exc)
        if problem.reason == "INTERNAL_ERROR":
            _log.error("A request could not be answered.", exc_info=exc)
        answer = response(problem)
        body = answer.get_data()
        answer.headers["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
        with suppress(OSError):
            client.sendall(f"HTTP/1.1 {answer.status}\r\nConnection: close\r\n{head}\r\n".encode("latin-1") + body)

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
