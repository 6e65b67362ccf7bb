"""Logs of the service: one line for each message, with the id of its call.

A line has the time, the level, the message (`alhambra_runtime/log_lines.py`), the id of the call that the thread
answers (`current_call.py`), and the FIELDS that the caller of the logger passes as `extra`.

Handlers do not log what was sent to them. Requests, answers and metadata are never logged.
"""

from __future__ import annotations

from typing import IO

from alhambra_runtime import log_lines

from .current_call import request_id

FIELDS = (
    "method",  # the full name of the method, with its service
    "code",  # the status of the call, as gRPC names it
    "reason",  # why the call was refused, as the contract names it
    "milliseconds",  # how long the call took
    "worker",  # the number of the process
)
"""The fields that a line can have besides its message."""


def begin(level: str, style: str, stream: IO[str] | None = None) -> None:
    """Send all logs of this process to a stream, by default standard error. `style` is one of
    `alhambra_runtime.log_lines.STYLES`."""
    log_lines.begin(level, style, FIELDS, request_id, stream)
