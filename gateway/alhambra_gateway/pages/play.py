"""`/play`: the table in the browser. Its files stand in `play/`; it calls nothing but the interface `/v1`."""

from __future__ import annotations

from importlib.resources import files

from flask import Flask, Response, abort

from .answers import HTML, kept

PAGE = "/play"
FRONT = "index.html"
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "json": "application/json"}
"""By the end of a name: the media type. What ends otherwise is not served."""


def install(app: Flask) -> None:
    """Adds the page and its files."""
    folder = files("alhambra_gateway").joinpath("play")
    served = {found.name: found for found in folder.iterdir() if found.name.rpartition(".")[2] in TYPES}

    @app.get(PAGE, strict_slashes=False)
    def play() -> Response:
        return kept(Response(folder.joinpath(FRONT).read_bytes(), content_type=f"{HTML}; charset=utf-8"))

    @app.get(f"{PAGE}/<name>")
    def play_file(name: str) -> Response:
        if name not in served:
            abort(404)
        return kept(Response(served[name].read_bytes(), content_type=TYPES[name.rpartition(".")[2]]))
