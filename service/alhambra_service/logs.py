"""Logs of the service: one line of JSON for each record, with the id of the call that it is about.

A line has the time, the level, the name of the logger and the message (`alhambra_kit/log_lines.py`), the id of the call
that the thread answers (`current_call.py`), and the FIELDS that the caller of the logger passes as `extra`.

Handlers do not log what was sent to them. Requests, answers and metadata are never logged.
"""

from __future__ import annotations

from typing import IO

from alhambra_kit import log_lines

from .current_call import request_id

FIELDS = ("method", "code", "reason", "milliseconds", "worker")
"""Members that a line can have beside its message."""


class JsonLines(log_lines.JsonLines):
    """Formats a record as a line of JSON, with the id of the call that the thread answers."""

    def __init__(self) -> None:
        super().__init__(FIELDS, request_id)


def begin(level: str, stream: IO[str] | None = None) -> None:
    """Send all logs of this process to a stream, by default standard error."""
    log_lines.begin(level, JsonLines(), stream)
