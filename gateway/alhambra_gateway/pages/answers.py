"""Language and media type that the reader of a page asks for, and the answer: a page, or data."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response, render_template, request

from alhambra.texts import choose_language, languages

from .. import limits
from ..json_messages import dumps
from ..refusals.problem import Problem

HTML, JSON = "text/html", "application/json"
LANGUAGE = "lang"
"""The query parameter that names a language. It wins over Accept-Language."""


def asked_language() -> str:
    """Return the language that the address names, else the one that Accept-Language prefers."""
    named = request.args.get(LANGUAGE, "")
    return named if named in languages() else choose_language(request.headers.get("Accept-Language"))


def asked_form() -> str:
    """Return the media type of the answer: HTML, or JSON if the reader prefers it. Raises Problem for neither."""
    found = request.accept_mimetypes.best_match((HTML, JSON)) if request.accept_mimetypes else HTML
    if found is None:
        raise Problem("NOT_ACCEPTABLE", f"This is there as {HTML} and as {JSON}.")
    return found


def page(template: str, language: str, **facts: Any) -> Response:
    """Return a page for people. Templates link with `at(path)`, which keeps the language that the address names.
    `tongues` are links to the page in every language."""
    chosen = f"?{LANGUAGE}={language}" if request.args.get(LANGUAGE) == language else ""
    tongues = [(known, words()[known]["language"], f"{request.path}?{LANGUAGE}={known}") for known in languages()]
    text = render_template(
        template, words=words()[language], at=lambda path: path + chosen, tongues=tongues, language=language, **facts
    )
    return _in_language(Response(text, content_type=f"{HTML}; charset=utf-8"), language)


def data(document: dict[str, Any], language: str) -> Response:
    """Return the answer with data for programs."""
    return _in_language(Response(dumps(document), content_type=JSON), language)


def _in_language(answer: Response, language: str) -> Response:
    answer.headers["Content-Language"] = language
    answer.vary.update(("Accept", "Accept-Language"))
    return kept(answer)


def kept(answer: Response) -> Response:
    """Let the answer be cached for PAGE_SECONDS, and answer 304 if the client already has it."""
    answer.add_etag()
    answer.cache_control.public = True
    answer.cache_control.max_age = limits.PAGE_SECONDS
    return answer.make_conditional(request.environ)  # type: ignore[return-value]


@cache
def words() -> dict[str, dict[str, Any]]:
    """Return the words of the pages by language."""
    found: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return found
