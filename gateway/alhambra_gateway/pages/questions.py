"""`/play/questions`: which shared questions of the base game are asked with which modules, as data for `/play`.

The catalogue lists every kind of decision that the rules have. Some of them come up only with modules that ask them, or
that begin auctions: a table that offers standing orders needs to know which. What is said here comes from the
definitions of the modules installed beside the gateway; the table offers more for modules that are not among them.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response

from alhambra import BASE, Module, known_modules, load_module

from ..json_messages import dumps
from .answers import JSON, cached_response

ALWAYS_ASKED = "action"
"""The shared question of every turn, which modules only keep open longer."""
AUCTION = "auction"
"""The question that a module asks by beginning an auction. It says so in `Module.answers`."""


def install(app: Flask) -> None:
    """Add the data."""

    @app.get("/play/questions")
    def questions() -> Response:
        known = tuple(known_modules())
        return cached_response(("questions", known), lambda: dumps(_questions(known)), JSON)


def _questions(known: tuple[str, ...]) -> dict[str, Any]:
    """Return the modules, and by shared question those that ask it."""
    definitions = [load_module(key) for key in known]
    shared = [kind.name for kind in BASE.decisions if kind.orders and kind.name != ALWAYS_ASKED]
    return {
        "modules": list(known),
        "asked_with": {kind: [one.key for one in definitions if _asks(one, kind)] for kind in shared},
    }


def _asks(definition: Module, kind: str) -> bool:
    """Return whether the module asks the question, or begins auctions if it is the question of an auction."""
    return kind in definition.asks or (kind == AUCTION and AUCTION in definition.answers)
