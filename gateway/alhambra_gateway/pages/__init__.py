"""The pages that the gateway serves for people: what this is, and what each problem means.

`/` says what this is and how a first game goes. `/problems/` lists every reason of the contract, `/problems/UNDERPAID`
explains one: `type` of a problem document leads there. With `Accept: application/json` both are data. Pages come in
English and German, run no script and load nothing from elsewhere; they need no service, so that the page about a store
that is away can be read while it is away.
"""

from __future__ import annotations

import json
import mimetypes
import re
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from flask import Flask, Response, abort, render_template, request
from markupsafe import Markup, escape

from .. import limits
from ..problems import Problem
from ..wire import dumps
from .curl import as_curl
from .reasons import LANGUAGES, Reason, reasons

HTML, JSON = "text/html", "application/json"
STATIC = ("alhambra.svg", "fountain.svg", "site.css")
_CODE = re.compile(r"`([^`]+)`")


def install(app: Flask) -> None:
    """Adds the pages to the gateway."""
    app.jinja_env.filters["code_marks"] = code_marks
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

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


# -- What the reader wants -------------------------------------------------------------------------------------------


def asked_language() -> str:
    """The language that the reader likes best of those there are; what is spoken in a country counts, too."""
    for tag, _ in request.accept_languages:  # the best first
        language = tag.partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def asked_form() -> str:
    """A page or data; whoever takes anything gets a page."""
    found = request.accept_mimetypes.best_match((HTML, JSON)) if request.accept_mimetypes else HTML
    if found is None:
        raise Problem("NOT_ACCEPTABLE", f"This is there as {HTML} and as {JSON}.")
    return found


# -- Answers ---------------------------------------------------------------------------------------------------------


def page(template: str, language: str, **facts: Any) -> Response:
    """A page for people."""
    text = render_template(template, words=words()[language], **facts)
    return _in_language(Response(text, content_type=f"{HTML}; charset=utf-8"), language)


def data(document: dict[str, Any], language: str) -> Response:
    """The same for programs."""
    return _in_language(Response(dumps(document), content_type=JSON), language)


def _in_language(answer: Response, language: str) -> Response:
    answer.headers["Content-Language"] = language
    answer.vary.update(("Accept", "Accept-Language"))
    return kept(answer)


def kept(answer: Response) -> Response:
    """It may be kept for a while, and is asked for anew whether it is still the same."""
    answer.add_etag()
    answer.cache_control.public = True
    answer.cache_control.max_age = limits.PAGE_SECONDS
    return answer.make_conditional(request.environ)  # type: ignore[return-value]


@cache
def words() -> dict[str, dict[str, Any]]:
    """The words of the pages, by language."""
    found: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return found


def code_marks(text: str) -> Markup:
    """A text in which `this` is code."""
    parts = (
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(_CODE.split(text))
    )
    return Markup("").join(parts)
