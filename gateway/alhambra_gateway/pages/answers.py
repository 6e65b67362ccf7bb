"""What a reader of pages wants, and the answer: a page or data, in one of the languages of the texts."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response, render_template, request

from alhambra.texts import choose_language, languages

from .. import limits
from ..problems import Problem
from ..wire import dumps

HTML, JSON = "text/html", "application/json"
LANGUAGE = "lang"
"""The query parameter that names a language, whatever the reader's browser likes."""


def asked_language() -> str:
    """The language that the address names, else the one that the reader likes best of those there are."""
    named = request.args.get(LANGUAGE, "")
    return named if named in languages() else choose_language(request.headers.get("Accept-Language"))


def asked_form() -> str:
    """A page or data; a reader that takes anything gets a page."""
    found = request.accept_mimetypes.best_match((HTML, JSON)) if request.accept_mimetypes else HTML
    if found is None:
        raise Problem("NOT_ACCEPTABLE", f"This is there as {HTML} and as {JSON}.")
    return found


def page(template: str, language: str, **facts: Any) -> Response:
    """A page for people. Templates link with `at(path)`, which keeps a language that the address names; `tongues` are
    the same page in every language."""
    chosen = f"?{LANGUAGE}={language}" if request.args.get(LANGUAGE) == language else ""
    tongues = [(known, words()[known]["language"], f"{request.path}?{LANGUAGE}={known}") for known in languages()]
    text = render_template(
        template, words=words()[language], at=lambda path: path + chosen, tongues=tongues, language=language, **facts
    )
    return _in_language(Response(text, content_type=f"{HTML}; charset=utf-8"), language)


def data(document: dict[str, Any], language: str) -> Response:
    """The same for programs."""
    return _in_language(Response(dumps(document), content_type=JSON), language)


def _in_language(answer: Response, language: str) -> Response:
    answer.headers["Content-Language"] = language
    answer.vary.update(("Accept", "Accept-Language"))
    return kept(answer)


def kept(answer: Response) -> Response:
    """The answer may be kept for a while; afterwards the client asks whether it is still the same."""
    answer.add_etag()
    answer.cache_control.public = True
    answer.cache_control.max_age = limits.PAGE_SECONDS
    return answer.make_conditional(request.environ)  # type: ignore[return-value]


@cache
def words() -> dict[str, dict[str, Any]]:
    """The words of the pages, by language."""
    found: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return found
