"""Problems: every failure is answered with a problem document (RFC 9457) that has a reason of the contract.

    Problem("BODY_TOO_LARGE", "The body may have 1,048,576 bytes.", {"limit": 1_048_576})

`type` is the address of a page that explains the reason, `https://table.example.net/problems/UNDERPAID`, under the name
by which the client reached the gateway. `title` says what the reason means, `detail` describes this one case; both are
in the language of the request. The service words its own refusals. The gateway's refusals are worded here: in English
with a sentence about the case, in other languages with what the reason means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response

from alhambra.texts import DEFAULT, choose_language, has_text, text
from alhambra_api import contract
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from .. import limits
from ..json_messages import Fault, TooMany, dumps

MEDIA_TYPE = "application/problem+json"
TYPE_BASE = "/problems/"
PREFIX = "REASON_"
_METADATA_NOTE = " Metadata:"
_HOST = re.compile(r"[A-Za-z0-9.\-_:\[\]]{1,255}")


@dataclass(frozen=True)
class Kind:
    """What all problems with the same reason have in common."""

    reason: str
    status: int
    title: str
    """The comment of the contract, one or two sentences."""
    group: str


def _kinds() -> dict[str, Kind]:
    found = {}
    said = contract.comments()
    for value in reasons_pb2.Reason.DESCRIPTOR.values:
        if value.number:
            reason = value.name.removeprefix(PREFIX)
            problem = value.GetOptions().Extensions[annotations_pb2.problem]
            comment = " ".join(said[f"{reasons_pb2.Reason.DESCRIPTOR.full_name}.{value.name}"].split())
            title = comment.partition(_METADATA_NOTE)[0]
            found[reason] = Kind(reason, problem.http_status, title, problem.group)
    return found


KINDS: Mapping[str, Kind] = _kinds()
"""Every reason of the contract."""


@cache
def example_problems() -> dict[str, dict[str, Any]]:
    """Return an example for each reason: a refused request, and by language the problem document that answers it.

    The answers were recorded from a running gateway by `python -m scripts.problem_examples`.
    """
    text = files(__package__).joinpath("example_problems.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


class Problem(Exception):
    """Raised when a request fails: the reason and the facts of the case."""

    def __init__(
        self,
        reason: str,
        detail: str,
        metadata: Mapping[str, object] | None = None,
        *,
        violations: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        status: int = 0,
        title: str = "",
        text_key: str = "",
        worded: bool = False,
    ) -> None:
        """`title` and `text_key` are given if this case needs other words than the reason: the title in English, and
        the key of the text in other languages. `worded` says that title and detail are already in the language of the
        request."""
        super().__init__(f"{reason}: {detail}")
        kind = KINDS.get(reason)
        self.reason = reason
        self.status = status or (kind.status if kind else 500)
        self.title = title or (kind.title if kind else reason)
        self.detail = detail
        self._text_key = text_key or f"refusal.{reason}"
        self.worded = worded
        self.metadata = {name: str(value) for name, value in (metadata or {}).items()}
        self.violations = violations
        self.headers = dict(headers or {})

    @classmethod
    def malformed(cls, field: str, detail: str) -> Problem:
        """Return the problem of a field, header or body that cannot be read."""
        return cls("REQUEST_MALFORMED", detail, {"field": field})

    @classmethod
    def from_fault(cls, fault: Fault) -> Problem:
        """Return the problem of JSON or a query that cannot be read. Names in its path may not be Unicode."""
        if isinstance(fault, TooMany):
            return cls("LIMIT_EXCEEDED", fault.message, {"what": fault.what, "limit": fault.limit})
        path = fault.path.encode(errors="replace").decode()
        return cls.malformed(path, f"{path}: {fault.message}" if path else fault.message)

    @classmethod
    def overdrawn(cls, seconds: float) -> Problem:
        """Return the problem of a caller whose CPU time is used up for so many seconds."""
        detail = "The requests of this address take too much time: wait a moment."
        return cls("RATE_LIMITED", detail, {"retry_after": max(1, round(seconds + 0.5))})

    def about(self, request_id: str) -> Problem:
        """Add the id of the request to the facts of a defect, to find it in the logs. Return the problem."""
        if self.reason == "INTERNAL_ERROR":
            self.metadata.setdefault("request", request_id)
        return self

    def language(self, asked: str) -> str:
        """Return the language of the document for a client that asks for this one."""
        return asked if self.worded or has_text(self._text_key, asked) else DEFAULT

    def document(self, language: str = DEFAULT) -> dict[str, Any]:
        """Return the problem document as plain data."""
        title, detail = self.title, self.detail
        if not self.worded and self.language(language) != DEFAULT:
            title = detail = text(self._text_key, language)
        found: dict[str, Any] = {
            "type": TYPE_BASE + self.reason,
            "title": title,
            "status": self.status,
            "detail": detail,
            "reason": self.reason,
            "metadata": self.metadata,
        }
        if self.violations:
            found["violations"] = list(self.violations)
        return found


def origin_of(environ: Mapping[str, Any], problem: Problem) -> str:
    """Return scheme and host by which the client reached this gateway, `https://table.example.net`; an empty text if
    they are not known, or if the host is why the request is refused. A trusted proxy names the scheme."""
    host = environ.get("HTTP_HOST", "")
    if problem.reason == "HOST_REFUSED" or not _HOST.fullmatch(host):
        return ""
    return f"{environ.get('wsgi.url_scheme', 'http')}://{host}"


def response(problem: Problem, environ: Mapping[str, Any] | None = None) -> Response:
    """Return the HTTP answer with the problem document, in the language of the request; in English without environ."""
    language = choose_language((environ or {}).get("HTTP_ACCEPT_LANGUAGE"))
    document = problem.document(language)
    document["type"] = origin_of(environ or {}, problem) + document["type"]
    answer = Response(dumps(document), problem.status, content_type=MEDIA_TYPE)
    answer.headers["Content-Language"] = problem.language(language)
    answer.headers["Cache-Control"] = "no-store"
    if problem.status in (429, 503):
        asked = problem.metadata.get("retry_after", "")
        answer.headers["Retry-After"] = asked if asked.isdecimal() else str(limits.RETRY_SECONDS)
        if problem.status == 429:
            answer.headers.update(_rate_limit(problem.metadata, answer.headers["Retry-After"]))
    elif problem.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    answer.headers.update(problem.headers)
    return answer


def _rate_limit(facts: Mapping[str, str], seconds: str) -> dict[str, str]:
    """Return the headers of draft-ietf-httpapi-ratelimit-headers: nothing is left for so many seconds; and the policy,
    if the service has told it."""
    found = {"RateLimit": f'"calls";r=0;t={seconds}'}
    calls, window = facts.get("calls", ""), facts.get("seconds", "")
    if calls and window:
        found["RateLimit-Policy"] = f'"calls";q={int(float(calls))};w={max(1, round(float(window)))}'
    return found


def closing_answer(problem: Problem, request_id: str = "") -> bytes:
    """Return the bytes of a whole HTTP answer after which the connection is closed. Without a `request_id` no request
    was read, so the answer names none."""
    answer = response(problem)
    if request_id:
        answer.headers["X-Request-Id"] = request_id
    body = answer.get_data()
    answer.headers["Content-Length"] = str(len(body))
    head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    return f"HTTP/1.1 {answer.status}\r\nConnection: close\r\n{head}\r\n".encode("latin-1") + body
