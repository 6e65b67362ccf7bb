"""Logs of the servers: JSON lines for programs, or readable lines for a terminal. Never a secret.

The servers do not log what was sent to them. If a message, a name or a traceback nevertheless contains something that
looks like a token, an invitation, a ticket, a key, a header or the password of an address, the formatter replaces it
with CUT before the line is written.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import IO, Any

REQUEST_ID = "x-request-id"
REQUEST_ID_CHARS = 36
CUT = "[cut]"
STYLES = AUTO, TEXT, JSON = ("auto", "text", "json")
"""How logs can be written."""

SECRETS = re.compile(r"alh_[a-z]+_[A-Za-z0-9_-]+|(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{40,}")
"""What a secret looks like, whole, truncated or without its prefix. Logs leave out whatever matches."""
_GOOD_ID = re.compile(rf"[0-9a-f-]{{8,{REQUEST_ID_CHARS}}}")
"""Hexadecimal digits and hyphens. An id of a client in any other form is not logged."""
_BEARER = re.compile(r"(?i)\bbearer\s+\S+")
_PASSWORD = re.compile(r"(?<=://)[^/\s@]+@")


def is_request_id(text: str) -> bool:
    """Return whether an id that a client sent can be used."""
    return _GOOD_ID.fullmatch(text) is not None


def cut(text: str) -> str:
    """Return the text with CUT in place of everything that looks like a secret."""
    return SECRETS.sub(CUT, _BEARER.sub(CUT, _PASSWORD.sub(CUT + "@", text)))


class LogLines(logging.Formatter):
    """A formatter of log records. `fields` names the attributes of a record that are shown beside its message;
    `request` returns the id of the request that is being answered, or "" if there is none."""

    def __init__(self, fields: Sequence[str], request: Callable[[], str]) -> None:
        super().__init__()
        self._fields = fields
        self._request = request

    def facts(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the id of the request and the fields that the record has, without secrets."""
        found: dict[str, Any] = {}
        if request := getattr(record, "request", "") or self._request():
            found["request"] = request
        for name in self._fields:
            if hasattr(record, name):
                value = getattr(record, name)
                found[name] = cut(value) if isinstance(value, str) else value
        return found


class JsonLines(LogLines):
    """Formats each record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": cut(record.getMessage()),
            **self.facts(record),
        }
        if record.exc_info:
            line["error"] = cut(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class TextLines(LogLines):
    """Formats each record for a person: the time of day, the message, and its fields; a traceback below."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, or several lines for an exception."""
        found = self.facts(record)
        request = found.pop("request", "")
        if "milliseconds" in found:
            found["milliseconds"] = f"{found['milliseconds']} ms"
        line = f"{datetime.fromtimestamp(record.created):%H:%M:%S}  "
        if record.levelno >= logging.WARNING:
            line += f"{record.levelname.lower()}: "
        line += cut(record.getMessage())
        if words := " ".join(str(value) for value in found.values() if value != ""):
            line += f" ({words})"
        if request and record.levelno >= logging.ERROR:
            line += f" [{request}]"
        if record.exc_info:
            line += "\n" + cut(self.formatException(record.exc_info))
        return line


def begin(
    level: str, style: str, fields: Sequence[str], request: Callable[[], str], stream: IO[str] | None = None
) -> None:
    """Send all logs of this process to a stream, by default standard error: as text, as JSON, or, if the style is
    `auto`, as text if the stream is a terminal."""
    stream = stream or sys.stderr
    text = style == TEXT or (style == AUTO and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextLines(fields, request) if text else JsonLines(fields, request))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
