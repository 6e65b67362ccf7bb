"""Media types of requests and answers: Accept, Accept-Encoding and Content-Type. werkzeug parses the headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from werkzeug.datastructures import Accept, MIMEAccept
from werkzeug.http import parse_accept_header, parse_options_header

from .. import limits
from ..refusals.problem import Problem

JSON = "application/json"
SVG = "image/svg+xml"
TEXT = "text/plain"
EVENT_STREAM = "text/event-stream"
_UTF8 = re.compile(r""";\s*charset="?utf-8"?""", re.IGNORECASE)
"""What clients often add to a type in Accept. All answers are UTF-8, so it changes nothing."""


@lru_cache(limits.HEADERS_REMEMBERED)
def best_type(header: str, offered: Sequence[str]) -> str | None:
    """Return the offered media type that a header Accept prefers; the first one if the header is empty; None if the
    header allows none of them."""
    if not header.strip():
        return offered[0]
    return parse_accept_header(_UTF8.sub("", header), MIMEAccept).best_match(offered)


def accepts(header: str, media_type: str) -> bool:
    """Whether a header Accept allows an answer of this type. The most specific range decides, as in RFC 9110."""
    return best_type(header, (media_type,)) is not None


def require_accepted(header: str | None, media_type: str) -> None:
    """Raise Problem if a header Accept does not allow an answer of this type."""
    if header is not None and not accepts(header, media_type):
        raise Problem("NOT_ACCEPTABLE", f"The answer is {media_type}, which Accept does not allow.")


def preferred_type(header: str, offered: Sequence[str]) -> str:
    """Return the offered media type that a header Accept prefers: of equal ones the one that it names first, otherwise
    the one that is offered first. Raise Problem if it allows none of them."""
    found = best_type(header, _in_order_of(header, offered))
    if found is None:
        raise Problem("NOT_ACCEPTABLE", f"The answer is {' or '.join(offered)}, which Accept does not allow.")
    return found


@lru_cache(limits.HEADERS_REMEMBERED)
def _in_order_of(header: str, offered: Sequence[str]) -> Sequence[str]:
    """Return the offered media types in the order in which a header names them, then those that it does not name."""
    named = [media_type.lower() for media_type, _ in parse_accept_header(_UTF8.sub("", header), MIMEAccept)]
    return tuple(sorted(offered, key=lambda media_type: [*named, media_type].index(media_type)))


@lru_cache(limits.HEADERS_REMEMBERED)
def accepts_gzip(header: str) -> bool:
    """Whether a header Accept-Encoding names gzip. `*` does not count: a client that can unpack gzip says so."""
    codings = parse_accept_header(header, Accept)
    return any(coding.lower() in ("gzip", "x-gzip") and quality > 0 for coding, quality in codings)


@lru_cache(limits.HEADERS_REMEMBERED)
def is_json(content_type: str) -> bool:
    """Whether a body with this Content-Type is JSON in UTF-8."""
    media_type, parameters = parse_options_header(content_type)
    only_charset = parameters.keys() <= {"charset"}
    return media_type.lower() == JSON and only_charset and parameters.get("charset", "utf-8").lower() == "utf-8"


def require_json(content_type: str) -> None:
    """Raise Problem if a body is not sent as JSON."""
    if not is_json(content_type):
        raise Problem("MEDIA_TYPE_UNSUPPORTED", "Send the body as Content-Type: application/json.")
