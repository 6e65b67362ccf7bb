"""The pages for people: front page, problems (`problem_pages.py`), modules, rules, guides, and the game in the browser.

`/` says what this is and how a first game goes. Pages come in the languages of the texts: the one that `?lang=` names,
else the one that `Accept-Language` prefers. All pages but the game run no script, and all load nothing from other
servers. They do not need the service, so the page about an unreachable service can be read while it is unreachable.
"""

from __future__ import annotations

import mimetypes
import re
from importlib.resources import files

from flask import Flask, Response, abort, render_template, request
from markupsafe import Markup, escape

from ..routing.ready_documents import ReadyDocuments
from . import guides, how_to_play, modules, play, problem_pages, questions, rules
from .answers import cached_response, negotiated_language, page, words

STATIC = (
    *("alhambra.svg", "fountain.svg", "site.css"),
    *("icon-192.png", "icon-512.png", "icon-maskable-512.png"),
)
_CODE = re.compile(r"`([^`]+)`")


def install(app: Flask, documents: ReadyDocuments) -> None:
    """Add the pages to the application."""
    app.extensions["documents"] = documents
    app.jinja_env.filters["code_marks"] = code_marks
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    guides.install(app)
    how_to_play.install(app)
    modules.install(app)
    play.install(app)
    problem_pages.install(app)
    questions.install(app)
    rules.install(app)

    @app.get("/")
    def front() -> Response:
        language, base = negotiated_language(), request.url_root.rstrip("/")

        def facts() -> dict[str, object]:
            return {"first_game": render_template("first_game.sh", base=base, words=words()[language])}

        return page("front.html", language, facts, base)

    @app.get("/static/<name>")
    def static_file(name: str) -> Response:
        if name not in STATIC:
            abort(404)
        path = files("alhambra_gateway").joinpath("static", name)
        return cached_response(name, path.read_bytes, mimetypes.guess_type(name)[0] or "")

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file("fountain.svg")


def code_marks(text: str) -> Markup:
    """Return a text as HTML in which `this` is code."""
    parts = (
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(_CODE.split(text))
    )
    return Markup("").join(parts)
