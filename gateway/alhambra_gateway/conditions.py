"""What the headers of a request ask for, and what the answer's ETag says.

Accept            the answer must be one of the forms that it allows.
Content-Type      a body is JSON.
Idempotency-Key   names the attempt, as `requestId` in the body does.
If-Match          the version that the caller has seen, as `version` in the body; if the game has moved on, the answer
                  is 412 instead of 409. A call that takes no version takes no If-Match either: a condition that
                  nobody checks would be worse than none.
If-None-Match     an answer that the caller has already is not sent again.

The ETag of whatever is read begins with the version of the game and ends with a digest of the answer, `"17-3f…"`: there
is more to see than the version tells, such as a seat that was claimed. The ETag of a change is its version, `"18"`.
Either can be sent as If-Match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from . import limits
from .problems import Problem
from .routes import Route

JSON = "application/json"
SVG = "image/svg+xml"
TEXT = "text/plain"
Environ = Mapping[str, Any]
_DIGEST_BYTES = 8
_VERSION = re.compile(r'(?:W/)?"([0-9]{1,9})(?:-[^"]*)?"')
_TAG = re.compile(r'(?:W/)?("[^"]*")')
_ANY = "*"


# -- Which calls know which header -------------------------------------------------------------------------------------


def takes_if_match(route: Route) -> bool:
    """Whether a version that was seen can be sent as If-Match."""
    return route.asks_for("version")


def takes_if_none_match(route: Route) -> bool:
    """Whether an answer that the caller has already is left out: of whatever is only read."""
    return route.method == "GET" and not route.streaming


def takes_idempotency_key(route: Route) -> bool:
    """Whether the attempt can be named in a header."""
    return route.asks_for("request_id")


def has_etag(route: Route) -> bool:
    """Whether the answer has an ETag: what is read, and what a change makes of a game."""
    return takes_if_none_match(route) or (route.changes and route.answers_with("view"))


# -- What form the request and the answer have -------------------------------------------------------------------------


@lru_cache(limits.HEADERS_REMEMBERED)
def accepts(header: str, media_type: str) -> bool:
    """Whether a header Accept allows an answer of this type. The most specific range decides, as in RFC 9110."""
    main = media_type.partition("/")[0]
    ranks = {"*/*": 0, f"{main}/*": 1, media_type: 2}
    best, allowed = -1, not header.strip()
    for part in header.split(","):
        pieces = part.split(";")
        rank = ranks.get(pieces[0].strip().lower(), -1)
        if rank > best:
            best, allowed = rank, _wanted(pieces[1:])
    return allowed


def _wanted(parameters: list[str]) -> bool:
    """Whether a range of Accept has a quality above 0."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return float(value) > 0
            except ValueError:
                return False
    return True


def require_accepted(environ: Environ, media_type: str) -> None:
    """Refuses to answer in a form that the caller does not want."""
    header = environ.get("HTTP_ACCEPT")
    if header is not None and not accepts(header, media_type):
        raise Problem("NOT_ACCEPTABLE", f"The answer is {media_type}, which Accept does not allow.")


@lru_cache(limits.HEADERS_REMEMBERED)
def is_json(content_type: str) -> bool:
    """Whether a body with this header is JSON in UTF-8."""
    media_type, _, parameters = content_type.partition(";")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    return media_type.strip().lower() == JSON and charset in ("", "charset=utf-8")


def require_json(environ: Environ) -> None:
    """Refuses a body that does not call itself JSON."""
    if not is_json(environ.get("CONTENT_TYPE", "")):
        raise Problem("MEDIA_TYPE_UNSUPPORTED", "Send the body as Content-Type: application/json.")


# -- What headers say instead of members of the body -------------------------------------------------------------------


def merge_headers(route: Route, environ: Environ, body: Any) -> None:
    """Puts what Idempotency-Key and If-Match say into the body, where it is not said already."""
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
    """Refuses If-Match where nothing is compared with it."""
    if "HTTP_IF_MATCH" in environ and not takes_if_match(route):
        raise Problem.malformed("If-Match", "This call takes no version, so it takes no If-Match.")


def stale_as_condition(problem: Problem, environ: Environ) -> Problem:
    """A game that has moved on is told as a failed condition to who sent one."""
    if problem.reason != "VERSION_STALE" or "HTTP_IF_MATCH" not in environ:
        return problem
    return Problem("PRECONDITION_FAILED", problem.detail, problem.metadata)


# -- Tags of answers ---------------------------------------------------------------------------------------------------


def tag_of(body: bytes, version: int | None) -> str:
    """The tag of something that was read."""
    digest = blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}-{digest}"'


def known_already(environ: Environ, tag: str) -> bool:
    """Whether the caller has the answer with this tag."""
    header = environ.get("HTTP_IF_NONE_MATCH")
    return header is not None and (header.strip() == _ANY or tag in _TAG.findall(header))
