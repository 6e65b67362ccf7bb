"""`/how-to-play` teaches the base game with pictures; `/play/lessons` is the same as data, for `/play`. Both show the
Alhambra of a lesson, `/how-to-play/walls.svg`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Flask, Response, abort, request
from markupsafe import Markup

from alhambra import EDITIONS, TYPES, compile_ruleset
from alhambra.handbook import lessons, majority_table
from alhambra.svg import inline_component, inline_symbols
from alhambra.texts import name_of

from .. import limits
from .answers import cached_response, data, negotiated_language, page
from .illustrations import BOARDS, ROWS, SEATS, alhambra

_ACTION = {"decisions": ["action"]}
OCCASIONS: dict[str, dict[str, Any]] = {
    "goal": {},
    "scoring": {"event": "scored"},
    "exact": {"event": "paid", "fact": "exact", "own": True},
    "placing": {"decisions": ["place_tiles", "place_now"]},
    "turn": _ACTION,
    "buying": {**_ACTION, "after": "turn", "offers": True},
    "money": {**_ACTION, "after": "turn"},
    "walls": {"event": "placed", "own": True},
    "dirk": {**_ACTION, "after": "walls", "seats": 2},
    "redesign": {**_ACTION, "reserve": True},
    "end": {"tilesLeft": 8},
}
"""When a guided game shows each lesson: all conditions hold. If several lessons match, the first is shown. The page has
no word of the game in its code, so it reads them here."""


def install(app: Flask) -> None:
    """Add the page and its data."""

    @app.get("/how-to-play")
    def how_to_play() -> Response:
        language = negotiated_language()
        return page("how_to_play.html", language, lambda: {**_facts(language), "pictures": _pictures(language)})

    @app.get("/play/lessons")
    def lessons_as_data() -> Response:
        language = negotiated_language()
        return data(lambda: _facts(language), language)

    @app.get("/how-to-play/<lesson>.svg")
    def lesson_alhambra(lesson: str) -> Response:
        if lesson not in BOARDS:
            abort(404)
        language = negotiated_language()
        headers = {"Vary": "Accept-Language"}
        return cached_response(
            (request.path, language), lambda: alhambra(lesson, language).encode(), "image/svg+xml", headers
        )


def _facts(language: str) -> dict[str, Any]:
    return {
        "lessons": [
            {"key": one.key, "title": one.title, "text": one.text, "first": one.first}
            | {"row": [{"kind": kind, "id": thing} for kind, thing in ROWS.get(one.key, ())]}
            | ({"alhambra": f"/how-to-play/{one.key}.svg?lang={language}"} if one.key in BOARDS else {})
            for one in lessons(language)
        ],
        "occasions": [{"lesson": key, **when} for key, when in OCCASIONS.items()],
        "majorities": {
            "lesson": "scoring",
            "types": [
                {"type": key, "name": name_of(key, language), "scorings": [list(places) for places in scorings]}
                for key, scorings in majority_table().items()
            ],
        },
    }


@lru_cache(limits.PAGES_REMEMBERED)
def _pictures(language: str) -> dict[str, Markup]:
    """Return the pictures of the building types and of what lessons show; under "" the symbols that they share."""
    ruleset = compile_ruleset(SEATS, next(iter(EDITIONS)), ())
    parts = {(kind, thing) for row in ROWS.values() for kind, thing in row if kind}
    wanted = sorted(parts | {("type", key) for key in TYPES})
    drawn = {thing: inline_component(ruleset, kind, thing, language) for kind, thing in wanted}
    # Everything in a drawing comes from this library, which has escaped all names.
    found = {key: Markup(picture) for key, picture in drawn.items()}
    return found | {"": Markup(inline_symbols(ruleset, drawn.values()))}
