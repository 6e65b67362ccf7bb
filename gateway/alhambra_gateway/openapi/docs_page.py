"""`/docs`: a page that shows the API document with Swagger UI, and can call the API."""

from __future__ import annotations

import mimetypes
from importlib.resources import files

from flask import Flask, Response, abort

from ..routing.ready_documents import ReadyDocument, ReadyDocuments

REVALIDATED = {"Cache-Control": "no-cache"}
"""It may be kept, and is asked for anew whether it is still the same."""
PAGE = "/docs"
OWN = ("docs.css", "docs.js")
FROM_SWAGGER_UI = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")


def install_page(app: Flask, document: str, documents: ReadyDocuments) -> None:
    """Add the page and its files."""
    own, theirs = files(__package__).joinpath("page"), files("flask_swagger_ui").joinpath("dist")
    folders = {**dict.fromkeys(OWN, own), **dict.fromkeys(FROM_SWAGGER_UI, theirs)}
    page = own.joinpath("docs.html").read_text(encoding="utf-8").replace("{document}", document)

    @app.get(PAGE, strict_slashes=False)
    def docs() -> Response:
        return documents.answer(PAGE, lambda: ReadyDocument(page.encode(), "text/html; charset=utf-8", REVALIDATED))

    @app.get(f"{PAGE}/<name>")
    def docs_file(name: str) -> Response:
        if name not in folders:
            abort(404)
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return documents.answer(
            (PAGE, name),
            lambda: ReadyDocument(folders[name].joinpath(name).read_bytes(), media_type, REVALIDATED),
        )
