"""`/guides/` lists the guides of docs/, `/guides/operator` shows one. They are in English.

`python -m scripts.docs` turns the guides into HTML in the folder `guides/` of this package (`scripts/guides.py`).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from flask import Flask, Response, abort
from markupsafe import Markup

from .answers import asked_language, page

FOLDER = files("alhambra_gateway").joinpath("guides")
ENGLISH = "en"


def install(app: Flask) -> None:
    """Add the pages of guides."""

    @app.get("/guides/", strict_slashes=False)
    def guides() -> Response:
        return page("guides.html", asked_language(), lambda: {"guides": index()})

    @app.get("/guides/<name>")
    def guide(name: str) -> Response:
        if name not in index():
            abort(404)
        return page("guide.html", ENGLISH, lambda: {"title": index()[name]["title"], "text": _text(name)})


@cache
def index() -> dict[str, dict[str, str]]:
    """Return title and first sentence of each guide, by name."""
    found: dict[str, dict[str, str]] = json.loads(FOLDER.joinpath("index.json").read_text(encoding="utf-8"))
    return found


@cache
def _text(name: str) -> Markup:
    return Markup(FOLDER.joinpath(f"{name}.html").read_text(encoding="utf-8"))
