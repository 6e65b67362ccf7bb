"""Logs of the gateway: lines with the id of the request that they are about (`alhambra_runtime/log_lines.py`).

A line about a request has its method, its address without the query, and the status of the answer. Headers, queries
and bodies are never logged.
"""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar
from typing import IO, Any

from gunicorn.glogging import Logger

from alhambra_runtime import log_lines

FIELDS = ("method", "path", "status", "reason", "milliseconds")
"""Members that a line can have beside its message."""

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered."""


def begin(level: str, style: str, stream: IO[str] | None = None) -> None:
    """Send all logs of this process to a stream, by default standard error."""
    log_lines.begin(level, style, FIELDS, REQUEST.get, stream)


class GunicornLog(Logger):
    """gunicorn's own messages as lines of our log. Requests are logged by `middleware/request_log.py`."""

    def setup(self, cfg: Any) -> None:
        """Use the logging of the process instead of files."""
        self.cfg = cfg
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)

    def access(self, *about: Any) -> None:
        """Log nothing: gunicorn's access log is not used."""

    def exception(self, msg: object, *args: object, **more: Any) -> None:
        """Log an exception, unless it is a client that does not read its answer."""
        if not isinstance(sys.exception(), BlockingIOError):
            self.error_log.exception(msg, *args, **more)
