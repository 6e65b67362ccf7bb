"""`/openapi.json`, the API document, and `/docs`, the same to read and to try out.

The document is made from the contract (`document.py`) the first time that somebody asks for it. The page shows it with
Swagger UI, whose files come from the package flask-swagger-ui: nothing is fetched from anywhere else, and no script or
style stands in the page itself, so that the strictest policy for content holds for it too.
"""

from __future__ import annotations

from functools import cache

from flask import Flask, Response, request

from ..wire import dumps
from .document import document
from .reading_room import install_page

__all__ = ["document", "install"]

ADDRESS = "/openapi.json"


def install(app: Flask) -> None:
    """Adds both addresses to the gateway."""

    @app.get(ADDRESS)
    def openapi() -> Response:
        answer = Response(as_bytes(), content_type="application/json")
        answer.add_etag()
        answer.cache_control.no_cache = True  # it may be kept, and is asked for anew whether it is still the same
        return answer.make_conditional(request.environ)  # type: ignore[return-value]

    install_page(app, ADDRESS)


@cache
def as_bytes() -> bytes:
    """The document as it is sent."""
    return dumps(document())
