"""`/docs`: a page that shows the API document with Swagger UI, and can call the API."""

from __future__ import annotations

import mimetypes
from importlib.resources import files

from flask import Flask, Response, abort, request

PAGE = "/docs"
OWN = ("docs.css", "docs.js")
FROM_SWAGGER_UI = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")


def install_page(app: Flask, document: str) -> None:
    """Add the page and its files."""
    own, theirs = files(__package__).joinpath("page"), files("flask_swagger_ui").joinpath("dist")
    folders = {**dict.fromkeys(OWN, own), **dict.fromkeys(FROM_SWAGGER_UI, theirs)}
    page = own.joinpath("docs.html").read_text(encoding="utf-8").replace("{document}", document)

    @app.get(PAGE, strict_slashes=False)
    def docs() -> Response:
        return Response(page, content_type="text/html; charset=utf-8")

    @app.get(f"{PAGE}/<name>")
    def docs_file(name: str) -> Response:
        if name not in folders:
            abort(404)
        answer = Response(folders[name].joinpath(name).read_bytes())
        answer.content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        answer.add_etag()
        answer.cache_control.no_cache = True
        return answer.make_conditional(request.environ)  # type: ignore[return-value]
