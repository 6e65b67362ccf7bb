"""The envelope of every answer: packed for who can unpack it, opened to other origins if the operator allows them, and
marked so that browsers take it for nothing else than what it is.

A page may load only what the gateway itself serves, and nothing may show it in a frame. A picture runs nothing. Streams
are never packed: each message has to arrive at once. A packed answer has a weak ETag, because its bytes are others.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from flask import Response

from . import limits
from .config import ANY, Settings

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

PACKED = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/problem+json",
        "image/svg+xml",
        "text/css",
        "text/html",
        "text/javascript",
        "text/plain",
    }
)
PAGE, PICTURE = "text/html", "image/svg+xml"
POLICIES = {
    PAGE: (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    PICTURE: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
TAKEN_AS_IT_IS = ("X-Content-Type-Options", "nosniff")
TELLS_NOBODY = ("Referrer-Policy", "no-referrer")
NOT_KEPT = ("Cache-Control", "no-store")
"""What an answer gets that does not say itself how long it may be kept: it could hold a secret."""
ALLOWED_METHODS = "GET, HEAD, POST, DELETE"
ALLOWED_HEADERS = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
EXPOSED_HEADERS = "Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id"


class Envelope:
    """What a gateway with these settings puts around its answers."""

    def __init__(self, settings: Settings) -> None:
        self._gzip = settings.gzip
        self._origins = settings.allowed_origins()

    def preflight(self, environ: Environ, begin: Callable[..., Any]) -> Iterable[bytes] | None:
        """The answer to a browser that asks whether a page of another origin may call; None if it is not that."""
        if environ["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return None
        if not self._allows(environ):
            return None
        answer = Response(status=204)
        answer.headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
        answer.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        answer.headers["Access-Control-Max-Age"] = str(limits.PREFLIGHT_SECONDS)
        return answer(environ, begin)

    def close(self, environ: Environ, status: str, headers: Headers, body: Iterable[bytes]) -> Iterable[bytes]:
        """Adds to the headers of an answer what it needs; returns its body, packed perhaps."""
        found = {name.lower(): value for name, value in headers}
        media = found.get("content-type", "").partition(";")[0]
        headers.append(TAKEN_AS_IT_IS)
        kept = found.setdefault("cache-control", "")
        if not kept:
            headers.append(NOT_KEPT)
        if media in POLICIES:
            headers.append(TELLS_NOBODY)
            if "content-security-policy" not in found:
                headers.append(("Content-Security-Policy", POLICIES[media]))
        varies = []
        if self._origins:
            varies.append("Origin")
            if self._allows(environ):
                headers.append(("Access-Control-Allow-Origin", ANY if ANY in self._origins else environ["HTTP_ORIGIN"]))
                headers.append(("Access-Control-Expose-Headers", EXPOSED_HEADERS))
        if self._gzip and media in PACKED:
            if kept and kept != "no-store":
                varies.append("Accept-Encoding")
            accepted = environ.get("HTTP_ACCEPT_ENCODING")
            if accepted and int(found.get("content-length", 0)) >= limits.GZIP_BYTES and unpacks_gzip(accepted):
                body = _packed(environ, headers, found, body)
        if varies:
            _replace(headers, "Vary", ", ".join([*filter(None, (found.get("vary"),)), *varies]))
        return body

    def _allows(self, environ: Environ) -> bool:
        """Whether the page that calls may read the answer."""
        origin = environ.get("HTTP_ORIGIN")
        return origin is not None and (ANY in self._origins or origin in self._origins)


@lru_cache(limits.HEADERS_REMEMBERED)
def unpacks_gzip(header: str) -> bool:
    """Whether a header Accept-Encoding allows gzip."""
    for part in header.lower().split(","):
        coding, _, quality = part.replace(" ", "").partition(";")
        if coding in ("gzip", "x-gzip"):
            return quality.removeprefix("q=").strip("0.") != "" or not quality
    return False


def _packed(environ: Environ, headers: Headers, found: dict[str, str], body: Iterable[bytes]) -> Iterable[bytes]:
    if "content-encoding" in found:
        return body
    data = b"".join(body)
    getattr(body, "close", lambda: None)()
    if "etag" in found and not found["etag"].startswith("W/"):
        _replace(headers, "ETag", "W/" + found["etag"])
    headers.append(("Content-Encoding", "gzip"))
    if environ["REQUEST_METHOD"] == "HEAD":  # nothing was made that could be packed, so its length is not known
        _remove(headers, "content-length")
        return [data]
    packed = gzip.compress(data, limits.GZIP_LEVEL, mtime=0)
    _replace(headers, "Content-Length", str(len(packed)))
    return [packed]


def _remove(headers: Headers, name: str) -> None:
    headers[:] = [(each, value) for each, value in headers if each.lower() != name]


def _replace(headers: Headers, name: str, value: str) -> None:
    _remove(headers, name.lower())
    headers.append((name, value))
