"""gzip for long answers. Streams are never compressed: each message has to arrive at once."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from typing import Any

from .. import limits
from ..environ_keys import READY

Headers = list[tuple[str, str]]

COMPRESSED = frozenset(
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
"""Media types that are compressed."""


def compress(
    environ: dict[str, Any], headers: Headers, found: dict[str, str], body: Iterable[bytes]
) -> Iterable[bytes]:
    """Return the body compressed, and change the headers accordingly. `found` are the headers by lower-case name.

    The ETag becomes weak, because the bytes of the answer are different ones."""
    if "content-encoding" in found:
        return body
    data = b"".join(body)
    getattr(body, "close", lambda: None)()
    if "etag" in found and not found["etag"].startswith("W/"):
        replace_header(headers, "ETag", "W/" + found["etag"])
    headers.append(("Content-Encoding", "gzip"))
    if environ["REQUEST_METHOD"] == "HEAD":  # there is no body to compress, so its length is not known
        _remove_header(headers, "content-length")
        return [data]
    ready = environ.get(READY)
    compressed = ready.compressed if ready is not None else gzip.compress(data, limits.GZIP_LEVEL, mtime=0)
    replace_header(headers, "Content-Length", str(len(compressed)))
    return [compressed]


def replace_header(headers: Headers, name: str, value: str) -> None:
    """Set a header, in place of those of the same name."""
    _remove_header(headers, name.lower())
    headers.append((name, value))


def _remove_header(headers: Headers, name: str) -> None:
    headers[:] = [(each, value) for each, value in headers if each.lower() != name]
