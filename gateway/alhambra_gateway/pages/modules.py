"""`/modules/` lists the base game and all modules, `/modules/squares` explains one, with pictures of its components.

Everything on these pages comes from the library (`alhambra.handbook`, `alhambra.svg`): the modules are those that are
installed beside the gateway, modules of other packages included. Pictures are part of the page; their colours stand in
`/static/pictures.css`, because the policy of pages allows no style sheets inside them.
"""

from __future__ import annotations

from functools import lru_cache

from flask import Flask, Response, abort
from markupsafe import Markup

from alhambra import BASE, EDITIONS, compile_ruleset, known_modules
from alhambra.handbook import ModulePage, all_pages, module_page
from alhambra.svg import inline_component, inline_symbols, picture_styles
from alhambra.texts import text

from .. import limits
from . import docs_files
from .answers import cached_response, negotiated_language, page

MOST_SEATS = 6
"""Seats of the game whose components are shown: with six seats a module adds everything that it has."""


def install(app: Flask) -> None:
    """Add the pages of modules."""

    @app.get("/modules/", strict_slashes=False)
    def modules() -> Response:
        language, known = negotiated_language(), tuple(known_modules())
        return page("modules.html", language, lambda: {"pages": _all_pages(language, known)}, known)

    @app.get("/modules/<key>")
    def module(key: str) -> Response:
        if key != BASE.key and key not in known_modules():
            abort(404)
        language, known = negotiated_language(), tuple(known_modules())

        def facts() -> dict[str, object]:
            listed = _all_pages(language, known)
            at = next(place for place, one in enumerate(listed) if one.key == key)
            return {
                "one": listed[at],
                "titles": {name: text(f"handbook.{name}", language) for name in ("rule", "example")},
                "pictures": _pictures(key, language),
                "has_rules": key in docs_files.rules_pages(),
                "before": listed[at - 1] if at else None,
                "after": listed[at + 1] if at + 1 < len(listed) else None,
            }

        return page("module.html", language, facts, known)

    @app.get("/static/pictures.css")
    def pictures() -> Response:
        return cached_response("pictures.css", lambda: picture_styles().encode(), "text/css; charset=utf-8")


@lru_cache(limits.PAGES_REMEMBERED)
def _all_pages(language: str, _known: tuple[str, ...]) -> list[ModulePage]:
    """Return the pages of all modules. They are made again when another module is registered."""
    return all_pages(language)


@lru_cache(limits.PAGES_REMEMBERED)
def _pictures(key: str, language: str) -> dict[tuple[str, str], Markup]:
    """Return the pictures of a page by kind and id; under ("", "") the symbols that they share."""
    ruleset = compile_ruleset(MOST_SEATS, next(iter(EDITIONS)), () if key == BASE.key else (key,))
    wanted = [
        (entry.component, entry.key)
        for section in module_page(key, language).sections
        for entry in section.entries
        if entry.component
    ]
    drawn = {(kind, thing): inline_component(ruleset, kind, thing, language) for kind, thing in wanted}
    # Everything in a drawing comes from this library, which has escaped all names.
    found = {place: Markup(picture) for place, picture in drawn.items()}
    return found | {("", ""): Markup(inline_symbols(ruleset, drawn.values()))}
