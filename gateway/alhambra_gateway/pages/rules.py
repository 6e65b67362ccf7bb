"""`/rules/` lists the pages of docs/rules/, `/rules/watchtowers` shows one. They are in English.

Above a page stands the short rule of its module in the language of the reader. Every statement has its number as anchor
(`/rules/watchtowers#22.7`), and numbers in the text are links. `/rules/22` leads to the page with that number.
"""

from __future__ import annotations

from functools import cache

from flask import Flask, Response, abort, redirect
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from alhambra import BASE, known_modules
from alhambra.handbook import ModulePage, module_page
from alhambra.texts import text

from . import docs_files
from .answers import negotiated_language, page
from .markdown import as_html, title_of

INDEX = "README"


def install(app: Flask) -> None:
    """Add the pages of rules."""

    @app.get("/rules/", strict_slashes=False)
    def rules() -> Response:
        return _page(INDEX)

    @app.get("/rules/<key>")
    def rules_page(key: str) -> AnyResponse:
        if key in docs_files.rules_keys():
            return redirect(f"/rules/{docs_files.rules_keys()[key]}")
        if key not in docs_files.rules_pages():
            abort(404)
        return _page(key)


def _page(key: str) -> Response:
    language, known = negotiated_language(), tuple(known_modules())
    return page("rules.html", language, lambda: _facts(key, language), known)


def _facts(key: str, language: str) -> dict[str, object]:
    order = list(docs_files.rules_pages())
    at = order.index(key) if key in order else -1
    return {
        "title": title_of(_markdown(key)),
        "text": html(key),
        "short": _short_rule(key, language),
        "short_title": text("handbook.rule", language),
        "before": order[at - 1] if at > 0 else None,
        "after": order[at + 1] if 0 <= at < len(order) - 1 else None,
        "titles": {name: title_of(_markdown(name)) for name in order},
    }


def _short_rule(key: str, language: str) -> ModulePage | None:
    """Return the page of the module, which has the short rule; None for pages that are not about one module."""
    return module_page(key, language) if key == BASE.key or key in known_modules() else None


@cache
def _markdown(key: str) -> str:
    return docs_files.read(f"rules/{docs_files.rules_pages().get(key, INDEX)}.md")


@cache
def html(key: str) -> Markup:
    """Return a page of rules as HTML."""

    def statement_address(number: str) -> str:
        cited = docs_files.rules_keys().get(number.partition(".")[0])
        return "" if cited is None else f"#{number}" if cited == key else f"/rules/{cited}#{number}"

    def address_of(link: str) -> str:
        return docs_files.address_of(link, "rules")

    return Markup(as_html(_markdown(key), address_of, statement_address))
