"""The pages that the gateway serves for people: what this is, what each problem means, modules and guides.

`/` says what this is and how a first game goes. `/problems/` lists every reason of the contract, `/problems/UNDERPAID`
explains one: `type` of a problem document leads there. With `Accept: application/json` both are data. `modules.py` has
the pages of modules, `guides.py` those of the guides. Pages come in the languages of the texts: the one that `?lang=`
names, else the one that `Accept-Language` likes best. They run no script and load nothing from elsewhere; they need no
service, so that the page about a store that is away can be read while it is away.
"""

from __future__ import annotations

import json
import mimetypes
import re
from importlib.resources import files
from itertools import groupby

from flask import Flask, Response, abort, render_template, request
from markupsafe import Markup, escape

from . import guides, modules, play
from .answers import JSON, asked_form, asked_language, data, kept, page, words
from .curl import as_curl
from .reasons import Reason, reasons

STATIC = ("alhambra.svg", "fountain.svg", "site.css")
_CODE = re.compile(r"`([^`]+)`")


def install(app: Flask) -> None:
    """Adds the pages to the gateway."""
    app.jinja_env.filters["code_marks"] = code_marks
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    guides.install(app)
    modules.install(app)
    play.install(app)

    @app.get("/")
    def front() -> Response:
        language = asked_language()
        lines = render_template("first_game.sh", base=request.url_root.rstrip("/"), words=words()[language])
        return page("front.html", language, first_game=lines)

    @app.get("/problems/", strict_slashes=False)
    def problems() -> Response:
        language = asked_language()
        listed = list(reasons(language).values())
        if asked_form() == JSON:
            return data({"problems": [one.as_dict() for one in listed]}, language)
        groups = [(group, list(ones)) for group, ones in groupby(listed, key=lambda one: one.group)]
        return page("problems.html", language, groups=groups)

    @app.get("/problems/<reason>")
    def problem(reason: str) -> Response:
        language = asked_language()
        known = reasons(language)
        if reason not in known:
            abort(404)
        if asked_form() == JSON:
            return data(known[reason].as_dict(), language)
        return explained(known[reason], language)

    @app.get("/static/<name>")
    def static_file(name: str) -> Response:
        if name not in STATIC:
            abort(404)
        content = files("alhambra_gateway").joinpath("static", name).read_bytes()
        return kept(Response(content, content_type=mimetypes.guess_type(name)[0]))

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return static_file("fountain.svg")


def explained(one: Reason, language: str) -> Response:
    """The page of one reason."""
    order = list(reasons(language))
    at = order.index(one.reason)
    return page(
        "problem.html",
        language,
        one=one,
        curl=as_curl(request.url_root.rstrip("/"), one.request),
        answer=json.dumps(one.problem, ensure_ascii=False, indent=2),
        before=order[at - 1] if at else None,
        after=order[at + 1] if at + 1 < len(order) else None,
    )


def code_marks(text: str) -> Markup:
    """A text in which `this` is code."""
    parts = (
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(_CODE.split(text))
    )
    return Markup("").join(parts)
