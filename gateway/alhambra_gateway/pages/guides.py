"""`/guides/` lists the guides of docs/, `/guides/operator` shows one. They are in English."""

from __future__ import annotations

from functools import cache

from flask import Flask, Response, abort
from markupsafe import Markup

from . import docs_files
from .answers import negotiated_language, page
from .markdown import as_html, opening_of, title_of

ENGLISH = "en"


def install(app: Flask) -> None:
    """Add the pages of guides."""

    @app.get("/guides/", strict_slashes=False)
    def guides() -> Response:
        return page("guides.html", negotiated_language(), lambda: {"guides": index()})

    @app.get("/guides/<name>")
    def guide(name: str) -> Response:
        if name not in docs_files.guide_names():
            abort(404)
        return page("guide.html", ENGLISH, lambda: {"title": index()[name]["title"], "text": html(name)})


@cache
def index() -> dict[str, dict[str, str]]:
    """Return title and first sentence of each guide, by name."""
    texts = {name: docs_files.read(f"{name}.md") for name in docs_files.guide_names()}
    return {name: {"title": title_of(text), "about": opening_of(text)} for name, text in texts.items()}


@cache
def html(name: str) -> Markup:
    """Return a guide as HTML."""
    return Markup(as_html(docs_files.read(f"{name}.md"), docs_files.address_of))
