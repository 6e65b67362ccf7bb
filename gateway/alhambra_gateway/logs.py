"""Logs of the gateway: lines of JSON (`alhambra_api/log_lines.py`), each with the id of the request that it is about.

Of a request a line tells the method, the address without its query, and how it was answered. Headers, queries and
bodies are never logged.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import IO

from alhambra_api import log_lines

FIELDS = ("method", "path", "status", "reason", "milliseconds")
"""What a line can say besides its message."""

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered."""


def begin(level: str, stream: IO[str] | None = None) -> None:
    """Sends all logs of this process to a stream, by default the standard error."""
    log_lines.begin(level, log_lines.JsonLines(FIELDS, REQUEST.get), stream)
