"""Logs: one JSON object a line, each with the id of the request that it is about, and never a secret.

Handlers do not log what was sent to them. Should a message, a name or a traceback nevertheless hold something that
looks like a token, an invitation, a ticket, a key, a header or the password of an address, it is cut out here, at the
last possible place. Requests, answers and metadata are never logged.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import IO, Any

import grpc

from . import limits
from .credentials import SECRETS

REQUEST_ID = "x-request-id"
CUT = "[cut]"
FIELDS = ("method", "code", "reason", "milliseconds", "worker")
"""What a line can say besides its message."""

_GOOD_ID = re.compile(rf"[0-9a-f-]{{8,{limits.REQUEST_ID_CHARS}}}")
"""Hexadecimal digits: whatever else a client sends as an id could be anything."""
_BEARER = re.compile(r"(?i)\bbearer\s+\S+")
_PASSWORD = re.compile(r"(?<=://)[^/\s@]+@")


class CurrentCall:
    """The call that is being answered, and its id, which is only made if somebody asks for it."""

    __slots__ = ("_context", "_id")

    def __init__(self, context: grpc.ServicerContext | None) -> None:
        self._context = context
        self._id = ""

    @property
    def id(self) -> str:
        """The id that the caller gave, or a fresh one."""
        if not self._id:
            self._id = self._given() or secrets.token_hex(8)
        return self._id

    def _given(self) -> str:
        metadata = self._context.invocation_metadata() if self._context is not None else ()
        for name, value in metadata or ():
            if name == REQUEST_ID and isinstance(value, str) and _GOOD_ID.fullmatch(value):
                return str(value)
        return ""


_CALL: ContextVar[CurrentCall | None] = ContextVar("call", default=None)


def begin_call(context: grpc.ServicerContext) -> CurrentCall:
    """From now on, in this call, lines are about it."""
    call = CurrentCall(context)
    _CALL.set(call)
    return call


def request_id() -> str:
    """The id of the call that is being answered; empty outside of any."""
    call = _CALL.get()
    return call.id if call is not None else ""


def cut(text: str) -> str:
    """The text without anything that looks like a secret."""
    return SECRETS.sub(CUT, _BEARER.sub(CUT, _PASSWORD.sub(CUT + "@", text)))


class JsonLines(logging.Formatter):
    """A line of JSON for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": cut(record.getMessage()),
        }
        found = getattr(record, "request", "") or request_id()
        if found:
            line["request"] = found
        for name in FIELDS:
            if hasattr(record, name):
                value = getattr(record, name)
                line[name] = cut(value) if isinstance(value, str) else value
        if record.exc_info:
            line["error"] = cut(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def begin(level: str, stream: IO[str] | None = None) -> None:
    """Sends all logs of this process to a stream, by default the standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
