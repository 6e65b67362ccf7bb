"""Logs of the service: lines of JSON (`alhambra_api/log_lines.py`), each with the id of the call that it is about.

Handlers do not log what was sent to them. Requests, answers and metadata are never logged.
"""

from __future__ import annotations

import secrets
import threading
from typing import IO, Any

import grpc

from alhambra_api import log_lines
from alhambra_api.log_lines import REQUEST_ID, is_request_id

FIELDS = ("method", "code", "reason", "milliseconds", "worker")
"""What a line can say besides its message."""


class _Here(threading.local):
    """What the current thread is busy with."""

    call: Any = None
    """The context of the call that it answers."""


_here = _Here()
_ID = "alhambra_request_id"
"""The attribute of a call's context that holds its id, once somebody asked for it."""


def begin_call(context: grpc.ServicerContext) -> None:
    """From now on the lines of this thread are about this call."""
    _here.call = context


def end_call() -> None:
    """From now on they are about none; and nobody here keeps the call alive."""
    _here.call = None


def current_call() -> grpc.ServicerContext | None:
    """The context of the call that this thread answers; None outside of calls."""
    found: grpc.ServicerContext | None = _here.call
    return found


def request_id() -> str:
    """The id of the call that is being answered: the one that its caller gave, or a fresh one. Empty outside of any."""
    context = _here.call
    if context is None:
        return ""
    found: str = getattr(context, _ID, "")
    if not found:
        found = _given(context) or secrets.token_hex(8)
        setattr(context, _ID, found)
    return found


def _given(context: grpc.ServicerContext) -> str:
    for name, value in context.invocation_metadata() or ():
        if name == REQUEST_ID and isinstance(value, str) and is_request_id(value):
            return str(value)
    return ""


class JsonLines(log_lines.JsonLines):
    """A line for each record, about the call that is being answered."""

    def __init__(self) -> None:
        super().__init__(FIELDS, request_id)


def begin(level: str, stream: IO[str] | None = None) -> None:
    """Sends all logs of this process to a stream, by default the standard error."""
    log_lines.begin(level, JsonLines(), stream)
