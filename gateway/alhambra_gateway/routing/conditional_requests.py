"""Conditional and repeatable requests: ETag, If-Match, If-None-Match and Idempotency-Key.

Idempotency-Key   names the attempt, as `requestId` in the body does.
If-Match          the version that the caller has seen, as `version` in the body; if the game has moved on, the answer
                  is 412 instead of 409. A call that takes no version refuses If-Match, because the service would not
                  check the condition.
If-None-Match     the answer is 304 without a body if the caller already has it.

The ETag of a read begins with the version of the game and ends with a digest of the answer, `"17-3f…"`, because an
answer can change without a new version, for example when a seat is claimed. The ETag of a change is its version,
`"18"`. Either can be sent as If-Match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from ..refusals.problem import Problem
from .routes import Route

Environ = Mapping[str, Any]
_DIGEST_BYTES = 8
_VERSION = re.compile(r'(?:W/)?"([0-9]{1,9})(?:-[^"]*)?"')
_TAG = re.compile(r'(?:W/)?("[^"]*")')
_ANY = "*"


# -- Which calls take which header -------------------------------------------------------------------------------------


def takes_if_match(route: Route) -> bool:
    """Whether a call takes If-Match, the version that the caller has seen."""
    return route.asks_for("version")


def takes_if_none_match(route: Route) -> bool:
    """Whether a call takes If-None-Match: every unary call that only reads."""
    return route.method == "GET" and not route.streaming


def takes_idempotency_key(route: Route) -> bool:
    """Whether a call takes Idempotency-Key."""
    return route.asks_for("request_id")


def has_etag(route: Route) -> bool:
    """Whether the answer has an ETag: reads, and changes of a game that answer with its view."""
    return takes_if_none_match(route) or (route.changes and route.answers_with("view"))


# -- Headers instead of members of the body -------- -------------------------------------------------------------------


def merge_headers(route: Route, environ: Environ, body: Any) -> None:
    """Put the values of Idempotency-Key and If-Match into the body. Raise Problem if the body has other values."""
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and takes_idempotency_key(route):
        name = key.strip().strip('"')
        if not name:
            raise Problem.malformed("Idempotency-Key", "An empty Idempotency-Key names nothing.")
        _merge(body, "requestId", name, "Idempotency-Key")
    condition = environ.get("HTTP_IF_MATCH")
    if condition is not None and condition.strip() != _ANY and takes_if_match(route):
        found = _VERSION.fullmatch(condition.strip())
        if found is None:
            raise Problem.malformed("If-Match", "If-Match must be the ETag of one answer about the game.")
        _merge(body, "version", int(found.group(1)), "If-Match")


def _merge(body: Any, member: str, value: object, header: str) -> None:
    if isinstance(body, dict) and body.setdefault(member, value) != value:
        raise Problem.malformed(header, f"The header {header} and the member {member} of the body disagree.")


def check_condition(route: Route, environ: Environ) -> None:
    """Raise Problem if the request has If-Match and the call takes no version to compare it with."""
    if "HTTP_IF_MATCH" in environ and not takes_if_match(route):
        raise Problem.malformed("If-Match", "This call takes no version, so it takes no If-Match.")


def stale_as_failed_condition(problem: Problem, environ: Environ) -> Problem:
    """Return the problem; PRECONDITION_FAILED instead of VERSION_STALE if the request has If-Match."""
    if problem.reason != "VERSION_STALE" or "HTTP_IF_MATCH" not in environ:
        return problem
    return Problem("PRECONDITION_FAILED", problem.detail, problem.metadata)


# -- Tags of answers ---------------------------------------------------------------------------------------------------


def tag_of(body: bytes, version: int | None) -> str:
    """Return the ETag of the answer to a read. `version` is None if the answer is not about a game."""
    digest = blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}-{digest}"'


def is_known(environ: Environ, tag: str) -> bool:
    """Whether If-None-Match says that the caller already has the answer with this tag."""
    header = environ.get("HTTP_IF_NONE_MATCH")
    return header is not None and (header.strip() == _ANY or tag in _TAG.findall(header))
