"""`/play`: the game in the browser. Its files are in `play/`; it calls only `/v1`."""

from __future__ import annotations

from importlib.resources import files

from flask import Flask, Response, abort

from .answers import HTML, cached_response

PAGE = "/play"
FRONT = "index.html"
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "json": "application/json"}
"""Media types by file name extension. Files with other extensions are not served."""


def install(app: Flask) -> None:
    """Add the page and its files."""
    folder = files("alhambra_gateway").joinpath("play")
    served = {found.name: found for found in folder.iterdir() if found.name.rpartition(".")[2] in TYPES}

    @app.get(PAGE, strict_slashes=False)
    def play() -> Response:
        return cached_response(PAGE, folder.joinpath(FRONT).read_bytes, f"{HTML}; charset=utf-8")

    @app.get(f"{PAGE}/<name>")
    def play_file(name: str) -> Response:
        if name not in served:
            abort(404)
        return cached_response((PAGE, name), served[name].read_bytes, TYPES[name.rpartition(".")[2]])
