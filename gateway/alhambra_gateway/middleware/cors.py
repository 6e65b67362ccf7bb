"""CORS: whether pages of other origins may call the gateway from a browser. Off unless the operator names origins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Response

from .. import limits
from ..config import ANY

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

ALLOWED_METHODS = "GET, HEAD, POST, DELETE"
ALLOWED_HEADERS = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "X-Request-Id"
)
EXPOSED_HEADERS = "Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id"


class Cors:
    """The origins that the operator allows."""

    def __init__(self, origins: frozenset[str]) -> None:
        self.origins = origins

    def preflight(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes] | None:
        """Answer a browser that asks whether a page of another origin may call; return None for other requests."""
        if environ["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return None
        if not self._allows(environ):
            return None
        answer = Response(status=204)
        answer.headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
        answer.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        answer.headers["Access-Control-Max-Age"] = str(limits.PREFLIGHT_SECONDS)
        return answer(environ, start_response)

    def add_headers(self, environ: Environ, headers: Headers) -> None:
        """Let the page that calls read the answer, if its origin is allowed."""
        if self._allows(environ):
            headers.append(("Access-Control-Allow-Origin", ANY if ANY in self.origins else environ["HTTP_ORIGIN"]))
            headers.append(("Access-Control-Expose-Headers", EXPOSED_HEADERS))

    def _allows(self, environ: Environ) -> bool:
        origin = environ.get("HTTP_ORIGIN")
        return origin is not None and (ANY in self.origins or origin in self.origins)
