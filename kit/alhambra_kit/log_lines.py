"""Logs of the servers: one JSON object a line, each with the id of the request that it is about, and never a secret.

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


class JsonLines(logging.Formatter):
    """Formats each record as a line of JSON. `fields` names the attributes of a record that become members of its line;
    `request` returns the id of the request that is being answered, or "" if there is none."""

    def __init__(self, fields: Sequence[str], request: Callable[[], str]) -> None:
        super().__init__()
        self._fields = fields
        self._request = request

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": cut(record.getMessage()),
        }
        found = getattr(record, "request", "") or self._request()
        if found:
            line["request"] = found
        for name in self._fields:
            if hasattr(record, name):
                value = getattr(record, name)
                line[name] = cut(value) if isinstance(value, str) else value
        if record.exc_info:
            line["error"] = cut(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def begin(level: str, lines: JsonLines, stream: IO[str] | None = None) -> None:
    """Send all logs of this process to a stream, by default standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(lines)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
