"""Headers of every answer: content security policy, caching, CORS, compression, Vary.

A page may load only what the gateway itself serves, and no other page may show it in a frame. A picture cannot run
scripts. An answer that does not say how long it may be cached is not cached, because it could contain a secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import limits
from ..config import Settings
from ..routing.content_negotiation import accepts_gzip
from .compression import COMPRESSED, compress, replace_header
from .cors import Cors

PAGE, PICTURE = "text/html", "image/svg+xml"
POLICIES = {
    PAGE: (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    PICTURE: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
NO_SNIFFING = ("X-Content-Type-Options", "nosniff")
NO_REFERRER = ("Referrer-Policy", "no-referrer")
NO_STORE = ("Cache-Control", "no-store")


class ResponseHeaders:
    """Adds headers to the answers of a gateway with these settings."""

    def __init__(self, settings: Settings) -> None:
        self._gzip = settings.gzip
        self.cors = Cors(settings.allowed_origins())

    def finish(self, environ: dict[str, Any], headers: list[tuple[str, str]], body: Iterable[bytes]) -> Iterable[bytes]:
        """Add to the headers of an answer what it needs. Return its body, which may be compressed."""
        found = {name.lower(): value for name, value in headers}
        media_type = found.get("content-type", "").partition(";")[0]
        headers.append(NO_SNIFFING)
        cached = found.setdefault("cache-control", "")
        if not cached:
            headers.append(NO_STORE)
        if media_type in POLICIES:
            headers.append(NO_REFERRER)
            if "content-security-policy" not in found:
                headers.append(("Content-Security-Policy", POLICIES[media_type]))
        vary = []
        if self.cors.origins:
            vary.append("Origin")
            self.cors.add_headers(environ, headers)
        if self._gzip and media_type in COMPRESSED:
            if cached and cached != "no-store":
                vary.append("Accept-Encoding")
            accepted = environ.get("HTTP_ACCEPT_ENCODING")
            if accepted and int(found.get("content-length", 0)) >= limits.GZIP_BYTES and accepts_gzip(accepted):
                body = compress(environ, headers, found, body)
        if vary:
            replace_header(headers, "Vary", ", ".join([*filter(None, (found.get("vary"),)), *vary]))
        return body
