"""Language and media type that the reader of a page asks for, and the answer: a page, or data."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response, current_app, render_template, request

from alhambra.texts import choose_language, languages

from .. import limits
from ..json_messages import dumps
from ..refusals.problem import Problem
from ..routing.ready_documents import ReadyDocument, ReadyDocuments

HTML, JSON = "text/html", "application/json"
LANGUAGE = "lang"
"""The query parameter that names a language. It wins over Accept-Language."""


def negotiated_language() -> str:
    """Return the language that the address names, else the one that Accept-Language prefers."""
    named = request.args.get(LANGUAGE, "")
    return named if named in languages() else choose_language(request.headers.get("Accept-Language"))


def negotiated_type() -> str:
    """Return the media type of the answer: HTML, or JSON if the reader prefers it. Raise Problem for neither."""
    found = request.accept_mimetypes.best_match((HTML, JSON)) if request.accept_mimetypes else HTML
    if found is None:
        raise Problem("NOT_ACCEPTABLE", f"This is there as {HTML} and as {JSON}.")
    return found


def page(template: str, language: str, facts: Callable[[], dict[str, Any]], *depends: Hashable) -> Response:
    """Return a page for people. It is made when it is asked for first: `facts` returns what its template needs, and
    `depends` names what they depend on beside the address and the language. Templates link with `at(path)`, which keeps
    the language that the address names. `language_links` are links to the page in every language."""
    chosen = f"?{LANGUAGE}={language}" if request.args.get(LANGUAGE) == language else ""

    def text() -> bytes:
        links = [(known, words()[known]["language"], f"{request.path}?{LANGUAGE}={known}") for known in languages()]
        return render_template(
            template,
            words=words()[language],
            at=lambda path: path + chosen,
            language_links=links,
            language=language,
            **facts(),
        ).encode()

    return cached_response(
        (request.path, chosen, language, *depends), text, f"{HTML}; charset=utf-8", _in_language(language)
    )


def data(document: Callable[[], dict[str, Any]], language: str) -> Response:
    """Return the answer with data for programs."""
    return cached_response((request.path, JSON, language), lambda: dumps(document()), JSON, _in_language(language))


def _in_language(language: str) -> dict[str, str]:
    return {"Content-Language": language, "Vary": "Accept, Accept-Language"}


def cached_response(
    key: Hashable, make: Callable[[], bytes], media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a document that clients may cache for PAGE_SECONDS; 304 if the client already has it."""
    documents: ReadyDocuments = current_app.extensions["documents"]
    cached = {"Cache-Control": f"public, max-age={limits.PAGE_SECONDS}", **(headers or {})}
    return documents.answer(("page", key), lambda: ReadyDocument(make(), media_type, cached))


@cache
def words() -> dict[str, dict[str, Any]]:
    """Return the words of the pages by language."""
    found: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return found
