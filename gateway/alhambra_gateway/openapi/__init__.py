"""`/openapi.json`, the API document, and `/docs`, a page that shows it and can call the API.

The document is made from the contract (`document.py`) at the first request. The page uses Swagger UI, whose files come
from the package flask-swagger-ui. It loads nothing from other servers and has no inline script or style, so the
strictest content security policy holds for it too.
"""

from __future__ import annotations

from functools import cache

from flask import Flask, Response, request

from ..json_messages import dumps
from .docs_page import install_page
from .document import document

__all__ = ["document", "install"]

ADDRESS = "/openapi.json"


def install(app: Flask) -> None:
    """Add both addresses to the application."""

    @app.get(ADDRESS)
    def openapi() -> Response:
        answer = Response(as_bytes(), content_type="application/json")
        answer.add_etag()
        answer.cache_control.no_cache = True  # it may be kept, and is asked for anew whether it is still the same
        return answer.make_conditional(request.environ)  # type: ignore[return-value]

    install_page(app, ADDRESS)


@cache
def as_bytes() -> bytes:
    """Return the document as bytes."""
    return dumps(document())
