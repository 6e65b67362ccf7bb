"""`/openapi.json`, the API document, and `/docs`, a page that shows it and can call the API.

The document is made from the contract (`document.py`) at the first request. The page uses Swagger UI, whose files come
from the package flask-swagger-ui. It loads nothing from other servers and has no inline script or style, so the
strictest content security policy holds for it too.
"""

from __future__ import annotations

from flask import Flask, Response

from ..json_messages import dumps
from ..routing.ready_documents import ReadyDocument, ReadyDocuments
from .docs_page import REVALIDATED, install_page
from .document import document

__all__ = ["document", "install"]

ADDRESS = "/openapi.json"


def install(app: Flask, documents: ReadyDocuments) -> None:
    """Add both addresses to the application."""

    @app.get(ADDRESS)
    def openapi() -> Response:
        return documents.answer(ADDRESS, lambda: ReadyDocument(dumps(document()), "application/json", REVALIDATED))

    install_page(app, ADDRESS, documents)
