"""`/play`: the game in the browser. Its files are in `play/`, and those of the client library, by which it calls `/v1`,
appear beside them as `client/`.

Each file has an address with the version of all files, `/play/<version>/main.js`, which browsers may keep for ever: the
version is a hash of their contents, so another content has another address. Only the page itself and the service worker
are asked for anew each time, and name the version. So no page mixes files of two versions.
"""

from __future__ import annotations

import json
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from flask import Flask, Response, abort

from .answers import HTML, cached_response

PAGE = "/play"
FRONT = "index.html"
WORKER = "worker.js"
TYPES = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}
"""Media types by file name extension. Files with other extensions are not served."""
KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For addresses with the version of the files."""
ASKED_ANEW = {"Cache-Control": "no-cache"}
"""For addresses without it: a browser asks each time, and is answered 304 if nothing has changed."""
WORKER_HEADERS = {**ASKED_ANEW, "Service-Worker-Allowed": PAGE}
LIBRARY = "client"
"""The folder of the client library."""
UNTYPED = {"types.js"}
"""Files that no browser loads."""


def library_folder() -> Traversable:
    """Return the client library: that of the wheel, or in a clone its sources."""
    package = files("alhambra_gateway")
    packaged = package.joinpath(LIBRARY)
    return packaged if packaged.is_dir() else package.joinpath("..", "..", "clients", "typescript", "src")


class PlayFiles:
    """The files of the table and of the client library, and what is made of them."""

    def __init__(self, folder: Traversable, library: Traversable) -> None:
        self._folder = folder
        self._files = {one.name: one for one in folder.iterdir() if _is_served(one)}
        self._files |= {f"{LIBRARY}/{one.name}": one for one in library.iterdir() if _is_served(one)}
        self.names = sorted(self._files)

    def read(self, name: str) -> bytes:
        """Return one file as it is."""
        return self._files[name].read_bytes()

    @cached_property
    def version(self) -> str:
        """A hash of all files and of the page."""
        found = blake2b(digest_size=8)
        for name, file in (*sorted(self._files.items()), (FRONT, self._folder.joinpath(FRONT))):
            content = file.read_bytes()
            found.update(f"{name} {len(content)} ".encode() + content)
        return found.hexdigest()

    def page(self) -> bytes:
        """Return the page, with the version in the addresses of its files."""
        text = self._folder.joinpath(FRONT).read_text("utf-8")
        return text.replace(f'="{PAGE}/', f'="{PAGE}/{self.version}/').encode()

    def worker(self) -> bytes:
        """Return the service worker, which knows the version and every file that it keeps."""
        kept = [f"{PAGE}/{self.version}/{name}" for name in self.names if name not in {WORKER, *UNTYPED}]
        facts = {"version": self.version, "files": [PAGE, *kept]}
        return self.read(WORKER).replace(b"const KEPT = null;", f"const KEPT = {json.dumps(facts)};".encode())


def _is_served(file: Traversable) -> bool:
    return file.name.rpartition(".")[2] in TYPES


def install(app: Flask) -> None:
    """Add the page and its files."""
    served = PlayFiles(files("alhambra_gateway").joinpath("play"), library_folder())

    @app.get(PAGE, strict_slashes=False)
    def play() -> Response:
        return cached_response(PAGE, served.page, f"{HTML}; charset=utf-8", ASKED_ANEW)

    @app.get(f"{PAGE}/{WORKER}")
    def play_worker() -> Response:
        return cached_response((PAGE, WORKER), served.worker, TYPES["js"], WORKER_HEADERS)

    @app.get(f"{PAGE}/<name>")
    def play_file(name: str) -> Response:
        return answer(name, ASKED_ANEW)

    @app.get(f"{PAGE}/{LIBRARY}/<name>")
    def library_file(name: str) -> Response:
        return answer(f"{LIBRARY}/{name}", ASKED_ANEW)

    @app.get(f"{PAGE}/<version>/<name>")
    @app.get(f"{PAGE}/<version>/<any({LIBRARY}):folder>/<name>")
    def versioned_file(version: str, name: str, folder: str = "") -> Response:
        # A page that was opened before an upgrade still asks for files of its own version: the new ones are the best
        # that is there, and are not kept under the old address.
        path = f"{folder}/{name}" if folder else name
        return answer(path, KEPT if version == served.version else ASKED_ANEW)

    def answer(name: str, headers: dict[str, str]) -> Response:
        if name not in served.names:
            abort(404)
        media_type = TYPES[name.rpartition(".")[2]]
        return cached_response((PAGE, name, headers is KEPT), lambda: served.read(name), media_type, headers)
